"""Skewness: the crowd makes a rare secret likely."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from shoal.risk.attacks._base import Attack, AttackResult
from shoal.risk.attacks._scene import AttackScene
from shoal.risk.attacks._secrets import Believed, attack_secrets
from shoal.typing import FloatArray


class Skewness(Attack):
    """The chance that the attacker gives to the true value, after and before seeing the crowd."""

    name: ClassVar[str] = "skewness"
    title: ClassVar[str] = "Does the crowd make a secret likelier?"
    goal: ClassVar[str] = "value"
    scenario: ClassVar[str] = (
        "An insurer knows how common each value is, looks at the person's crowd, and believes in"
        " each value as much as it is common there."
    )
    citation: ClassVar[str] = "N. Li, T. Li, S. Venkatasubramanian. t-closeness. ICDE 2007."

    def run(self, scene: AttackScene) -> AttackResult:
        """Average the belief in what is true."""
        return attack_secrets(scene, self.name, _belief_after, _belief_before)


def _belief_after(told: Believed) -> FloatArray:
    return told.chance_of_truth


def _belief_before(told: Believed) -> FloatArray:
    return np.where(told.truth >= 0, told.prior[np.maximum(told.truth, 0)], 0.0)
