"""What words of column names mean, in many languages: ``tgl_lahir`` is the date of a birth.

``words.toml`` says for each language which words stand for one that the vocabularies know. Only
words that no vocabulary knows are looked up; words that are put together without a blank are taken
apart if both parts are known. ``values.toml`` holds words in cells.
"""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import TypeAlias

from shoal.table.recognizing._folding import bare
from shoal.table.recognizing._known import FACTS
from shoal.table.recognizing._secrets import MEASURED, SECRETS
from shoal.table.recognizing._vocabulary import (
    COUNTS,
    FATES,
    KEYS,
    NAMES,
    NAMING,
    OPINIONS,
    PATIENTS,
    PEOPLE,
    PEOPLES_NAMES,
    REMARKED,
    TARGETS,
    TAUGHT,
    any_of,
)

FOLDER = Path(__file__).parent
SHY = "~"  # behind a word that means much else, too
SPEAKS = "speaks"  # words that only tell a language
SPOKEN = 2  # distinct words of a language that say a table speaks it
SHARED = 3  # languages that may have such a word
NO_LANGUAGE = ("all", "en")
ONE_WORD = "alternativ*"  # never taken apart, though both parts are words
SHORTEST = (2, 4)  # letters of the parts of a word
UNDERSTOOD = " ".join(
    (
        *(FACTS, SECRETS, MEASURED, PEOPLES_NAMES, NAMING, NAMES, REMARKED),
        *(KEYS, COUNTS, PEOPLE, PATIENTS, FATES, TARGETS, OPINIONS),
    )
)

Entries: TypeAlias = Mapping[str, list[tuple[str, str, bool]]]  # word -> meaning, language, shy
Entered: TypeAlias = defaultdict[str, list[tuple[str, str, bool]]]


def understand(words: tuple[str, ...], spoken: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """Put words that the vocabularies know in the places of those that they do not.

    >>> understand(("tgl", "lahir")), understand(("kodpocztowy",)), understand(("wage",))
    (('date', 'birth'), ('zip',), ('wage',))
    """
    return tuple(meaning for word in words for meaning in _understand(word, spoken))


def languages_of(names: Iterable[tuple[str, ...]]) -> frozenset[str]:
    """Tell which languages the names of a table's columns, split into words, are in.

    >>> sorted(languages_of([("imie",), ("nazwisko",), ("wiek",)]))
    ['pl']
    """
    found: dict[str, set[str]] = defaultdict(set)
    for word in {word for words in names for word in words}:
        tongues = {language for _, language, shy in _entries_of(word) if not shy}
        if len(tongues) <= SHARED:
            for tongue in tongues.difference(NO_LANGUAGE):
                found[tongue].add(word)
    return frozenset(tongue for tongue, words in found.items() if len(words) >= SPOKEN)


@cache
def words_in_cells(what: str) -> str:
    """Return the words in cells for something, of all languages, as a vocabulary.

    >>> "kobieta" in words_in_cells("sexes").split()
    True
    """
    languages = tomllib.loads((FOLDER / "values.toml").read_text("utf-8"))[what]
    words = bare(" ".join(languages.values())).lower().split()
    return " ".join(dict.fromkeys(word for word in words if not word.endswith(SHY)))


@cache
def _understand(word: str, spoken: frozenset[str]) -> tuple[str, ...]:
    if any_of(UNDERSTOOD, [word]):
        return _of_a_tongue(word, spoken) or (word,)
    return _meanings(word, spoken) or _parts(word, spoken) or _behind_a_number(word, spoken)


def _of_a_tongue(word: str, spoken: frozenset[str]) -> tuple[str, ...]:
    """Look up a word that only looks like a known one: ``apskritis`` is no inflammation."""
    if not spoken or word in UNDERSTOOD.split():
        return ()
    entries = _lexicon()[0].get(word, ())
    return tuple(what for what, language, _ in entries if language in spoken and what != SPEAKS)


def _behind_a_number(word: str, spoken: frozenset[str]) -> tuple[str, ...]:
    """Take off a grade, a wave or a question: ``g4math`` is about maths."""
    found = re.fullmatch(r"[a-z]{1,4}\d+_?([a-z]{4,})", word)
    if found is None:
        return (word,)
    meant = _understand(found[1], spoken)
    return meant if any_of(f"{UNDERSTOOD} {TAUGHT}", meant) else (word,)


def _meanings(word: str, spoken: frozenset[str]) -> tuple[str, ...]:
    entries = _entries_of(word)
    meant = (what for what, language, shy in entries if not shy or language in spoken)
    return tuple(dict.fromkeys(what for what in meant if what != SPEAKS))


def _parts(word: str, spoken: frozenset[str]) -> tuple[str, ...]:
    """Take a word apart into two that are known as they are, the longest second one first."""
    if any_of(ONE_WORD, [word]):
        return ()
    begins, ends = SHORTEST
    for cut in range(begins, len(word) - ends + 1):
        both = word[:cut], word[cut:]
        if all(part in _plain_words() for part in both) and word.isalpha():
            return understand(both, spoken)
    return ()


def _entries_of(word: str) -> list[tuple[str, str, bool]]:
    """Look a word up: as it is, by how it begins, and by what it holds."""
    exact, begun, held = _lexicon()
    found = list(exact.get(word, ()))
    for cut in range(1, len(word) + 1):
        found += begun.get(word[:cut], ())
    return found + [entry for part, entries in held.items() if part in word for entry in entries]


@cache
def _lexicon() -> tuple[Entries, Entries, Entries]:
    """Read the words: those that are whole, those that begin a word, those inside of one."""
    exact: Entered = defaultdict(list)
    begun: Entered = defaultdict(list)
    held: Entered = defaultdict(list)
    sections = tomllib.loads((FOLDER / "words.toml").read_text("utf-8"))
    for meaning, languages in sections.items():
        for language, words in languages.items():
            for word in bare(words).lower().split():
                kind = held if word.startswith("*") else begun if word.endswith("*") else exact
                entry = meaning, language, word.endswith(SHY)
                kind[word.strip(f"*{SHY}")].append(entry)
    return exact, begun, held


@cache
def _plain_words() -> frozenset[str]:
    """List words that may be part of another: no shy ones, none that a star ends."""
    exact, _, _ = _lexicon()
    own = (word for word, entries in exact.items() if not all(shy for _, _, shy in entries))
    return frozenset((*own, *(word for word in UNDERSTOOD.split() if word.isalpha())))
