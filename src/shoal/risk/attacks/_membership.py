"""Membership: was this person in the table at all?"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from shoal.risk.attacks._base import Attack, AttackResult
from shoal.risk.attacks._meanings import Meaning
from shoal.risk.attacks._picking import pick_rows
from shoal.risk.attacks._scene import AttackScene
from shoal.typing import FloatArray, IntArray


class Membership(Attack):
    """The attacker believes that whoever is nearer to a published row was in the table.

    The rate is the chance that a member is nearer than somebody held out (the area under the ROC
    curve); guessing has 0.5. Somebody whom no row fits is provably absent.
    """

    name: ClassVar[str] = "membership"
    title: ClassVar[str] = "Was this person in the table?"
    goal: ClassVar[str] = "member"
    scenario: ClassVar[str] = (
        "Somebody knows a person and wants to know whether the table holds them, which may itself"
        " be the secret. The nearer a published row is, the more they believe it."
    )
    citation: ClassVar[str] = "R. Shokri et al. Membership inference attacks. S&P 2017."

    def run(self, scene: AttackScene) -> AttackResult:
        """Compare members with people held out."""
        held_out = scene.values_of_control()
        if held_out is None:
            return AttackResult.skipped(self.name, "Nobody was held out: give --control.")
        rows = scene.some_rows(self.name)
        some = scene.randomness(self.name).permutation(len(held_out))[: scene.at_most]
        inside = pick_rows(scene, scene.values_of_original(rows), _outside).cost
        outside = pick_rows(scene, held_out[some], _outside).cost
        return AttackResult(
            self.name,
            rate=_nearer(inside, outside),
            baseline=0.5,
            control=0.5,  # by definition: people held out against people held out
            people=int(rows.size + some.size),
            details={"provably_absent": float((outside > 1e-9).mean())},
        )


def _outside(meaning: Meaning, values: IntArray, rows_of_text: FloatArray) -> FloatArray:
    """How far each value lies outside of what each text may stand for."""
    far = meaning.distances(values)
    return np.where(meaning.covers(values), 0.0, far)


def _nearer(inside: FloatArray, outside: FloatArray) -> float:
    """Chance that the first is smaller than the second; ties count half (Mann and Whitney)."""
    ordered = np.sort(inside)
    below = np.searchsorted(ordered, outside - 1e-9, side="left")
    up_to = np.searchsorted(ordered, outside + 1e-9, side="right")
    return float(((below + up_to) / 2).mean() / inside.size)
