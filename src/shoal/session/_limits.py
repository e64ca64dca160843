"""Why a set of limits is impossible, told before anything is grouped."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from shoal.exceptions import ImpossibleError
from shoal.grouping import Problem
from shoal.spaces import Space
from shoal.typing import BoolArray, IntArray


def refuse_impossible(problem: Problem) -> None:
    """Raise if too many rows have fewer than k rows within reach, naming the columns and counts.

    A necessary condition that can be told in one sentence: a row can hide only among rows that
    every limited column lets it share a span with.
    """
    limited = [space for space in problem.spaces.spaces if space.reach() is not None]
    if not limited:
        return
    alone = int((~_can_hide(limited, problem.k)).sum())
    if alone > problem.budget:
        names = ", ".join(repr(space.name) for space in limited)
        rows = "1 row shares" if alone == 1 else f"{alone:,} rows share"
        raise ImpossibleError(
            f"{rows} what may be published of {names} with fewer than {problem.k} rows, and at "
            f"most {problem.budget:,} may be left out.",
            hint="Widen one of these limits, lower k, or raise the suppression limit.",
        )


def _can_hide(limited: Sequence[Space], k: int) -> BoolArray:
    """Rows that have k rows (themselves included) in some box the limits allow.

    A limit on a tree divides the rows into parts. A limit on numbers lets windows slide: a row
    can hide if some window that holds it, within its part, holds k rows. Windows in several
    numeric columns are looked at one by one, which finds fewer impossible rows, never more.
    """
    reaches = [_reach(space) for space in limited]
    parts = [_parts(space, reach) for space, reach in zip(limited, reaches, strict=True)]
    walls = [part for part in parts if part is not None]
    key = _number(walls, limited[0].codes.size)
    hidden = np.bincount(key)[key] >= k
    for space, reach, part in zip(limited, reaches, parts, strict=True):
        if part is None:
            hidden &= _in_full_window(space.codes, reach, key, k)
    return hidden


def _reach(space: Space) -> IntArray:
    reach = space.reach()
    assert reach is not None
    return reach


def _parts(space: Space, reach: IntArray) -> IntArray | None:
    """Number of the part each row is in, if spans cannot overlap; None if windows slide."""
    ends = reach[reach]  # from the end of a span one gets no further if spans are parts
    return reach[space.codes] if np.array_equal(ends, reach) else None


def _number(keys: Sequence[IntArray], n_rows: int) -> IntArray:
    combined = np.zeros(n_rows, dtype=np.int64)
    for key in keys:
        _, combined = np.unique(combined * (int(key.max()) + 1) + key, return_inverse=True)
    return combined


def _in_full_window(codes: IntArray, reach: IntArray, key: IntArray, k: int) -> BoolArray:
    """Rows inside a window [a, reach[a]] that holds k rows of their part."""
    size = reach.size
    place = key.astype(np.int64) * size + codes
    order = np.argsort(place, kind="stable")
    sorted_place = place[order]
    starts, first = np.unique(sorted_place, return_index=True)  # each part's windows, by start
    ends = starts - starts % size + reach[starts % size]
    stop = np.searchsorted(sorted_place, ends, side="right")
    covered = np.zeros(codes.size + 1, dtype=np.int64)
    full = stop - first >= k
    np.add.at(covered, first[full], 1)
    np.add.at(covered, stop[full], -1)
    hidden = np.empty(codes.size, dtype=np.bool_)
    hidden[order] = np.cumsum(covered[:-1]) > 0
    return hidden
