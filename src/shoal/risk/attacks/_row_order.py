"""Row order: rows that stand where they stood."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from shoal.risk.attacks._base import Attack, AttackResult
from shoal.risk.attacks._scene import AttackScene
from shoal.typing import IntArray


class RowOrder(Attack):
    """The attacker takes the i-th released row for the i-th person of the original.

    The rate is how often that row fits the person; the baseline is how often a row drawn at random
    does. Rows sorted by what they show have an order that says nothing else: nothing is gained.
    """

    name: ClassVar[str] = "row_order"
    title: ClassVar[str] = "Do rows stand where they stood?"
    scenario: ClassVar[str] = (
        "Somebody who knows the order of the original (by date of admission, say) reads the"
        " released rows in the same order."
    )

    def run(self, scene: AttackScene) -> AttackResult:
        """Hold released and original rows against each other, place by place."""
        common = min(scene.released.n_rows, scene.original.n_rows)
        places = np.arange(common)
        baseline = float(_by_chance(scene))
        if _sorted_by_content(scene):
            note = "Rows are sorted by what they show."
            return AttackResult(self.name, baseline, baseline, None, common, note)
        rate = max(
            float(_fit(scene, places, places).mean()),  # rows left out shift those after them
            float(_fit(scene, places - common, places - common).mean()),
        )
        return AttackResult(self.name, rate, baseline, None, common)


def _fit(scene: AttackScene, people: IntArray, rows: IntArray) -> IntArray:
    values, texts = scene.everybody[people], scene.texts_of_rows[rows]
    fits = np.ones(len(values), dtype=np.bool_)
    for column, meaning in enumerate(scene.meanings.values()):
        fits &= meaning.fits(values[:, column], texts[:, column])
    return fits.astype(np.int64)


def _by_chance(scene: AttackScene) -> float:
    fitting = scene.matching.count(scene.values_of_original(scene.rows))
    return float(fitting.mean() / scene.released.n_rows)


def _sorted_by_content(scene: AttackScene) -> bool:
    frame = scene.released.frame
    plain = [name for name in frame.columns if not frame.schema[name].is_nested()]
    return bool(frame.select(plain).equals(frame.select(plain).sort(plain, maintain_order=True)))
