"""Releases whose rows can be aligned: the same person has the same pseudonym in all of them.

Whoever has two of them sees which members of a crowd were together before. What hides a person
is then no longer the crowd, but those who were in the same crowds every time.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from shoal.ledger._trace import Trace, sorted_once
from shoal.typing import IntArray

ABSENT = -1
_BEYOND = np.iinfo(np.int64).max


def count_split(new: Trace, earlier: Sequence[Trace]) -> int:
    """Count the people whom a new release leaves with fewer than k who shared all their crowds.

    People whom earlier releases, or their rows in one release, had told apart already are not
    counted again. Who left and who came are told by a pseudonym that is missing: they need k of
    their kind as well.
    """
    old = [trace for trace in earlier if new.alignment and trace.alignment == new.alignment]
    if not old:
        return 0
    everybody = sorted_once(np.concatenate([trace.people for trace in (new, *old)]))
    now, *then = (_crowds_of(trace, everybody) for trace in (new, *old))
    was_there = np.any([crowds != ABSENT for crowds in then], axis=0)
    before = np.where(was_there, _companions(then), _BEYOND)
    alone = np.where(now != ABSENT, _companions([now]), _BEYOND)
    after = _companions([now, *then])
    k = max(trace.k for trace in (new, *old))
    return int(((after < k) & (after < np.minimum(before, alone))).sum())


def _crowds_of(trace: Trace, everybody: IntArray) -> IntArray:
    """Number the set of crowds that each person is in; equal sets have one number."""
    place = np.searchsorted(everybody, trace.people)
    pairs = np.unique(np.column_stack([place, trace.groups.astype(np.int64)]), axis=0)
    sums = np.zeros(everybody.size, dtype=np.uint64)
    np.add.at(sums, pairs[:, 0], _scattered(pairs[:, 1]))
    _, number = np.unique(sums, return_inverse=True)
    there = np.zeros(everybody.size, dtype=np.bool_)
    there[place] = True
    return np.where(there, number, ABSENT)


def _companions(views: Sequence[IntArray]) -> IntArray:
    """How many people have the same crowds as each person in all of these releases."""
    _, which = np.unique(np.column_stack(views), axis=0, return_inverse=True)
    counts: IntArray = np.bincount(which.reshape(-1))
    return counts[which.reshape(-1)]


def _scattered(numbers: IntArray) -> IntArray:
    """Spread numbers over 64 bits (SplitMix64), so that sums of them tell sets apart."""
    state = (numbers.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return state ^ (state >> np.uint64(31))
