"""Singling out: how many people are alone on everything that is published, not only the crowds.

Rows are 64-bit keys. A key is the sum of one pseudo-random number for each cell, so that a column
is added or taken away in one step. Two different rows have one key with a chance of 2 ** -64:
never, in practice. Sets of columns that single out are looked for in a sample first, then counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from hashlib import blake2b
from itertools import combinations
from math import comb, prod
from typing import Any

import numpy as np

from shoal.exceptions import InvalidParameterError
from shoal.kernels.hashing import hash_texts, number_repeats
from shoal.table import Table, text_buffers
from shoal.typing import BoolArray, IntArray

Keys = Mapping[str, IntArray]
TOO_MANY = 0.05  # of people: what singles out more of them needs a reason
NEARLY_ALL = 0.8  # of people, in their crowds: a secret that tells so many apart is an exact one
LARGEST_SET = 3
NARROW = 12  # columns; narrower tables are searched for sets of one column more
_THOUGHT_OF = 200_000  # sets of each size, of the columns with most values
_SAMPLED = 5_000  # sets of each size, those with most values first
SAMPLED_PEOPLE = 2_000
_NOISE = 0.02  # of people, by which a sample may be too low
_COUNTED_CELLS = 10_000_000  # rows times sets of each size that are counted in all rows
Names = tuple[str, ...]
_LISTED = 20  # sets


@dataclass(frozen=True)
class SinglingColumn:
    """Share of people whom one column tells from all others: alone, and within their crowds."""

    name: str
    role: str
    alone: float
    with_crowds: float


@dataclass(frozen=True)
class SinglingOut:
    """Who is alone on what is published.

    Attributes
    ----------
    people : int
        People published: persons if there is a person column, rows otherwise.
    share_unique : float
        Share of people whom all that is published tells from all others: their crowd, what is
        published as it is, sensitive columns and the target.
    share_unique_plain : float
        The same without sensitive columns and target.
    columns : tuple of SinglingColumn
        Every column that is published as it is, those that single out most first.
    sets : tuple of SinglingSet
        The smallest combinations of them that single out more than 5 % of people by themselves,
        at most 20. `exhaustive` tells whether all sets were looked at.
    helps_most : str or None
        The column that, made a quasi-identifier, frees most people; None if none frees any.
    freed : float
        Share of people that it frees.
    exhaustive : bool
        Whether no set of up to three columns (four of at most 12) was left out.
    secrets : tuple of SinglingColumn
        Sensitive columns and the target, likewise: they are published as they are, too.
    """

    people: int
    share_unique: float
    share_unique_plain: float
    columns: tuple[SinglingColumn, ...]
    sets: tuple[SinglingSet, ...]
    helps_most: str | None
    freed: float
    exhaustive: bool
    secrets: tuple[SinglingColumn, ...] = ()
    #: Columns that single out more than 5 % of people, alone or with the crowds.
    singling: tuple[str, ...] = field(init=False)
    #: Secrets so exact that whoever knows one finds the person: they single out more than 5 % of
    #: people alone, or more than 80 % in their crowds.
    exact: tuple[SinglingColumn, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for kind in ("columns", "secrets"):  # those that single out most come first
            told = {c.name: (-max(c.alone, c.with_crowds), c.name, c) for c in getattr(self, kind)}
            object.__setattr__(self, kind, tuple(c for _, _, c in sorted(told.values())))
        worst = (c.name for c in self.columns if max(c.alone, c.with_crowds) > TOO_MANY)
        object.__setattr__(self, "singling", tuple(worst))
        exact = (c for c in self.secrets if c.alone > TOO_MANY or c.with_crowds > NEARLY_ALL)
        object.__setattr__(self, "exact", tuple(exact))

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers as plain JSON values."""
        known = {**asdict(self), "singling": list(self.singling)}
        return {name: number for name, number in known.items() if name != "exact"}

    def rounded(self, step: int) -> SinglingOut:
        """Give the same with every share in whole ``step`` people."""

        def down(share: float) -> float:
            return self.round_down(share, step)

        columns = [
            replace(c, alone=down(c.alone), with_crowds=down(c.with_crowds)) for c in self.columns
        ]
        secrets = [
            replace(c, alone=down(c.alone), with_crowds=down(c.with_crowds)) for c in self.secrets
        ]
        sets = [replace(one, share=down(one.share)) for one in self.sets]
        return replace(
            self,
            secrets=tuple(secrets),
            share_unique=down(self.share_unique),
            share_unique_plain=down(self.share_unique_plain),
            columns=tuple(columns),
            sets=list_sets(one for one in sets if one.share > TOO_MANY),
            helps_most=self.helps_most if down(self.freed) else None,
            freed=down(self.freed),
        )

    def round_down(self, share: float, step: int) -> float:
        """Round a share of people down to whole ``step`` of them.

        >>> found = SinglingOut(40, 0.3, 0.3, (), (), None, 0.0, exhaustive=True)
        >>> found.round_down(9 / 40, 5) * 40, found.round_down(4 / 40, 5)
        (5.0, 0.0)
        """
        return round(share * self.people) // step * step / max(1, self.people)


