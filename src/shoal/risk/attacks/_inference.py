"""Attribute inference: the likeliest secret among the rows that fit."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from shoal.risk.attacks._base import Attack, AttackResult
from shoal.risk.attacks._scene import AttackScene
from shoal.risk.attacks._secrets import Believed, attack_secrets, guess
from shoal.typing import FloatArray


class AttributeInference(Attack):
    """The attacker guesses the commonest value among the rows that fit the target.

    The baseline guesses the commonest value of the whole release. The control matters most here:
    what is right about people who are not in the release is knowledge, not a leak.
    """

    name: ClassVar[str] = "attribute_inference"
    title: ClassVar[str] = "Can the secret be guessed?"
    goal: ClassVar[str] = "value"
    scenario: ClassVar[str] = (
        "Somebody looks at all rows that fit a person and guesses the sensitive value that most of"
        " them show."
    )
    citation: ClassVar[str] = "M. Giomi et al. A unified framework (anonymeter). PETS 2023."

    def run(self, scene: AttackScene) -> AttackResult:
        """Guess everybody's secret."""
        return attack_secrets(scene, self.name, _in_crowd, _at_large)


def _in_crowd(told: Believed) -> FloatArray:
    return guess(told.posterior, told.truth)


def _at_large(told: Believed) -> FloatArray:
    return guess(np.broadcast_to(told.prior, told.posterior.shape), told.truth)
