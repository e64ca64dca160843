"""What a column held before it was generalized, judged by what it publishes."""

from __future__ import annotations

import re
from collections.abc import Sequence

import polars as pl

from shoal.table import read_bracket, read_table
from shoal.typing import Kind
from shoal.utility._features import is_star, split_interval

_MASK = re.compile(r"[0-9A-Za-z][0-9A-Za-z .-]*\*+", re.ASCII)
_SPAN_OF_DAYS = re.compile(r"\d{4}(?:-\d\d|-Q[1-4]|s)", re.ASCII)
_YEAR_OR_DATE = re.compile(r"\d{4}(?:-\d\d|-Q[1-4]|s|-\d\d-\d\d.*)?", re.ASCII | re.DOTALL)


def original_kind(name: str, kind: Kind, texts: Sequence[str]) -> Kind:
    """Look behind labels: a column that reads as text may be numbers, dates or codes.

    Parameters
    ----------
    name : str
        The column.
    kind : Kind
        Its kind as it stands.
    texts : sequence of str
        Its distinct values.

    Examples
    --------
    >>> original_kind("age", "nominal", ["17", "[20, 25]", "*"])
    'numeric'
    >>> original_kind("region", "nominal", ["8010", "80**"])
    'code'
    >>> original_kind("born", "nominal", ["1970-Q1", "1981", "*"])
    'date'
    >>> original_kind("pet", "nominal", ["cat", "*"])
    'nominal'
    >>> original_kind("age", "nominal", ["18-29", "30-64", "*"])
    'numeric'
    """
    told = [text for text in texts if not is_star(text)]
    if are_ranges(told):
        return "numeric"  # one or several of them are a span of numbers
    if kind != "nominal" or not told:
        return kind
    ends = {end for text in told for end in _ends(text)}
    if any(map(_SPAN_OF_DAYS.fullmatch, ends)):
        return "date" if all(map(_YEAR_OR_DATE.fullmatch, ends)) else kind
    if any(map(_MASK.fullmatch, ends)):
        return "code"
    if len(told) == len(texts) and ends == set(told):
        return kind  # nothing was generalized
    return read_table(pl.DataFrame({name: sorted(ends)})).kinds[name]


def are_ranges(texts: Sequence[str]) -> bool:
    """Tell whether values are ranges of numbers themselves, such as ``18-29`` or ``65+``."""
    told = [text for text in texts if not is_star(text)]
    brackets = [read_bracket(text) for text in told]
    return all(brackets) and any(bracket.form != "one" for bracket in brackets if bracket)


def _ends(text: str) -> tuple[str, ...]:
    return next(split_interval(text), (text,))
