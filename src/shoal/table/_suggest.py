"""Suggestions: how columns could be read that a few odd cells, units or formats turn into text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl

from shoal._words import plural
from shoal.table._brackets import LOOKS, MOST, find_order, read_bracket
from shoal.table._cells import Cells, Distinct
from shoal.table._numbers import to_floats
from shoal.table._spelling import CLEANERS
from shoal.table._vocabulary import MISSING_CODES, MISSING_NAMES, MISSING_WORDS
from shoal.table._ways import (
    AMOUNT,
    EIGHT_DIGITS,
    MONEY,
    POSSIBLE,
    REPEATED,
    FrequentTexts,
    Way,
    currencies,
    ways_to_read,
)
from shoal.typing import BoolArray, IntArray, Kind

ENOUGH = 0.95  # share of cells that decides what a column is
MOSTLY, VARIED = 0.7, 30  # share of cells, distinct texts that are numbers: no scale with a word
CODE_LENGTH = 2  # letters of a country or a state
FEWEST = 5  # rows; fewer say little
SAMPLE = 256  # of the most frequent texts, looked at first
HAS_DIGIT = r"^\W{0,3}[0-9]|^\w{1,3}\W{0,2}[0-9]|^[^\W\d]{3,9}\.? [0-9]"


@dataclass(frozen=True)
class Suggestion:
    """How a column could be read: settings for a plan, and the reason, with counts and no cell.

    Attributes
    ----------
    kind : Kind or None
        What the column would be then; None if it stays what it is.
    missing : tuple of str
        Texts that seem to mean missing: words and codes for it, or text that repeats.
    format, clean
        As for `read_table`.
    named, odd : int
        Cells with one of these texts; cells with something else, which is no number or no date.
    """

    kind: Kind | None
    named: int = 0
    odd: int = 0
    missing: tuple[str, ...] = ()
    format: Mapping[str, Any] = field(default_factory=dict)
    clean: tuple[str, ...] = ()
    reason: str = ""

    @property
    def money(self) -> bool:
        """Tell whether its numbers stand beside the sign of a currency."""
        return str(self.format.get("unit", "")).lower() in MONEY


def count_odd(cells: Cells, name: str, kind: Kind) -> dict[str, int]:
    """Count the rows of each text that is no number, or no date, most frequent first.

    Numbers and dates are read in the way that leaves fewest such rows.

    >>> seen = ["31.1.2020", "3.2.2020", "4.2.2020", "unknown"]
    >>> count_odd(Cells(pl.DataFrame({"seen": seen})), "seen", "date")
    {'unknown': 1}
    """
    printed = cells.printed(name).without(("",))
    most = np.argsort(-printed.counts, kind="stable")[:SAMPLE]
    sample = FrequentTexts(printed.texts.gather(most), printed.counts[most])
    fits = [way.fits(printed.texts) for way in ways_to_read(name, sample) if way.kind == kind]
    odd = min((~fit for fit in fits), key=lambda rest: printed.counts[rest].sum(), default=None)
    left = np.arange(len(printed.texts)) if odd is None else np.flatnonzero(odd)
    found = {str(printed.texts[i]): int(printed.counts[i]) for i in left.tolist()}
    return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))


def suggest_formats(cells: Cells, kinds: Mapping[str, Kind]) -> dict[str, Suggestion]:
    """Say which columns could be read better, and how.

    >>> ages = [*(str(20 + i) for i in range(30)), "unknown", "4o"]
    >>> cells = Cells(pl.DataFrame({"age": ages, "height": ["170 cm", "181"] * 16}))
    >>> kinds = {"age": "nominal", "height": "nominal"}
    >>> for name, found in suggest_formats(cells, kinds).items():
    ...     print(name, found.kind, found.missing, dict(found.format), found.odd)
    age numeric ('unknown',) {'odd': 'missing'} 1
    height numeric () {'unit': 'cm'} 0
    """
    looked = ((name, suggest_format(cells, name, kinds[name])) for name in cells.names)
    return {name: found for name, found in looked if found is not None}


def suggest_format(cells: Cells, name: str, kind: Kind) -> Suggestion | None:
    """Say how one column could be read better, if it could."""
    distinct = cells.distinct(name)
    if kind == "numeric":
        return (_compact_dates(name, distinct) if cells.is_text(name) else None) or _codes(distinct)
    if not cells.is_text(name) or kind != "nominal" or len(distinct.texts) == 0:
        return None
    return suggest_ranges(distinct) or suggest_kind(name, distinct) or _spelling(distinct)


def suggest_kind(name: str, distinct: Distinct) -> Suggestion | None:
    """Say how a column of text is one of numbers or of dates, if nearly all cells say so."""
    if distinct.n_rows < FEWEST:
        return None
    said, texts, counts = _without_words(distinct)
    usual = np.argsort(-counts, kind="stable")[:SAMPLE]  # few odd cells may be many odd texts
    some, rows = texts.gather(pl.Series(usual)), counts[usual]
    digits = rows[some.str.contains(HAS_DIGIT).to_numpy()].sum()
    if len(texts) == 0 or digits / max(1, rows.sum()) < POSSIBLE:
        return None
    sample = FrequentTexts(some, rows)
    best, fits, share = Way("nominal", {}), np.zeros(len(texts), dtype=np.bool_), 0.0
    for way in ways_to_read(name, sample):
        found = way.fits(texts)
        if (held := float(counts[found].sum() / counts.sum())) > share:
            best, fits, share = way, found, held
    if share < ENOUGH and not _one_word_is_odd(texts, counts, fits):
        return _mixed(texts, counts)
    words = _words(distinct, said) + _repeated(texts, counts, ~fits)
    words += _minus_codes(texts) if best.kind == "numeric" else ()
    named = int(distinct.counts[distinct.texts.is_in(list(words)).to_numpy()].sum())
    odd = int(counts[~fits & ~texts.is_in(list(words)).to_numpy()].sum())
    read = {**best.read, **({"odd": "missing"} if odd else {})}
    return Suggestion(best.kind, named, odd, words, read, reason=best.reason(texts, named, odd))


def _without_words(distinct: Distinct) -> tuple[BoolArray, pl.Series, IntArray]:
    """Tell which texts are words for missing; give all others, and how many rows hold each."""
    said = _lower(distinct.texts).is_in(list(MISSING_WORDS)).to_numpy()
    return said, distinct.texts.filter(pl.Series(~said)), distinct.counts[~said]


def _one_word_is_odd(texts: pl.Series, counts: IntArray, fits: BoolArray) -> bool:
    """Tell whether one word stands in most cells that are no number, of which there are many.

    In whatever language, it means that there is none.
    """
    words = _repeated(texts, counts, ~fits)
    if len(words) != 1 or fits.sum() < VARIED or counts[fits].sum() < MOSTLY * counts.sum():
        return False
    rest = ~texts.is_in(list(words)).to_numpy()
    return bool(counts[fits].sum() >= ENOUGH * counts[rest].sum())


def _mixed(texts: pl.Series, counts: IntArray) -> Suggestion | None:
    """Say why amounts stay text: those in several currencies cannot be compared."""
    found = {sign.lower() for sign in currencies(texts)}
    amounts = texts.str.contains(AMOUNT).to_numpy()
    if len(found) < 2 or counts[amounts].sum() < ENOUGH * counts.sum():
        return None
    reason = f"Its cells are amounts in {len(found)} currencies, which cannot be compared: it stays"
    return Suggestion(None, reason=f"{reason} text. Convert them to one before.")


def _words(distinct: Distinct, said: BoolArray) -> tuple[str, ...]:
    return tuple(sorted(distinct.texts.filter(pl.Series(said)).to_list()))


def _repeated(texts: pl.Series, counts: IntArray, odd: BoolArray) -> tuple[str, ...]:
    """Words that stand in many rows where numbers or dates should; a number is never one."""
    words = odd & (counts >= REPEATED) & ~texts.str.contains(r"[0-9]").to_numpy()
    return tuple(sorted(texts.filter(pl.Series(words)).to_list()))


def _minus_codes(texts: pl.Series) -> tuple[str, ...]:
    """Codes such as -9 among numbers of which no other is negative: ``170 cm``, ``-9``."""
    negative = texts.str.strip_chars().str.starts_with("-")
    coded = negative & texts.str.strip_chars().is_in(list(MISSING_CODES))
    return tuple(sorted(texts.filter(coded).to_list())) if (coded == negative).all() else ()


def _compact_dates(name: str, distinct: Distinct) -> Suggestion | None:
    """Find dates in eight digits, 19991231: hardly any number is one by chance."""
    shaped = distinct.texts.head(SAMPLE).str.contains(EIGHT_DIGITS)
    if float(shaped.mean() or 0.0) < ENOUGH:  # type: ignore[arg-type]
        return None
    found = suggest_kind(name, distinct)
    return found if found is not None and found.kind == "date" else None


def _codes(distinct: Distinct) -> Suggestion | None:
    """Find codes such as -9 and 999 that lie far outside of all other numbers."""
    texts = _lower(distinct.texts)
    coded = texts.is_in(list(MISSING_CODES)).to_numpy()
    if not coded.any() or coded.all():
        return None
    values = to_floats(texts)
    rest = values[~coded]
    below = (values < 0) & (values < rest.min() - 1) & (rest.min() >= 0)
    beyond = (values > 2 * max(rest.max(), 1)) & (distinct.counts >= REPEATED)
    far = coded & (below | beyond)
    if not far.any():
        return None
    named = int(distinct.counts[far].sum())
    reason = f"{plural(named, 'cell')} with codes far outside of all other numbers, as for missing."
    return Suggestion(None, named, missing=_words(distinct, far), reason=reason)


def suggest_ranges(distinct: Distinct) -> Suggestion | None:
    """Say that a column is one of ranges, if nearly all cells are, and what the others are."""
    said = _lower(distinct.texts).is_in(list(MISSING_WORDS)).to_numpy()
    sample = distinct.texts.head(MOST + SAMPLE)
    if len(sample) < len(distinct.texts) or not sample.str.contains(LOOKS).any():
        return None
    ranges = np.array([read_bracket(text) is not None for text in sample.to_list()])
    odd = int(distinct.counts[~ranges & ~said].sum())
    named = int(distinct.counts[said].sum())
    few = odd <= (1 - ENOUGH) * (distinct.counts.sum() - named) and odd + named
    if not few or find_order(distinct.texts.filter(pl.Series(ranges))) is None:
        return None
    parts = [f"{plural(named, 'cell')} with a word for missing"] if named else []
    parts += [f"{plural(odd, 'cell')} with something else, read as missing"] if odd else []
    reason = f"Its values are ranges of numbers; {'; '.join(parts)}."
    form = {"odd": "missing"} if odd else {}
    return Suggestion("ordinal", named, odd, _words(distinct, said), form, reason=reason)


def _spelling(distinct: Distinct) -> Suggestion | None:
    """Find words for missing, blanks around values, and values that differ in spelling only."""
    said = _lower(distinct.texts).is_in(list(MISSING_NAMES)).to_numpy()
    if distinct.texts.str.len_chars().median() == CODE_LENGTH:  # NA is Namibia, or a state
        said &= ~distinct.texts.str.contains("^[A-Za-z]{2}$").to_numpy()
    said |= _codes_among_words(distinct.texts)
    texts = distinct.texts.filter(pl.Series(~said))
    clean = () if distinct.all_differ else _cleaners(texts)
    if said.all() or not (said.any() or clean):
        return None
    named = int(distinct.counts[said].sum())
    parts = [f"{plural(named, 'cell')} with a word or code for missing."] if named else []
    differing = " or ".join(DIFFERENCES[word] for word in clean)
    parts += [f"Some values differ in {differing} only."] if clean else []
    missing = _words(distinct, said)
    return Suggestion(None, named, missing=missing, clean=clean, reason=" ".join(parts))


def _codes_among_words(texts: pl.Series) -> BoolArray:
    """Find numbers for missing, such as -9, where all others are words: yes, no."""
    coded = texts.str.strip_chars().is_in(list(MISSING_CODES))
    words = not texts.filter(~coded).str.contains("[0-9]").any() and not coded.all()
    return (coded & words).to_numpy()


def _cleaners(texts: pl.Series) -> tuple[str, ...]:
    """Choose the cleaners without which some values would stay apart."""
    needed = list(CLEANERS)
    fewest = _spelled(texts, needed)
    if fewest == texts.n_unique():
        return ()
    for word in reversed(list(CLEANERS)):
        without = [other for other in needed if other != word]
        needed = without if _spelled(texts, without) == fewest else needed
    return tuple(needed)


def _spelled(texts: pl.Series, cleaners: list[str]) -> int:
    for word in cleaners:
        texts = CLEANERS[word](texts)
    return texts.n_unique()


DIFFERENCES = {"trim": "blanks around them", "case": "case", "accents": "accents"}


def _lower(texts: pl.Series) -> pl.Series:
    return texts.str.strip_chars().str.to_lowercase()
