"""From codes back to cells: values of the original column, with its type and its spelling."""

from __future__ import annotations

import numpy as np
import polars as pl

from shoal.table import Table
from shoal.typing import IntArray


def publish_values(table: Table, name: str, codes: IntArray) -> pl.Series:
    """Cells of a column for the codes of its values; -1 and the missing code are empty cells.

    Text is spelled as the column's label, anything else keeps the type it came in.

    >>> from shoal.table import read_table
    >>> table = read_table(pl.DataFrame({"age": [30, 20, None]}))
    >>> publish_values(table, "age", np.array([1, 1, 0, 2])).to_list()
    [30, 30, 20, None]
    """
    column = table.column(name)
    here = (codes >= 0) & (codes < len(column.labels))
    if table.cells.is_text(name):
        values = pl.Series(name, column.labels, dtype=pl.String)
    else:
        first = np.zeros(len(column.labels) + 1, dtype=np.int64)
        first[column.codes[::-1]] = np.arange(column.codes.size)[::-1]
        values = table.frame[name].gather(first[:-1])
    if not len(values):
        return pl.Series(name, [None] * codes.size, dtype=table.frame.schema[name])
    cells = values.gather(np.where(here, codes, 0))
    if here.all():
        return cells.alias(name)
    return pl.select(pl.when(pl.Series(here)).then(cells)).to_series().alias(name)
