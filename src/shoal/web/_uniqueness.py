"""What makes rows unique: how many people are alone, and which columns do it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shoal.table import Table
from shoal.typing import IntArray


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
        Rows by the size of their crowd: ``1``, ``2-4``, ``5-9``, ``10+``.
    """

    rows: int
    alone: int
    freed: dict[str, int]
    sizes: dict[str, int]


def measure_uniqueness(table: Table) -> Uniqueness:
    """Count who is alone.

    >>> import polars as pl
    >>> from shoal.table import Roles, read_table
    >>> frame = pl.DataFrame({"age": [30, 31, 30], "sex": ["f", "f", "f"]})
    >>> found = measure_uniqueness(read_table(frame, roles=Roles(quasi_identifiers=["age", "sex"])))
    >>> found.alone, found.freed
    (1, {'age': 1, 'sex': 0})
    """
    names = table.roles.quasi_identifiers
    codes = {name: table.codes(name) for name in names}
    sizes = _crowds([codes[name] for name in names], table.n_rows)
    alone = int((sizes == 1).sum())
    freed = {
        left_out: alone
        - int((_crowds([codes[n] for n in names if n != left_out], table.n_rows) == 1).sum())
        for left_out in names
    }
    return Uniqueness(table.n_rows, alone, freed, _by_size(sizes))


def _crowds(columns: Sequence[IntArray], rows: int) -> IntArray:
    """Return for each row how many rows read like it."""
    key = np.zeros(rows, dtype=np.int64)
    for codes in columns:
        key = key * (int(codes.max(initial=0)) + 1) + codes
        key = np.unique(key, return_inverse=True)[1].astype(np.int64)  # stays small, never wraps
    return np.bincount(key)[key] if rows else key


def _by_size(sizes: IntArray) -> dict[str, int]:
    edges = {"1": (1, 1), "2-4": (2, 4), "5-9": (5, 9), "10+": (10, sizes.size)}
    return {
        name: int(((sizes >= low) & (sizes <= high)).sum()) for name, (low, high) in edges.items()
    }
