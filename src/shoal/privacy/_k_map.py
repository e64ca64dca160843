"""k-map: everybody released resembles k people of the population."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from shoal._checks import whole
from shoal.privacy._base import PrivacyModel
from shoal.privacy._classes import match_population
from shoal.table import CodedTable, Grouping, Table
from shoal.typing import IntArray

COUNT = whole(2)


@dataclass(frozen=True, slots=True)
class KMap(PrivacyModel):
    """At least ``k`` people of the population read like each group (Sweeney, 2001).

    Parameters
    ----------
    k : int
        Fewest people of the population behind a group; 2 or more.
    population : Table
        Everybody the release was drawn from, quasi-identifiers generalized as in the release.

    Examples
    --------
    >>> import polars as pl
    >>> from shoal.table import Roles, read_table
    >>> release = read_table(pl.DataFrame({"zip": ["47*", "48*"]}), roles=Roles([], ["zip"]))
    >>> everybody = read_table(pl.DataFrame({"zip": ["47*"] * 6 + ["48*"] * 3}))
    >>> print(KMap(4, everybody).judge(release, Grouping([0, 1])))
    4-map does not hold (fewest people of the population: 3; 1 of 2 groups fail)
    """

    k: int
    population: Table = field(repr=False)
    sensitive: None = field(default=None, init=False, repr=False)
    monotone: ClassVar[bool] = True
    statistic: ClassVar[str] = "fewest people of the population"
    worst_is_smallest: ClassVar[bool] = True
    citation: ClassVar[str] = (
        "L. Sweeney. Computational disclosure control: a primer on data privacy protection. "
        "PhD thesis, MIT, 2001."
    )

    def __post_init__(self) -> None:
        COUNT("k", self.k)

    def __str__(self) -> str:
        return f"{self.k}-map"

    def measure(self, table: CodedTable, grouping: Grouping) -> IntArray:
        """Count the people of the population who read like each group."""
        matched = match_population(table, grouping, self.population)
        return matched.population[: matched.n_released]
