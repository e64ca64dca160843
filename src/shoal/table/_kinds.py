"""Kinds of columns: the five of them, and which one the values of a column point to.

A kind is one value (`ColumnKind`): to add another, write it in a file of its own beside
``_numbers.py``, list it in `COLUMN_KINDS`, and name it in `shoal.typing.Kind`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import polars as pl

from shoal.exceptions import InvalidParameterError
from shoal.table._brackets import LOOKS, MOST, find_order
from shoal.table._cells import Cells, Distinct
from shoal.table._column import Column, ColumnKind, Values, number_texts, refuse_texts
from shoal.table._dates import DATE
from shoal.table._numbers import NUMERIC
from shoal.typing import Kind

DIGITS = r"^[0-9]+$"
NUMBERS = r"^[0-9.]*$"
LEADING_ZERO = r"^0[0-9]+$"
LETTERS_AND_DIGITS = r"^[A-Z]{1,3}[-. ]?[0-9]{2,}[0-9A-Z.-]*$"
DECIMAL_COMMA = r"^[+-]?[0-9]+,[0-9]+$"
CODE_WORDS = {"zip", "zipcode", "postal", "postcode", "postalcode", "plz", "fips", "icd", "naics"}
SHORT_CODE_WORDS = {"cp", "npa", "cep", "cap"}  # of postal codes; something else, too
POSTAL_DIGITS = r"^[0-9]{4,5}$"
SCALES = (  # text that may have an order, which only a human can confirm
    {"very low", "low", "medium", "mid", "moderate", "high", "very high"},
    {"none", "mild", "moderate", "severe", "critical"},
    {"never", "rarely", "seldom", "sometimes", "often", "always"},
    {"very poor", "poor", "fair", "good", "very good", "excellent"},
    {"xs", "s", "small", "m", "medium", "l", "large", "xl", "xxl"},
    {"strongly disagree", "disagree", "neutral", "agree", "strongly agree"},
)


@dataclass(frozen=True)
class Guess:
    """What was chosen for a column, and why in one sentence (never a cell value).

    >>> print(Guess("numeric", "Its values are numbers."))
    numeric (Its values are numbers.)
    """

    choice: str
    reason: str

    def __str__(self) -> str:
        return f"{self.choice} ({self.reason})"


def guess_kinds(
    cells: Cells, orders: Mapping[str, tuple[str, ...]], names: Iterable[str]
) -> dict[str, Guess]:
    """Guess the kinds of some columns, judged on all of their rows."""
    guesses: dict[str, Guess] = {}
    for name in names:
        texts, dtype = cells.distinct(name).texts, cells.dtypes[name]
        values = Values(name, dtype, texts, are_text=dtype == pl.String)
        if name in orders:
            reason = _recognize_brackets(values) or "Its order is given."
            guesses[name] = Guess("ordinal", reason)
        elif len(texts) == 0:
            guesses[name] = Guess("nominal", "It has no values.")
        else:
            for kind in COLUMN_KINDS.values():
                found = kind.looks is None or values.all_match(kind.looks)
                why = kind.recognize(values) if found else None
                if why is not None:
                    guesses[name] = Guess(kind.name, why)
                    break
    return guesses


def named_like_a_code(name: str) -> bool:
    """Tell whether the name of a column is that of a code, whose digits are no number.

    >>> named_like_a_code("home_zip"), named_like_a_code("visits")
    (True, False)
    """
    return not CODE_WORDS.isdisjoint(words_of(name))


def words_of(name: str) -> tuple[str, ...]:
    """Split a column name into lower-case words.

    >>> words_of("maritalStatus"), words_of("zip-code_2"), words_of("DOB")
    (('marital', 'status'), ('zip', 'code', '2'), ('dob',))
    """
    spaced = re.sub(r"(?<=[a-zäöüß])(?=[A-ZÄÖÜ])|(?<=[^\W\d_])(?=\d)", " ", name)
    return tuple(re.findall(r"[^\W_]+", spaced.lower()))


def _recognize_brackets(values: Values) -> str | None:
    some = values.are_text and 2 <= len(values.texts) <= MOST
    if not some or not values.all_match(LOOKS) or values.all_match(NUMBERS):
        return None
    if find_order(values.texts) is None:
        return None
    return f"Its distinct values ({len(values.texts):,}) are ranges of numbers, in their order."


def _recognize_codes(values: Values) -> str | None:
    digits = values.all_match(DIGITS) if values.are_text else values.dtype.is_integer()
    words = words_of(values.name) if digits else ()
    if not CODE_WORDS.isdisjoint(words):
        return "Its name is that of a code, and its values are digits."
    if not SHORT_CODE_WORDS.isdisjoint(words) and values.all_match(POSTAL_DIGITS):
        return "Its name is that of a postal code, and its values are as many digits."
    if values.are_text and digits and bool(values.texts.str.contains(LEADING_ZERO).any()):
        return "Its values are digits, and some begin with 0."
    if values.are_text and len(values.texts) > 1 and values.all_match(LETTERS_AND_DIGITS):
        return "Its values are codes of letters and digits."
    return None


def _recognize_names(values: Values) -> str:
    n = len(values.texts)
    if not values.are_text:
        return f"Its distinct values ({n:,}) have no order."
    if values.all_match(DECIMAL_COMMA):
        return "Its values may be numbers with a decimal comma; use a point."
    if 1 < n <= 7 and any(scale.issuperset(values.texts.str.to_lowercase()) for scale in SCALES):
        return "Its values may be a scale; if so, make it ordinal with an order."
    return f"Its distinct values ({n:,}) are text."


def _code_texts(kind: Kind, name: str, distinct: Distinct, order: Sequence[str]) -> Column:
    by_text = distinct.texts.arg_sort().to_numpy()
    return number_texts(name, kind, distinct, by_text, np.arange(by_text.size))


def _code_ranks(name: str, distinct: Distinct, order: Sequence[str]) -> Column:
    if not order:
        raise InvalidParameterError(
            f"Column {name!r} is ordinal but its order is not given.",
            hint=f"Name its values from low to high: orders={{{name!r}: [...]}}.",
        )
    rank = {label: place for place, label in enumerate(order)}
    ranks = np.array([rank.get(text, -1) for text in distinct.texts], dtype=np.int64)
    refuse_texts(name, "ordinal", distinct, ranks < 0, "are not in the order given")
    by_rank = np.argsort(ranks, kind="stable")
    column = number_texts(name, "ordinal", distinct, by_rank, np.arange(by_rank.size))
    return replace(column, numbers=ranks[by_rank].astype(np.float64))


ORDINAL = ColumnKind("ordinal", _recognize_brackets, _code_ranks, ordered=True)
CODE = ColumnKind(
    "code", _recognize_codes, partial(_code_texts, "code"), prefixed=True, names_people=True
)
NOMINAL = ColumnKind(
    "nominal", _recognize_names, partial(_code_texts, "nominal"), names_people=True
)

#: Every kind by its name, in the order in which a column is held against them.
COLUMN_KINDS: Mapping[Kind, ColumnKind] = {
    kind.name: kind for kind in (ORDINAL, CODE, NUMERIC, DATE, NOMINAL)
}
