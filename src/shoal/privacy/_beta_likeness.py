"""beta-likeness: no sensitive value gains too much confidence in a group."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from shoal._checks import number
from shoal.kernels.closeness import gains_beyond_logarithm, ratio_extremes
from shoal.privacy._base import ModelSetting
from shoal.privacy._histograms import (
    ColumnModel,
    Histograms,
    SensitiveColumn,
    count_values,
    references,
)
from shoal.privacy._ratios import Number, Ratios, checked_bound
from shoal.table import CodedTable, Grouping
from shoal.typing import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class BasicBetaLikeness(ColumnModel):
    """In every group ``(q - p) / p <= beta`` for every value (Cao and Karras, 2012).

    p is the share of a value in the table, q its share in the group. Only gains are bounded: what
    becomes rarer says less. Where rows are suppressed, p is taken from all rows and from the
    released ones, and the larger gain counts. A missing value counts as a value of its own.

    Parameters
    ----------
    beta : float
        Largest relative gain; above 0.
    sensitive : str
        The attribute protected.

    Examples
    --------
    >>> import polars as pl
    >>> from shoal.table import read_table
    >>> table = read_table(pl.DataFrame({"test": ["pos", "neg", "neg", "neg"]}))
    >>> BasicBetaLikeness(1, "test").measure(table, Grouping([0, 0, 1, 1])).round(6).tolist()
    [1.0, 0.333333]
    """

    beta: Number
    sensitive: str
    monotone: ClassVar[bool] = True  # a merged share lies between the two
    rule: ClassVar[str] = "basic_beta"
    claimed: ClassVar[str] = "basic_beta"
    statistic: ClassVar[str] = "largest gain"
    citation: ClassVar[str] = (
        "J. Cao, P. Karras. Publishing microdata with a robust privacy guarantee. "
        "Proceedings of the VLDB Endowment 5(11), 2012."
    )
    setting: ClassVar[ModelSetting | None] = ModelSetting(
        "basic_beta", "Largest relative gain of a value in a group.", number(0, above=True)
    )
    column_measures: ClassVar[Mapping[str, tuple[str, str]]] = {
        "basic_beta": ("basic beta", "largest relative gain of a value"),
    }

    def __post_init__(self) -> None:
        checked_bound("beta", self.beta, 0, above=True)

    def __str__(self) -> str:
        return f"basic {float(self.beta):g}-likeness of {self.sensitive!r}"

    @classmethod
    def measure_column(cls, seen: SensitiveColumn) -> Mapping[str, Any]:
        """Take the largest gain."""
        return {"basic_beta": gain_ratios(seen.counted, seen.reference).largest()}

    def measure(self, table: CodedTable, grouping: Grouping) -> FloatArray:
        """Largest relative gain of a value in each group."""
        gains = (gain_ratios(*parts) for parts in _compared(table, grouping, self.sensitive))
        result: FloatArray = np.maximum.reduce([ratios.settled(self.beta) for ratios in gains])
        return result


@dataclass(frozen=True, slots=True)
class EnhancedBetaLikeness(ColumnModel):
    """In every group ``(q - p) / p <= min(beta, -ln p)`` for every value (Cao and Karras, 2012).

    The logarithm holds common values back, which the basic model may let grow to certainty: where
    a value gains more than -ln p no beta helps, and the measure is infinite. A gain within 1e-12
    of -ln p is refused. Otherwise as `BasicBetaLikeness`.

    Parameters
    ----------
    beta : float
        Largest relative gain; above 0.
    sensitive : str
        The attribute protected.

    Examples
    --------
    >>> import polars as pl
    >>> from shoal.table import read_table
    >>> table = read_table(pl.DataFrame({"test": ["pos", "neg", "neg", "neg"]}))
    >>> EnhancedBetaLikeness(1, "test").measure(table, Grouping([0, 0, 1, 1])).tolist()
    [1.0, inf]
    """

    beta: Number
    sensitive: str
    monotone: ClassVar[bool] = True
    rule: ClassVar[str] = "enhanced_beta"
    claimed: ClassVar[str] = "enhanced_beta"
    statistic: ClassVar[str] = "largest gain"
    citation: ClassVar[str] = BasicBetaLikeness.citation
    setting: ClassVar[ModelSetting | None] = ModelSetting(
        "enhanced_beta", "The same, and less for common values.", number(0, above=True)
    )
    column_measures: ClassVar[Mapping[str, tuple[str, str]]] = {
        "enhanced_beta": ("enhanced beta", "the same, bounded for common values"),
    }

    def __post_init__(self) -> None:
        checked_bound("beta", self.beta, 0, above=True)

    def __str__(self) -> str:
        return f"enhanced {float(self.beta):g}-likeness of {self.sensitive!r}"

    @classmethod
    def measure_column(cls, seen: SensitiveColumn) -> Mapping[str, Any]:
        """Take the largest gain; infinite where one passes -ln p, which no beta allows."""
        passed = beyond_logarithm(seen.counted, seen.reference).any()
        gain = gain_ratios(seen.counted, seen.reference).largest()
        return {"enhanced_beta": math.inf if passed else gain}

    def measure(self, table: CodedTable, grouping: Grouping) -> FloatArray:
        """Largest relative gain of a value in each group; infinite where one is above -ln p."""
        gains = [
            np.where(beyond_logarithm(*parts), np.inf, gain_ratios(*parts).settled(self.beta))
            for parts in _compared(table, grouping, self.sensitive)
        ]
        result: FloatArray = np.maximum.reduce(gains)
        return result


def gain_ratios(counted: Histograms, reference: IntArray) -> Ratios:
    """Find the largest (q - p) / p of each group: (count * rows - expected) / expected."""
    most, most_of, _, _ = ratio_extremes(counted.starts, counted.codes, counted.counts, reference)
    expected = most_of * counted.totals
    return Ratios(most * int(reference.sum()) - expected, expected)


def beyond_logarithm(counted: Histograms, reference: IntArray) -> BoolArray:
    """Tell in which groups a value gains more than -ln p."""
    rows = int(reference.sum())
    result: BoolArray = gains_beyond_logarithm(
        counted.starts, counted.codes, counted.counts, counted.totals, reference, rows
    )
    return result


def _compared(
    table: CodedTable, grouping: Grouping, name: str
) -> Iterator[tuple[Histograms, IntArray]]:
    counted = count_values(table, grouping, name)
    for reference in references(table, grouping, name):
        yield counted, reference
