"""Selecting columns of a table."""

from __future__ import annotations

from collections.abc import Sequence

from shoal.exceptions import InvalidParameterError
from shoal.selection._cfs import cfs
from shoal.selection._correlations import Correlations, Counts
from shoal.selection._fcbf import fcbf
from shoal.selection._local import TableCounts
from shoal.selection._selection import Selection
from shoal.table import Table

METHODS = ("fcbf", "cfs")


def select(
    table: Table,
    target: str,
    *,
    columns: Sequence[str] | None = None,
    left_out: Sequence[str] = (),
    method: str = "fcbf",
    threshold: float | None = None,
    locally_predictive: bool = True,
) -> Selection:
    """Select the columns of a table that tell most of a target.

    Parameters
    ----------
    table : Table
        The rows.
    target : str
        The column to be told.
    columns : sequence of str, optional
        Columns to choose from; by default all others.
    left_out : sequence of str
        Columns not to choose from, such as names.
    method : {"fcbf", "cfs"}
        See `fcbf` and `cfs`.
    threshold : float, optional
        Relevance a column must exceed; by default what chance alone would show.
    locally_predictive : bool
        The last step of `cfs`.

    Examples
    --------
    >>> import polars as pl
    >>> from shoal.table import read_table
    >>> frame = pl.DataFrame({
    ...     "age": [20, 21, 60, 61] * 10, "born": [1980, 1979, 1940, 1939] * 10,
    ...     "coin": ["h", "t", "t", "h"] * 10, "ill": ["no", "no", "yes", "yes"] * 10,
    ... })
    >>> found = select(read_table(frame), "ill")
    >>> found.selected, found.redundant, found.irrelevant
    (('age',), {'born': 'age'}, ('coin',))
    """
    counts = TableCounts(table, target, columns, left_out)
    return select_by(counts, table.n_rows, method, threshold, locally_predictive)


def select_by(
    counts: Counts, rows: int, method: str, threshold: float | None, locally_predictive: bool
) -> Selection:
    """Select by whatever can count."""
    if method not in METHODS:
        raise InvalidParameterError(
            f"There is no selection named {method!r}.", hint=f"Choose from {', '.join(METHODS)}."
        )
    if threshold is not None and not 0 <= threshold <= 1:
        raise InvalidParameterError("The threshold must be a number between 0 and 1.")
    known = Correlations(counts)
    if method == "fcbf":
        selected, redundant = fcbf(known, threshold)
    else:
        selected, redundant = cfs(known, threshold, locally_predictive=locally_predictive)
    return Selection(counts.target, known.ranking(), selected, redundant, method, rows)
