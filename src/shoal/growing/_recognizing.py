"""Who of a table was published already, who left with a crowd, who is new, and who changed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.exceptions import InvalidParameterError
from shoal.growing._earlier import Earlier
from shoal.kernels.hashing import number_repeats
from shoal.ledger import Ledger, Trace
from shoal.table import Grouping, Table
from shoal.typing import BoolArray, IntArray

#: Who was forgotten and comes back waits so long: nobody is overdue before.
FOR_GOOD = 2**30


@dataclass(frozen=True, eq=False)
class Seen:
    """The rows of a table against the releases that came before.

    Attributes
    ----------
    now : Trace
        The table as the ledger knows it.
    crowds : IntArray
        The crowd that each row has in the earlier release, -1 if it has none.
    gone : BoolArray
        Rows whose crowd left in some delivery: they come back with the next release made anew.
    moved, revalued : BoolArray
        Rows whose quasi-identifiers, or whose other published values, are not as they were.
    waited : IntArray
        Through how many deliveries each row has waited.
    stopped : int
        Published rows that the table does not have any more.
    """

    now: Trace
    crowds: IntArray
    gone: BoolArray
    moved: BoolArray
    revalued: BoolArray
    waited: IntArray
    stopped: int

    @property
    def new(self) -> BoolArray:
        """Rows that no delivery has published."""
        new: BoolArray = (self.crowds < 0) & ~self.gone
        return new


def recognize(ledger: Ledger, table: Table, earlier: Earlier) -> Seen:
    """Find the rows of a table in the earlier release and in those that it follows.

    Where a column names people and each has one row, people are found by it, whatever changed.
    Else rows are; where people are named, also by all but the quasi-identifiers, so that nobody who
    moved is published again with the same values in another crowd. Any other row that changed is
    a new one, and what it was stays published.
    """
    everybody = Grouping(np.zeros(table.n_rows, dtype=np.int64))
    now, then = ledger.trace(table, everybody), earlier.trace
    _refuse_other_names(ledger, table, earlier, now)
    place = _place(now, then)
    crowds = np.where(place < 0, -1, then.groups[place].astype(np.int64))
    gone = np.zeros(table.n_rows, dtype=np.bool_)
    for trace in earlier.before:
        gone |= (_place(now, trace) >= 0) & (crowds < 0)
    here, there = np.flatnonzero(place >= 0), place[place >= 0]
    moved, revalued = np.zeros((2, table.n_rows), dtype=np.bool_)
    moved[here] = now.known[here] != then.known[there]
    for name, column in now.shown.items():
        revalued[here] |= column.marks[here] != then.shown[name].marks[there]
    return Seen(
        now=now,
        crowds=crowds,
        gone=gone,
        moved=moved,
        revalued=revalued & ~moved,
        waited=_waited(now, then),
        stopped=int(then.rows.size - np.unique(there).size),
    )


def _place(now: Trace, then: Trace) -> IntArray:
    """Where in an earlier release each row of a table is, -1 for nowhere."""
    if now.once and then.once:
        return _find(now.people, then.people)
    place = _find(number_repeats(now.canonical), number_repeats(then.canonical))
    if now.rest.size and then.rest.size:
        left = np.ones(then.rest.size, dtype=np.bool_)
        left[place[place >= 0]] = False
        lost, new = np.flatnonzero(left), np.flatnonzero(place < 0)
        moved = _find(number_repeats(now.rest[new]), number_repeats(then.rest[lost]))
        place[new[moved >= 0]] = lost[moved[moved >= 0]]
    return place


def _find(ours: IntArray, theirs: IntArray) -> IntArray:
    """Where in one list each number of another is, -1 for nowhere."""
    if not theirs.size:
        return np.full(ours.size, -1, dtype=np.int64)
    order = np.argsort(theirs, kind="stable")
    found = np.minimum(np.searchsorted(theirs[order], ours), theirs.size - 1)
    place: IntArray = np.where(theirs[order][found] == ours, order[found], -1)
    return place


def _waited(now: Trace, then: Trace) -> IntArray:
    known = dict(zip(then.waiting.tolist(), then.waited.tolist(), strict=True))
    return np.array([known.get(person, 0) for person in now.people.tolist()], dtype=np.int64)


def _refuse_other_names(ledger: Ledger, table: Table, earlier: Earlier, now: Trace) -> None:
    """Refuse a table in which nobody could be recognized: everybody would be published twice."""
    if now.identity != earlier.trace.identity:
        names = earlier.trace.identity.split("\x1f")
        told = f"by {', '.join(map(repr, names))}" if names != [""] else "by whole rows"
        raise InvalidParameterError(
            f"The earlier release told people apart {told}, and this one does not.",
            hint="Name the same --person or --identifier columns.",
        )
    if not now.identity and earlier.recorded.names != ledger.subject(table).names:
        raise InvalidParameterError(
            "People are told apart by whole rows, and the table has other columns than the one"
            " that the earlier release was made from.",
            hint="Give it the same columns, or name the one that tells people apart (--person).",
        )
