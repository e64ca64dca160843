"""Words: what people read, in their own language; counts and lists as they say them.

A text is a template: ``say("{n:,} rows", n=1200)``. Numbers in it are written as the language
writes them, and a catalogue (``languages/de.toml``) maps the English template to another one.
Sentences that were made elsewhere, such as errors, are told again by `retell`, which finds the
template they came from.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime
from fractions import Fraction
from functools import cache
from importlib.resources import files
from numbers import Integral, Real
from string import Formatter
from typing import Any

LANGUAGES = {"en": "English", "de": "Deutsch"}
_DAYS = {"en": "%Y-%m-%d %H:%M", "de": "%d.%m.%Y, %H:%M Uhr"}
_SWAPPED = str.maketrans(",.", ".,")
_spoken: ContextVar[str] = ContextVar("spoken", default="en")


def say(text: str, /, **values: Any) -> str:
    """Say a text in the language of this context, with values filled in.

    >>> say("{n:,} values, {count:,} people", n=12, count=1200)
    '12 values, 1,200 people'
    >>> with speaking("de"):
    ...     say("{n:,} values, {count:,} people", n=12, count=1200)
    '12 Werte, 1.200 Personen'
    """
    language = _spoken.get()
    template = text if language == "en" else catalogue(language).get(text, text)
    return _WRITERS[language].vformat(template, (), values) if values else template


def number(value: float, spec: str = ",") -> str:
    """Write a number as the language does.

    >>> with speaking("de"):
    ...     number(1234.5, ",.1f"), number(0.5, ".0%")
    ('1.234,5', '50\\xa0%')
    """
    return str(_WRITERS[_spoken.get()].format_field(value, spec))


def moment(when: datetime) -> str:
    """Write a day and a time.

    >>> moment(datetime(2026, 3, 9, 14, 5))
    '2026-03-09 14:05'
    """
    return when.strftime(_DAYS[_spoken.get()])


def listed(names: Sequence[str], most: int = 8) -> str:
    """Join names as in a sentence.

    >>> listed(["age", "sex", "zip"]), listed(list("abcd"), most=2)
    ('age, sex and zip', 'a, b and 2 more')
    """
    if len(names) > most:
        return say("{names} and {n:,} more", names=", ".join(names[:most]), n=len(names) - most)
    *first, last = names or [say("nothing")]
    return say("{names} and {last}", names=", ".join(first), last=last) if first else last


def later(text: str) -> str:
    """Mark a text that is said later: where a constant is written, nobody is listening yet."""
    return text


def retell(sentence: str) -> str:
    """Say a sentence that was made in English, by the template that it came from.

    >>> with speaking("de"):
    ...     retell("k must be a number.")
    'k muss eine Zahl sein.'
    """
    language = _spoken.get()
    if language == "en" or not sentence:
        return sentence
    found = catalogue(language).get(sentence)
    if found is not None:
        return found
    for pattern, template in _patterns(language):
        match = pattern.fullmatch(sentence)
        if match:
            values = match.groupdict()
            return template.format(**{name: _said(value) for name, value in values.items()})
    return sentence


def retell_drawing(drawing: str) -> str:
    """Say the sentences and write the numbers of a drawing; single words may be data and stay.

    >>> with speaking("de"):
    ...     retell_drawing('<text>9.1 %</text><title>Loss of each quasi-identifier</title>')
    '<text>9,1\\xa0%</text><title>Verlust jedes Quasi-Identifikators</title>'
    """
    if spoken() == "en":
        return drawing
    return _SAID.sub(lambda found: found[1] + _said(found[2]) + found[3], drawing)


def scale_words(label: str) -> str:
    """Say a label of a scale: its words, numbers and months.

    >>> with speaking("de"):
    ...     scale_words("under 1,000"), scale_words("2,000–2,999"), scale_words("2021-01–2021-06")
    ('unter 1.000', '2.000–2.999', '01.2021–06.2021')
    """
    if spoken() == "en":
        return label
    told = retell(label)
    if told == label:
        told = _FIGURE.sub(lambda found: found[0].translate(_SWAPPED), label)
    return _MONTH.sub(r"\2.\1", told)


def _said(text: str) -> str:
    if " " not in text or _NUMBER.fullmatch(text):
        return _rewritten(text)
    told = retell(text)
    return _counted(text) if told == text else told


def _counted(text: str) -> str:
    """Say a list of columns and how many cells of each: 'age' (1,850) and 'sex' (3)."""
    written = _COUNTED.sub(lambda found: found[0].translate(_SWAPPED), text)
    names, between, last = written.rpartition(") and '")
    return say("{names} and {last}", names=f"{names})", last=f"'{last}") if between else written


def _rewritten(value: str) -> str:
    """Write a number that stands in a sentence as the language does."""
    if spoken() == "en" or not _NUMBER.fullmatch(value):
        return value
    return re.sub(r"\s?%", "\N{NO-BREAK SPACE}%", value.translate(_SWAPPED))


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Speak a language in this context."""
    before = _spoken.set(language)
    try:
        yield
    finally:
        _spoken.reset(before)


