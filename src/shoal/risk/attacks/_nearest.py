"""Nearest linkage: the released row least unlike the target."""

from __future__ import annotations

from typing import ClassVar

from shoal.risk.attacks._base import Attack, AttackResult
from shoal.risk.attacks._exact import blind_spots
from shoal.risk.attacks._meanings import Meaning
from shoal.risk.attacks._picking import Costs, pick_rows
from shoal.risk.attacks._rates import mean_over_people
from shoal.risk.attacks._scene import AttackScene
from shoal.typing import FloatArray, IntArray


class NearestLinkage(Attack):
    """The attacker points at the released row that is expected to be nearest to the target.

    Distance is Gower's over the quasi-identifiers: shares of the range for numbers, alike or not
    for words; an interval or a label counts with the mean distance to what may be behind it. This
    also finds people whose values were moved, which `ExactLinkage` misses.
    """

    name: ClassVar[str] = "nearest_linkage"
    title: ClassVar[str] = "By the nearest row"
    scenario: ClassVar[str] = (
        "Somebody knows all quasi-identifiers of a person, though the release may have moved them,"
        " and points at the row that is least unlike them."
    )
    citation: ClassVar[str] = (
        "J. Domingo-Ferrer, V. Torra. Distance-based and probabilistic record linkage. 2001."
    )

    def run(self, scene: AttackScene) -> AttackResult:
        """Link people; the baseline points at any row of the release."""
        return link(self.name, scene, _distance)


def link(name: str, scene: AttackScene, costs: Costs) -> AttackResult:
    """Link people to the row of lowest cost; the baseline points at any row of the release."""
    rows = scene.some_rows(name)
    picks = pick_rows(scene, scene.values_of_original(rows), costs, rows)
    rate, people = mean_over_people(picks.right, scene.people_of(rows))
    held_out, control = scene.values_of_control(), None
    if held_out is not None:
        some = scene.randomness(name).permutation(len(held_out))[: scene.at_most]
        control = float(pick_rows(scene, held_out[some], costs).right.mean())
    return AttackResult(
        name,
        rate=rate,
        baseline=1 / scene.released.n_rows,
        control=control,
        people=people,
        note=blind_spots(scene),
        control_counts=False,
        upper_bound=scene.only_claims,
    )


def _distance(meaning: Meaning, values: IntArray, rows_of_text: FloatArray) -> FloatArray:
    return meaning.distances(values)
