"""A part of a larger table, coded as the whole is."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from shoal.table._cells import Cells
from shoal.table._column import Column
from shoal.table._roles import Roles
from shoal.table._table import Table
from shoal.typing import IntArray


def part_of_table(
    frame: pl.DataFrame,
    roles: Roles,
    columns: Mapping[str, Column],
    references: Mapping[str, IntArray] | None = None,
) -> Table:
    """Make a table of some rows of a larger one; nothing is read or inferred again.

    Parameters
    ----------
    frame : polars.DataFrame
        The rows.
    roles : Roles
        Who is named, described or exposed by which column.
    columns : mapping of str to Column
        Columns that will be asked for, with the codes of these rows and the labels of the whole.
    references : mapping of str to IntArray, optional
        Rows of each value in the whole table, for models that compare groups with it.

    Examples
    --------
    >>> import numpy as np
    >>> ill = Column("ill", "nominal", np.array([1]), ("no", "yes"), None, False)
    >>> rows = pl.DataFrame({"age": [30], "ill": ["yes"]})
    >>> part = part_of_table(rows, Roles((), "age", "ill"), {"ill": ill})
    >>> part.column("ill").n_codes
    2
    """
    kinds = {name: columns[name].kind if name in columns else "nominal" for name in frame.columns}
    return Table(
        Cells(frame), roles, kinds, references=dict(references or {}), _columns=dict(columns)
    )
