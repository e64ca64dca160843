"""Background knowledge: one value ruled out may leave only one."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from shoal.risk.attacks._base import Attack, AttackResult
from shoal.risk.attacks._scene import AttackScene
from shoal.risk.attacks._secrets import Believed, attack_secrets, guess
from shoal.typing import FloatArray, IntArray


class BackgroundKnowledge(Attack):
    """The attacker knows one value that the target does not have, the one that hides them best.

    It is then struck out, and the likeliest of the rest is guessed. The baseline knows the same of
    the whole table instead of the crowd.
    """

    name: ClassVar[str] = "background_knowledge"
    title: ClassVar[str] = "What if one value can be ruled out?"
    goal: ClassVar[str] = "value"
    scenario: ClassVar[str] = (
        "A neighbour knows one thing the person surely does not have, strikes it out in the"
        " person's crowd, and guesses the likeliest of what is left."
    )
    citation: ClassVar[str] = "A. Machanavajjhala et al. l-diversity. ICDE 2006."

    def run(self, scene: AttackScene) -> AttackResult:
        """Guess with one value struck out."""
        return attack_secrets(scene, self.name, _guess_in_crowd, _guess_at_large)


def _guess_in_crowd(told: Believed) -> FloatArray:
    return guess(_strike(told.posterior, told.truth), told.truth)


def _guess_at_large(told: Believed) -> FloatArray:
    everybody = np.broadcast_to(told.prior, told.posterior.shape)
    return guess(_strike(everybody, told.truth), told.truth)


def _strike(chances: FloatArray, truth: IntArray) -> FloatArray:
    """Strike out the commonest value of each row that is not the true one."""
    left = np.array(chances, dtype=np.float64)
    known = truth >= 0
    others = left.copy()
    others[np.flatnonzero(known), truth[known]] = -1.0
    left[np.arange(len(left)), others.argmax(axis=1)] = 0.0
    return left
