"""A distance that the user brings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.exceptions import InvalidParameterError
from shoal.spaces.metrics._base import Measured, Metric
from shoal.spaces.metrics._matrix import from_matrix
from shoal.table import Column, Table

MOST_CALLS = 1_000_000


@dataclass(frozen=True)
class Custom(Metric):
    """A function of two texts; what it returns is checked, but for the triangle inequality.

    Documented exception: whether ``d(a, c) <= d(a, b) + d(b, c)`` is the user's affair. Nothing
    here relies on it; without it the nearest cluster may be further from its members.

    >>> import polars as pl
    >>> from shoal.table import read_table
    >>> table = read_table(pl.DataFrame({"word": ["a", "bbb", "cc"]}))
    >>> words = Custom(lambda a, b: abs(len(a) - len(b))).measure(table.column("word"), table)
    >>> words.reach
    2.0
    """

    function: Callable[[str, str], float]
    triangle: ClassVar[bool] = False

    def measure(self, column: Column, table: Table) -> Measured:
        """Call the function for all pairs of values."""
        n = len(column.labels)
        if n * n > MOST_CALLS:
            raise InvalidParameterError(
                f"Column {column.name!r} has {n:,} distinct values: too many to compare in pairs.",
                hint="Round or group its values first.",
            )
        pairs = ((a, b) for a in column.labels for b in column.labels)
        matrix = np.array([float(self.function(a, b)) for a, b in pairs]).reshape(n, n)
        sound = np.isfinite(matrix).all() and (matrix >= 0).all()
        if not sound or not np.allclose(matrix, matrix.T) or matrix.diagonal().any():
            raise InvalidParameterError(
                f"The distance given for {column.name!r} is none: it must be finite, never "
                "negative, the same both ways, and 0 between equals."
            )
        return from_matrix(column, matrix)
