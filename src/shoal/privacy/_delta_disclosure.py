"""delta-disclosure privacy: no sensitive value becomes much more or much less likely."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from shoal._checks import number
from shoal.kernels.closeness import ratio_extremes
from shoal.privacy._base import Constraint, ModelSetting
from shoal.privacy._histograms import (
    ColumnModel,
    Histograms,
    SensitiveColumn,
    count_values,
    references,
)
from shoal.privacy._ratios import Number, checked_bound
from shoal.table import CodedTable, Grouping
from shoal.typing import BoolArray, FloatArray, IntArray

DOUBT = 1e-12  # relative: what floats may get wrong in a logarithm, generously


@dataclass(frozen=True, slots=True)
class DeltaDisclosure(ColumnModel):
    """In every group ``|ln(q / p)| < delta`` for every value (Brickell and Shmatikov, 2008).

    p is the share of a value in the table, q its share in the group; the logarithm is natural. A
    value of the table that a group lacks makes the measure infinite, as the definition has it;
    with ``strict=False`` only values present count (what ARX and pycanon compute). A measure
    within 1e-12 of delta is refused. Where rows are suppressed, p is taken from all rows and from
    the released ones, and the larger measure counts.

    Parameters
    ----------
    delta : float
        Above 0.
    sensitive : str
        The attribute protected.
    strict : bool
        Whether a value that a group lacks counts as disclosure.

    Examples
    --------
    >>> import polars as pl
    >>> from shoal.table import read_table
    >>> table = read_table(pl.DataFrame({"test": ["pos", "neg", "neg", "neg"]}))
    >>> grouping = Grouping([0, 0, 1, 1])
    >>> DeltaDisclosure(1, "test").measure(table, grouping).round(4).tolist()
    [0.6931, inf]
    >>> DeltaDisclosure(1, "test", strict=False).measure(table, grouping).round(4).tolist()
    [0.6931, 0.2877]
    """

    delta: Number
    sensitive: str
    strict: bool = True
    #: Only the strict form is; without it a group may pass because it lacks a value.
    monotone: ClassVar[bool] = False
    rule: ClassVar[str] = "delta_disclosure"
    statistic: ClassVar[str] = "largest |ln(q / p)|"
    citation: ClassVar[str] = (
        "J. Brickell, V. Shmatikov. The cost of privacy: destruction of data-mining utility in "
        "anonymized data publishing. KDD 2008."
    )
    setting: ClassVar[ModelSetting | None] = ModelSetting(
        "delta_disclosure", "|ln(q / p)| of every value must be below this.", number(0, above=True)
    )
    column_measures: ClassVar[Mapping[str, tuple[str, str]]] = {
        "delta_disclosure": (
            "delta disclosure",
            "largest |ln(q/p)|; inf: a value is missing in a group",
        ),
        "delta_disclosure_present": ("delta, present", "the same over values a group has"),
    }

    def __post_init__(self) -> None:
        checked_bound("delta", self.delta, 0, above=True)

    def __str__(self) -> str:
        how = "" if self.strict else " (values present)"
        return f"{float(self.delta):g}-disclosure privacy of {self.sensitive!r}{how}"

    @classmethod
    def measure_column(cls, seen: SensitiveColumn) -> Mapping[str, Any]:
        """Take the largest ``|ln(q / p)|``, with and without values that a group lacks."""
        parts = seen.counted, seen.reference
        return {
            "delta_disclosure": float(log_ratios(*parts, strict=True).max()),
            "delta_disclosure_present": float(log_ratios(*parts, strict=False).max()),
        }

    def measure(self, table: CodedTable, grouping: Grouping) -> FloatArray:
        """Largest ``|ln(q / p)|`` of each group."""
        counted = count_values(table, grouping, self.sensitive)
        result: FloatArray = np.maximum.reduce(
            [
                log_ratios(counted, reference, strict=self.strict)
                for reference in references(table, grouping, self.sensitive)
            ]
        )
        return result

    def accepts(self, measured: IntArray | FloatArray) -> BoolArray:
        """Tell in which groups every value stays likely enough, and unlikely enough."""
        return measured * (1 + DOUBT) < float(self.delta)

    def constraint(self, table: CodedTable) -> Constraint | None:
        """Return the rule ``delta_disclosure`` of the strict form; None otherwise."""
        return ColumnModel.constraint(self, table) if self.strict else None

    @property
    def claimed(self) -> str:  # type: ignore[override]  # of frozen values
        """The measure of the verifier."""
        return "delta_disclosure" if self.strict else "delta_disclosure_present"


def log_ratios(counted: Histograms, reference: IntArray, *, strict: bool) -> FloatArray:
    """Find the largest ``|ln(q / p)|`` of each group.

    Logarithms of 1 + a small exact fraction: a group just like the table measures exactly 0.
    """
    rows = int(reference.sum())
    most, most_of, least, least_of = ratio_extremes(
        counted.starts, counted.codes, counted.counts, reference
    )
    gained = _log_quotient(most * rows, most_of * counted.totals)
    lost = -_log_quotient(least * rows, least_of * counted.totals)
    result: FloatArray = np.maximum(gained, lost)
    if strict:
        result[np.diff(counted.starts) < np.count_nonzero(reference)] = np.inf
    return result


def _log_quotient(above: IntArray, below: IntArray) -> FloatArray:
    return np.log1p((above - below) / below)
