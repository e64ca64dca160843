"""What a name is about, in any of 39 languages, where no vocabulary knows its words.

``concepts.toml`` lists words, stems and abbreviations by concept and language; each concept has the
role that a careful steward gives to columns about it. A concept does not decide: it moves the
second opinion, which knows the values and the rest of the table as well.
"""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple, TypeAlias

from shoal.table.recognizing._folding import bare
from shoal.table.recognizing._look import HEAD_FIRST, Look, split_name
from shoal.table.recognizing._tongues import SHARED, SHY, SPOKEN
from shoal.table.recognizing._vocabulary import PATIENTS

FILE = Path(__file__).with_name("concepts.toml")
ABOUT = ("role", "about")  # what is no language
ROLES = ("sensitive", "quasi_identifier", "other")  # a secret of a family is a secret
SERVICE = "devices, channels and parts of a service"
LABORATORY = "lab"  # the language of abbreviations, which is spoken of patients
LONGEST = 3  # words that are one, as in ``time_spent_online``


class ColumnConcept(NamedTuple):
    """What a word is about, and in which language."""

    role: str
    about: str
    language: str
    shy: bool
    heads: bool = False  # whether the word says what it is, not what it is about


ColumnConcepts: TypeAlias = Mapping[str, list[ColumnConcept]]


def concepts_of(looks: Mapping[str, Look]) -> dict[str, ColumnConcept]:
    """Tell what the names of a table's columns are about, if one of their words is known.

    >>> import polars as pl
    >>> from shoal.table._cells import Distinct
    >>> cells = Distinct.of(pl.Series(["a", "b"]))
    >>> looks = {n: Look(n, "nominal", cells) for n in ("Pointure", "zadowolenie", "xyz")}
    >>> {name: meaning.role for name, meaning in concepts_of(looks).items()}
    {'Pointure': 'quasi_identifier', 'zadowolenie': 'sensitive'}
    """
    short = [look for look in looks.values() if not look.is_question]  # sentences say anything
    found = {look.name: list(_meanings(split_name(look.name))) for look in short}
    tongues: dict[str, set[str]] = defaultdict(set)
    for name, meanings in found.items():
        plain = {meaning.language for meaning in meanings if not meaning.shy}
        for tongue in plain if len(plain) <= SHARED else ():
            tongues[tongue].add(name)
    spoken = {tongue for tongue, names in tongues.items() if len(names) >= SPOKEN}
    spoken |= {tongue for look in looks.values() for tongue in look.spoken}
    if any(look.named(PATIENTS) for look in short):
        spoken.add(LABORATORY)
    told = {}
    for name, meanings in found.items():
        heard = [m for m in meanings if not m.shy or m.language in spoken]
        if heard:
            told[name] = min(heard, key=_weight)
    return told


def _weight(meaning: ColumnConcept) -> int:
    """Weigh what a word says: a channel of sales is a channel, else what is kept comes first."""
    served = meaning.heads and meaning.about == SERVICE
    return -1 if served else ROLES.index(meaning.role)


def _meanings(words: tuple[str, ...]) -> Iterator[ColumnConcept]:
    """Look the words of a name up, alone and put together, and what is inside of them."""
    exact, begun, held = _lexicon()
    whole = "".join(words)
    for start in range(len(words)):
        for end in range(start + 1, min(len(words), start + LONGEST) + 1):
            for glue in ("", "_")[: end - start]:
                word = glue.join(words[start:end])
                told = (word[:cut] for cut in range(2, len(word) + 1))
                for one in (*exact.get(word, ()), *(m for t in told for m in begun.get(t, ()))):
                    first = start == 0 and one.language in HEAD_FIRST
                    yield one._replace(heads=first or end == len(words))
    if not whole.isascii():
        yield from (meaning for part, told in held.items() if part in whole for meaning in told)


@cache
def _lexicon() -> tuple[ColumnConcepts, ColumnConcepts, ColumnConcepts]:
    """Read the words: those that are whole, those that begin a word, those inside of one."""
    exact: dict[str, list[ColumnConcept]] = {}
    begun: dict[str, list[ColumnConcept]] = {}
    held: dict[str, list[ColumnConcept]] = {}
    for concept in tomllib.loads(FILE.read_text("utf-8")).values():
        role, about = (concept[told] for told in ABOUT)
        for language in concept.keys() - set(ABOUT):
            for word in bare(concept[language]).lower().split():
                kind = held if word.startswith("*") else begun if word.endswith("*") else exact
                told = ColumnConcept(role, about, language, word.endswith(SHY))
                kind.setdefault(word.strip(f"*{SHY}"), []).append(told)
    return exact, begun, held
