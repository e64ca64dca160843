"""(alpha, k)-anonymity: groups of k, in which no sensitive value is too common."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from shoal._checks import number
from shoal.exceptions import NeverPossibleError
from shoal.privacy._base import (
    ModelSetting,
    Verdict,
)
from shoal.privacy._histograms import ColumnModel, SensitiveColumn, count_members, count_values
from shoal.privacy._k_anonymity import COUNT, KAnonymity
from shoal.privacy._ratios import Number, Ratios, as_fraction, checked_bound
from shoal.table import CodedTable, Grouping
from shoal.typing import BoolArray, FloatArray, IntArray
from shoal.verifier import Claim


@dataclass(frozen=True, slots=True)
class AlphaK(ColumnModel):
    """At least ``k`` people in every group, at most a share ``alpha`` of them with one value.

    (alpha, k)-anonymity (Wong et al., 2006), for every sensitive value. A missing value counts as
    a value of its own. Where one person may have several rows, it is the share of people who have
    the value.

    Parameters
    ----------
    alpha : float
        Largest share a value may have in a group; above 0, at most 1.
    k : int
        Fewest people a group may hold; 2 or more.
    sensitive : str
        The attribute protected.

    Examples
    --------
    >>> import polars as pl
    >>> from shoal.table import read_table
    >>> table = read_table(pl.DataFrame({"disease": ["flu", "cold", "flu", "flu", "cold"]}))
    >>> print(AlphaK(0.5, 2, "disease").judge(table, Grouping([0, 0, 1, 1, 1])))
    2-anonymity holds (smallest group: 2)
    (0.5, 2)-anonymity of 'disease' does not hold (largest share: 0.666667; 1 of 2 groups fail)
    """

    alpha: Number
    k: int
    sensitive: str
    monotone: ClassVar[bool] = True
    rule: ClassVar[str] = "alpha"
    claimed: ClassVar[str] = "alpha"
    statistic: ClassVar[str] = "largest share"
    citation: ClassVar[str] = (
        "R. C.-W. Wong, J. Li, A. W.-C. Fu, K. Wang. (alpha, k)-anonymity: an enhanced "
        "k-anonymity model for privacy preserving data publishing. KDD 2006."
    )
    setting: ClassVar[ModelSetting | None] = ModelSetting(
        "alpha", "Largest share that one value may have in a group.", number(0, 1, above=True)
    )
    column_measures: ClassVar[Mapping[str, tuple[str, str]]] = {
        "alpha": ("alpha", "largest share of a value in a group"),
    }

    def __post_init__(self) -> None:
        checked_bound("alpha", self.alpha, 0, 1, above=True)
        COUNT("k", self.k)

    def __str__(self) -> str:
        return f"({float(self.alpha):g}, {self.k})-anonymity of {self.sensitive!r}"

    @classmethod
    def asked(cls, value: Any, column: str, table: CodedTable, k: int) -> Self:
        """Make the model with the k asked for."""
        return cls(value, k, column)

    @property
    def parameter(self) -> tuple[Number, int]:
        """The alpha and the k asked for."""
        return self.alpha, self.k

    @property
    def least_people(self) -> int:  # type: ignore[override]  # of frozen values
        """The k asked for."""
        return self.k

    @classmethod
    def measure_column(cls, seen: SensitiveColumn) -> Mapping[str, Any]:
        """Take the largest share of a value."""
        return {"alpha": Ratios(seen.counted.commonest, seen.counted.members).largest()}

    def measure(self, table: CodedTable, grouping: Grouping) -> FloatArray:
        """Largest share of a value in each group; infinite where the group is smaller than k."""
        members = count_members(table, grouping)
        return np.where(members >= self.k, self._shares(table, grouping), np.inf)

    def accepts(self, measured: IntArray | FloatArray) -> BoolArray:
        """Tell in which groups no value is too common."""
        return measured <= float(self.alpha)

    def judge(self, table: CodedTable, grouping: Grouping) -> Verdict:
        """Judge k and alpha, each with a result of its own."""
        sizes = KAnonymity(self.k).judge(table, grouping)
        return Verdict((*sizes.results, self._result(self._shares(table, grouping))))

    def claims(self, table: CodedTable) -> tuple[Claim, ...]:
        """Claim ``k`` and the verifier's ``alpha``."""
        return (*KAnonymity(self.k).claims(table), *ColumnModel.claims(self, table))

    def check_possible(self, table: CodedTable) -> None:
        """Raise `ImpossibleError` if there are too few people, or values to share among them."""
        KAnonymity(self.k).check_possible(table)
        everyone = Grouping.from_keys([], table.n_rows)
        values = np.diff(count_values(table, everyone, self.sensitive).starts).item()
        if as_fraction(self.alpha) * values < 1 and table.roles.person is None:
            raise NeverPossibleError(
                f"Among {values} values of {self.sensitive!r} one must have a share above "
                f"{float(self.alpha):g}.",
                hint="Ask for a larger alpha.",
            )

    def _shares(self, table: CodedTable, grouping: Grouping) -> FloatArray:
        counted = count_values(table, grouping, self.sensitive)
        return Ratios(counted.commonest, counted.members).settled(self.alpha)
