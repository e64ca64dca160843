"""Some columns of a frame or a table, read as everything else in Shoal reads them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import narwhals as nw

from shoal.exceptions import InvalidParameterError, UnknownColumnError
from shoal.table import Table, read_table


def read_columns(source: Any, names: Sequence[str] | None = None) -> Table:
    """Read the named columns of a pandas, polars or pyarrow frame; a `Table` is taken as it is.

    >>> import polars as pl
    >>> read_columns(pl.DataFrame({"age": [17], "note": [["not", "plain"]]}), ["age"])
    Table(1 rows, 1 columns)
    """
    if not isinstance(source, Table):
        return read_table(source if names is None else _select(source, names))
    _refuse_unknown(names or (), source.column_names)
    return source


def _select(source: Any, names: Sequence[str]) -> Any:
    """Leave out the columns nobody asked for: they may hold what no table can."""
    try:
        frame = nw.from_native(source, eager_only=True)
    except (TypeError, nw.exceptions.DuplicateError):
        return source  # reading it will say what is wrong
    _refuse_unknown(names, map(str, frame.columns))
    return frame.select(list(dict.fromkeys(names))).to_native()


def _refuse_unknown(names: Sequence[str], known: Iterable[str]) -> None:
    columns = list(known)
    for name in names:
        if not isinstance(name, str):
            raise InvalidParameterError("Columns must be named by text.")
        if name not in columns:
            raise UnknownColumnError.among(name, columns)
