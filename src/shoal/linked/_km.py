"""k^m-anonymity: whoever knows m rows of a person finds at least k people who have them all.

M. Terrovitis, N. Mamoulis, P. Kalnis. Privacy-preserving anonymization of set-valued data.
PVLDB 1(1), 2008. Here an item is a published row: a cell inside a crowd, and its number among the
person's rows there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from shoal._progress import SILENT, Progress, stop_if_cancelled
from shoal.exceptions import InvalidParameterError
from shoal.grouping import cut_within
from shoal.linked._crowds import Hiding, Nested, _taken
from shoal.linked._models import packed, without_failing
from shoal.typing import IntArray
from shoal.utility import measure_loss

MOST_ROWS = 60  # of a person, whose combinations can be counted

Item = tuple[str, int, int]  # table, cell, number among the person's rows in it


def bound_combinations(
    hiding: Hiding, nested: Nested, progress: Progress = SILENT, only: IntArray | None = None
) -> Nested:
    """Make every combination of m rows of one person common to k people, crowd by crowd.

    Cells of a crowd are made coarser step by step, and what is still rare is left out, the row that
    is in most rare combinations first; the step that loses least within the limit is kept. ``only``
    names the crowds that are looked at, for a trial.
    """
    plan = hiding.plan
    labels = {name: cells.labels.copy() for name, cells in nested.cells.items()}
    _refuse_many(hiding, labels)
    next_label = {name: int(part.max(initial=-1)) + 1 for name, part in labels.items()}
    chosen = range(nested.crowds.n_groups) if only is None else only.tolist()
    progress.phase("combinations of rows", len(chosen))
    for crowd in chosen:
        stop_if_cancelled(progress)
        rows = {
            name: np.flatnonzero(nested.crowds.labels[hiding.family.people[name]] == crowd)
            for name in labels
        }
        mended = _Crowd(hiding, rows, {n: labels[n][r] for n, r in rows.items()}, plan.k, plan.km)
        for name, found in mended.settled().items():
            fresh = np.where(found < 0, -1, found + next_label[name])
            labels[name][rows[name]] = fresh
            next_label[name] += int(found.max(initial=-1)) + 1
        progress.advance(1)
    cells = {
        name: without_failing(hiding.family.own(name), packed(part), hiding.models.get(name, ()))
        for name, part in labels.items()
    }
    return replace(nested, cells=cells)


@dataclass(frozen=True, eq=False)
class _Crowd:
    """The rows of one crowd: their numbers in each table, and the cells they are in."""

    hiding: Hiding
    rows: Mapping[str, IntArray]
    cells: Mapping[str, IntArray]
    k: int
    m: int

    def settled(self) -> dict[str, IntArray]:
        """Cut finer or coarser, leave out what is rare, and keep what loses least."""
        limit, best = self.hiding.plan.max_suppression, (True, np.inf)
        members = np.unique(np.concatenate([self._people(name) for name in self.rows])).size
        kept, least = dict(self.cells), self.k
        cells = kept
        while True:
            left = self._without_rare(cells)
            share, loss = self._cost(left)
            if (share > limit, loss) < best:
                best, kept = (share > limit, loss), left
            if least >= members or not members:
                return kept
            least = min(2 * least, members)
            cells = {name: self._cut(name, least) for name in self.rows}

    def _cost(self, cells: Mapping[str, IntArray]) -> tuple[float, float]:
        """Share of rows left out, and the loss of all rows."""
        rows = max(1, sum(part.size for part in cells.values()))
        gone = sum(int((part < 0).sum()) for part in cells.values())
        lost = 0.0
        for name, part in cells.items():
            spaces = _taken(self.hiding.spaces[name], self.rows[name])
            if spaces.spaces and part.size:
                lost += part.size * measure_loss(spaces, packed(part)).ngil
        return gone / rows, lost / rows

    def _people(self, name: str) -> IntArray:
        people: IntArray = self.hiding.family.people[name][self.rows[name]]
        return people

    def _cut(self, name: str, least: int) -> IntArray:
        """Cut with more people in each cell; if too few have rows, as few as there must be."""
        people, rows = self._people(name), self.rows[name]
        if not rows.size:
            return np.zeros(0, dtype=np.int64)
        spaces = _taken(self.hiding.spaces[name], rows)
        there = np.unique(people).size
        one = np.zeros(rows.size, dtype=np.int64)
        return cut_within(spaces, one, people, max(self.k, min(least, there))).labels

    def _held(self, cells: Mapping[str, IntArray]) -> dict[int, list[tuple[Item, int]]]:
        """The items of each person, with the row that each is."""
        held: dict[int, list[tuple[Item, int]]] = {}
        for name in sorted(cells):
            seen: Counter[tuple[int, int]] = Counter()
            pairs = zip(self._people(name).tolist(), cells[name].tolist(), strict=True)
            for row, (who, cell) in enumerate(pairs):
                if cell >= 0:
                    held.setdefault(who, []).append(((name, cell, seen[who, cell]), row))
                    seen[who, cell] += 1
        return held

    def _without_rare(self, cells: dict[str, IntArray]) -> dict[str, IntArray]:
        """Leave rows out until no combination is rare."""
        cells = {name: part.copy() for name, part in cells.items()}
        while found := rare(held := self._held(cells), self.k, self.m):
            for items in held.values():
                mine = Counter(
                    item
                    for size in range(1, self.m + 1)
                    for some in combinations(sorted(item for item, _ in items), size)
                    if some in found
                    for item in some
                )
                if mine:
                    worst = max(mine, key=lambda item: (mine[item], item))
                    last = max(row for item, row in items if item[:2] == worst[:2])
                    cells[worst[0]][last] = -1
        return cells


def rare(held: Mapping[int, list[tuple[Item, int]]], k: int, m: int) -> set[tuple[Item, ...]]:
    """Combinations of up to m items that fewer than k people have."""
    counts = Counter(some for items in held.values() for some in _combined(items, m))
    return {some for some, people in counts.items() if people < k}


def _combined(items: list[tuple[Item, int]], m: int) -> Iterator[tuple[Item, ...]]:
    plain = sorted(item for item, _ in items)
    for size in range(1, m + 1):
        yield from combinations(plain, size)


def _refuse_many(hiding: Hiding, labels: Mapping[str, IntArray]) -> None:
    total = np.zeros(hiding.family.n_people, dtype=np.int64)
    for name, part in labels.items():
        people = hiding.family.people[name][part >= 0]
        total += np.bincount(people, minlength=total.size)
    if total.max(initial=0) > MOST_ROWS:
        raise InvalidParameterError(
            f"Somebody has {int(total.max()):,} rows: their combinations are too many to bound.",
            hint="Let a table show fewer of them: [release] max_rows = 10",
        )
