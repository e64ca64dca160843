"""Sets of columns that single out: the smallest of them, sampled first and then counted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from math import comb, prod

import numpy as np

from shoal.kernels.hashing import number_repeats
from shoal.risk._alone import Keys, RowOwners, spread, together
from shoal.typing import IntArray

TOO_MANY = 0.05  # of people: what singles out more of them needs a reason
LARGEST_SET = 3
NARROW = 12  # columns; narrower tables are searched for sets of one column more
_THOUGHT_OF = 200_000  # sets of each size, of the columns with most values
_SAMPLED = 5_000  # sets of each size, those with most values first
SAMPLED_PEOPLE = 2_000
_NOISE = 0.02  # of people, by which a sample may be too low
_COUNTED_CELLS = 10_000_000  # rows times sets of each size that are counted in all rows
Names = tuple[str, ...]


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
