"""Types of what was not changed: text that is all numbers, or all dates, becomes that again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import polars as pl

from shoal.table import CodedFrame, Distinct
from shoal.typing import Kind

WHOLE = r"^(?:0|-?[1-9][0-9]{0,17})$"  # as a whole number prints
DECIMAL = r"^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$"
LONGEST = 16  # characters of a decimal that one double holds exactly
DAY = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
MOMENT = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}$"


def give_types(
    frame: pl.DataFrame, kinds: Mapping[str, Kind], names: Iterable[str]
) -> pl.DataFrame:
    """Give columns of text the type that their kind and all their cells have.

    A cell keeps its value: a column with one cell that would not stays text, and so do codes
    such as ``01234``, and numbers of which some are written in two ways (``2`` and ``2.0``).

    >>> frame = pl.DataFrame({"n": ["17", None], "x": ["1.5", "2"], "zip": ["8010", "1010"]})
    >>> kinds = {"n": "numeric", "x": "numeric", "zip": "code"}
    >>> give_types(frame, kinds, frame.columns).dtypes
    [Int64, Float64, String]
    """
    return frame.with_columns(
        _typed(frame.get_column(name), kinds[name])
        for name in names
        if name in kinds and frame.schema.get(name) == pl.String
    )


def type_columns(coded: CodedFrame, kinds: Mapping[str, Kind], names: Iterable[str]) -> CodedFrame:
    """Do the same where texts were looked up: only what is no text any longer is written out.

    >>> coded = CodedFrame({"n": Distinct.of(pl.Series(["17", None, "17"]))}, 3)
    >>> type_columns(coded, {"n": "numeric"}, ["n"]).frame["n"].to_list()
    [17, None, 17]
    """
    columns = dict(coded.columns)
    for name in names:
        column = columns.get(name)
        if name in kinds and isinstance(column, Distinct):
            typed = _typed(column.texts, kinds[name])
            if typed.dtype != pl.String:
                columns[name] = Distinct(typed, column.codes).column()
    return CodedFrame(columns, coded.height)


def _typed(cells: pl.Series, kind: Kind) -> pl.Series:
    texts = cells.drop_nulls().unique()
    if not len(texts):
        return cells
    if kind == "date":
        return _dated(cells, texts)
    if kind == "numeric" and texts.str.contains(WHOLE).all():
        return cells.cast(pl.Int64)
    if kind == "numeric" and texts.str.contains(DECIMAL).all():
        exact = texts.str.len_chars().max() <= LONGEST  # type: ignore[operator]
        return cells.cast(pl.Float64) if exact and _still_differ(texts) else cells
    return cells


def _still_differ(texts: pl.Series) -> bool:
    """Tell whether no two texts are one number: a release tells apart what its papers counted."""
    return texts.cast(pl.Float64).n_unique() == len(texts)


def _dated(cells: pl.Series, texts: pl.Series) -> pl.Series:
    if texts.str.contains(DAY).all():
        return cells.str.to_date("%Y-%m-%d")
    if texts.str.contains(MOMENT).all():
        return cells.str.to_datetime("%Y-%m-%dT%H:%M:%S")
    return cells
