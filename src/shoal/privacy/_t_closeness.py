"""t-closeness: every group looks like the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self, TypeAlias, get_args

import numpy as np

from shoal._checks import number
from shoal.exceptions import InvalidParameterError
from shoal.hierarchies import Hierarchy
from shoal.privacy._base import Constraint, ModelSetting, PrivacyModel, Verdict
from shoal.privacy._distances import equal_ratios, hierarchical_ratios, ordered_ratios
from shoal.privacy._histograms import ColumnModel, SensitiveColumn, count_values, references
from shoal.privacy._ratios import Number, Ratios, checked_bound
from shoal.table import COLUMN_KINDS, CodedTable, Grouping
from shoal.typing import FloatArray
from shoal.verifier import Claim

Distance: TypeAlias = Literal["equal", "ordered", "hierarchical"]


@dataclass(frozen=True, slots=True)
class TCloseness(ColumnModel):
    """Sensitive values distributed in every group as in the table, up to a distance of ``t``.

    The distance is the earth mover's (Li, Li and Venkatasubramanian, 2007). Where rows are
    suppressed, groups are compared with the released rows and with all rows; the larger distance
    counts and a verdict names both. A missing value counts as a value of its own (ordered: it
    ranks last; hierarchical: it hangs at the root).

    Parameters
    ----------
    t : float
        Largest distance of a group from the table; 0 to 1.
    sensitive : str
        The attribute protected.
    distance : {"equal", "ordered", "hierarchical"}
        How far two values are apart: all the same; by their difference in rank (numbers, dates
        and ordinal values); by the height at which they meet in ``hierarchy``.
    hierarchy : Hierarchy, optional
        For the hierarchical distance.

    Examples
    --------
    The salaries of Li et al. (table 4), with the distances they give in section 4.2:

    >>> import polars as pl
    >>> from shoal.table import read_table
    >>> salaries = [3000, 4000, 5000, 6000, 11000, 8000, 7000, 9000, 10000]
    >>> table = read_table(pl.DataFrame({"salary": salaries}))
    >>> grouping = Grouping([0, 0, 0, 1, 1, 1, 2, 2, 2])
    >>> TCloseness(0.3, "salary", "ordered").measure(table, grouping).round(3).tolist()
    [0.375, 0.167, 0.236]
    """

    t: Number
    sensitive: str
    distance: Distance = "equal"
    hierarchy: Hierarchy | None = None
    monotone: ClassVar[bool] = True  # the distance is convex
    statistic: ClassVar[str] = "largest distance"
    citation: ClassVar[str] = (
        "N. Li, T. Li, S. Venkatasubramanian. t-closeness: privacy beyond k-anonymity and "
        "l-diversity. ICDE 2007."
    )
    setting: ClassVar[ModelSetting | None] = ModelSetting(
        "t", "Largest distance of a group from the whole table.", number(0, 1), short="-t"
    )
    column_measures: ClassVar[Mapping[str, tuple[str, str]]] = {
        "t_equal": ("t, equal", "largest distance of a group from the table"),
        "t_ordered": ("t, ordered", "the same where near values count less"),
        "t_hierarchical": ("t, hierarchical", "the same along the hierarchy"),
    }

    def __post_init__(self) -> None:
        checked_bound("t", self.t, 0, 1)
        if self.distance not in get_args(Distance):
            raise InvalidParameterError("distance must be equal, ordered or hierarchical.")
        if (self.hierarchy is not None) != (self.distance == "hierarchical"):
            raise InvalidParameterError(
                "The hierarchical distance needs a hierarchy, and no other distance takes one."
            )

    def __str__(self) -> str:
        how = "" if self.distance == "equal" else f" ({self.distance})"
        return f"{float(self.t):g}-closeness of {self.sensitive!r}{how}"

    @classmethod
    def asked(cls, value: Any, column: str, table: CodedTable, k: int) -> Self:
        """Make the model; ordered where the column has an order, else equal."""
        ordered = COLUMN_KINDS[table.kinds[column]].ordered
        return cls(value, column, "ordered" if ordered else "equal")

    @classmethod
    def measure_column(cls, seen: SensitiveColumn) -> Mapping[str, Any]:
        """Take the largest distance of each kind that the column knows."""
        counted, reference, column = seen.counted, seen.reference, seen.column
        tree = seen.hierarchy
        return {
            "t_equal": equal_ratios(counted, reference).largest(),
            "t_ordered": None
            if column.numbers is None
            else ordered_ratios(counted, reference).largest(),
            "t_hierarchical": None
            if tree is None
            else hierarchical_ratios(counted, reference, column, tree).largest(),
        }

    def measure(self, table: CodedTable, grouping: Grouping) -> FloatArray:
        """Distance of each group from the table."""
        distances = [ratios.settled(self.t) for ratios in self._ratios(table, grouping)]
        result: FloatArray = np.maximum.reduce(distances)
        return result

    @property
    def rule(self) -> str:  # type: ignore[override]  # of frozen values
        """What kernels call it."""
        return f"t_{self.distance}"

    @property
    def claimed(self) -> str:  # type: ignore[override]
        """What the verifier calls it."""
        return f"t_{self.distance}"

    def constraint(self, table: CodedTable) -> Constraint | None:
        """Return the rule ``t_equal`` or ``t_ordered``; None for the hierarchical distance."""
        if self.distance == "hierarchical":
            return None
        constraint = ColumnModel.constraint(self, table)
        self._check_order(table)
        return constraint

    def claims(self, table: CodedTable) -> tuple[Claim, ...]:
        """Claim ``t_equal`` or ``t_ordered``; nothing for the hierarchical distance."""
        return () if self.distance == "hierarchical" else ColumnModel.claims(self, table)

    def judge(self, table: CodedTable, grouping: Grouping) -> Verdict:
        """Judge the groups; where rows are left out, tell both distances apart."""
        if not grouping.n_suppressed or not grouping.n_groups:
            return PrivacyModel.judge(self, table, grouping)
        everyone, released = (
            float(ratios.floats().max()) for ratios in self._ratios(table, grouping)
        )
        details = {"t_from_all_rows": everyone, "t_from_released_rows": released}
        return Verdict((self._result(self.measure(table, grouping), details),))

    def _ratios(self, table: CodedTable, grouping: Grouping) -> Iterator[Ratios]:
        counted = count_values(table, grouping, self.sensitive)
        self._check_order(table)
        for reference in references(table, grouping, self.sensitive):
            if self.hierarchy is not None:
                column = table.column(self.sensitive)
                yield hierarchical_ratios(counted, reference, column, self.hierarchy)
            elif self.distance == "ordered":
                yield ordered_ratios(counted, reference)
            else:
                yield equal_ratios(counted, reference)

    def _check_order(self, table: CodedTable) -> None:
        if self.distance == "ordered" and table.column(self.sensitive).numbers is None:
            raise InvalidParameterError(
                f"The values of {self.sensitive!r} have no order.",
                hint="Give the order when the table is read, or use the equal distance.",
            )
