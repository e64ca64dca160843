"""Changes: who left and who came between two releases, and where that tells of few people."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from shoal.ledger._recognition import Meeting
from shoal.ledger._trace import Trace, sorted_once
from shoal.typing import BoolArray, IntArray

#: Fewest people by whom two releases may differ: their values are told by the plain difference,
#: and of m people one's own value is 1/m of what that tells (what most share is told of all).
FEWEST_CHANGES = 20


@dataclass(frozen=True, eq=False)
class Changes:
    """Who left and who came since an earlier release: the two multisets are told apart.

    If only whole crowds left, their difference tells what their crowd told already; if those who
    came are a crowd by themselves wherever they are, it tells what that crowd would. Then k of
    them are enough. A crowd that comes back with fewer than k changes tells who left or came.
    Where names tell people apart, people are counted, however many rows each has.

    Attributes
    ----------
    new : Trace
        The new release.
    meeting : Meeting
        The earlier one, and whom they share.
    k : int
        The larger k of the two.
    """

    new: Trace
    meeting: Meeting
    k: int

    @property
    def changed(self) -> int:
        """Fewest people who left or came; 0 if nobody did."""
        return min((n for n in (self.gone, self.came) if n), default=0)

    @property
    def needed(self) -> int:
        """As many must leave or come, if anybody does."""
        crowds, left = self.meeting.crowds, self._left
        stayed = np.bincount(crowds[crowds >= 0], minlength=left.size)
        whole = bool((stayed[left > 0] == 0).all()) and (not self.came or self.by_crowds)
        return self.k if whole else max(FEWEST_CHANGES, self.k)

    @cached_property
    def gone(self) -> int:
        """People who left, and those who were forgotten."""
        return self._count(self._who[1][self._leaving]) + self.meeting.old.forgotten

    @cached_property
    def came(self) -> int:
        """People of whom the new release has a row that the earlier one has not."""
        return self._count(self._who[0][self.meeting.places < 0])

    @cached_property
    def by_crowds(self) -> bool:
        """Tell whether earlier crowds stay together, and k or more came to each crowd that grew."""
        crowds, came = self.meeting.crowds, self._came_to
        then = sorted_once(crowds[crowds >= 0])
        return then.size == self._pairs[0].size and bool((came[came > 0] >= self.k).all())

    @property
    def exposed(self) -> int:
        """Count who left or joined a crowd that is as before but for fewer than k people."""
        then, here, differing = self._pairs
        telling = differing < self.k
        left = self._left[sorted_once(then[telling])].sum()
        return int(left + self._came_to[sorted_once(here[telling])].sum())

    @property
    def nearly_as_before(self) -> IntArray:
        """Crowds that come back but for fewer than k people who left them or came to them."""
        _, here, differing = self._pairs
        return sorted_once(here[(differing > 0) & (differing < self.k)])

    @cached_property
    def _several(self) -> bool:
        """Whether some have several rows, and whoever is matched is called the same in both."""
        new, old, places = self.new, self.meeting.old, self.meeting.places
        if not new.identity or new.identity != old.identity or (new.once and old.once):
            return False
        met = places >= 0
        return np.array_equal(new.people[met], old.people[places[met]])

    @cached_property
    def _who(self) -> tuple[IntArray, IntArray]:
        """A number for whoever is behind each row, of either release."""
        if not self._several:
            return np.arange(self.new.groups.size), np.arange(self.meeting.old.groups.size)
        both = np.concatenate([self.new.people, self.meeting.old.people])
        numbers = np.unique(both, return_inverse=True)[1].reshape(-1)
        return numbers[: self.new.people.size], numbers[self.new.people.size :]

    def _count(self, who: IntArray) -> int:
        return int(sorted_once(who).size if self._several else who.size)

    @cached_property
    def _leaving(self) -> BoolArray:
        """Which rows of the earlier release are not in the new one."""
        leaving = np.ones(self.meeting.old.groups.size, dtype=np.bool_)
        leaving[self.meeting.places[self.meeting.places >= 0]] = False
        return leaving

    @cached_property
    def _left(self) -> IntArray:
        """How many people left each earlier crowd."""
        old, leaving = self.meeting.old, self._leaving
        who = self._who[1][leaving] if self._several else None
        left = count_people(old.groups[leaving], who, old.n_groups)
        left[: old.lost.size] += old.lost
        return left

    @cached_property
    def _came_to(self) -> IntArray:
        """How many people came to each crowd."""
        new, came = self.new, self.meeting.places < 0
        who = self._who[0][came] if self._several else None
        return count_people(new.groups[came], who, new.n_groups)

    @cached_property
    def _pairs(self) -> tuple[IntArray, IntArray, IntArray]:
        """Earlier and new crowds that share rows, and how many people differ between the two."""
        new, crowds, met = self.new, self.meeting.crowds, self.meeting.places >= 0
        pairs, which = np.unique(crowds[met] * new.n_groups + new.groups[met], return_inverse=True)
        then, here = np.divmod(pairs, new.n_groups)
        if self._several:
            return then, here, self._differing(then, here, which.reshape(-1))
        common = np.bincount(which.reshape(-1), minlength=pairs.size)
        now = np.bincount(new.groups, minlength=new.n_groups)
        return then, here, self.meeting.old.sizes[then] + now[here] - 2 * common

    def _differing(self, then: IntArray, here: IntArray, which: IntArray) -> IntArray:
        """People of two crowds, less those all of whose rows in either are in both."""
        old, (ours, theirs) = self.meeting.old, self._who
        was, now = _Members(old.groups, theirs, old.n_groups), _Members(self.new.groups, ours)
        forgotten = np.append(old.lost, np.zeros(old.n_groups, dtype=np.int64))[then]
        sizes = was.sizes[then] + now.sizes[here]
        intact = _count_intact(then, here, which, ours[self.meeting.places >= 0], was, now)
        both = intact.copy()
        likely = np.flatnonzero(sizes - 2 * intact < 2 * self.k)  # else k or more differ anyway
        both[likely] = _count_both(then[likely], here[likely], was, now)
        differing: IntArray = sizes + forgotten - both - intact
        return differing


class _Members:
    """The people of each crowd, and how many rows of theirs it has."""

    def __init__(self, groups: IntArray, who: IntArray, n_groups: int = 0) -> None:
        self._keys, self._rows = np.unique(_keys(groups, who), return_counts=True)
        self.sizes = np.bincount(self._keys >> 32, minlength=n_groups)

    def rows_of(self, crowds: IntArray, who: IntArray) -> IntArray:
        """How many rows people have in crowds; 0 for who is not in it."""
        asked = _keys(crowds, who)
        place = np.minimum(np.searchsorted(self._keys, asked), self._keys.size - 1)
        found: IntArray = np.where(self._keys[place] == asked, self._rows[place], 0)
        return found

    def of(self, crowds: IntArray) -> tuple[IntArray, IntArray]:
        """All people of some crowds: for each the place of the crowd in the list, and who."""
        begins = np.searchsorted(self._keys, _keys(crowds, 0))
        sizes = self.sizes[crowds]
        owners = np.repeat(np.arange(crowds.size), sizes)
        within = np.arange(owners.size) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        return owners, self._keys[begins[owners] + within] & (2**32 - 1)


def _count_intact(
    then: IntArray, here: IntArray, which: IntArray, who: IntArray, was: _Members, now: _Members
) -> IntArray:
    """For each pair of crowds: people all of whose rows in either are in both."""
    keys, rows = np.unique(_keys(which, who), return_counts=True)
    pair, person = keys >> 32, keys & (2**32 - 1)
    intact = rows == was.rows_of(then[pair], person)
    intact &= rows == now.rows_of(here[pair], person)
    return np.bincount(pair[intact], minlength=then.size)


def _count_both(then: IntArray, here: IntArray, was: _Members, now: _Members) -> IntArray:
    """For each pair of crowds: people who have some row in both."""
    owners, people = was.of(then)
    there = now.rows_of(here[owners], people) > 0
    return np.bincount(owners[there], minlength=then.size)


def count_people(crowds: IntArray, people: IntArray | None, minlength: int = 0) -> IntArray:
    """How many people are in each crowd; rows, if nothing names people.

    >>> count_people(np.array([0, 0, 1]), np.array([7, 7, 7])).tolist()
    [1, 1]
    """
    if people is not None:
        numbers = np.unique(people, return_inverse=True)[1].reshape(-1)
        crowds = sorted_once(_keys(crowds, numbers)) >> 32
    return np.bincount(crowds, minlength=minlength)


def _keys(crowds: IntArray, who: IntArray | int) -> IntArray:
    """One number for somebody in a crowd."""
    keys: IntArray = (crowds.astype(np.int64) << 32) | who
    return keys
