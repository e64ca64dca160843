"""The update rule of the second experiment page, as it was meant."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from shoal.session.learners._belief import Belief, Observation, first_guess
from shoal.typing import FloatArray

DECISIONS = 30  # of a whole session
STEP = 0.1
BINS = 3


@dataclass(frozen=True, eq=False)
class Cafedood(Belief):
    """The rule meant for 28 of the 63 sessions of Malle et al. (2017).

    An attribute that costs more in the chosen group than in the other one mattered less: it
    loses weight in proportion to the difference of the costs, in bins from 0 to 3, and all gain
    the same; steps shrink as the session goes on. The page that was used in the end never read
    the decisions; this is the rule of the version before it.
    """

    weights: FloatArray
    decisions: int = 0

    @classmethod
    def start(cls, n: int, *, seed: int, bias: FloatArray | None = None) -> Self:
        """Begin at the sliders, as the experiment did."""
        return cls(first_guess(n, bias))

    def after(self, observation: Observation) -> Self:
        """Move weight away from what was given up."""
        if observation.meaning != "side":
            return self  # the pages knew no such answer
        given_up = np.maximum(_binned(observation.chosen) - _binned(observation.other), 0.0)
        step = STEP * max(0.0, 1 - self.decisions / DECISIONS)
        counted = replace(self, decisions=self.decisions + 1)
        if not given_up.sum():
            return counted
        moved = self.weights + step / self.weights.size - step * given_up / given_up.sum()
        moved = np.maximum(moved, 0.0)
        return replace(counted, weights=moved / moved.sum())

    @property
    def mean(self) -> FloatArray:
        """The weights."""
        return self.weights

    @property
    def draws(self) -> FloatArray:
        """The weights themselves: this rule knows no doubt."""
        return self.weights[None]


def _binned(cost: FloatArray) -> FloatArray:
    return np.ceil(BINS * np.minimum(cost, 1.0) - 1e-9)
