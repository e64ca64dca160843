"""Free text by edit distance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.spaces.metrics._base import Measured, Metric
from shoal.spaces.metrics._matrix import from_matrix, refuse_too_many
from shoal.table import Column, Table


@dataclass(frozen=True)
class EditDistance(Metric):
    """Fewest insertions, deletions and replacements from one text to the other (Levenshtein).

    >>> import polars as pl
    >>> from shoal.table import read_table
    >>> table = read_table(pl.DataFrame({"town": ["Graz", "Gratz", "Linz"]}))
    >>> towns = EditDistance().measure(table.column("town"), table)
    >>> code = towns.column_codes.tolist().index
    >>> towns.between(np.array([code(0)]), np.array([code(1)])).tolist()
    [1.0]
    """

    def measure(self, column: Column, table: Table) -> Measured:
        """Measure a column of text."""
        refuse_too_many(column, "the edit distance", "Give it the kind code, or a hierarchy.")
        from rapidfuzz.distance import Levenshtein
        from rapidfuzz.process import cdist

        matrix = cdist(column.labels, column.labels, scorer=Levenshtein.distance, dtype=np.int32)
        return from_matrix(column, matrix.astype(np.float64))
