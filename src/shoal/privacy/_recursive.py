"""Recursive (c, l)-diversity: the commonest value does not drown the rare ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from shoal.kernels.diversity import recursive_parts
from shoal.privacy._base import Constraint, PrivacyModel
from shoal.privacy._histograms import as_constraint, check_distinct, count_values
from shoal.privacy._ratios import Number, Ratios, checked_bound, checked_count
from shoal.table import Grouping, Table
from shoal.typing import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class RecursiveCLDiversity(PrivacyModel):
    """In every group ``r1 < c (rl + ... + rm)`` (Machanavajjhala et al., 2007).

    r1 >= r2 >= ... >= rm are the counts of the group's sensitive values: even an attacker who
    rules out l - 2 values is left with a choice. A group with fewer than l values fails for any
    c. A missing value counts as a value of its own.

    Parameters
    ----------
    c : float
        How much more common the commonest value may be; above 0.
    l : int
        2 or more.
    sensitive : str
        The attribute protected.

    Examples
    --------
    The measure is what c must be above:

    >>> import polars as pl
    >>> from shoal.table import read_table
    >>> table = read_table(pl.DataFrame({"disease": ["a", "a", "b", "a", "b", "c"]}))
    >>> model = RecursiveCLDiversity(2, 2, "disease")
    >>> measured = model.measure(table, Grouping([0, 0, 0, 1, 1, 1]))
    >>> measured.tolist(), model.accepts(measured).tolist()
    ([2.0, 0.5], [False, True])
    """

    c: Number
    l: int
    sensitive: str
    monotone: ClassVar[bool] = True
    statistic: ClassVar[str] = "c must be above"
    citation: ClassVar[str] = (
        "A. Machanavajjhala, D. Kifer, J. Gehrke, M. Venkitasubramaniam. l-diversity: privacy "
        "beyond k-anonymity. ACM Transactions on Knowledge Discovery from Data 1(1), 2007."
    )

    def __post_init__(self) -> None:
        checked_bound("c", self.c, 0, above=True)
        checked_count("l", self.l, 2)

    def __str__(self) -> str:
        return f"recursive ({float(self.c):g}, {self.l})-diversity of {self.sensitive!r}"

    @property
    def parameter(self) -> tuple[Number, int]:
        """The c and the l asked for."""
        return self.c, self.l

    def measure(self, table: Table, grouping: Grouping) -> FloatArray:
        """Find the number that c must be above, for each group."""
        counted = count_values(table, grouping, self.sensitive)
        return Ratios(*recursive_parts(counted.starts, counted.counts, self.l)).settled(self.c)

    def accepts(self, measured: IntArray | FloatArray) -> BoolArray:
        """Tell for which groups c is large enough."""
        return measured < float(self.c)

    def constraint(self, table: Table) -> Constraint | None:
        """Return the rule ``recursive``."""
        return as_constraint(table, self.sensitive, "recursive", float(self.c), l=self.l)

    def check_possible(self, table: Table) -> None:
        """Raise `ImpossibleError` if the whole table shows fewer than l values."""
        PrivacyModel.check_possible(self, table)
        check_distinct(table, self.sensitive, self.l, missing_counts=True)