def measure_singling_out(
    table: Table, *, crowds: IntArray | None = None, columns: Iterable[str] | None = None
) -> SinglingOut:
    """Count who is alone on everything that is published.

    Parameters
    ----------
    table : Table
        The original table, with roles.
    crowds : array of int, optional
        The published group of each row, -1 for rows that are left out. Not given: the
        quasi-identifiers as they are in the table.
    columns : iterable of str, optional
        The columns that are published as they are; all that have no role, or are accepted.

    Notes
    -----
    Shares of single columns and of everything are exact. Sets are looked for among at most 5,000
    combinations of each size, on the rows of 2,000 people, where nobody is less alone than in the
    whole table; those that stand out are counted in all rows, up to 10 million cells of each size.

    Examples
    --------
    >>> import numpy as np
    >>> import polars as pl
    >>> from shoal.table import Roles, read_table
    >>> frame = pl.DataFrame({"age": [30, 31, 30, 31], "case": [1, 2, 3, 4], "pet": list("ccdd")})
    >>> table = read_table(frame, roles=Roles(quasi_identifiers="age"))
    >>> found = measure_singling_out(table, crowds=np.array([0, 0, 0, 0]))
    >>> found.share_unique, found.singling, found.sets, found.helps_most
    (1.0, ('case',), (SinglingSet(columns=('case',), share=1.0),), 'case')
    """
    names = published_as_is(table) if columns is None else tuple(columns)
    target = () if table.roles.target is None else (table.roles.target,)
    secret = [name for name in (*table.roles.sensitive, *target) if name not in names]
    roles = {name: table.roles.role_of(name) for name in (*names, *secret)}
    some, everybody = published_rows(table, crowds), RowOwners.of(table)
    rows: IntArray | slice = slice(None)  # no copies of all rows
    if some.size < table.n_rows:
        rows, everybody = some, everybody.take(some)
    del some
    keys = {name: key[rows] for name, key in keys_of(table, names, as_written=True).items()}
    if crowds is None:
        quasi = keys_of(table, table.roles.quasi_identifiers)
        crowd = together(quasi.values(), table.n_rows)
    else:
        crowd = spread(crowds[rows].astype(np.uint64), "the crowd")
    told = {name: key[rows] for name, key in keys_of(table, secret, as_written=True).items()}
    secrets = together(told.values(), crowd.size)
    plain = crowd + together(keys.values(), crowd.size)
    people = max(1, everybody.count)
    without = {name: everybody.alone(plain - key) / people for name, key in keys.items()}
    shown = {**keys, **told}
    single = {name: everybody.alone(key) / people for name, key in shown.items()}
    alone = {name: single[name] for name in keys}
    beside = {name: everybody.alone(crowd + key) / people for name, key in shown.items()}
    each = {name: SinglingColumn(name, roles[name], single[name], beside[name]) for name in shown}
    best = min(without, key=lambda name: without[name], default=None)
    unique = everybody.alone(plain) / people
    freed = 0.0 if best is None else unique - without[best]
    sets, exhaustive = find_singling_sets(keys, alone, everybody) if keys else ([], True)
    return SinglingOut(
        people=everybody.count,
        share_unique=everybody.alone(plain + secrets) / people,
        share_unique_plain=unique,
        columns=tuple(each[name] for name in keys),
        sets=list_sets(sets) if sets else (),
        helps_most=best if freed > 0 else None,
        freed=freed,
        exhaustive=exhaustive,
        secrets=tuple(each[name] for name in told),
    )


def list_sets(sets: Iterable[SinglingSet]) -> tuple[SinglingSet, ...]:
    """Order sets, the smallest first, and leave out what nobody would read to the end."""
    return tuple(sorted(sets, key=lambda s: (len(s.columns), -s.share, s.columns))[:_LISTED])


def published_as_is(table: Table) -> tuple[str, ...]:
    """Name the columns that are published as they are, without sensitive ones and the target."""
    plain = ("other", "publish_as_is")
    return tuple(name for name in table.column_names if table.roles.role_of(name) in plain)


def published_rows(table: Table, crowds: IntArray | None) -> IntArray:
    """List the rows that are in a crowd; all if there are none yet."""
    if crowds is None:
        return np.arange(table.n_rows)
    if crowds.shape != (table.n_rows,):
        raise InvalidParameterError(f"{crowds.size:,} crowds for {table.n_rows:,} rows.")
    return np.flatnonzero(crowds >= 0)


@dataclass(frozen=True)
class SinglingSet:
    """Columns that together single out this share of people, though no fewer of them do."""

    columns: Names
    share: float


