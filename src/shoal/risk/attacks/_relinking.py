"""Re-linking: cells that push-back, stirring or shuffling left as they were point home."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from shoal.risk.attacks._base import Attack, AttackResult
from shoal.risk.attacks._meanings import Meaning
from shoal.risk.attacks._nearest import link
from shoal.risk.attacks._scene import AttackScene
from shoal.typing import FloatArray, IntArray


class Relinking(Attack):
    """The attacker points at the row that keeps most of the target's cells, rare ones above all.

    A cell in common counts by how few rows share it (minus the logarithm of their share), the
    weight of probabilistic record linkage. Values that were moved cost nothing: one rare cell
    left untouched is enough.
    """

    name: ClassVar[str] = "relinking"
    title: ClassVar[str] = "Do untouched cells point home?"
    scenario: ClassVar[str] = (
        "Somebody knows that values were pushed back or shuffled, and looks for the row that still"
        " holds the person's rarest cells."
    )
    citation: ClassVar[str] = "I. Fellegi, A. Sunter. A theory for record linkage. JASA 64, 1969."

    def run(self, scene: AttackScene) -> AttackResult:
        """Link people; the baseline points at any row of the release."""
        return link(self.name, scene, _rarity)


def _rarity(meaning: Meaning, values: IntArray, rows_of_text: FloatArray) -> FloatArray:
    """Minus the surprise of a cell in common, 0 for a cell that cannot be the person's."""
    common = meaning.covers(values)
    share = (common @ rows_of_text) / max(1.0, float(rows_of_text.sum()))
    surprise = -np.log(np.where(share > 0, share, 1.0))
    costs: FloatArray = -surprise[:, None] * common
    return costs
