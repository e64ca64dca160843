"""Numeric columns: numbers read from text exactly; order and equality never depend on rounding."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import groupby

import numpy as np
import polars as pl

from shoal.table._cells import Distinct
from shoal.table._column import Column, ColumnKind, Values, number_texts, refuse_texts
from shoal.typing import BoolArray, FloatArray, IntArray

NOT_FINITE = r"(?i)^\s*[+-]?(inf|infinity|nan)\s*$"
BLANKS = " \t"
NUMBER = r"^[ \t]*[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,6})?[ \t]*$"
# Two decimals of at most 15 digits that differ are different doubles (IEEE 754, binary64).
SHORT = r"^[ \t]*[+-]?[0-9.]{1,15}(?:[eE][+-]?[0-9]{1,2})?[ \t]*$"


def are_numbers(texts: pl.Series) -> BoolArray:
    """Tell which texts are finite numbers: sign, digits, a decimal point, an exponent.

    No thousands separators, no underscores, no ``inf`` or ``nan``, nothing beyond a double.

    >>> are_numbers(pl.Series(["1", "-2.5e3", "1_000", "1,000", "inf", "1e400"])).tolist()
    [True, True, False, False, False, False]
    """
    shaped = texts.str.contains(NUMBER)
    return np.isfinite(to_floats(texts if shaped.all() else texts.set(~shaped, None)))


def to_floats(texts: pl.Series) -> FloatArray:
    """Convert to the nearest doubles; null becomes NaN, negative zero becomes zero."""
    floats = texts.str.strip_chars(BLANKS).cast(pl.Float64, strict=False)
    return floats.fill_null(np.nan).to_numpy() + 0.0


def order_numbers(texts: pl.Series) -> tuple[IntArray, IntArray]:
    """Sort texts by exact value: returns the order, and the number of each in that order.

    Texts of one value share a number. The nearest double decides wherever it can; texts with
    more digits than it holds are compared as exact decimals, only among equal doubles.

    >>> order, numbers = order_numbers(pl.Series(["10", "9007199254740993", "9007199254740992"]))
    >>> order.tolist(), numbers.tolist()
    ([0, 2, 1], [0, 1, 2])
    >>> order_numbers(pl.Series(["2.0", "1", "2"]))[1].tolist()
    [0, 1, 1]
    """
    floats = to_floats(texts)
    order = np.argsort(floats, kind="stable")
    differs = np.ones(order.size, dtype=np.bool_)
    differs[1:] = floats[order][1:] != floats[order][:-1]
    exact = texts.str.contains(SHORT).to_numpy()
    if not exact.all():
        _order_ties(texts, order, differs, exact)
    return order, np.cumsum(differs) - 1


def _order_ties(texts: pl.Series, order: IntArray, differs: BoolArray, exact: BoolArray) -> None:
    """Within each run of equal doubles, sort by decimal and mark where the value changes."""
    starts = np.append(np.flatnonzero(differs), order.size)
    sizes = np.diff(starts)
    inexact = np.add.reduceat(~exact[order], starts[:-1])
    strings = texts.to_list()
    for run in np.flatnonzero((sizes > 1) & (inexact > 0)):
        begin, end = starts[run], starts[run + 1]
        members = order[begin:end].tolist()
        values = {i: Decimal(strings[i].strip(BLANKS)) for i in members}
        members.sort(key=values.__getitem__)
        order[begin:end] = members
        place = begin
        for _, equal in groupby(members, key=values.__getitem__):
            differs[place] = True
            place += len(list(equal))


def _recognize(values: Values) -> str | None:
    if not values.are_text:
        return "The frame holds numbers." if values.dtype.is_numeric() else None
    if not values.all_match(lambda some: bool(are_numbers(some).all())):
        return None
    return f"Its distinct values ({len(values.texts):,}) are all numbers."


def _code(name: str, distinct: Distinct, order: Sequence[str]) -> Column:
    bad = ~are_numbers(distinct.texts)
    if bad.any():
        endless = distinct.texts.str.contains(NOT_FINITE).to_numpy()
        refuse_texts(name, "numeric", distinct, bad & endless, "are infinite or NaN")
        refuse_texts(name, "numeric", distinct, bad, "are not numbers Shoal can hold")
    places, numbers = order_numbers(distinct.texts)
    column = number_texts(name, "numeric", distinct, places, numbers)
    return replace(column, numbers=to_floats(pl.Series(column.labels, dtype=pl.String)))


NUMERIC = ColumnKind("numeric", _recognize, _code, ordered=True, measured=True)
