"""Candidates: the values of a column that remain possible for a person after several releases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from shoal.ledger._recognition import Meeting
from shoal.ledger._trace import Shown, Trace, sorted_once
from shoal.typing import BoolArray, IntArray

CHUNK = 10_000_000  # candidates that are held at a time
MOSTLY = 0.5


@dataclass(frozen=True, eq=False)
class Candidates:
    """What is left of a column for each person whom an earlier release shares.

    Attributes
    ----------
    sizes : IntArray
        Values that all releases with this column show.
    first : IntArray
        Values that the first earlier release with it showed; 0 if none of them had this column.
    same : BoolArray
        Whether all of them show the same values.
    """

    sizes: IntArray
    first: IntArray
    same: BoolArray

    @property
    def single(self) -> BoolArray:
        """Who has one candidate left, and was shown before."""
        one: BoolArray = (self.sizes == 1) & (self.first > 0)
        return one

    @property
    def disclosed(self) -> BoolArray:
        """Who had several after the first release."""
        told: BoolArray = self.single & (self.first > 1)
        return told

    @property
    def recoded(self) -> bool:
        """Whether the values have another spelling now: for most people none is left."""
        shown = self.first > 0
        return bool((self.sizes[shown] == 0).mean() > MOSTLY) if shown.any() else False


def left_in_column(
    new: Trace, meetings: Sequence[Meeting], name: str, met: BoolArray
) -> Candidates | None:
    """Intersect what the new release and all earlier ones show of a column.

    Each is asked that has the column, whatever it calls it; others tell nothing of it. None if no
    earlier release has it.
    """
    having = [meeting for meeting in meetings if name in meeting.columns]
    if not having:
        return None
    crowds = [new.groups[met].astype(np.int64), *(meeting.crowds[met] for meeting in having)]
    shown = [new.shown[name], *(m.old.shown[m.columns[name]] for m in having)]
    which = patterns(crowds)
    _, one_of_each = np.unique(which, return_index=True)
    sizes = _remaining([crowd[one_of_each] for crowd in crowds], shown)[which]
    lengths = np.stack(
        [_length(crowd, column) for crowd, column in zip(crowds, shown, strict=True)]
    )
    present = np.stack([crowd >= 0 for crowd in crowds])
    earliest = 1 + present[1:].argmax(axis=0)
    first = np.where(present[1:].any(axis=0), lengths[earliest, np.arange(which.size)], 0)
    same = ((lengths == sizes) | ~present).all(axis=0)
    return Candidates(sizes, first, same)


def patterns(crowds: Sequence[IntArray]) -> IntArray:
    """Number the combinations of crowds that rows are in.

    >>> patterns([np.array([0, 0, 1]), np.array([-1, 2, 2])]).tolist()
    [0, 1, 2]
    """
    which = np.zeros(crowds[0].size, dtype=np.int64)
    for crowd in crowds:
        pairs = which * (int(crowd.max(initial=0)) + 2) + crowd + 1
        which = np.unique(pairs, return_inverse=True)[1].reshape(-1)
    return which


def _remaining(crowds: Sequence[IntArray], shown: Sequence[Shown]) -> IntArray:
    """How many values all crowds of each pattern show, a chunk of patterns at a time."""
    loads = np.cumsum(np.diff(shown[0].starts)[crowds[0]])
    chunks = np.searchsorted(loads, np.arange(CHUNK, int(loads[-1]) + CHUNK, CHUNK), "right")
    bounds = np.unique([0, *chunks.tolist(), loads.size])
    return np.concatenate(
        [
            _intersect([crowd[begin:end] for crowd in crowds], shown)
            for begin, end in pairwise(bounds.tolist())
        ]
    )


def _intersect(crowds: Sequence[IntArray], shown: Sequence[Shown]) -> IntArray:
    """Start with what the new release shows and cross out what another one does not."""
    known = sorted_once(shown[0].values)
    owners, values = _spread(crowds[0], shown[0])
    for crowd, column in zip(crowds[1:], shown[1:], strict=True):
        theirs = crowd[owners]
        there, place = _pairs(column, known)
        asked = theirs * known.size + np.searchsorted(known, values)
        kept = (theirs < 0) | np.isin(asked, there * known.size + place)
        owners, values = owners[kept], values[kept]
    return np.bincount(owners, minlength=crowds[0].size)


def _spread(crowds: IntArray, column: Shown) -> tuple[IntArray, IntArray]:
    """All values that each of some crowds shows: whose it is, and the value."""
    lengths = np.diff(column.starts)[crowds]
    owners = np.repeat(np.arange(crowds.size), lengths)
    within = np.arange(owners.size) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    return owners, column.values[np.repeat(column.starts[crowds], lengths) + within]


def _pairs(column: Shown, known: IntArray) -> tuple[IntArray, IntArray]:
    """Which crowd shows which of the known values."""
    crowds = np.repeat(np.arange(column.starts.size - 1), np.diff(column.starts))
    place = np.minimum(np.searchsorted(known, column.values), known.size - 1)
    seen = known[place] == column.values
    return crowds[seen], place[seen]


def _length(crowds: IntArray, column: Shown) -> IntArray:
    """How many values each crowd shows; 0 for no crowd."""
    lengths: IntArray = np.where(crowds >= 0, np.diff(column.starts)[np.maximum(crowds, 0)], 0)
    return lengths
