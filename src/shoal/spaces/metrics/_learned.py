"""A distance learned from the table: values are alike that keep the same company."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.spaces.metrics._base import Measured, Metric
from shoal.spaces.metrics._matrix import from_matrix, refuse_too_many
from shoal.table import Column, Table
from shoal.typing import FloatArray, IntArray

MOST_SLOTS = 16  # values or parts of another column that are told apart
PRIOR = 2.0  # rows of the whole table's mixture added to each value, so that rare ones are calm


@dataclass(frozen=True)
class CoOccurrence(Metric):
    """How differently two values go along with the other columns (Ahmad and Dey, 2007).

    The mean, over the other columns, of the total variation distance between what goes with one
    value and what goes with the other: 0 for values in the same company, at most 1.

    Parameters
    ----------
    columns : tuple of str
        The columns to learn from; the other quasi-identifiers if not given.

    Examples
    --------
    >>> import polars as pl
    >>> from shoal.table import Roles, read_table
    >>> frame = pl.DataFrame({"job": ["cook", "chef", "vet"] * 20, "place": ["a", "a", "b"] * 20})
    >>> table = read_table(frame, roles=Roles(quasi_identifiers=["job", "place"]))
    >>> jobs = CoOccurrence().measure(table.column("job"), table)
    >>> chef, cook, vet = (jobs.column_codes.tolist().index(code) for code in (0, 1, 2))
    >>> jobs.between(np.array([chef, chef]), np.array([cook, vet])).round(2).tolist()
    [0.0, 0.91]
    """

    columns: tuple[str, ...] = ()

    def measure(self, column: Column, table: Table) -> Measured:
        """Measure a column by its company in the table."""
        refuse_too_many(column, "co-occurrence", "Give it a hierarchy, or mask it as a code.")
        others = self.columns or table.roles.quasi_identifiers
        distances = [
            _total_variation(column, _slots(table.column(name)))
            for name in others
            if name != column.name
        ]
        n = len(column.labels)
        apart = np.ones((n, n)) - np.eye(n)
        return from_matrix(column, np.mean(distances, axis=0) if distances else apart)


def _total_variation(column: Column, slots: IntArray) -> FloatArray:
    """Half the absolute difference between the rows of a contingency table, for all pairs."""
    n, width = len(column.labels), int(slots.max(initial=0)) + 1
    known = column.codes < n
    pairs = column.codes[known].astype(np.int64) * width + slots[known]
    counts = np.bincount(pairs, minlength=n * width).reshape(n, width).astype(np.float64)
    whole = counts.sum(axis=0) / max(counts.sum(), 1.0)
    shares = (counts + PRIOR * whole) / (counts.sum(axis=1, keepdims=True) + PRIOR)
    apart = np.zeros((n, n))
    for share in shares.T:
        apart += np.abs(share[:, None] - share[None, :]) / 2
    return apart


def _slots(column: Column) -> IntArray:
    """A column in at most a few parts: neighbours where there is an order, else the common ones."""
    counts = np.bincount(column.codes, minlength=column.n_codes)
    if counts.size <= MOST_SLOTS:
        slot = np.arange(counts.size)
    elif column.numbers is not None:
        middle = np.cumsum(counts) - counts / 2
        slot = (middle * MOST_SLOTS / max(counts.sum(), 1)).astype(np.int64)
    else:
        rank = np.empty(counts.size, dtype=np.int64)
        rank[np.argsort(-counts, kind="stable")] = np.arange(counts.size)
        slot = np.minimum(rank, MOST_SLOTS - 1)
    return slot[column.codes]
