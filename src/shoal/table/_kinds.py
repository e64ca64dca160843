"""Kinds, inferred: what the values of a column are, judged on all of its rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import cast

import polars as pl

from shoal.table._cells import Cells
from shoal.table._dates import read_dates
from shoal.table._guess import Guess, words_of
from shoal.table._numbers import are_numbers
from shoal.table._table import Table
from shoal.typing import Kind

DIGITS = r"^[0-9]+$"
LEADING_ZERO = r"^0[0-9]+$"
LETTERS_AND_DIGITS = r"^[A-Z]{1,3}[-. ]?[0-9]{2,}[0-9A-Z.-]*$"
DECIMAL_COMMA = r"^[+-]?[0-9]+,[0-9]+$"
CODE_WORDS = {"zip", "zipcode", "postal", "postcode", "postalcode", "plz", "fips", "icd", "naics"}
SCALES = (  # text that may have an order, which only a human can confirm
    {"very low", "low", "medium", "mid", "moderate", "high", "very high"},
    {"none", "mild", "moderate", "severe", "critical"},
    {"never", "rarely", "seldom", "sometimes", "often", "always"},
    {"very poor", "poor", "fair", "good", "very good", "excellent"},
    {"xs", "s", "small", "m", "medium", "l", "large", "xl", "xxl"},
    {"strongly disagree", "disagree", "neutral", "agree", "strongly agree"},
)
SAMPLE = 256  # texts; a quick look that spares most columns the full one


def infer_kinds(table: Table) -> dict[str, Guess]:
    """Propose the kind of every column, with the reason.

    Parameters
    ----------
    table : Table
        A table; the kinds it already has are not looked at.

    Returns
    -------
    dict of str to Guess
        One guess per column: ``numeric``, ``ordinal``, ``nominal``, ``date`` or ``code``.

    Examples
    --------
    >>> from shoal.table import read_table
    >>> frame = pl.DataFrame({"zip": ["01234", "9876"], "age": ["7", "41"], "sex": ["f", "m"]})
    >>> for name, guess in infer_kinds(read_table(frame)).items():
    ...     print(name, "is", guess)
    zip is code (Its name is that of a code, and its values are digits.)
    age is numeric (Its distinct values (2) are all numbers.)
    sex is nominal (Its distinct values (2) are text.)
    """
    return guess_kinds(table.cells, table.orders, table.column_names)


def guess_kinds(
    cells: Cells, orders: Mapping[str, tuple[str, ...]], names: Iterable[str]
) -> dict[str, Guess]:
    """Guess the kinds of some columns."""
    return {name: _guess(cells, name, name in orders) for name in names}


def kinds_of(guesses: Mapping[str, Guess]) -> dict[str, Kind]:
    """Keep the choices, without their reasons."""
    return {name: cast(Kind, guess.choice) for name, guess in guesses.items()}


def _guess(cells: Cells, name: str, ordered: bool) -> Guess:
    dtype = cells.series(name).dtype
    texts = cells.distinct(name).texts
    n_values = len(texts)
    if ordered:
        return Guess("ordinal", "Its order is given.")
    if n_values == 0:
        return Guess("nominal", "It has no values.")
    if dtype == pl.String:
        return _guess_text(name, texts)
    if dtype.is_integer() and _sounds_like_code(name):
        return Guess("code", "Its name is that of a code, and its values are digits.")
    if dtype.is_numeric():
        return Guess("numeric", "The frame holds numbers.")
    if isinstance(dtype, (pl.Date, pl.Datetime)):
        return Guess("date", "The frame holds dates.")
    return Guess("nominal", f"Its distinct values ({n_values:,}) have no order.")


def _guess_text(name: str, texts: pl.Series) -> Guess:
    n_values = len(texts)
    if _all_match(texts, DIGITS) and _sounds_like_code(name):
        return Guess("code", "Its name is that of a code, and its values are digits.")
    if bool(texts.str.contains(LEADING_ZERO).any()) and _all_match(texts, DIGITS):
        return Guess("code", "Its values are digits, and some begin with 0.")
    if _all_numbers(texts):
        return Guess("numeric", f"Its distinct values ({n_values:,}) are all numbers.")
    if _all_dates(texts):
        return Guess("date", f"Its distinct values ({n_values:,}) are all dates.")
    if n_values > 1 and _all_match(texts, LETTERS_AND_DIGITS):
        return Guess("code", "Its values are codes of letters and digits.")
    if _all_match(texts, DECIMAL_COMMA):
        return Guess("nominal", "Its values may be numbers with a decimal comma; use a point.")
    if 1 < n_values <= 7 and any(scale.issuperset(texts.str.to_lowercase()) for scale in SCALES):
        return Guess("nominal", "Its values may be a scale; if so, make it ordinal with an order.")
    return Guess("nominal", f"Its distinct values ({n_values:,}) are text.")


def _sounds_like_code(name: str) -> bool:
    return not CODE_WORDS.isdisjoint(words_of(name))


def _all_match(texts: pl.Series, pattern: str) -> bool:
    return _all(texts, lambda some: bool(some.str.contains(pattern).all()))


def _all_numbers(texts: pl.Series) -> bool:
    return _all(texts, lambda some: bool(are_numbers(some).all()))


def _all_dates(texts: pl.Series) -> bool:
    return _all(texts, lambda some: bool(read_dates(some).valid.all())) and read_dates(texts).sure


def _all(texts: pl.Series, hold: Callable[[pl.Series], bool]) -> bool:
    """Test a few texts first, then all of them."""
    return hold(texts.head(SAMPLE)) and (len(texts) <= SAMPLE or hold(texts))