def find_singling_sets(
    keys: Keys, alone: Mapping[str, float], people: RowOwners
) -> tuple[list[SinglingSet], bool]:
    """Find the smallest sets that single out more than 5 % of people, and say if all were tried.

    Who is alone among all people is alone among any part of them that he or she is in: a sample
    never misses a set but by the luck of the draw.
    """
    values = {name: np.unique(key).size for name, key in keys.items()}
    return search_sets(
        alone,
        values,
        people.count,
        sample=lambda: few_people(keys, people),
        count=lambda sets: _count(keys, sets, people),
    )


def search_sets(
    alone: Mapping[str, float],
    values: Mapping[str, int],
    people: int,
    *,
    sample: Callable[[], tuple[Keys, RowOwners]],
    count: Callable[[list[Names]], Iterable[SinglingSet]],
) -> tuple[list[SinglingSet], bool]:
    """Do the same wherever the rows are: ``sample`` fetches some, ``count`` counts sets in all."""
    found = [SinglingSet((name,), share) for name, share in alone.items() if share > TOO_MANY]
    harmless = [name for name in values if alone[name] <= TOO_MANY and values[name] > 1]
    if len(harmless) < 2:
        return found, True
    names = sorted(harmless, key=lambda name: -values[name])
    some = sample()
    counted = max(1, _COUNTED_CELLS // max(1, people))
    exhaustive = True
    for size in range(2, LARGEST_SET + 1 + (len(names) <= NARROW)):
        sets, all_sets = _possible(names, size, values, found, people)
        promising = _promising(*some, sets[:_SAMPLED])
        exhaustive &= all_sets and len(sets) <= _SAMPLED and len(promising) <= counted
        found += [one for one in count(promising[:counted]) if one.share > TOO_MANY]
    return found, exhaustive


def _possible(
    names: list[str],
    size: int,
    values: Mapping[str, int],
    found: list[SinglingSet],
    people: int,
) -> tuple[list[Names], bool]:
    """List sets that hold no smaller one that was found, and have values enough to tell people."""
    wide = len(names)
    while comb(wide, size) > _THOUGHT_OF:
        wide -= 1
    known = {one.columns for one in found}
    fewest = TOO_MANY * people
    sets = {
        chosen: prod(values[name] for name in chosen)
        for chosen in combinations(names[:wide], size)
        if not any(part in known for less in range(2, size) for part in combinations(chosen, less))
    }
    kept = [chosen for chosen, product in sets.items() if product > fewest]
    return sorted(kept, key=lambda chosen: -sets[chosen]), wide == len(names)


def _promising(keys: Keys, people: RowOwners, sets: list[Names]) -> list[Names]:
    """Order the sets that may single out, the most telling first."""
    kept = [one for one in _count(keys, sets, people) if one.share > TOO_MANY - _NOISE]
    return [one.columns for one in sorted(kept, key=lambda one: (-one.share, one.columns))]


def few_people(keys: Keys, people: RowOwners) -> tuple[Keys, RowOwners]:
    """Draw some people with all their rows; whom, depends on what their rows say alone."""
    if people.count <= SAMPLED_PEOPLE:
        return keys, people
    said = together(keys.values(), people.n_rows)
    if people.persons is None:
        rows = np.sort(_draw(said))
    else:
        everybody = np.zeros(int(people.persons.max()) + 1, dtype=np.uint64)
        np.add.at(everybody, people.persons, spread(said))
        persons = np.unique(people.persons)
        rows = np.flatnonzero(np.isin(people.persons, persons[_draw(everybody[persons])]))
    return {name: key[rows] for name, key in keys.items()}, people.take(rows)


def _draw(said: IntArray) -> IntArray:
    """Draw by lots made of content, so that the order of rows plays no part."""
    return np.argsort(number_repeats(said), kind="stable")[:SAMPLED_PEOPLE]


def _count(keys: Keys, sets: list[Names], people: RowOwners) -> Iterator[SinglingSet]:
    for chosen in sets:
        total = together((keys[name] for name in chosen), people.n_rows)
        yield SinglingSet(chosen, people.share_alone(total))


def keys_of(table: Table, names: Iterable[str], *, as_written: bool = False) -> dict[str, IntArray]:
    """Give every cell of some columns its number: cells that read alike have the same.

    ``as_written`` counts what is published as it is, as its reader sees it: a text that was
    declared to mean missing stands there, and an empty one looks like a missing one.
    """
    cells = table.cells
    found = {n: cells.printed(n).without([""]) if as_written else cells.distinct(n) for n in names}
    texts = {name: text_buffers(column.texts) for name, column in found.items()}
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
        begins = np.append(True, ordered[1:] != ordered[:-1])  # after the last one begins another
        if self.persons is None:
            return int(np.count_nonzero(begins & np.append(begins[1:], True)))
        starts = np.flatnonzero(begins)
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
