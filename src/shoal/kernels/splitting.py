"""Cutting one set of pieces into two: the step that Mondrian and re-splitting share.

A split is tried along every attribute (all cuts between neighbouring codes) and, for small
sets, by growing a group from the pieces at the edges and leaving the rest as the other group.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from shoal.kernels.losses import box_loss, joined_loss
from shoal.kernels.rules import all_met, count_in

PATIENCE = 8  # cuts that break a rule before an attribute is given up
NO_CUT = np.int64(1) << 60


class Splitter(NamedTuple):
    """Buffers for splitting sets of up to as many pieces as they are long."""

    keys: np.ndarray
    costs: np.ndarray
    side: np.ndarray
    best_side: np.ndarray
    swap: np.ndarray
    box: np.ndarray  # (4, attributes)
    histogram: np.ndarray
    distinct: np.ndarray
    totals: np.ndarray


def new_splitter(n: int, d: int, rules) -> Splitter:
    """Allocate buffers for sets of up to ``n`` pieces."""
    return Splitter(
        keys=np.empty(n, np.int64),
        costs=np.empty(n, np.int64),
        side=np.zeros(n, np.bool_),
        best_side=np.zeros(n, np.bool_),
        swap=np.empty(n, np.int64),
        box=np.empty((4, d), np.int32),
        histogram=np.zeros(int(rules.size.sum()), np.int64),
        distinct=np.zeros(rules.rule.size, np.int64),
        totals=np.zeros(rules.rule.size, np.int64),
    )


@njit(cache=True, nogil=True)
def best_split(codes, cell, count, losses, rules, k, pool, grown, bound, work):
    """Find the split of ``pool`` (pieces) with the least total loss below ``bound``.

    Both sides hold k rows or more and meet the rules. Returns (rows on the first side, total
    loss); rows is 0 if there is none. Sides are left in ``work.best_side``.
    """
    rows = np.int64(0)
    for piece in pool:
        rows += count[piece]
    best = bound
    first = np.int64(0)
    if rows < 2 * k:
        return first, best
    d = codes.shape[1]
    for j in range(d):
        found, best = _best_cut(codes, cell, count, losses, rules, k, pool, j, best, work)
        first = found if found > 0 else first
    if grown:
        for j in range(d):
            for end in range(2):
                seed = _edge(codes, cell, pool, j, end)
                found, best = _grow_apart(
                    codes, cell, count, losses, rules, k, rows, pool, seed, best, work
                )
                first = found if found > 0 else first
    return first, best


@njit(cache=True, nogil=True)
def _edge(codes, cell, pool, j, end):
    seed = 0
    for i in range(1, pool.size):
        a = codes[cell[pool[i]], j]
        b = codes[cell[pool[seed]], j]
        if (end == 0 and a < b) or (end == 1 and a > b):
            seed = i
    return seed


@njit(cache=True, nogil=True)
def _best_cut(codes, cell, count, losses, rules, k, pool, j, best, work):
    """Best cut along attribute ``j``; cuts that break a rule are passed over, a few of them."""
    if losses.size[j] < pool.size:
        values = _cuts_by_counting(codes, cell, count, losses, k, pool, j, best, work)
    else:
        values = _cuts_by_sorting(codes, cell, count, losses, k, pool, j, best, work)
    for _ in range(PATIENCE):
        at = -1
        for i in range(values):
            if work.costs[i] < best and (at < 0 or work.costs[i] < work.costs[at]):
                at = i
        if at < 0:
            break
        for i in range(pool.size):
            work.side[i] = codes[cell[pool[i]], j] <= work.keys[at]
        if _both_met(cell, count, rules, pool, work.side, work):
            rows = np.int64(0)
            for i in range(pool.size):
                work.best_side[i] = work.side[i]
                rows += count[pool[i]] if work.side[i] else 0
            return rows, work.costs[at]
        work.costs[at] = NO_CUT
    return np.int64(0), best


@njit(cache=True, nogil=True)
def _cuts_by_sorting(codes, cell, count, losses, k, pool, j, best, work):
    """Total loss of every cut, in ``work.costs``; the last code on its lower side in ``keys``."""
    n = pool.size
    lo, hi = work.box[0], work.box[1]
    for i in range(n):
        work.keys[i] = codes[cell[pool[i]], j]
    ranked = np.argsort(work.keys[:n], kind="mergesort")
    ordered = work.keys[:n][ranked]
    work.keys[:n] = ordered
    size = np.int64(0)
    work.costs[n - 1] = NO_CUT
    for step in range(n - 1, 0, -1):
        cover(codes, cell[pool[ranked[step]]], lo, hi, step == n - 1)
        size += count[pool[ranked[step]]]
        edge = ordered[step] != ordered[step - 1] and size >= k
        work.costs[step - 1] = size * box_loss(losses, lo, hi) if edge else NO_CUT
    size = np.int64(0)
    for step in range(n - 1):
        cover(codes, cell[pool[ranked[step]]], lo, hi, step == 0)
        size += count[pool[ranked[step]]]
        if size < k or work.costs[step] >= best:
            work.costs[step] = NO_CUT
        else:
            work.costs[step] += size * box_loss(losses, lo, hi)
    return n


@njit(cache=True, nogil=True)
def _cuts_by_counting(codes, cell, count, losses, k, pool, j, best, work):
    """The same without sorting: one box per code, for attributes with few codes."""
    m = losses.size[j]
    d = codes.shape[1]
    lo, hi = work.box[0], work.box[1]
    size = np.zeros(m, np.int64)
    low = np.empty((m, d), np.int32)
    high = np.empty((m, d), np.int32)
    for i in range(pool.size):
        at = codes[cell[pool[i]], j]
        cover(codes, cell[pool[i]], low[at], high[at], size[at] == 0)
        size[at] += count[pool[i]]
    rows = np.int64(0)
    work.costs[m - 1] = NO_CUT
    for at in range(m - 1, 0, -1):
        if size[at] > 0:
            _cover_box(low[at], high[at], lo, hi, rows == 0)
            rows += size[at]
        edge = size[at] > 0 and rows >= k
        work.costs[at - 1] = rows * box_loss(losses, lo, hi) if edge else NO_CUT
    rows = np.int64(0)
    last = -1
    for at in range(m):
        work.keys[at] = at
        upper = work.costs[at]
        work.costs[at] = NO_CUT
        if size[at] > 0:
            _cover_box(low[at], high[at], lo, hi, rows == 0)
            rows += size[at]
            last = at
        if upper < best and rows >= k:
            work.costs[at] = upper + rows * box_loss(losses, lo, hi)
            work.keys[at] = last
    return m


@njit(cache=True, nogil=True)
def _cover_box(low, high, lo, hi, first):
    for j in range(lo.size):
        if first or low[j] < lo[j]:
            lo[j] = low[j]
        if first or high[j] > hi[j]:
            hi[j] = high[j]


@njit(cache=True, nogil=True)
def _clear(work):
    work.histogram[:] = 0
    work.distinct[:] = 0
    work.totals[:] = 0


@njit(cache=True, nogil=True)
def _count(cell, count, rules, piece, work):
    count_in(rules, cell[piece], count[piece], work.histogram, work.distinct, work.totals)


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
def _grow_apart(codes, cell, count, losses, rules, k, rows, pool, seed, best, work):
    """Grow a group of k from a seed, taking in all that lies in its box; rate it and the rest."""
    n = pool.size
    lo, hi, side, costs = work.box[0], work.box[1], work.side, work.costs
    side[:n] = False
    side[seed] = True
    cover(codes, cell[pool[seed]], lo, hi, True)
    size = count[pool[seed]]
    loss = box_loss(losses, lo, hi)
    for i in range(n):
        costs[i] = joined_loss(losses, lo, hi, codes[cell[pool[i]]], NO_CUT)
    while True:
        pick = _cheapest(codes, cell, losses, pool, lo, hi, side, costs)
        if pick < 0 or (size >= k and costs[pick] > loss):
            break
        loss = costs[pick]
        side[pick] = True
        cover(codes, cell[pool[pick]], lo, hi, False)
        size += count[pool[pick]]
    if rows - size < k or size * loss >= best:
        return np.int64(0), best
    first = True
    for i in range(n):
        if not side[i]:
            cover(codes, cell[pool[i]], work.box[2], work.box[3], first)
            first = False
    total = size * loss + (rows - size) * box_loss(losses, work.box[2], work.box[3])
    if total >= best or not _both_met(cell, count, rules, pool, side, work):
        return np.int64(0), best
    work.best_side[:n] = side[:n]
    return size, total


@njit(cache=True, nogil=True)
def _cheapest(codes, cell, losses, pool, lo, hi, side, costs):
    """The piece whose joining costs least; old costs are lower bounds and updated lazily."""
    while True:
        pick = -1
        for i in range(pool.size):
            if not side[i] and (pick < 0 or costs[i] < costs[pick]):
                pick = i
        if pick < 0:
            return pick
        cost = joined_loss(losses, lo, hi, codes[cell[pool[pick]]], NO_CUT)
        if cost == costs[pick]:
            return pick
        costs[pick] = cost


@njit(cache=True, nogil=True)
def _both_met(cell, count, rules, pool, side, work):
    if rules.rule.size == 0:
        return True
    for which in range(2):
        _clear(work)
        for i in range(pool.size):
            if side[i] == (which == 1):
                _count(cell, count, rules, pool[i], work)
        if not all_met(rules, work.histogram, work.distinct, work.totals):
            return False
    return True


@njit(cache=True, nogil=True)
def apply_split(pool, work):
    """Put the pieces of the first side first; return how many there are."""
    n = pool.size
    first = 0
    for i in range(n):
        if work.best_side[i]:
            work.swap[first] = pool[i]
            first += 1
    second = first
    for i in range(n):
        if not work.best_side[i]:
            work.swap[second] = pool[i]
            second += 1
    pool[:] = work.swap[:n]
    return first
