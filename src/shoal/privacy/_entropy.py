"""Entropy l-diversity: sensitive values in every group, and none of them too common."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from shoal._checks import number
from shoal.kernels.diversity import entropy_exponents
from shoal.privacy._base import ModelSetting
from shoal.privacy._histograms import (
    ColumnModel,
    Histograms,
    SensitiveColumn,
    count_values,
)
from shoal.privacy._ratios import Number, as_fraction, checked_bound
from shoal.table import CodedTable, Grouping
from shoal.typing import FloatArray

DOUBT = 1e-12  # relative: what floats may get wrong in a sum of logarithms
LARGEST_PROOF = 50_000  # rows (after cancelling) of a group whose powers are still written out


@dataclass(frozen=True, slots=True)
class EntropyLDiversity(ColumnModel):
    """Entropy of ``ln l`` or more in every group (Machanavajjhala et al., 2007).

    Measured as the exponential of the entropy: the number of equally common values that would be
    as diverse. A group where all values are equally common measures exactly their number. Where
    floats leave it in doubt whether a group reaches l (within 1e-12), powers of whole numbers
    decide; a group too large for that is refused. A missing value counts as a value of its own.

    Parameters
    ----------
    l : float
        Least diversity a group may have; above 1.
    sensitive : str
        The attribute protected.

    Examples
    --------
    >>> import polars as pl
    >>> from shoal.table import read_table
    >>> table = read_table(pl.DataFrame({"disease": ["a", "b", "c", "a", "a", "b"]}))
    >>> EntropyLDiversity(3, "disease").measure(table, Grouping([0, 0, 0, 1, 1, 1])).round(4)
    array([3.    , 1.8899])
    """

    l: Number
    sensitive: str
    monotone: ClassVar[bool] = True  # entropy is concave
    rule: ClassVar[str] = "entropy"
    shows_l: ClassVar[bool] = True
    claimed: ClassVar[str] = "entropy_l"
    statistic: ClassVar[str] = "lowest entropy l"
    worst_is_smallest: ClassVar[bool] = True
    citation: ClassVar[str] = (
        "A. Machanavajjhala, D. Kifer, J. Gehrke, M. Venkitasubramaniam. l-diversity: privacy "
        "beyond k-anonymity. ACM Transactions on Knowledge Discovery from Data 1(1), 2007."
    )
    setting: ClassVar[ModelSetting | None] = ModelSetting(
        "entropy_l",
        "Diversity of a group, as so many equally common values.",
        number(1, above=True),
    )
    column_measures: ClassVar[Mapping[str, tuple[str, str]]] = {
        "entropy_l": ("entropy l", "as diverse as so many equally common values"),
    }

    def __post_init__(self) -> None:
        checked_bound("l", self.l, 1, above=True)

    def __str__(self) -> str:
        return f"entropy {float(self.l):g}-diversity of {self.sensitive!r}"

    @classmethod
    def measure_column(cls, seen: SensitiveColumn) -> Mapping[str, Any]:
        """Take the exponential of the lowest entropy."""
        counted = seen.counted
        return {"entropy_l": float(entropy_exponents(counted.starts, counted.counts).min())}

    def measure(self, table: CodedTable, grouping: Grouping) -> FloatArray:
        """Exponential of the entropy of each group."""
        return settled_entropies(count_values(table, grouping, self.sensitive), self.l)


def settled_entropies(counted: Histograms, l: Number) -> FloatArray:
    """Measure each group so that comparing with ``float(l)`` is as good as comparing exactly."""
    measured: FloatArray = entropy_exponents(counted.starts, counted.counts)
    asked = float(l)
    for group in np.flatnonzero(np.abs(measured - asked) <= DOUBT * asked).tolist():
        counts = counted.counts[counted.starts[group] : counted.starts[group + 1]]
        enough = entropy_reaches(counts.tolist(), as_fraction(l))
        measured[group] = asked if enough else math.nextafter(asked, 0)
    return measured


def entropy_reaches(counts: list[int], l: Fraction) -> bool:
    """Decide exp(entropy) >= l in whole numbers: n**n >= l**n * product of count**count.

    Dividing all counts by a common factor changes nothing and keeps the powers small.

    >>> entropy_reaches([5, 5], Fraction(2)), entropy_reaches([4, 1, 1, 1, 1], Fraction(4))
    (True, True)
    >>> entropy_reaches([4, 1, 1, 1, 1], Fraction(40000001, 10**7))
    False
    """
    common = math.gcd(*counts)
    counts = [count // common for count in counts]
    rows = sum(counts)
    if rows > LARGEST_PROOF:
        return False
    held = math.prod(count**count for count in counts)
    return bool((rows * l.denominator) ** rows >= l.numerator**rows * held)
