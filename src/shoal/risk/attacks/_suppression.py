"""Suppression: rows left as stars are a crowd too, and a telling one."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from shoal.risk.attacks._base import Attack, AttackResult
from shoal.risk.attacks._rates import mean_over_people
from shoal.risk.attacks._scene import AttackScene
from shoal.risk.attacks._secrets import Secret
from shoal.typing import BoolArray, FloatArray, IntArray


class Suppression(Attack):
    """The attacker finds whom no other row fits: they must be among the rows of stars.

    The rate is the share of people who are so found and whose secret all rows of stars agree on;
    without a secret, the chance to point at their row. The baseline looks at the rest of the
    release instead: nobody there is found by not being found.
    """

    name: ClassVar[str] = "suppression"
    title: ClassVar[str] = "Do rows of stars give people away?"
    scenario: ClassVar[str] = (
        "Somebody notices that no row fits a person but those where everything is starred, and"
        " reads the sensitive values that were left beside the stars."
    )
    citation: ClassVar[str] = "P. Samarati. Protecting respondents' identities. TKDE 2001."

    def run(self, scene: AttackScene) -> AttackResult:
        """Look for people whom only stars fit."""
        starred = _starred(scene)
        values = scene.values_of_original(scene.rows)
        sizes = scene.groups.sizes
        others = scene.matching.sums(values, (sizes * ~starred)[:, None])[:, 0]
        left_out = float((others == 0).mean())
        if not starred.any():
            return AttackResult(
                self.name, 0.0, people=int(scene.rows.size), details={"fit_no_row": left_out}
            )
        gain = (others == 0) * self._told(scene, scene.original, scene.rows, starred)
        rate, people = mean_over_people(gain, scene.people_of(scene.rows))
        return AttackResult(
            self.name,
            rate=rate,
            control=self._control(scene, starred),
            people=people,
            note=f"{int(sizes[starred].sum()):,} rows are stars throughout.",
            details={"fit_no_row": left_out},
        )

    def _told(
        self, scene: AttackScene, table: object, rows: IntArray, starred: BoolArray
    ) -> FloatArray:
        """What the rows of stars tell about each person, as a chance to be right."""
        told = np.full(rows.size, 1 / scene.groups.sizes[starred].sum())
        for name in scene.secrets:
            secret = Secret(scene, name)
            counts = secret.counts[starred].sum(axis=0)
            truth = secret.true_values(table, rows)  # type: ignore[arg-type]
            sure = (counts > 0).sum() == 1
            right = np.where(truth >= 0, counts[np.maximum(truth, 0)] > 0, False)
            told = np.maximum(told, sure & right)
        return told

    def _control(self, scene: AttackScene, starred: BoolArray) -> float | None:
        held_out = scene.values_of_control()
        if held_out is None:
            return None
        others = scene.matching.sums(held_out, (scene.groups.sizes * ~starred)[:, None])[:, 0]
        told = self._told(scene, scene.control, np.arange(len(held_out)), starred)
        return float(((others == 0) * told).mean())


def _starred(scene: AttackScene) -> BoolArray:
    """Which groups are stars in every quasi-identifier."""
    texts = scene.matching.texts
    stars = np.ones(len(texts), dtype=np.bool_)
    for column, meaning in enumerate(scene.meanings.values()):
        stars &= meaning.anything[texts[:, column]]
    return stars & bool(scene.names)
