"""Re-identification: how likely it is that a record is linked to the right person."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from shoal.exceptions import EmptyTableError
from shoal.privacy import (
    average_risk,
    count_members,
    group_by_text,
    journalist_max_risk,
    marketer_risk,
    match_population,
    prosecutor_max_risk,
    sample_unique_fraction,
)
from shoal.risk._population import PopulationUniqueness, population_uniqueness
from shoal.risk._thresholds import THRESHOLDS
from shoal.table import Table
from shoal.typing import IntArray


@dataclass(frozen=True)
class ReidentificationRisk:
    """The chance of a right guess, for three attackers (El Emam and Dankar, 2008).

    Attributes
    ----------
    prosecutor_max, average, sample_unique_fraction : float
        The attacker knows that the target is in the release: the highest chance, the mean over
        records, and the share of records that are alone.
    share_above : mapping of str to float
        Share of records at a higher risk than each preset accepts (`THRESHOLDS`).
    population : PopulationUniqueness, optional
        The estimated share of the population that is unique, if it is known how large a part of
        it the table is.
    k_map, journalist_max, marketer : optional
        The attacker knows the population: the fewest people who read like some group, the highest
        chance, and the share of records expected to be linked rightly. None without a population.
    """

    prosecutor_max: float
    average: float
    sample_unique_fraction: float
    share_above: Mapping[str, float] = field(default_factory=dict)
    population: PopulationUniqueness | None = None
    k_map: int | None = None
    journalist_max: float | None = None
    marketer: float | None = None

    def __str__(self) -> str:
        text = f"highest risk {self.prosecutor_max:.4g}, average {self.average:.4g}"
        if self.journalist_max is None:
            return text
        return f"{text}; in the population {self.journalist_max:.4g} and {self.marketer:.4g}"

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers as plain JSON values; what is not defined is left out."""
        return {name: value for name, value in asdict(self).items() if value not in (None, {})}


def measure_risk(
    table: Table, *, population: Table | None = None, sampling_fraction: float | None = None
) -> ReidentificationRisk:
    """Measure the risk of a table as it is published; people are counted where they are known.

    Parameters
    ----------
    table : Table
        The released table; its roles name the quasi-identifiers.
    population : Table, optional
        Everybody the release was drawn from, with the same quasi-identifiers, generalized alike.
    sampling_fraction : float, optional
        Share of the population that is in the table, where the population itself is not at hand.

    Examples
    --------
    >>> import polars as pl
    >>> from shoal.table import Roles, read_table
    >>> roles = Roles(quasi_identifiers="zip")
    >>> release = read_table(pl.DataFrame({"zip": ["47*"] * 3 + ["48*"] * 2}), roles=roles)
    >>> everybody = read_table(pl.DataFrame({"zip": ["47*"] * 6 + ["48*"] * 3}))
    >>> print(measure_risk(release, population=everybody))
    highest risk 0.5, average 0.4; in the population 0.3333 and 0.2333
    """
    if table.n_rows == 0:
        raise EmptyTableError("The table has no rows.")
    groups = group_by_text(table)
    sizes = count_members(table, groups)
    known: dict[str, Any] = {
        "prosecutor_max": prosecutor_max_risk(sizes),
        "average": average_risk(sizes),
        "sample_unique_fraction": sample_unique_fraction(sizes),
        "share_above": {name: share_above(sizes, t.risk) for name, t in THRESHOLDS.items()},
    }
    if sampling_fraction is not None:
        known["population"] = population_uniqueness(sizes, sampling_fraction)
    if population is None:
        return ReidentificationRisk(**known)
    matched = match_population(table, groups, population)
    behind = matched.population[: matched.n_released]
    return ReidentificationRisk(
        **known,
        k_map=int(behind.min()),
        journalist_max=journalist_max_risk(behind),
        marketer=marketer_risk(sizes, behind),
    )


def share_above(sizes: IntArray, threshold: float) -> float:
    """Share of records whose risk, 1 / size of their group, is above a threshold.

    >>> import numpy as np
    >>> share_above(np.array([2, 10, 11]), 1 / 11)
    0.5217391304347826
    """
    risky = 1 / sizes > threshold * (1 + 1e-12)  # a group of 11 is not above 1/11
    return int(sizes[risky].sum()) / int(sizes.sum())
