"""Exact linkage: every released row that fits what is known of the target."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from shoal.risk.attacks._base import Attack, AttackResult
from shoal.risk.attacks._rates import mean_over_people
from shoal.risk.attacks._scene import AttackScene
from shoal.typing import FloatArray, IntArray


class ExactLinkage(Attack):
    """The attacker picks one of the released rows that fit the target's quasi-identifiers.

    On a generalized release the target's own row fits, so the pick is right with probability
    1 / rows that fit. With a known ``truth`` it counts whether the own row is among them: the
    re-link rate of a subset of people in data of the original's kind. A person whom no row fits
    is not linked.
    """

    name: ClassVar[str] = "exact_linkage"
    title: ClassVar[str] = "By everything that is known"
    scenario: ClassVar[str] = (
        "Somebody knows all quasi-identifiers of a person in the release, looks for the rows that"
        " fit them, and points at one."
    )
    citation: ClassVar[str] = "L. Sweeney. k-anonymity: a model for protecting privacy. 2002."

    def run(self, scene: AttackScene) -> AttackResult:
        """Link everybody; the baseline points at any row of the release."""
        rows = scene.rows
        values = scene.values_of_original(rows)
        fitting = scene.matching.count(values)
        right = _chance(fitting)
        if scene.truth is not None:
            right = right * _is_among(scene, rows, values)
        rate, people = mean_over_people(right, scene.people_of(rows))
        held_out = scene.values_of_control()
        return AttackResult(
            self.name,
            rate=rate,
            baseline=1 / scene.released.n_rows,
            control=None if held_out is None else _mean_chance(scene, held_out),
            people=people,
            note=blind_spots(scene),
            control_counts=False,
            upper_bound=scene.only_claims,
            details={"fitting_nobody": float((fitting == 0).mean())},
        )


def _chance(fitting: FloatArray) -> FloatArray:
    return np.where(fitting > 0, 1 / np.maximum(fitting, 1), 0.0)


def _mean_chance(scene: AttackScene, values: IntArray) -> float:
    return float(_chance(scene.matching.count(values)).mean())


def _is_among(scene: AttackScene, rows: IntArray, values: IntArray) -> FloatArray:
    """Tell for each person whether the group of their own released row fits them."""
    assert scene.truth is not None
    own = np.asarray(scene.truth)[rows]
    fits = own >= 0
    texts = scene.texts_of_rows[np.maximum(own, 0)]
    for column, meaning in enumerate(scene.meanings.values()):
        fits &= meaning.fits(values[:, column], texts[:, column])
    return fits.astype(np.float64)


def blind_spots(scene: AttackScene) -> str:
    """Say what stands between this attack and the truth."""
    if scene.only_claims:
        return "Values were moved: this is claimed, not right; the manifest tells what was right."
    blind = [name for name, meaning in scene.meanings.items() if meaning.unknown]
    if not blind:
        return ""
    names = ", ".join(blind)
    return f"Labels of {names} were not understood: give the plan of the release, or hierarchies."
