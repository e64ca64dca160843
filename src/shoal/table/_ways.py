"""Ways to read a column of text: as numbers or dates, in formats that its cells suggest."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

import polars as pl

from shoal._words import plural
from shoal.table._dates import read_dates
from shoal.table._formats import THOUSANDFOLD, CellFormat, shape_of
from shoal.table._kinds import CODE_WORDS, LEADING_ZERO, words_of
from shoal.table._numbers import are_numbers
from shoal.table._vocabulary import DATES, TIMES, UNITS
from shoal.typing import BoolArray, IntArray, Kind

A_YEAR = dt.timedelta(days=366)  # ahead: the next visit, not a birth
POSSIBLE = 0.5  # share of cells below which nothing more is tried
REPEATED = 3  # rows that hold a text before it may be named: fewer may tell of a person
KEY_WORDS = {"id", "ids", "nr", "no", "number", "nummer", "key", "uuid", "code", "phone", "ticket"}
UNIT = r"^[+-]?[0-9][0-9.,'’ \u00a0]*?\s*([^\W\d_]{1,8}|[%°€$£²³/]{1,3})\.?$"
GROUPED = r"^[^0-9]*[1-9][0-9]{{0,2}}(?:{}[0-9]{{3}})+[^0-9.,]*$"
MONEY = {*"€$£¥₹", "eur", "euro", "usd", "gbp", "chf", "dollar", "dollars", "euros"}
CURRENCY = r"^([€$£])\s*[0-9]"
SIGN = r"(?i)([€$£¥₹]|\b(?:eur|usd|gbp|chf|jpy|inr)\b)"
AMOUNT = rf"(?i)^(?:{SIGN}\s*)?[+-]?[0-9][0-9.,'’ ]*\s*(?:[a-z]{{1,8}}\.?)?\s*{SIGN}?$"
SHORTENED = rf"(?i)[0-9]\s*(?:{'|'.join(word for word in THOUSANDFOLD if word != 'm')})\b"
MILLIONS = rf"(?i)(?:{SIGN}\s*[0-9][0-9.,]*|[0-9])\s*m\b"
EIGHT_DIGITS = r"^\s*(?:19|20)[0-9]{6}\s*$"
DATED = (
    r"[0-9]{1,4}[-./年 ]+(?:[0-9]{1,2}|[^\W\d]{3,9})[-./,月 ]+[0-9]{1,4}"
    r"|[^\W\d]{3,9} [0-9]{1,2}, [0-9]{4}"
)


@dataclass(frozen=True)
class FrequentTexts:
    """The most frequent texts of a column, and how many rows hold each."""

    texts: pl.Series
    counts: IntArray

    def share(self, pattern: str) -> float:
        """Share of these rows whose text has a pattern."""
        held = self.texts.str.contains(pattern).to_numpy()
        return float(self.counts[held].sum() / max(1, self.counts.sum()))


@dataclass(frozen=True)
class Way:
    """A way to read a column: as numbers or as dates, written like this."""

    kind: Kind
    read: Mapping[str, Any]

    def fits(self, texts: pl.Series) -> BoolArray:
        """Tell which texts can be read in this way."""
        if not self.read:
            return are_numbers(texts) if self.kind == "numeric" else _plain_dates(texts)
        parsed = CellFormat(**self.read, odd="missing").read(texts)
        if "%y" in str(self.read.get("date")):  # a century too far?
            later = parsed > f"{dt.datetime.now(dt.UTC) + A_YEAR:%Y-%m-%d}~"
            parsed = parsed.set(later.fill_null(False), None)
        return parsed.is_not_null().to_numpy()

    def words(self, texts: pl.Series) -> str:
        """Say what the cells are then."""
        if self.kind == "date":
            form = " in a format of their own" if self.read else ""
            return f"dates{form}{', and day and month may be swapped' if self.two(texts) else ''}"
        marks = {",": "a decimal comma", ".": "marks between thousands"}
        parts = ["a unit"] if "unit" in self.read else []
        parts += ["a letter or word for thousands or millions"] if "short" in self.read else []
        parts += [marks[self.read["decimal"]]] if "decimal" in self.read else []
        return f"numbers with {' and '.join(parts)}" if parts else "numbers"

    def two(self, texts: pl.Series) -> bool:
        """Tell whether as many texts are dates if day and month change places."""
        form = self.read.get("date")
        if not isinstance(form, str) or "%d" not in form or "%m" not in form:
            return False
        swapped = "".join({"%d": "%m", "%m": "%d"}.get(p, p) for p in re.split("(%[dm])", form))
        other = Way("date", {"date": swapped})
        return bool(other.fits(texts).sum() >= self.fits(texts).sum())

    def reason(self, texts: pl.Series, named: int, odd: int) -> str:
        """Say why a column is read in this way, with counts and without a cell."""
        parts = [f"Its cells are {self.words(texts)}"]
        parts += [f"{plural(named, 'cell')} with a word for missing"] if named else []
        parts += [f"{plural(odd, 'cell')} with something else, read as missing"] if odd else []
        return f"{'; '.join(parts)}."


def ways_to_read(name: str, sample: FrequentTexts) -> Iterator[Way]:
    """Ways to read a column, those that ask for least first."""
    if sample.share(EIGHT_DIGITS) >= POSSIBLE:
        yield Way("date", {"date": "%Y%m%d"})
    keys = set(words_of(name)) & (KEY_WORDS | CODE_WORDS)
    if not keys and not sample.texts.str.contains(LEADING_ZERO).any():
        unit, short = _unit(sample.texts), _is_short(sample)
        units: tuple[dict[str, Any], ...] = ({}, {"unit": unit}) if unit else ({},)
        if short:
            unit = next(iter(currencies(sample.texts)), None)
            units = ({"unit": unit, "short": True} if unit else {"short": True},)
        usual: tuple[dict[str, str], ...] = ({}, {"decimal": ","}, {"decimal": "."})
        for marks, extra in product((*_thousands(sample.texts, unit), *usual), units):
            yield Way("numeric", {**extra, **marks})
    if sample.share(DATED) >= POSSIBLE:
        yield Way("date", {})
        yield from (Way("date", {"date": form}) for form in _date_formats(sample.texts))


def _unit(sample: pl.Series) -> str | None:
    bare = sample.str.strip_chars()
    for pattern in (UNIT, CURRENCY):
        units = bare.str.extract(pattern).drop_nulls()
        usual = units.mode().sort().head(1).to_list()
        if usual and (usual[0].lower() in UNITS or (units == usual[0]).sum() >= REPEATED):
            return str(usual[0])
    return None


def _is_short(sample: FrequentTexts) -> bool:
    """Tell whether numbers are shortened: 59k, $1.2m; 1.8m alone is a height."""
    amounts = sample.texts.str.contains(AMOUNT)
    shortened = sample.texts.str.contains(SHORTENED)
    money = sample.texts.str.contains(SIGN) & sample.texts.str.contains(MILLIONS)
    return bool(sample.counts[(amounts & (shortened | money)).to_numpy()].sum() >= REPEATED)


def currencies(texts: pl.Series) -> list[str]:
    """Name the currencies that stand beside numbers, most frequent first."""
    signs = texts.filter(texts.str.contains(AMOUNT)).str.extract(SIGN).drop_nulls()
    found = signs.value_counts(name="rows").sort(["rows", signs.name], descending=[True, False])
    return [str(sign) for sign in found.get_column(signs.name)]


def _thousands(sample: pl.Series, unit: str | None) -> Iterator[dict[str, str]]:
    """Give the decimal mark where all others stand between thousands: £40,805, 29.611 EUR.

    A point before three digits is that of money alone: 1.250 kg is more than a kilogram.
    """
    money = unit is not None and unit.lower() in MONEY
    for mark, decimal in ((",", "."), (".", ",")):
        marked = sample.filter(sample.str.contains(mark, literal=True))
        grouped = marked.str.contains(GROUPED.format(re.escape(mark)))
        if len(marked) >= REPEATED and grouped.all() and (money or (mark == "," and not unit)):
            yield {"decimal": decimal}


def _date_formats(sample: pl.Series) -> Iterator[str | tuple[str, ...]]:
    """Formats that fit some of the texts: those that fit most, and the first with another."""
    bare = sample.str.strip_chars()
    shaped = [form for form in map("".join, product(DATES, TIMES)) if _any_like(bare, form)]
    fitting = [(-int(Way("date", {"date": form}).fits(sample).sum()), form) for form in shaped]
    best = [form for fits, form in sorted(fitting, key=lambda pair: pair[0]) if fits]
    yield from best[:3]
    yield from ((best[0], other) for other in best[1:4])


def _any_like(texts: pl.Series, form: str) -> bool:
    return bool(texts.str.contains(shape_of(form)).any())


def _plain_dates(texts: pl.Series) -> BoolArray:
    dates = read_dates(texts)
    return dates.valid & (not dates.ambiguous)
