"""Who is alone: rows as 64-bit keys, and how many people a key shows by themselves.

A key is the sum of one pseudo-random number for each cell, so that a column is added or taken away
in one step. Two different rows have one key with a chance of 2 ** -64: never, in practice.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b

import numpy as np

from shoal.kernels.hashing import hash_texts
from shoal.table import Table
from shoal.typing import BoolArray, IntArray

Keys = Mapping[str, IntArray]


def keys_of(table: Table, names: Iterable[str], *, as_written: bool = False) -> dict[str, IntArray]:
    """Give every cell of some columns its number: cells that read alike have the same.

    ``as_written`` counts what is published as it is, as its reader sees it: a text that was
    declared to mean missing stands there, and an empty one looks like a missing one.
    """
    cells = table.cells
    found = {n: cells.printed(n).without([""]) if as_written else cells.distinct(n) for n in names}
    texts = {name: column.buffers() for name, column in found.items()}
    said = {name: hash_texts(*text) for name, text in texts.items()}  # codes are as rows come
    return {name: spread(said[name], name)[found[name].codes] for name in said}


def keys_of_codes(codes: IntArray, name: str) -> IntArray:
    """Spread codes over 64 bits, in another way for each column (SplitMix64)."""
    return spread(np.arange(int(codes.max(initial=-1)) + 1, dtype=np.uint64), name)[codes]


def together(keys: Iterable[IntArray], n_rows: int) -> IntArray:
    """Add up the keys of some columns; no columns: all rows read alike."""
    total = np.zeros(n_rows, dtype=np.uint64)
    for key in keys:
        total += key
    return total


@dataclass(frozen=True, eq=False)
class RowOwners:
    """Whose row each row is: a number for each, or None if every row is a person of its own."""

    n_rows: int
    persons: IntArray | None = None

    @classmethod
    def of(cls, table: Table) -> RowOwners:
        """Read who is who from the person column, if there is one."""
        person = table.roles.person
        return cls(table.n_rows, None if person is None else table.cells.distinct(person).codes)

    @cached_property
    def count(self) -> int:
        """Number of people."""
        return self.n_rows if self.persons is None else np.unique(self.persons).size

    def take(self, rows: IntArray | BoolArray) -> RowOwners:
        """Keep some rows."""
        if self.persons is None:
            return RowOwners(int(np.arange(self.n_rows)[rows].size))
        persons = np.unique(self.persons[rows], return_inverse=True)[1]
        return RowOwners(persons.size, persons)

    def share_alone(self, keys: IntArray) -> float:
        """Share of the people who are `alone`."""
        return self.alone(keys) / max(1, self.count)

    def alone(self, keys: IntArray) -> int:
        """Count the people with a row that reads like no other person's.

        >>> keys = np.array([7, 8, 8, 9], dtype=np.uint64)
        >>> RowOwners(4).alone(keys), RowOwners(4, np.array([0, 1, 1, 0])).alone(keys)
        (2, 2)
        """
        if not keys.size:
            return 0
        order = None if self.persons is None else np.argsort(keys)
        ordered = np.sort(keys) if order is None else keys[order]
        starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
        if self.persons is None:
            return int((np.diff(starts, append=keys.size) == 1).sum())
        first = np.minimum.reduceat(self.persons[order], starts)
        last = np.maximum.reduceat(self.persons[order], starts)
        return int((np.bincount(first[first == last]) > 0).sum())


def spread(numbers: IntArray, name: str = "") -> IntArray:
    """Scatter numbers over 64 bits (SplitMix64), in another way for each name."""
    salt = np.frombuffer(blake2b(name.encode(), digest_size=8).digest(), dtype="<u8")
    mixed: IntArray = numbers + salt + np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))
