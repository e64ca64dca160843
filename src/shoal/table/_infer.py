"""Inference of kinds and roles: what a column's name and its values suggest it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from shoal.table._cells import Distinct
from shoal.table._kinds import Guess, guess_kinds, words_of
from shoal.table._table import Table
from shoal.table.recognizing import (
    RECOGNIZERS,
    Look,
    ask_again,
    bare,
    guard,
    is_of_somebody,
    is_persons_key,
    keep_company,
    keep_families,
    keep_references,
    keep_scales,
    languages_of,
    lasts,
    split_name,
    understand,
)
from shoal.typing import IntArray

PERSON = "Several rows share it, as rows of one person do: people are counted instead of rows."
HARMLESS = Guess("other", "Neither its name nor its values point to a person.")
TAKES_PART = 0.95  # of the rows of keys that repeat
TELLS = 0.8  # of what chance leaves open
SURELY = 4.0  # standard deviations from what shuffled keys would give
OFTEN = 1.15  # rows of a key, on average
LOOKED_AT = 100_000  # rows
MOST = 0.9  # of the distinct keys: they have digits
OF_PEOPLE = ("quasi_identifier", "identifier", "sensitive")


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
    >>> import polars as pl
    >>> from shoal.table import read_table
    >>> frame = pl.DataFrame({"zip": ["01234", "9876"], "age": ["7", "41"], "sex": ["f", "m"]})
    >>> for name, guess in infer_kinds(read_table(frame)).items():
    ...     print(name, "is", guess)
    zip is code (Its name is that of a code, and its values are digits.)
    age is numeric (Its distinct values (2) are all numbers.)
    sex is nominal (Its distinct values (2) are text.)
    """
    return guess_kinds(table.cells, table.orders, table.column_names)


def infer_roles(table: Table) -> dict[str, Guess]:
    """Propose a role for every column, with the reason; the roles it has are not looked at.

    Values speak first, names second (`shoal.table.recognizing`). What tells more than 5 % of the
    rows from all others is never left as it is. At most one column is proposed as target, and one
    as person: a key that rows share, by its name or because other columns do not change within
    it. `Roles.from_choices` makes roles of the choices.

    Examples
    --------
    >>> import polars as pl
    >>> from shoal.table import Roles, read_table
    >>> frame = pl.DataFrame(
    ...     {"name": ["Ann", "Bo"], "age": [34, 17], "disease": ["flu", "gout"], "n": [1, 1]}
    ... )
    >>> guesses = infer_roles(read_table(frame))
    >>> for column, guess in guesses.items():
    ...     print(column, "is", guess)
    name is identifier (Its name is that of names, and its values are words like them.)
    age is quasi_identifier (Its name is that of an age, which others may know about a person.)
    disease is sensitive (Its values are illnesses.)
    n is other (Neither its name nor its values point to a person.)
    """
    guesses: dict[str, Guess] = {}
    looks = look_at(table)
    for name, look in looks.items():
        taken = any(guess.choice == "target" for guess in guesses.values())
        guesses[name] = next(_possible(look, target=not taken), HARMLESS)
    guesses = keep_families(looks, guesses)
    guesses = keep_company(looks, guesses, () if table.source is None else _title(table.source))
    guesses = keep_scales(looks, ask_again(looks, guard(looks, guesses)))
    person = _find_person(looks, guesses)
    of_people = {} if person is None else {person: Guess("person", PERSON)}
    return keep_references(looks, guesses | of_people)  # a manager's rows are not one person's


def look_at(table: Table) -> dict[str, Look]:
    """Look at every column, with the languages that their names are in."""
    names = table.column_names
    spoken = languages_of(split_name(name) for name in names)
    return {n: Look(n, table.kinds[n], table.cells.distinct(n), spoken) for n in names}


def _title(source: Path) -> tuple[str, ...]:
    """Return the words of a file's name."""
    return understand(words_of(bare(Path(source).stem)))


def _possible(look: Look, *, target: bool) -> Iterator[Guess]:
    """Guesses for one column, best first."""
    for recognize in RECOGNIZERS:
        guess = recognize(look)
        if guess is not None and (target or guess.choice != "target"):
            yield guess


def _find_person(looks: Mapping[str, Look], guesses: Mapping[str, Guess]) -> str | None:
    """Find the key that rows of one person share: the one that other columns follow most."""
    given = [looks[n] for n, guess in guesses.items() if guess.choice == "identifier"]
    keyed = any(look.distinct.all_differ and look.like(r"\d") > 0.9 for look in given)
    found = []
    for name, guess in guesses.items():
        keys, somebodys = looks[name].distinct, is_of_somebody(looks[name])
        if looks[name].like(r"^\S*\d\S*$") < MOST and (keyed or not somebodys):
            continue  # a name that several people bear
        often = (keys.n_rows - keys.n_missing) / max(1, len(keys.texts))
        if guess.choice != "identifier" or often < OFTEN or len(keys.texts) < 2:
            continue
        rows = _rows_of_some(keys)
        told = [n for n in looks if n != name and _follows(rows, keys, looks[n].distinct)]
        plain = somebodys and is_persons_key(looks[name])
        if plain or any(guesses[n].choice in OF_PEOPLE or lasts(looks[n]) for n in told):
            found.append((somebodys, len(told), len(keys.texts), name))
    return max(found)[3] if found else None


def _rows_of_some(keys: Distinct) -> IntArray:
    """Return the rows of the first keys, all rows of each, so that large tables take no longer."""
    most = int(np.searchsorted(np.cumsum(keys.counts), LOOKED_AT, side="right"))
    return np.flatnonzero(np.less(keys.codes, max(2, most)))


def _follows(rows: IntArray, keys: Distinct, fact: Distinct) -> bool:
    """Whether a fact hardly changes within the rows of a key, far less than it would by chance.

    Were keys shuffled, two rows of one would agree as often as any two rows do.
    """
    of, told = keys.codes[rows], fact.codes[rows]
    _, firsts, which = np.unique(of, return_index=True, return_inverse=True)
    later = np.ones(len(rows), dtype=np.bool_)
    later[firsts] = False
    n = int(later.sum())
    shares = np.bincount(told) / max(1, len(rows))
    chance = float((shares**2).sum())
    if not n or chance >= 1.0:
        return False
    same = float((told[firsts][which] == told)[later].mean())
    beyond = (same - chance) / max((chance * (1 - chance) / n) ** 0.5, 1 / n)
    return same >= TAKES_PART and same - chance >= TELLS * (1 - chance) and beyond >= SURELY
