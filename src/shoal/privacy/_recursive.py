"""Recursive (c, l)-diversity: the commonest value does not drown the rare ones."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from shoal._checks import number, whole
from shoal.exceptions import InvalidParameterError
from shoal.kernels.diversity import recursive_parts, recursive_profile
from shoal.privacy._base import ModelSetting
from shoal.privacy._histograms import ColumnModel, SensitiveColumn, count_values
from shoal.privacy._ratios import Number, Ratios, checked_bound
from shoal.table import CodedTable, Grouping
from shoal.typing import BoolArray, FloatArray, IntArray

LONGEST_PROFILE = 50  # values of l that are measured
COUNT = whole(2)


def check_pair(name: str, value: object) -> tuple[float, int]:
    """Take the c and the l of recursive (c, l)-diversity.

    >>> check_pair("recursive", [2.5, 3])
    (2.5, 3)
    """
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise InvalidParameterError(f"{name} must be a pair: c and l.", hint="Such as [2, 3].")
    c, l = value
    return number(0, above=True)(f"c of {name}", c), COUNT(f"l of {name}", l)


def read_pair(text: str) -> tuple[float, int]:
    """Read a pair as it is typed.

    >>> read_pair("2.5,3")
    (2.5, 3)
    """
    c, l = text.split(",")
    return float(c), int(l)


@dataclass(frozen=True, slots=True)
class RecursiveCLDiversity(ColumnModel):
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
    rule: ClassVar[str] = "recursive"
    shows_l: ClassVar[bool] = True
    claimed: ClassVar[str] = "recursive_c"
    takes_l: ClassVar[bool] = True
    statistic: ClassVar[str] = "c must be above"
    citation: ClassVar[str] = (
        "A. Machanavajjhala, D. Kifer, J. Gehrke, M. Venkitasubramaniam. l-diversity: privacy "
        "beyond k-anonymity. ACM Transactions on Knowledge Discovery from Data 1(1), 2007."
    )
    setting: ClassVar[ModelSetting | None] = ModelSetting(
        "recursive",
        "Recursive (c, l)-diversity of each sensitive column.",
        check_pair,
        read_pair,
        "C,L",
    )
    column_measures: ClassVar[Mapping[str, tuple[str, str]]] = {
        "recursive_c": ("recursive c", "c must be above this"),
    }

    def __post_init__(self) -> None:
        checked_bound("c", self.c, 0, above=True)
        COUNT("l", self.l)

    def __str__(self) -> str:
        return f"recursive ({float(self.c):g}, {self.l})-diversity of {self.sensitive!r}"

    @classmethod
    def asked(cls, value: Any, column: str, table: CodedTable, k: int) -> Self:
        """Make the model from the pair (c, l)."""
        c, l = value
        return cls(c, l, column)

    @property
    def parameter(self) -> tuple[Number, int]:
        """The c and the l asked for."""
        return self.c, self.l

    @classmethod
    def measure_column(cls, seen: SensitiveColumn) -> Mapping[str, Any]:
        """For each l the number that c must be above; infinite from the smallest group's end on."""
        counted = seen.counted
        longest = min(counted.n_codes, LONGEST_PROFILE)
        reached = min(int(np.diff(counted.starts).min()), longest)
        heads, tails = recursive_profile(counted.starts, counted.counts, reached)
        needed = [*Ratios(heads, tails).floats().tolist(), *[math.inf] * (longest - reached)]
        return {"recursive_c": dict(enumerate(needed, start=1))}

    def measure(self, table: CodedTable, grouping: Grouping) -> FloatArray:
        """Find the number that c must be above, for each group."""
        counted = count_values(table, grouping, self.sensitive)
        return Ratios(*recursive_parts(counted.starts, counted.counts, self.l)).settled(self.c)

    def accepts(self, measured: IntArray | FloatArray) -> BoolArray:
        """Tell for which groups c is large enough."""
        return measured < float(self.c)
