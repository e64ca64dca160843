"""Columns that make people unique: who is alone, which columns do it, and how few are enough."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

import numpy as np

from shoal.risk._singling import Keys, RowOwners, keys_of, keys_of_codes, together
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
    keys = keys_of(table, table.roles.quasi_identifiers)
    rows = RowOwners(table.n_rows)
    every = together(keys.values(), rows.n_rows)
    found = tuple(
        ColumnRisk(name, rows.share_alone(key), rows.share_alone(every - key))
        for name, key in keys.items()
    )
    return RiskByColumn(found, tuple(_smallest(keys, rows)))


@dataclass(frozen=True)
class Uniqueness:
    """How exposed a table is before anything is done to it.

    Attributes
    ----------
    rows, alone : int
        Rows in all, and rows that no other row reads like on the quasi-identifiers.
    freed : mapping of str to int
        For each quasi-identifier, how many of those would not be alone without it.
    sizes : mapping of str to int
        Rows by how many read like them: ``1``, ``2-4``, ``5-9``, ``10+``.
    """

    rows: int
    alone: int
    freed: dict[str, int]
    sizes: dict[str, int]


def measure_uniqueness(table: Table) -> Uniqueness:
    """Count who is alone, and whom each quasi-identifier makes so.

    >>> import polars as pl
    >>> from shoal.table import Roles, read_table
    >>> frame = pl.DataFrame({"age": [30, 31, 30], "sex": ["f", "f", "f"]})
    >>> found = measure_uniqueness(read_table(frame, roles=Roles(quasi_identifiers=["age", "sex"])))
    >>> found.alone, found.freed
    (1, {'age': 1, 'sex': 0})
    """
    names = table.roles.quasi_identifiers
    keys = {name: keys_of_codes(table.codes(name), name) for name in names}
    rows = RowOwners(table.n_rows)
    every = together(keys.values(), table.n_rows)
    alone = rows.alone(every)
    freed = {name: alone - rows.alone(every - key) for name, key in keys.items()}
    return Uniqueness(table.n_rows, alone, freed, _by_size(np.unique_counts(every).counts))


def _by_size(counts: IntArray) -> dict[str, int]:
    """Count rows by the number of rows that read like them."""
    edges = {"1": (1, 1), "2-4": (2, 4), "5-9": (5, 9), "10+": (10, np.inf)}
    return {
        name: int(counts[(counts >= low) & (counts <= high)].sum())
        for name, (low, high) in edges.items()
    }


def _smallest(keys: Keys, rows: RowOwners) -> list[UniqueCombination]:
    """Look at ever larger combinations until one makes somebody unique."""
    budget = _CELLS // max(1, rows.n_rows)
    for size in range(1, min(_LARGEST, len(keys)) + 1):
        here = list(combinations(keys, size))
        budget -= len(here)
        if budget < 0:
            return []
        found = [c for c in _counted(keys, here, rows) if c.rows]
        if found:
            return sorted(found, key=lambda c: (-c.rows, c.columns))[:_LISTED]
    return []


def _counted(
    keys: Keys, sets: list[tuple[str, ...]], rows: RowOwners
) -> Iterator[UniqueCombination]:
    for names in sets:
        total = together((keys[name] for name in names), rows.n_rows)
        yield UniqueCombination(names, rows.alone(total))
