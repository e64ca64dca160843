"""Columns whose values are keys of other people: mothers, managers, partners, whoever came along.

Whatever such a column is called, it names somebody as surely as the key that it refers to. Where
keys are texts, this cannot be chance; where they are whole numbers, it cannot if they are sparse
among the numbers that the column spans, so that ages and counts never are keys of row numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.table._kinds import Guess
from shoal.table.recognizing._facts import DATE
from shoal.table.recognizing._identifiers import is_key, is_of_somebody
from shoal.table.recognizing._known import FACTS
from shoal.table.recognizing._look import LOOKED_AT, Look
from shoal.table.recognizing._secrets import MONEY, SECRETS
from shoal.typing import BoolArray, IntArray

NAMING = ("identifier", "person")
WHOLE = r"^\s*\d{1,15}(\.0)?\s*$"
LISTED = r"^\W*\d{2,15}(\s*[,;|/+]\s*\d{2,15})+\W*$"  # several keys in a cell
REASON = "Its values are those of {!r}, so that it refers to people."
FEWEST = 3  # distinct values of a reference
KEYS = 20  # distinct values that are referred to
NEARLY_ALL = 0.9  # of the distinct values
SPARSE = 0.1  # of the numbers that a column spans: those that are keys
LARGE = 1_000  # the smallest of keys that are numbered one after another
WIDE = 0.5  # of the span of such keys, that of references; or of the first key, their own span
#: Where others are referred to, too: the share of values, how far beyond chance, and how many keys.
SOME, BEYOND, OFTEN, MANY = 0.2, 4.0, 0.5, 100
SOME_LISTED = 0.1  # of the distinct values


def keep_references(looks: Mapping[str, Look], guesses: Mapping[str, Guess]) -> dict[str, Guess]:
    """Take for identifiers what refers to people by the values of their key.

    >>> from shoal.table._cells import Distinct
    >>> columns = {"key": range(100, 9_000, 97), "x": [*range(100, 9_000, 970)] * 9}
    >>> cells = {n: Distinct.of(pl.Series(values).cast(str)) for n, values in columns.items()}
    >>> looks = {n: Look(n, "numeric", values) for n, values in cells.items()}
    >>> known = {"key": Guess("identifier", "Keys."), "x": Guess("sensitive", "Unknown.")}
    >>> print(keep_references(looks, known)["x"])
    identifier (Its values are those of 'key', so that it refers to people.)
    """
    found = dict(guesses)
    keys = [n for n, guess in guesses.items() if guess.choice in NAMING and looks[n].size >= KEYS]
    some = {n: look for n, look in looks.items() if guesses[n].choice != "drop"}
    may = {n: look for n, look in some.items() if _may_refer(look)} if keys else {}
    for key in keys:
        others = {n: look for n, look in may.items() if n != key}
        referring = (n for n in _referring(looks[key], others) if found[n].choice not in NAMING)
        found |= dict.fromkeys(referring, Guess("identifier", REASON.format(key)))
    return found


def _may_refer(look: Look) -> bool:
    plain = look.kind != "date" and not look.is_question and not look.are_years
    return plain and look.size > 0 and look.like(DATE) < SOME


def _referring(key: Look, looks: Mapping[str, Look]) -> set[str]:
    """Name the columns that refer to a key, with those that are only numbered otherwise."""
    if key.like(WHOLE) == 1.0:
        numbers = _Numbers(np.unique(_whole(key.distinct.texts)))
        found = {n for n, look in looks.items() if numbers.are_in(look)}
        stems = {re.sub(r"\d+", "#", n) for n in found if re.search(r"\d", n)}
        siblings = {n for n in looks if re.sub(r"\d+", "#", n) in stems}
        return found | {n for n in siblings if numbers.are_met(looks[n])}
    return {*_among_texts(key, looks)} if key.letters_each >= FEWEST else set()


def _among_texts(key: Look, looks: Mapping[str, Look]) -> Iterator[str]:
    """Yield the columns whose texts are those of a key; digits alone are no texts.

    Towns are called like people, so that names tell less than codes.
    """
    several = {n: k for n, k in looks.items() if k.size >= FEWEST and k.like(WHOLE) < SOME}
    coded = key.like(r"\d") >= NEARLY_ALL
    texts = {n: k.sample for n, k in several.items() if coded or _is_unknown(k)}
    if texts:
        known = key.distinct.texts.filter(key.distinct.texts.is_in(pl.concat(texts.values())))
        met = {n: said.is_in(known).sum() for n, said in texts.items()}
        yield from (n for n, said in texts.items() if met[n] >= NEARLY_ALL * len(said))


def _whole(texts: pl.Series) -> IntArray:
    plain = texts.str.strip_chars().str.replace(r"\.0$", "").cast(pl.Int64, strict=False)
    return plain.drop_nulls().to_numpy()


@dataclass(frozen=True, eq=False)
class _Numbers:
    """Keys of people that are whole numbers, sorted."""

    keys: IntArray

    def are_in(self, look: Look) -> bool:
        """Tell whether a column refers to them, far beyond chance."""
        told = _numbers_of(look)
        met = int(self._hold(told).sum())
        if met < FEWEST:
            return False
        by_chance = self._filled(told)
        if met >= NEARLY_ALL * told.size and (by_chance < SPARSE or self._are_as_large(told, look)):
            return True
        enough = met >= max(KEYS, min(OFTEN * self.keys.size, MANY)) and by_chance < SPARSE
        return enough and met >= max(SOME, BEYOND * by_chance) * told.size and _is_unknown(look)

    def are_met(self, look: Look) -> bool:
        """Tell whether a column holds one of them at least."""
        return bool(self._hold(_numbers_of(look)).any())

    def _hold(self, told: IntArray) -> BoolArray:
        """Tell which numbers are keys, without a look at every key."""
        at = np.minimum(np.searchsorted(self.keys, told), self.keys.size - 1)
        return np.asarray(self.keys[at] == told)

    def _filled(self, told: IntArray) -> float:
        """Return the share of the numbers a column could have that are keys."""
        least, most, step = told.min(), told.max(), np.gcd.reduce(told) or 1
        first, behind = np.searchsorted(self.keys, (least, most + 1))
        within = self.keys[first:behind]
        some = within[:: max(1, within.size // LOOKED_AT)]
        return float((some % step == 0).mean()) * within.size / float((most - least) // step + 1)

    def _are_as_large(self, told: IntArray, look: Look) -> bool:
        """Whether keys follow one another, but far from all ages and counts, or as far apart."""
        first, span = self.keys[0], self.keys[-1] - self.keys[0]
        wide = told.max() - told.min() >= WIDE * span or span <= WIDE * first
        return bool(first >= LARGE and wide) and _is_unknown(look)


def _numbers_of(look: Look) -> IntArray:
    """Return the whole numbers of a column, on a sample; several may stand in a cell."""
    if look.like(WHOLE) >= NEARLY_ALL:
        return np.unique(_whole(look.sample))
    if look.kind == "numeric" or look.like(LISTED) < SOME_LISTED:
        return np.zeros(0, dtype=np.int64)
    return np.unique(_whole(look.sample.str.extract_all(r"\d{1,15}").explode()))


def _is_unknown(look: Look) -> bool:
    """Whether its name is not that of a fact or an amount, unless it is that of a person."""
    known = look.named(FACTS) or look.named(SECRETS) or look.named(MONEY)
    return not known or is_of_somebody(look) or is_key(look)
