"""Which quasi-identifiers make people unique, and how few of them are enough."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

import numpy as np

from shoal.table import Table
from shoal.typing import IntArray

_CELLS = 30_000_000  # rows times combinations that are looked at
_LARGEST = 4
_LISTED = 10


@dataclass(frozen=True)
class ColumnRisk:
    """What one quasi-identifier adds.

    Attributes
    ----------
    name : str
        The column.
    unique_alone : float
        Share of rows that this column alone tells from all others.
    unique_without : float
        Share of rows that would still be unique without it.
    """

    name: str
    unique_alone: float
    unique_without: float


@dataclass(frozen=True)
class UniqueCombination:
    """Columns that together tell some rows from all others, though no fewer of them do."""

    columns: tuple[str, ...]
    rows: int


@dataclass(frozen=True)
class RiskByColumn:
    """Which columns make people unique.

    Attributes
    ----------
    columns : tuple of ColumnRisk
        Every quasi-identifier.
    smallest : tuple of UniqueCombination
        The smallest combinations that make somebody unique, those of most rows first; at most 10.
    """

    columns: tuple[ColumnRisk, ...]
    smallest: tuple[UniqueCombination, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers as plain JSON values."""
        return asdict(self)


def risk_by_column(table: Table) -> RiskByColumn:
    """Find out which quasi-identifiers make people unique.

    >>> import polars as pl
    >>> from shoal.table import Roles, read_table
    >>> frame = pl.DataFrame({"sex": ["f", "f", "m", "m"], "zip": ["1", "2", "1", "2"]})
    >>> found = risk_by_column(read_table(frame, roles=Roles([], ["sex", "zip"])))
    >>> found.smallest[0].columns, found.smallest[0].rows, found.columns[0].unique_without
    (('sex', 'zip'), 4, 0.0)
    """
    names = table.roles.quasi_identifiers
    codes = {name: table.cells.distinct(name).codes.astype(np.int64) for name in names}
    rows = table.n_rows
    found = tuple(
        ColumnRisk(
            name,
            _unique(_joined(codes, (name,))) / rows,
            _unique(_joined(codes, tuple(n for n in names if n != name))) / rows,
        )
        for name in names
    )
    return RiskByColumn(found, tuple(_smallest(codes, rows)))


def _smallest(codes: Mapping[str, IntArray], rows: int) -> list[UniqueCombination]:
    """Look at ever larger combinations until one makes somebody unique."""
    budget = _CELLS // max(1, rows)
    for size in range(1, min(_LARGEST, len(codes)) + 1):
        here = list(combinations(codes, size))
        budget -= len(here)
        if budget < 0:
            return []
        found = [c for c in _counted(codes, here) if c.rows]
        if found:
            return sorted(found, key=lambda c: (-c.rows, c.columns))[:_LISTED]
    return []


def _counted(
    codes: Mapping[str, IntArray], sets: list[tuple[str, ...]]
) -> Iterator[UniqueCombination]:
    for names in sets:
        yield UniqueCombination(names, _unique(_joined(codes, names)))


def _joined(codes: Mapping[str, IntArray], names: tuple[str, ...]) -> IntArray:
    """Number the combinations of values of some columns."""
    joined = np.zeros(len(next(iter(codes.values()), ())), dtype=np.int64)
    for name in names:
        wide = joined * (int(codes[name].max(initial=0)) + 1) + codes[name]
        _, joined = np.unique(wide, return_inverse=True)
    return joined


def _unique(joined: IntArray) -> int:
    return int((np.bincount(joined) == 1).sum()) if joined.size else 0
