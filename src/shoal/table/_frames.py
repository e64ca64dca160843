"""Frames of other libraries: in through narwhals, one column at a time, and back again."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, TypeAlias, cast, get_args

import narwhals as nw
import polars as pl

from shoal.exceptions import HeaderError, InputError, ValueKindError
from shoal.table._cells import as_text
from shoal.table._header import check_header
from shoal.table._reading import Native, Reading

NativeFrame: TypeAlias = Any  # pl.DataFrame, pandas.DataFrame or pyarrow.Table
INDEX = re.compile(r"__index_level_\d+__")  # a pandas index, written out as a column
SCALARS = (pl.String, pl.Boolean, pl.Date, pl.Datetime, pl.Time, pl.Duration, pl.Null)


def read_frame(source: object) -> Reading:
    """Take in a pandas, polars or pyarrow frame without changing it.

    Categories become plain text and an index stays outside, so that nothing the table does
    not show can travel into a release. Ordered categories leave their order.

    >>> sizes = pl.Series("size", ["S", "L"], dtype=pl.Enum(["S", "M", "L"]))
    >>> reading = read_frame(sizes.to_frame())
    >>> reading.frame.schema["size"], reading.orders["size"]
    (String, ('S', 'M', 'L'))
    """
    wrapped = _wrap(source)
    native = cast(Native, wrapped.implementation.value)
    if native == "pyarrow":
        refuse_broken_text((name, wrapped[name].to_native()) for name in wrapped.columns)
    kept = [name for name in wrapped.columns if not INDEX.fullmatch(name)]
    notes = ["A pandas index stored as a column was left out."] * (len(kept) < wrapped.shape[1])
    if native == "pandas":
        notes += _note_index(source)
    orders = {name: _order(dtype) for name, dtype in wrapped.schema.items() if dtype == nw.Enum}
    frame = pl.DataFrame([_plain(wrapped[name]) for name in kept])
    return Reading(frame, tuple(notes), orders, native)


def give_back(frame: pl.DataFrame, native: Native) -> NativeFrame:
    """Convert a polars frame to the type asked for, with nothing but its cells.

    >>> give_back(pl.DataFrame({"n": [2**60 + 1, None]}), "pandas")["n"].dtype
    Int64Dtype()
    """
    if native == "pandas":
        return _to_pandas(frame)
    if native == "pyarrow":
        return frame.to_arrow(compat_level=pl.CompatLevel.oldest())
    return frame


def _wrap(source: object) -> nw.DataFrame[Any]:
    try:
        wrapped: nw.DataFrame[Any] = nw.from_native(cast(Any, source), eager_only=True)
    except nw.exceptions.DuplicateError:
        raise HeaderError("More than one column of the frame has the same name.") from None
    except TypeError:
        raise _unreadable(source) from None
    if wrapped.implementation.value not in get_args(Native):
        raise _unreadable(source)
    if not all(isinstance(name, str) for name in wrapped.columns):
        raise HeaderError(
            "Some column names are not text.", hint="Name the columns: frame.columns = [...]."
        )
    check_header(wrapped.columns)
    return wrapped


def _unreadable(source: object) -> InputError:
    return InputError(
        f"A table cannot be read from an object of type {type(source).__name__!r}.",
        hint="Give the path of a CSV or Parquet file, or a pandas, polars or pyarrow frame.",
    )


def refuse_broken_text(columns: Iterable[tuple[str, Any]]) -> None:
    """Refuse columns of Arrow whose text is not UTF-8: reading on would end in other memory."""
    for name, column in columns:
        try:
            column.validate(full=True)
        except ValueError:  # which quotes what it found
            raise ValueKindError(
                f"Column {name!r} holds text that is not UTF-8.",
                hint="Repair it where it is, or leave the column out.",
            ) from None


def _order(dtype: Any) -> tuple[str, ...]:
    return tuple(as_text(pl.Series(list(dtype.categories))).to_list())


def _plain(series: nw.Series[Any]) -> pl.Series:
    plain = _to_polars(series)
    if isinstance(plain.dtype, (pl.Categorical, pl.Enum)):
        return plain.cast(pl.String)
    if plain.dtype.is_float():
        return plain.fill_nan(None)  # one way to be missing
    if not plain.dtype.is_numeric() and not isinstance(plain.dtype, SCALARS):
        raise InputError(
            f"Column {series.name!r} holds lists, structures or bytes, not plain values.",
            hint="Spread it over columns of numbers, text or dates first.",
        )
    return plain


def _to_polars(series: nw.Series[Any]) -> pl.Series:
    try:
        return series.to_polars().alias(series.name)
    except Exception:  # the messages of other libraries quote cells: none may pass
        raise ValueKindError(
            f"Column {series.name!r} mixes types or holds values that fit no plain type.",
            hint="Make all its values of one type, or text.",
        ) from None


def _note_index(frame: Any) -> list[str]:
    unnamed = all(name is None for name in frame.index.names)
    plain = unnamed and type(frame.index).__name__ == "RangeIndex"
    return [] if plain else ["The index of the pandas frame is not part of the table."]


def _to_pandas(frame: pl.DataFrame) -> NativeFrame:
    import pandas as pd

    plain = frame.to_pandas()
    for series in frame:
        if series.dtype.is_integer() and series.null_count():
            # By default such a column becomes float, and large integers lose digits.
            exact: Any = str(series.dtype)  # polars and pandas call their integers alike
            plain[series.name] = pd.array(series.to_list(), dtype=exact)
    return plain
