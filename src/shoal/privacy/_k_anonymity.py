"""k-anonymity: nobody stands alone."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from shoal._checks import whole
from shoal.exceptions import NeverPossibleError
from shoal.privacy._base import Constraint, PrivacyModel
from shoal.privacy._histograms import count_members, distinct_people
from shoal.table import CodedTable, Grouping
from shoal.typing import IntArray
from shoal.verifier import Claim

COUNT = whole(2)


@dataclass(frozen=True, slots=True)
class KAnonymity(PrivacyModel):
    """At least ``k`` people in every group (Samarati and Sweeney, 1998; Sweeney, 2002).

    Where one person may have several rows (`Roles.person`), people are counted, not rows.

    Parameters
    ----------
    k : int
        Fewest people a group may hold; 2 or more.

    Examples
    --------
    >>> import polars as pl
    >>> from shoal.table import Roles, read_table
    >>> frame = pl.DataFrame({"age": ["20-29"] * 3 + ["30-39"] * 2})
    >>> table = read_table(frame, roles=Roles(quasi_identifiers="age"))
    >>> print(KAnonymity(3).judge(table, Grouping([0, 0, 0, 1, 1])))
    3-anonymity does not hold (smallest group: 2; 1 of 2 groups fail)
    """

    k: int
    sensitive: None = field(default=None, init=False, repr=False)
    least_people: int = field(init=False, repr=False, compare=False)
    monotone: ClassVar[bool] = True
    statistic: ClassVar[str] = "smallest group"
    worst_is_smallest: ClassVar[bool] = True
    citation: ClassVar[str] = (
        "L. Sweeney. k-anonymity: a model for protecting privacy. "
        "Int. J. of Uncertainty, Fuzziness and Knowledge-Based Systems 10(5), 2002."
    )

    def __post_init__(self) -> None:
        COUNT("k", self.k)
        object.__setattr__(self, "least_people", self.k)

    def __str__(self) -> str:
        return f"{self.k}-anonymity"

    def measure(self, table: CodedTable, grouping: Grouping) -> IntArray:
        """Count the people of each group."""
        return grouping.sizes if table.roles.person is None else count_members(table, grouping)

    def constraint(self, table: CodedTable) -> Constraint | None:
        """Return None (groupers know k), or the people to tell apart as a ``distinct`` rule."""
        if table.roles.person is None:
            return None
        return distinct_people(table, self.k)

    def claims(self, table: CodedTable) -> tuple[Claim, ...]:
        """Claim ``k``."""
        return (Claim("k", float(self.k), label=str(self)),)

    def check_possible(self, table: CodedTable) -> None:
        """Raise `ImpossibleError` if the whole table holds fewer than k people."""
        people, what = table.n_rows, "rows"
        if table.roles.person is not None:
            everyone = Grouping.from_keys([], table.n_rows)
            people, what = int(count_members(table, everyone)[0]), "people"
        if self.k > people:
            raise NeverPossibleError(
                f"k = {self.k} exceeds the {people} {what} of the table.",
                hint="Ask for a smaller k.",
            )
