"""Brackets: ``18-29``, ``[30-40)``, ``65+``, ``under 18``: ranges of numbers that have an order."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import polars as pl

MOST = 100  # distinct brackets of a column; more are codes that look like them
_N = r"([$€£]?\s?[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?)"
_UNIT = r"(\s*[^\W\d]+\.?)?"
_BELOW = r"(<=?|≤|(?i:under|below|up to|less than|younger than|unter|bis|moins de|menos de))"
_ABOVE = "over|above|from|more than|greater than|older than|at least|über|ab|plus de|más de"
_FROM = rf"(>=?|≥|(?i:{_ABOVE}))"
_MORE = "over|more|above|up|older|mehr|älter|darüber|plus|más"
_OLDER = rf"(\s*\+|\s+(?i:(?:and|or|und|oder|et|y)\s+(?:{_MORE})))"
FORMS = {
    "range": re.compile(rf"([\[(]?){_N}(\s*[-–—,]\s*|\s+(?:to|bis|à|a)\s+){_N}([\])]?){_UNIT}"),
    "below": re.compile(rf"{_BELOW}(\s*){_N}{_UNIT}"),
    "from": re.compile(rf"{_FROM}(\s*){_N}{_UNIT}"),
    "older": re.compile(rf"{_N}{_UNIT}{_OLDER}{_UNIT}"),
    "one": re.compile(rf"{_N}{_UNIT}"),
}
RANGES = r"[^0-9.]"  # beside numbers
LOOKS = r"^(?:[\[(<>≤≥]|\D{1,14})?\s*[0-9]"  # what every form begins with


@dataclass(frozen=True)
class Bracket:
    """A range of numbers as it is written: its ends, their texts, and what stands around them."""

    form: str
    low: float
    high: float
    low_text: str
    high_text: str
    opening: str = ""
    middle: str = "-"
    closing: str = ""

    def meets(self, other: Bracket) -> bool:
        """Tell whether one that comes later begins where this one ends, or beyond."""
        open_end = self.closing.startswith(")") or self.form == "below"
        touching = open_end or other.opening == "(" or other.form == "from"
        return self.high <= other.low if touching else self.high < other.low


def read_bracket(text: str) -> Bracket | None:
    """Read a bracket; None if the text is none.

    >>> bracket = read_bracket("[30-40)")
    >>> bracket.low, bracket.high, read_bracket("65+").high, read_bracket("Graz")
    (30.0, 40.0, inf, None)
    """
    bare = text.strip()
    for form, pattern in FORMS.items():
        found = pattern.fullmatch(bare)
        if found:
            return _bracket(form, [part or "" for part in found.groups()])
    return None


def _bracket(form: str, parts: list[str]) -> Bracket | None:
    if form == "range":
        opening, low, middle, high, closing, unit = parts
        ends = _number(low), _number(high)
        closed = bool(opening) == bool(closing) and ends[0] <= ends[1]
        # ``10, 20`` are two numbers, and ``[10, 20]`` is how intervals are published.
        comma = middle.strip() == "," and (opening, closing) not in (("[", ")"), ("(", "]"))
        around = (low, high, opening, middle, closing + unit)
        return Bracket(form, *ends, *around) if closed and not comma else None
    if form == "below":
        word, blank, number, unit = parts
        return Bracket(form, -math.inf, _number(number), "", number, word + blank, "", unit)
    if form == "from":
        word, blank, number, unit = parts
        return Bracket(form, _number(number), math.inf, number, "", word + blank, "", unit)
    if form == "older":
        number, unit, older, rest = parts
        return Bracket(form, _number(number), math.inf, number, "", "", "", unit + older + rest)
    number, unit = parts
    return Bracket(form, _number(number), _number(number), number, number, "", "-", unit)


def _number(text: str) -> float:
    return float(text.replace(",", "").lstrip("$€£ "))


def order_brackets(texts: Iterable[str]) -> tuple[str, ...] | None:
    """Sort texts that are brackets of one line; None if some are not, or overlap.

    >>> order_brackets(["65+", "18-29", "< 18", "30-64"])
    ('< 18', '18-29', '30-64', '65+')
    """
    read = [(read_bracket(text), text) for text in texts]
    found = [(bracket, text) for bracket, text in read if bracket is not None]
    forms = {bracket.form for bracket, _ in found}
    sides = len(found) == 2 and "range" not in forms  # <=50K and >50K are two classes
    if not 2 <= len(found) == len(read) <= MOST or forms == {"one"} or sides:
        return None
    found.sort(key=lambda pair: (pair[0].low, pair[0].high))
    apart = all(one.meets(next_one) for (one, _), (next_one, _) in pairwise(found))
    return tuple(text for _, text in found) if apart else None


def find_order(texts: pl.Series) -> tuple[str, ...] | None:
    """Find the order of a column's distinct texts, if they are brackets."""
    few = 2 <= len(texts) <= MOST and texts.str.contains(LOOKS).all()
    if not few or not texts.str.contains(RANGES).any():
        return None
    return order_brackets(texts.to_list())


def join_brackets(low: str, high: str) -> str | None:
    """Write two brackets and all between them as one; None if they are none.

    >>> join_brackets("[30-40)", "[90-100)"), join_brackets("18-29", "30-49")
    ('[30-100)', '18-49')
    >>> join_brackets("30-64", "65+"), join_brackets("< 18", "18-29"), join_brackets("2", "4")
    ('30+', '<= 29', '2-4')
    """
    first, last = read_bracket(low), read_bracket(high)
    if first is None or last is None:
        return None
    if math.isinf(first.low) and math.isinf(last.high):
        return "*"
    if last.form == "from" and first.form != "from":
        return f">= {first.low_text}{last.closing}"
    if math.isinf(last.high):
        return f"{last.opening}{first.low_text}{last.closing}"
    if math.isinf(first.low):
        half_open = last.closing.startswith(")") or last.form == "below"
        return f"{'<' if half_open else '<='} {last.high_text}{first.closing}"
    style = first if first.form == "range" else last
    return f"{first.opening}{first.low_text}{style.middle or '-'}{last.high_text}{last.closing}"


def span_of(text: str, order: Sequence[str]) -> tuple[str, str] | None:
    """Find the first and the last value of an order that a joined bracket covers.

    >>> span_of("30-49", ["18-29", "30-39", "40-49", "50+"])
    ('30-39', '40-49')
    """
    joined = read_bracket(text)
    if joined is None:
        return None
    values = [(read_bracket(value), value) for value in order]
    inside = [v for b, v in values if b and joined.low <= b.low and b.high <= joined.high]
    return (inside[0], inside[-1]) if inside else None
