"""The update rule of the first experiment page: keep what the chosen groups keep."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from shoal.session.learners._belief import Belief, Observation, first_guess
from shoal.typing import FloatArray

ROUND = 5  # decisions between two updates
RATE = 5


@dataclass(frozen=True, eq=False)
class Cafebabe(Belief):
    """The rule behind 35 of the 63 sessions of Malle et al. (2017).

    After every five decisions the detail kept by the chosen groups, averaged over all decisions
    so far and scaled to sum to 1, is the target; weights go a fifth of the way to it. The group
    that was not chosen plays no part.
    """

    weights: FloatArray
    kept: FloatArray  # one row a decision

    @classmethod
    def start(cls, n: int, *, seed: int, bias: FloatArray | None = None) -> Self:
        """Begin at the sliders, or at equal weights as the experiment did."""
        return cls(first_guess(n, bias), np.zeros((0, n)))

    def after(self, observation: Observation) -> Self:
        """Note the decision; at the end of a round move towards what was kept."""
        if observation.meaning != "side":
            return self  # the pages knew no such answer
        kept = np.vstack([self.kept, observation.kept])
        target = kept.mean(axis=0)
        if len(kept) % ROUND or not target.sum():
            return replace(self, kept=kept)
        moved = self.weights + (target / target.sum() - self.weights) / RATE
        return replace(self, kept=kept, weights=moved / moved.sum())

    @property
    def mean(self) -> FloatArray:
        """The weights."""
        return self.weights

    @property
    def draws(self) -> FloatArray:
        """The weights themselves: this rule knows no doubt."""
        return self.weights[None]
