"""Train, validation and test rows: parted before anything is anonymized."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shoal._random import spawn
from shoal.exceptions import InputError, InvalidParameterError
from shoal.table import Table
from shoal.typing import FloatArray, IntArray

SHARES = (0.6, 0.2, 0.2)


@dataclass(frozen=True, eq=False)
class Parts:
    """A table in three: learn from ``train``, steer by ``validation``, look once at ``test``.

    ``rows`` says which rows of the table each part holds, in the same order.
    """

    table: Table
    train: Table
    validation: Table
    test: Table
    rows: tuple[IntArray, IntArray, IntArray]


def part(
    table: Table,
    *,
    classes: IntArray | None = None,
    shares: Sequence[float] = SHARES,
    seed: int = 0,
) -> Parts:
    """Part the rows of a table at random; the same rows in any order are parted alike.

    Parameters
    ----------
    table : Table
        The originals. All rows of one person (`Roles.person`) go to one part.
    classes : IntArray, optional
        A class for each row, present in each part by its share; ignored where people are told
        apart.
    shares : three numbers
        Shares of train, validation and test; they add up to 1.
    seed : int
        Another seed, another division.
    """
    _check_shares(shares)
    place = _places(table, classes, seed)
    ends = np.cumsum(shares)[:2]
    which = np.searchsorted(ends, place, side="right")
    by_content = np.argsort(table.row_hash(), kind="stable")
    rows = [by_content[which[by_content] == number] for number in range(3)]
    if any(part.size == 0 for part in rows):
        raise InputError(
            f"{table.n_rows} rows are too few to be parted into train, validation and test.",
            hint="Tuning needs at least a few dozen rows of every class.",
        )
    return _parts(table, rows[0], rows[1], rows[2])


def rotate(parts: Parts, turn: int, turns: int) -> Parts:
    """Let another part of the train rows be the validation rows, and learn from the others.

    The old validation rows are learned from then, and test rows stay where they are.
    """
    train, validation, test = parts.rows
    person = parts.table.roles.person
    fold = np.arange(train.size) if person is None else parts.train.codes(person)
    asked = fold % turns == turn
    return _parts(parts.table, np.concatenate([train[~asked], validation]), train[asked], test)


def _parts(table: Table, train: IntArray, validation: IntArray, test: IntArray) -> Parts:
    return Parts(
        table,
        train=table.take(train),
        validation=table.take(validation),
        test=table.take(test),
        rows=(train, validation, test),
    )


def _places(table: Table, classes: IntArray | None, seed: int) -> FloatArray:
    """Place each row between 0 and 1, evenly within its class, by content and chance alone."""
    hashes, rng = table.row_hash(), spawn(seed, "parts")
    if table.roles.person is not None:
        return _places_of_people(table.codes(table.roles.person), hashes, rng)
    shuffled = np.argsort(hashes, kind="stable")[rng.permutation(hashes.size)]
    groups = np.zeros(hashes.size, dtype=np.int64) if classes is None else classes
    place = np.empty(hashes.size)
    for group in np.unique(groups):
        members = shuffled[groups[shuffled] == group]
        place[members] = (np.arange(members.size) + 0.5) / members.size
    return place


def _places_of_people(people: IntArray, hashes: IntArray, rng: np.random.Generator) -> FloatArray:
    smallest = np.full(int(people.max()) + 1, np.iinfo(np.uint64).max, dtype=np.uint64)
    np.minimum.at(smallest, people, hashes)
    place = np.empty(smallest.size)
    place[np.argsort(smallest, kind="stable")] = (
        rng.permutation(smallest.size) + 0.5
    ) / smallest.size
    found: FloatArray = place[people]
    return found


def _check_shares(shares: Sequence[float]) -> None:
    if len(shares) != 3 or min(shares) <= 0 or abs(sum(shares) - 1) > 1e-9:
        raise InvalidParameterError(
            "The shares of train, validation and test must be positive and add up to 1."
        )
