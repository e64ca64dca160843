"""Distinct l-diversity: several sensitive values in every group."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from shoal._checks import whole
from shoal.exceptions import EmptyTableError
from shoal.kernels.diversity import count_distinct
from shoal.privacy._base import ModelSetting
from shoal.privacy._histograms import (
    ColumnModel,
    SensitiveColumn,
)
from shoal.table import CodedTable, Grouping
from shoal.typing import IntArray

COUNT = whole(1)


@dataclass(frozen=True, slots=True)
class DistinctLDiversity(ColumnModel):
    """At least ``l`` distinct sensitive values in every group (Machanavajjhala et al., 2007).

    A missing value does not count as a value: it may repeat one that is there. So the measure is
    a lower bound.

    Parameters
    ----------
    l : int
        Fewest distinct values a group may show. 1 is a promise too, if a small one: no group
        has missing values only.
    sensitive : str
        The attribute protected. To protect several, list one model for each.

    Examples
    --------
    >>> import polars as pl
    >>> from shoal.table import read_table
    >>> table = read_table(pl.DataFrame({"disease": ["flu", "cold", "flu", "flu", None]}))
    >>> model = DistinctLDiversity(2, "disease")
    >>> model.measure(table, Grouping([0, 0, 1, 1, 1])).tolist()
    [2, 1]
    """

    l: int
    sensitive: str
    monotone: ClassVar[bool] = True
    rule: ClassVar[str] = "distinct"
    shows_l: ClassVar[bool] = True
    missing_counts: ClassVar[bool] = False
    claimed: ClassVar[str] = "distinct_l"
    statistic: ClassVar[str] = "fewest distinct values"
    worst_is_smallest: ClassVar[bool] = True
    citation: ClassVar[str] = (
        "A. Machanavajjhala, D. Kifer, J. Gehrke, M. Venkitasubramaniam. l-diversity: privacy "
        "beyond k-anonymity. ACM Transactions on Knowledge Discovery from Data 1(1), 2007."
    )
    setting: ClassVar[ModelSetting | None] = ModelSetting(
        "l", "Distinct values of each sensitive column in a group.", COUNT, int, "N", "-l"
    )
    column_measures: ClassVar[Mapping[str, tuple[str, str]]] = {
        "distinct_l": ("distinct l", "fewest distinct values in a group"),
    }

    def __post_init__(self) -> None:
        COUNT("l", self.l)

    def __str__(self) -> str:
        return f"distinct {self.l}-diversity of {self.sensitive!r}"

    @classmethod
    def measure_column(cls, seen: SensitiveColumn) -> Mapping[str, Any]:
        """Count the fewest distinct values of a group."""
        return {"distinct_l": int(seen.counted.distinct.min())}

    def measure(self, table: CodedTable, grouping: Grouping) -> IntArray:
        """Count the distinct sensitive values of each group, missing ones left out."""
        if grouping.n_groups == 0:
            raise EmptyTableError.nothing_to_judge()
        column = table.column(self.sensitive)
        return count_distinct(column.codes, grouping.order, grouping.starts, column.missing)
