"""Recognition: which people two releases share, and which of their columns are the same.

People who are named are known by their names; if they have several rows, by all of a row but its
quasi-identifiers, which change. Everybody else is known by all of their values; if a column came,
went or was renamed, by the quasi-identifiers and whatever columns still agree; and if that fails
too, by the quasi-identifiers alone, but only where nearly everybody is found one to one. Two
samples of one population also have rows in common, by chance: they share nobody.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from shoal.kernels.hashing import mix_column, number_repeats
from shoal.ledger._trace import Trace
from shoal.typing import BoolArray, IntArray

#: Share of the smaller release that is found in the other if both are of the same people.
NEARLY_ALL = 0.95
#: A column is the same if it differs for no more than this share of those for whom chance would.
SAME_COLUMN = 0.1
#: Standard deviations by which two tables are more alike than two samples of one population.
BEYOND_CHANCE, FAR_BEYOND_CHANCE = 4.0, 5.0
FEW_PAIRS = 400  # of people below which equal rows are never put down to chance
KINDS = 8  # of rows, at least, if tables with the same number of each are the same
SAMPLE = 5_000  # rows by which columns are compared
DRAWN_ANEW = 0.5  # of those whom values find, names find no more if they were drawn anew
RARE = 0.1  # matches that chance may explain, where they count as matches all the same


@dataclass(frozen=True, eq=False)
class Meeting:
    """An earlier release that shares people with a new one.

    Attributes
    ----------
    old : Trace
        The earlier release.
    ours, theirs : uint64 arrays
        Equal numbers are the same person.
    columns : mapping of str to str
        For each column of the new release what the earlier one calls it.
    """

    old: Trace
    ours: IntArray
    theirs: IntArray
    columns: Mapping[str, str]

    @cached_property
    def places(self) -> IntArray:
        """Where in the earlier release each row of the new one is, -1 for nowhere."""
        if not self.theirs.size:
            return np.full(self.ours.size, -1, dtype=np.int64)
        order = np.argsort(self.theirs, kind="stable")
        place = np.searchsorted(self.theirs[order], self.ours)
        place = np.minimum(place, self.theirs.size - 1)
        same = self.theirs[order][place] == self.ours
        places: IntArray = np.where(same, order[place], -1)
        return places

    @cached_property
    def crowds(self) -> IntArray:
        """The crowd that each row of the new release had in the earlier one, -1 if none."""
        if not self.theirs.size:
            return self.places
        crowds: IntArray = np.where(self.places < 0, -1, self.old.groups[self.places])
        return crowds.astype(np.int64)


def meet(new: Trace, old: Trace) -> Meeting | None:
    """Find the people whom two releases share; None if there are none."""
    columns = _Columns(new, old)
    found = _best(new, old, columns)
    if found is None or not found.matched:
        return None
    return Meeting(old, found.ours, found.theirs, columns.pairs)


def _best(new: Trace, old: Trace, columns: _Columns) -> _Match | None:
    """Ask for names where people have some: unless all of them were drawn anew, they decide."""
    if new.identity != old.identity or not (new.once and old.once):
        return _by_rows(new, old, columns)
    named = _Match(new.people, old.people)
    if named.nearly_all:
        return named
    other = _by_values(new, old, columns)
    if other is None or named.matched > DRAWN_ANEW * other.matched:  # some left, and others came
        return named
    return other if other.nearly_all and other.deviations >= FAR_BEYOND_CHANCE else named


def _by_rows(new: Trace, old: Trace, columns: _Columns) -> _Match | None:
    """Ask for names with all that is no quasi-identifier, unless other columns were published."""
    other = _by_values(new, old, columns)
    if new.identity != old.identity or not (new.rest.size and old.rest.size):
        return other
    named = _Match(new.rest, old.rest)
    few = other is not None and named.matched <= DRAWN_ANEW * other.matched
    return other if few else named


def _by_values(new: Trace, old: Trace, columns: _Columns) -> _Match | None:
    """The first way that finds nearly everybody; else the one that finds most people."""
    if not (new.known.size and old.known.size):  # one of the two was too large
        return _Match(new.rows, old.rows)
    found = [_Match(new.canonical, old.canonical)]
    if columns.agreeing and not found[0].nearly_all:
        theirs = _joined(old, columns.agreeing.values())
        found.append(_Match(_joined(new, columns.agreeing), theirs))
    found = [match for match in found if match.matched and match.real]
    if any(match.nearly_all for match in found) or not columns.same_people:
        return max(found, key=lambda match: match.matched, default=None)
    return columns.quasi


class _Match:
    """Rows of two tables that are equal: the first with the first, the second with the second."""

    def __init__(self, our_rows: IntArray, their_rows: IntArray) -> None:
        self._rows = our_rows, their_rows

    @cached_property
    def ours(self) -> IntArray:
        return number_repeats(self._rows[0])

    @cached_property
    def theirs(self) -> IntArray:
        return number_repeats(self._rows[1])

    @cached_property
    def counts(self) -> tuple[IntArray, IntArray]:
        """How often each distinct row is in either table."""
        _, which = np.unique(np.concatenate(self._rows), return_inverse=True)
        n, cut = int(which.max(initial=-1)) + 1, self._rows[0].size
        return np.bincount(which[:cut], minlength=n), np.bincount(which[cut:], minlength=n)

    @property
    def matched(self) -> int:
        return int(np.minimum(*self.counts).sum())

    @property
    def nearly_all(self) -> bool:
        """Whether nearly all of the smaller table is found in the other."""
        return self.matched / max(1, min(rows.size for rows in self._rows)) >= NEARLY_ALL

    @cached_property
    def deviations(self) -> float:
        """By how many standard deviations the tables are more alike than two samples.

        If both are samples of one population, then of the t rows of a kind each is ours with the
        probability p that any row is; squared differences from t p, in units of their variance,
        add up to about the number of kinds. People in both tables keep the differences small.
        """
        a, b = self.counts
        t = a + b
        p = a.sum() / t.sum()
        if not 0 < p < 1:
            return 0.0
        variance = t * p * (1 - p)
        excess = ((a - t * p) ** 2 / variance - 1).sum()
        spread = (2 + (1 - 6 * p * (1 - p)) / variance).sum()
        return float(-excess / np.sqrt(max(spread, 1e-9)))

    @cached_property
    def real(self) -> bool:
        """Whether chance does not explain the equal rows; where it cannot be told, it does not."""
        a, b = self.counts
        n, m = int(a.sum()), int(b.sum())
        if n * m <= FEW_PAIRS or (a.size >= KINDS and np.array_equal(a, b)):
            return True
        within = ((a * (a - 1) + b * (b - 1)).sum() / 2 + 1) / ((n * (n - 1) + m * (m - 1)) / 2)
        by_chance = within * n * m  # as many pairs of equal rows, had the tables nobody in common
        return bool(by_chance <= RARE * (a * b).sum()) or self.deviations >= BEYOND_CHANCE


class _Columns:
    """Which columns of two releases are the same, by what they say of the people in both."""

    def __init__(self, new: Trace, old: Trace) -> None:
        self._new, self._old = new, old

    @cached_property
    def quasi(self) -> _Match:
        """The rows that are equal in their quasi-identifiers."""
        return _Match(self._new.known, self._old.known)

    @property
    def same_people(self) -> bool:
        """Whether nearly everybody is found by quasi-identifiers alone, one to one."""
        return self.quasi.nearly_all and self.quasi.deviations >= FAR_BEYOND_CHANCE

    @cached_property
    def pairs(self) -> dict[str, str]:
        """What the earlier release calls each column of the new one: by content, else by name."""
        taken = {*self.agreeing.values()}
        by_name = [c for c in self._new.shown if c in self._old.shown and c not in taken]
        return {name: name for name in by_name} | self.agreeing

    @cached_property
    def agreeing(self) -> dict[str, str]:
        """The columns that have the same values for the same people, whatever they are called."""
        new, old = self._new, self._old
        if not (new.known.size and old.known.size and self.quasi.matched):
            return {}
        ours, theirs = self._sampled
        found = {c: c for c in new.shown if c in old.shown and self._same(c, c, ours, theirs)}
        for name in new.shown:
            if name not in found:
                others = [c for c in old.shown if c not in found.values()]
                same = [c for c in others if self._same(name, c, ours, theirs)]
                found |= dict(zip([name], same, strict=False))
        return found

    @cached_property
    def _sampled(self) -> tuple[BoolArray, BoolArray]:
        """Some rows of both, together with all that have the same quasi-identifiers."""
        known = self._new.known, self._old.known
        limit = np.uint64(2**64 - 1 if known[0].size <= SAMPLE else 2**64 * SAMPLE // known[0].size)
        chosen = [rows <= limit for rows in known]
        if min(chosen[0].sum(), chosen[1].sum()) < SAMPLE // 4:
            return np.ones_like(chosen[0]), np.ones_like(chosen[1])
        return chosen[0], chosen[1]

    def _same(self, name: str, other: str, ours: BoolArray, theirs: BoolArray) -> bool:
        one, two = self._new.shown[name], self._old.shown[other]
        if not (one.marks.size and two.marks.size):  # one of the two was made on a cluster
            return False
        people = _Match(self._new.known[ours], self._old.known[theirs])
        marks = one.marks[ours], two.marks[theirs]
        values = _Match(*(mark.astype(np.uint64) for mark in marks))
        differing = 1 - values.matched / max(1, people.matched)
        if differing > SAME_COLUMN * (1 - one.mode * two.mode):
            return False
        return values.real


def _joined(trace: Trace, columns: Iterable[str]) -> IntArray:
    """Hash of the quasi-identifiers and some columns of each row."""
    joined = trace.known.copy()
    for name in columns:
        marks = trace.shown[name].marks.astype(np.uint64)
        mix_column(joined, marks, np.arange(marks.size, dtype=np.int32))
    return joined
