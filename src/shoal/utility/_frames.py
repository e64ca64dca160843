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
        return read_table(_printed(source if names is None else _select(source, names)))
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


def _printed(source: Any) -> Any:
    """Print columns of a pandas frame that mix numbers and text, as ``read_csv`` makes of spans."""
    pandas = type(source).__module__.partition(".")[0] == "pandas"
    if not pandas or not hasattr(source, "columns") or not source.columns.is_unique:
        return source
    objects = [name for name in source.columns if source[name].dtype == object]
    mixed = [name for name in objects if len(_types(source[name])) > 1]
    plain = [name for name in mixed if _types(source[name]) <= PRINTED]
    return source.assign(**{name: source[name].map(_text, na_action="ignore") for name in plain})


PRINTED = {str, int, float}


def _types(cells: Any) -> set[type]:
    return {type(cell) for cell in cells.dropna()}


def _text(cell: object) -> str:
    return str(cell).removesuffix(".0") if isinstance(cell, float) else str(cell)


def _refuse_unknown(names: Sequence[str], known: Iterable[str]) -> None:
    columns = list(known)
    for name in names:
        if not isinstance(name, str):
            raise InvalidParameterError("Columns must be named by text.")
        if name not in columns:
            raise UnknownColumnError.among(name, columns)
