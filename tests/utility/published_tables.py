"""Releases made the plain way: groups of neighbours, each publishing its box."""

from __future__ import annotations

import numpy as np
import polars as pl

from shoal.grouping import group_boxes
from shoal.spaces import build_spaces
from shoal.table import Grouping


def publish(table, k, **settings):
    """Group rows that are near in the order of their codes, and publish what groups share."""
    spaces = build_spaces(table, **settings)
    order = np.lexsort(spaces.codes.T)
    labels = np.empty(table.n_rows, dtype=np.int64)
    labels[order] = np.minimum(np.arange(table.n_rows) // k, max(table.n_rows // k - 1, 0))
    lo, hi = group_boxes(spaces.codes, Grouping(labels))
    columns = [
        pl.Series(space.name, space.publish(lo[:, j], hi[:, j]), dtype=pl.String).gather(
            pl.Series(labels)
        )
        for j, space in enumerate(spaces.spaces)
    ]
    return table.frame.with_columns(columns)
