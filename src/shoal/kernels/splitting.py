"""Cutting one set of pieces into two: the step that Mondrian takes again and again.

A split is tried along every attribute, at all cuts between neighbouring codes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.kernels.compiling import njit
from shoal.kernels.losses import box_loss
from shoal.kernels.rules import all_met, count_in, wipe
from shoal.kernels.slots import CELL, COUNT, SIZE

PATIENCE = 8  # cuts that break a rule before an attribute is given up
NO_CUT = np.int64(1) << 60


class Splitter(NamedTuple):
    """Buffers for splitting sets of up to as many pieces as they are long."""

    line: np.ndarray  # (3, pieces): keys, costs, room to reorder
    sides: np.ndarray  # (2, pieces): the side of each piece, now and in the best split
    box: np.ndarray  # (2, attributes)
    histogram: np.ndarray
    tally: np.ndarray  # (2, rules): distinct values and rows counted


def new_splitter(n: int, d: int, rules) -> Splitter:
    """Allocate buffers for sets of up to ``n`` pieces."""
    return Splitter(
        line=np.empty((3, n), np.int64),
        sides=np.zeros((2, n), np.bool_),
        box=np.empty((2, d), np.int32),
        histogram=np.zeros(int(rules.meta[:, SIZE].sum()), np.int64),
        tally=np.zeros((2, len(rules.meta)), np.int64),
    )


@njit(cache=True, nogil=True)
def best_split(codes, pieces, losses, rules, k, pool, bound, work):
    """Find the split of ``pool`` (pieces) with the least total loss below ``bound``.

    Both sides hold k rows or more and meet the rules. Returns (rows on the first side, total
    loss); rows is 0 if there is none. Sides are left in ``work.sides[1]``.
    """
    rows = np.int64(0)
    for piece in pool:
        rows += pieces[piece, COUNT]
    best = bound
    first = np.int64(0)
    if rows < 2 * k:
        return first, best
    d = codes.shape[1]
    for j in range(d):
        found, best = _best_cut(codes, pieces, losses, rules, k, pool, j, best, work)
        first = found if found > 0 else first
    return first, best


@njit(cache=True, nogil=True, inline="always")
def _best_cut(codes, pieces, losses, rules, k, pool, j, best, work):
    """Best cut along attribute ``j``; cuts that break a rule are passed over, a few of them."""
    if losses.meta[j, SIZE] < pool.size:
        values = _cuts_by_counting(codes, pieces, losses, k, pool, j, best, work)
    else:
        values = _cuts_by_sorting(codes, pieces, losses, k, pool, j, best, work)
    for _ in range(PATIENCE):
        at = -1
        for i in range(values):
            if work.line[1, i] < best and (at < 0 or work.line[1, i] < work.line[1, at]):
                at = i
        if at < 0:
            break
        for i in range(pool.size):
            work.sides[0, i] = codes[pieces[pool[i], CELL], j] <= work.line[0, at]
        if _both_met(pieces, rules, pool, work.sides[0], work):
            rows = np.int64(0)
            for i in range(pool.size):
                work.sides[1, i] = work.sides[0, i]
                rows += pieces[pool[i], COUNT] if work.sides[0, i] else 0
            return rows, work.line[1, at]
        work.line[1, at] = NO_CUT
    return np.int64(0), best


@njit(cache=True, nogil=True, inline="always")
def _cuts_by_sorting(codes, pieces, losses, k, pool, j, best, work):
    """Total loss of every cut, in ``work.line[1]``; the last code on its lower side in ``keys``."""
    n = pool.size
    lo, hi = work.box[0], work.box[1]
    for i in range(n):
        work.line[0, i] = codes[pieces[pool[i], CELL], j]
    ranked = np.argsort(work.line[0, :n], kind="mergesort")
    ordered = work.line[0, :n][ranked]
    work.line[0, :n] = ordered
    size = np.int64(0)
    work.line[1, n - 1] = NO_CUT
    for step in range(n - 1, 0, -1):
        cover(codes, pieces[pool[ranked[step]], CELL], lo, hi, step == n - 1)
        size += pieces[pool[ranked[step]], COUNT]
        edge = ordered[step] != ordered[step - 1] and size >= k
        work.line[1, step - 1] = size * box_loss(losses, lo, hi) if edge else NO_CUT
    size = np.int64(0)
    for step in range(n - 1):
        cover(codes, pieces[pool[ranked[step]], CELL], lo, hi, step == 0)
        size += pieces[pool[ranked[step]], COUNT]
        if size < k or work.line[1, step] >= best:
            work.line[1, step] = NO_CUT
        else:
            work.line[1, step] += size * box_loss(losses, lo, hi)
    return n


@njit(cache=True, nogil=True, inline="always")
def _cuts_by_counting(codes, pieces, losses, k, pool, j, best, work):
    """The same without sorting: one box per code, for attributes with few codes."""
    m = losses.meta[j, SIZE]
    d = codes.shape[1]
    lo, hi = work.box[0], work.box[1]
    size = np.zeros(m, np.int64)
    low = np.empty((m, d), np.int32)
    high = np.empty((m, d), np.int32)
    for i in range(pool.size):
        at = codes[pieces[pool[i], CELL], j]
        cover(codes, pieces[pool[i], CELL], low[at], high[at], size[at] == 0)
        size[at] += pieces[pool[i], COUNT]
    rows = np.int64(0)
    work.line[1, m - 1] = NO_CUT
    for at in range(m - 1, 0, -1):
        if size[at] > 0:
            _cover_box(low[at], high[at], lo, hi, rows == 0)
            rows += size[at]
        edge = size[at] > 0 and rows >= k
        work.line[1, at - 1] = rows * box_loss(losses, lo, hi) if edge else NO_CUT
    rows = np.int64(0)
    last = -1
    for at in range(m):
        work.line[0, at] = at
        upper = work.line[1, at]
        work.line[1, at] = NO_CUT
        if size[at] > 0:
            _cover_box(low[at], high[at], lo, hi, rows == 0)
            rows += size[at]
            last = at
        if upper < best and rows >= k:
            work.line[1, at] = upper + rows * box_loss(losses, lo, hi)
            work.line[0, at] = last
    return m


@njit(cache=True, nogil=True)
def _cover_box(low, high, lo, hi, first):
    for j in range(lo.size):
        if first or low[j] < lo[j]:
            lo[j] = low[j]
        if first or high[j] > hi[j]:
            hi[j] = high[j]


@njit(cache=True, nogil=True)
def cover(codes, cell, lo, hi, first):
    """Let a box grow around a cell; ``first`` starts it there."""
    for j in range(lo.size):
        c = codes[cell, j]
        if first or c < lo[j]:
            lo[j] = c
        if first or c > hi[j]:
            hi[j] = c


@njit(cache=True, nogil=True)
def _both_met(pieces, rules, pool, side, work):
    if rules.meta.shape[0] == 0:
        return True
    met = True
    for which in range(2):
        work.tally[0, :] = 0
        work.tally[1, :] = 0
        for i in range(pool.size):
            if side[i] == (which == 1):
                cell, count = pieces[pool[i], CELL], pieces[pool[i], COUNT]
                count_in(rules, cell, count, work.histogram, work.tally[0], work.tally[1])
        met = all_met(rules, work.histogram, work.tally[0], work.tally[1])
        for i in range(pool.size):
            wipe(rules, pieces[pool[i], CELL], work.histogram)
        if not met:
            break
    return met


@njit(cache=True, nogil=True)
def apply_split(pool, work):
    """Put the pieces of the first side first; return how many there are."""
    n = pool.size
    first = 0
    for i in range(n):
        if work.sides[1, i]:
            work.line[2, first] = pool[i]
            first += 1
    second = first
    for i in range(n):
        if not work.sides[1, i]:
            work.line[2, second] = pool[i]
            second += 1
    pool[:] = work.line[2, :n]
    return first
