"""Homogeneity: everybody in the crowd has the same secret, so the crowd hides nothing."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from shoal.risk.attacks._base import Attack, AttackResult
from shoal.risk.attacks._scene import AttackScene
from shoal.risk.attacks._secrets import Believed, attack_secrets
from shoal.typing import FloatArray

_CERTAIN = 1 - 1e-9


class Homogeneity(Attack):
    """The attacker is certain: all rows that fit the target print one value.

    The baseline deals the values out at random over the same crowds.
    """

    name: ClassVar[str] = "homogeneity"
    title: ClassVar[str] = "Is the secret certain?"
    goal: ClassVar[str] = "value"
    scenario: ClassVar[str] = (
        "Somebody finds the crowd of a person. If all rows in it show the same sensitive value,"
        " it does not matter which row is theirs."
    )
    citation: ClassVar[str] = "A. Machanavajjhala et al. l-diversity. ICDE 2006."

    def run(self, scene: AttackScene) -> AttackResult:
        """Count the people whose secret is certain."""
        return attack_secrets(scene, self.name, _certain, _certain_by_chance)


def _certain(told: Believed) -> FloatArray:
    return ((told.chance_of_truth >= _CERTAIN) & (told.fitting > 0)).astype(np.float64)


def _certain_by_chance(told: Believed) -> FloatArray:
    """Chance that a crowd of this size, dealt from the whole table, shows only what is true."""
    share = np.where(told.truth >= 0, told.prior[np.maximum(told.truth, 0)], 0.0)
    dealt: FloatArray = share**told.fitting
    return np.where(told.fitting > 0, dealt, 0.0)
