"""A part of a large table, for what must be quick."""

from __future__ import annotations

import numpy as np

from shoal.table import Table

MOST = 100_000  # rows that clusters are found in while a slider moves


def some_rows(table: Table, most: int = MOST) -> Table:
    """Return the table, or so many rows of it, chosen by a hash of what they hold.

    >>> from shoal.datasets import people
    >>> some_rows(people(300).table(), 100).n_rows
    100
    """
    if table.n_rows <= most:
        return table
    return table.take(np.sort(np.argsort(table.row_hash())[:most]))