def spoken() -> str:
    """Return the language of this context."""
    return _spoken.get()


def preferred(accepted: str) -> str:
    """Choose the language that a browser asks for first, of those that we speak.

    >>> preferred("fr, de-AT;q=0.9, en;q=0.8"), preferred("de;q=0.4, en"), preferred("")
    ('de', 'en', 'en')
    """
    wishes = []
    for part in accepted.split(","):
        name, _, quality = part.strip().partition(";q=")
        try:
            wishes.append((-float(quality or 1), name.split("-")[0].lower()))
        except ValueError:
            continue
    known = [name for _, name in sorted(wishes, key=lambda wish: wish[0]) if name in LANGUAGES]
    return known[0] if known else "en"


@cache
def catalogue(language: str) -> Mapping[str, str]:
    """Read the texts of a language, by their English ones."""
    text = files("shoal").joinpath("languages", f"{language}.toml").read_text("utf-8")
    return {key: value for part in tomllib.loads(text).values() for key, value in part.items()}


@cache
def _patterns(language: str) -> list[tuple[re.Pattern[str], str]]:
    """Turn templates into patterns, the longest first: they say most about a sentence."""
    plain = {_plain(key): _plain(value) for key, value in catalogue(language).items()}
    ranked = sorted(plain.items(), key=lambda item: -len(re.sub(r"\{.*?\}", "", item[0])))
    return [(_pattern(key), value) for key, value in ranked if _PLACE.search(key) and _telling(key)]


_SAID = re.compile(r"(>|aria-label=\")([^<>\"]+)(<|\")")
_COUNTED = re.compile(r"(?<= \()\d{1,3}(?:,\d{3})+(?=\))")  # of a column: 'age' (1,850)
_NUMBER = re.compile(r"[<+-]?\d[\d,]*(\.\d+)?([\s\N{NO-BREAK SPACE}]?%)?")
_FIGURE = re.compile(r"\d[\d,]*(?:\.\d+)?")
_MONTH = re.compile(r"\b(\d{4})-(\d\d)\b")
_PLACE = re.compile(r"\{(\w+)\}")


def _telling(template: str) -> bool:
    """Tell whether a template has words enough to be known by them."""
    return len(re.sub(r"\{\w+\}|\W", "", template)) >= 5


def _plain(template: str) -> str:
    """Leave out how numbers are written: they are written already."""
    return re.sub(r"\{(\w+)(?:[:!][^}]*)\}", r"{\1}", template)


def _pattern(template: str) -> re.Pattern[str]:
    pieces = _PLACE.split(template)
    seen: set[str] = set()
    written = []
    for i, piece in enumerate(pieces):
        if i % 2 == 0:
            written.append(re.escape(piece))
        else:
            written.append(f"(?P={piece})" if piece in seen else f"(?P<{piece}>.+?)")
            seen.add(piece)
    return re.compile("".join(written), re.DOTALL)


class _English(Formatter):
    """Writes numbers as Python does."""


class _German(Formatter):
    """Writes 1.234,5 and 12,5 %."""

    def format_field(self, value: Any, format_spec: str) -> str:
        written = str(super().format_field(value, format_spec))
        if isinstance(value, bool) or not isinstance(value, Real):
            return written
        if format_spec[-1:] in tuple("feg%,") or not isinstance(value, Integral):
            written = written.translate(_SWAPPED)
        return written.replace("%", "\N{NO-BREAK SPACE}%")


_WRITERS: Mapping[str, Formatter] = {"en": _English(), "de": _German()}


_IRREGULAR = {"entry": "entries", "person": "people", "copy": "copies"}


def plural(number: int, noun: str) -> str:
    """Print a count with its noun.

    >>> plural(1, "row"), plural(1200, "group"), plural(1, "person"), plural(2, "person")
    ('1 row', '1,200 groups', '1 person', '2 people')
    """
    last = noun.rsplit(" ", 1)[-1]
    many = noun.removesuffix(last) + _IRREGULAR.get(last, f"{last}s")
    return f"{number:,} {noun if number == 1 else many}"


def listing(names: Sequence[str], most: int = 8) -> str:
    """Join names as in a sentence.

    >>> listing(["age", "sex", "zip"]), listing(["age"]), listing(list("abcd"), most=2)
    ('age, sex and zip', 'age', 'a, b and 2 more')
    """
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    *first, last = names or ["nothing"]
    return f"{', '.join(first)} and {last}" if first else last


def plain(value: Any) -> Any:
    """Turn values into what JSON can hold.

    >>> plain({"t": Fraction(1, 2), "beta": math.inf, "sizes": (1, 2)})
    {'t': 0.5, 'beta': 'inf', 'sizes': [1, 2]}
    """
    if isinstance(value, Mapping):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    if hasattr(value, "item"):  # a NumPy scalar
        value = value.item()
    if isinstance(value, Fraction):
        value = float(value)
    if isinstance(value, float) and not math.isfinite(value):
        return "inf" if value > 0 else "-inf"
    return value
