"""Re-linkage: how often an attacker finds a person again after values were moved."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from shoal.hierarchies import Hierarchy
from shoal.privacy import ModelResult
from shoal.risk.attacks import AttackResult, AttackScene, ExactLinkage, NearestLinkage, Relinking
from shoal.table import Grouping, Roles, Table, read_table
from shoal.typing import BoolArray, IntArray

ATTACKS = (ExactLinkage(), NearestLinkage(), Relinking())
MOST_ROWS = 8_000  # handed to the attacker; whole clusters, so that the own row is among them
MOST_PEOPLE = 1_000


@dataclass(frozen=True)
class Relinkage:
    """How often linkage attacks find a person's row again, the best attack counting.

    Attributes
    ----------
    rate, interval : float, pair of float
        Share of former outliers whose own row the attacker points at, with 95 % confidence;
        of all people if there are no outliers.
    baseline : float
        The same for pointing at any row of those the attacker was handed.
    control : float
        The same attack if it knew the right cluster and nothing more: one over its size.
    unprotected : float
        The same attack on the table as it was: what there is to win.
    everybody : float
        The rate among all people, outliers or not.
    people : int
        People attacked.
    m : int
        The bound is one in m.
    by_attack : mapping of str to float
        The rate of each attack.
    """

    rate: float
    interval: tuple[float, float]
    baseline: float
    control: float
    unprotected: float
    everybody: float
    people: int
    m: int
    by_attack: Mapping[str, float]

    @property
    def bound(self) -> float:
        """One in m, plus three standard deviations of a rate among so many people."""
        share = 1 / max(self.m, 1)
        return share + 3 * math.sqrt(share * (1 - share) / max(self.people, 1))

    @property
    def holds(self) -> bool:
        """True if neither former outliers nor others are found more often than that."""
        return max(self.rate, self.everybody) <= self.bound

    @property
    def stamps(self) -> tuple[str, ...]:
        """What must be stamped on a release in which people are found again too often."""
        if self.holds:
            return ()
        worst = max(self.rate, self.everybody)
        return (f"people can be found again: {100 * worst:.0f} of 100 are re-linked",)

    def result(self) -> LinkageResult:
        """The same as the result of a privacy model, for a verdict."""
        return LinkageResult(
            model=f"re-linkage of at most 1 in {self.m}",
            parameter=round(self.bound, 6),
            holds=self.holds,
            worst=round(max(self.rate, self.everybody), 6),
            statistic="linked by the best attack",
            groups=1,
            groups_failing=int(not self.holds),
        )

    def rates(self) -> dict[str, float]:
        """The rates that a report shows."""
        return {
            "relink_rate": self.rate,
            "relink_bound": self.bound,
            "relink_baseline": self.baseline,
            "relink_everybody": self.everybody,
            "relink_unprotected": self.unprotected,
        }

    def to_dict(self) -> dict[str, Any]:
        """The numbers under the names of the command line's JSON."""
        return {
            "relink_rate": self.rate,
            "relink_interval": list(self.interval),
            "relink_baseline": self.baseline,
            "relink_control": self.control,
            "relink_unprotected": self.unprotected,
            "relink_everybody": self.everybody,
            "relink_bound": self.bound,
            "relink_people": self.people,
            "relink_by_attack": dict(self.by_attack),
        }


class LinkageResult(ModelResult):
    """A measured rate in the place of a model: it speaks of people, not of groups."""

    hint = "Push back and stir all quasi-identifiers, or raise m."

    def __str__(self) -> str:
        claim = "holds" if self.holds else "does not hold"
        return (
            f"{self.model} {claim} ({self.statistic}: {100 * self.worst:.1f} %, "
            f"at most {100 * self.parameter:.1f} % permitted)"
        )


def measure_relinkage(
    table: Table,
    released: pl.DataFrame,
    clusters: Grouping,
    outliers: BoolArray,
    m: int,
    *,
    hierarchies: Mapping[str, Hierarchy] | None = None,
    seed: int = 0,
) -> Relinkage:
    """Attack a release whose row i came from row i of the table.

    Parameters
    ----------
    table : Table
        The original.
    released : polars.DataFrame
        One row for each row of the table, as `Recoded.aligned_frame` gives them.
    clusters : Grouping
        Whom each row was stirred with; rows that are in none are not released.
    outliers : BoolArray
        Who stood out before.
    m : int
        The largest cluster that is too small to hide in.

    Notes
    -----
    Of a large table the attacker is handed a part, whole clusters of it, and told that the
    target is in there: that only helps.
    """
    rng = np.random.default_rng(seed)
    rows = _part(clusters, outliers, rng)
    roles = Roles(quasi_identifiers=table.roles.quasi_identifiers)
    original = table.take(rows).with_roles(roles)
    moved = _as_published(table, released, rows)
    sizes = clusters.sizes[clusters.labels[rows]]
    standing_out = np.flatnonzero(outliers[rows])
    everybody = np.arange(rows.size)
    targets = standing_out if standing_out.size else everybody
    kept = dict(hierarchies or {})

    def attack(released_: Table, people: IntArray) -> list[AttackResult]:
        some = rng.permutation(people)[:MOST_PEOPLE]
        scene = AttackScene(
            released_,
            original,
            hierarchies=kept,
            truth=np.arange(rows.size),
            targets=np.sort(some),
            at_most=MOST_PEOPLE,
        )
        return [attack.run(scene) for attack in ATTACKS]

    found = attack(moved, targets)
    best = max(found, key=lambda result: result.rate)
    all_found = found if targets is everybody else attack(moved, everybody)
    return Relinkage(
        rate=best.rate,
        interval=best.interval,
        baseline=best.baseline,
        control=float((1 / sizes[targets]).mean()),
        unprotected=max(result.rate for result in attack(original, targets)),
        everybody=max(result.rate for result in all_found),
        people=best.people,
        m=m,
        by_attack={result.name: result.rate for result in found},
    )


def _part(clusters: Grouping, outliers: BoolArray, rng: np.random.Generator) -> IntArray:
    """Rows of whole clusters, those that took outliers in first, until there are enough."""
    if clusters.n_rows - clusters.n_suppressed <= MOST_ROWS:
        return np.flatnonzero(clusters.labels >= 0)
    took = np.zeros(clusters.n_groups, dtype=np.bool_)
    took[clusters.labels[outliers & (clusters.labels >= 0)]] = True
    order = rng.permutation(clusters.n_groups)
    order = order[np.argsort(~took[order], kind="stable")]
    enough = int(np.searchsorted(np.cumsum(clusters.sizes[order]), MOST_ROWS)) + 1
    chosen = np.zeros(clusters.n_groups + 1, dtype=np.bool_)
    chosen[order[:enough]] = True
    return np.flatnonzero(chosen[clusters.labels])


def _as_published(table: Table, released: pl.DataFrame, rows: IntArray) -> Table:
    """Read published quasi-identifiers as texts: they may be ranges."""
    names = [name for name in table.roles.quasi_identifiers if name in released.columns]
    return read_table(
        released.select(names)[rows],
        roles=Roles(quasi_identifiers=names),
        kinds=dict.fromkeys(names, "nominal"),
        missing=table.cells.missing,
    )
