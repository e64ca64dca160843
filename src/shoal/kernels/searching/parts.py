"""Parts of a pool of rows: each grows to a group, from one row or from what a group keeps."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.kernels.compiling import njit
from shoal.kernels.losses import FORBIDDEN, box_loss, joined_loss, span_loss

MOST = 6  # groups pooled at once
WAYS = 4  # ways of widening a group that are compared by price per row
LARGE = 4  # times k: a group of more rows lends k of them
TRIES = 8  # draws of an attribute
NO_LIMIT = np.int64(1) << 60
TWO, NOT_FAR = np.int64(2), np.bool_(False)  # typed: see `shoal.kernels.growing`
COARSE = np.int64(256)  # how finely the exponential distribution is drawn from, in as many parts


class SearchPool(NamedTuple):
    """What one search has pooled, and its buffers."""

    chosen: np.ndarray  # groups pooled, and one that has no rows yet
    rows: np.ndarray  # (4, rows): pieces pooled, new part, those in no part yet, former group
    costs: np.ndarray  # of a part, once a row joins it
    codes: np.ndarray  # (2, rows, attributes): of rows pooled, and what each would then lose
    fresh: np.ndarray  # attributes in which a part just grew
    parts: np.ndarray  # (parts, 3): rows, loss, and the group it becomes
    boxes: np.ndarray  # (parts, low and high, attributes)
    ways: np.ndarray  # places of rows that a part may be widened to, the cheapest first
    wide: np.ndarray  # (low and high, attributes): a part widened
    chances: np.ndarray  # the exponential distribution, times COARSE
    asked: np.ndarray  # which member of the first group was asked for somebody like it
    luck: np.ndarray  # where the random numbers have come to


def new_pool(groups, k: int) -> SearchPool:
    """Allocate the buffers of a search."""
    most, d = MOST * LARGE * k, groups.codes.shape[1]
    middles = (np.arange(COARSE) + 0.5) / COARSE
    return SearchPool(
        chosen=np.empty(MOST + 1, np.int64),
        rows=np.empty((4, most), np.int64),
        costs=np.empty(most, np.int64),
        codes=np.empty((2, most, d), np.int32),
        fresh=np.empty(d, np.int64),
        parts=np.empty((MOST + 1, 3), np.int64),
        boxes=np.empty((MOST + 1, 2, d), np.int32),
        ways=np.empty(WAYS, np.int64),
        wide=np.empty((2, d), np.int32),
        chances=np.rint(-np.log(middles) * COARSE).astype(np.int64),
        asked=np.empty(1, np.int64),
        luck=np.empty(1, np.uint64),
    )


@njit(cache=True, nogil=True, counted=False)
def grow(losses, k, part, seed, left, room, far, ways, pool):
    """Grow a group of k rows from one of those left; return how many are left then, as below."""
    lo, hi = pool.boxes[part, 0], pool.boxes[part, 1]
    for j in range(lo.size):
        lo[j] = hi[j] = pool.codes[0, pool.rows[2, seed], j]
    left = _join(part, seed, left, pool)
    return grow_on(losses, k, part, np.int64(1), left, room, far, ways, pool)


@njit(cache=True, nogil=True, counted=False)
def grow_on(losses, k, part, size, left, room, far, ways, pool):
    """Let a group of ``size`` rows grow to k; return how many are left then.

    The ``ways`` cheapest to widen the group are compared by what they cost for each row that they
    let in, and whoever is inside then joins. Returns -1 as soon as the group loses more than there
    is ``room`` for. At the end it is known what each row left would cost, to tell who is ``far``.
    """
    lo, hi = pool.boxes[part, 0], pool.boxes[part, 1]
    for j in range(lo.size):
        pool.fresh[j] = j
    grown, first = lo.size, True
    loss = box_loss(losses, lo, hi)  # on a grid, a row alone has a width
    if max(k, size) * loss > room:
        return np.int64(-1)
    while size < k or far:
        n = _rank_ways(losses, part, left, grown, first, ways, pool)
        first = False
        if size >= k:
            break
        pick = _thriftiest(k, part, size, left, loss, room, n, pool)
        if pick < 0:
            return np.int64(-1)
        loss = pool.costs[pool.rows[2, pick]]
        grown = _widen(lo, hi, pool.rows[2, pick], pool)
        before, left = left, _join(part, pick, left, pool)
        left = _let_in(part, k - size - 1, left, loss, pool)
        size += before - left
    pool.parts[part, 0] = size
    pool.parts[part, 1] = loss
    return left


@njit(cache=True, nogil=True, counted=False)
def _join(part, at, left, pool):
    """Let the row at a place of those left join a part; the last takes its place."""
    pool.rows[1, pool.rows[2, at]] = part
    pool.rows[2, at] = pool.rows[2, left - 1]
    return left - 1


@njit(cache=True, nogil=True, inline="always")
def _let_in(part, most, left, loss, pool):
    """Let rows join that are inside a part, not more than ``most``; return how many are left."""
    lo, hi = pool.boxes[part, 0], pool.boxes[part, 1]
    last = left - most
    at = np.int64(0)
    while at < left and left > last:
        r = pool.rows[2, at]  # what it cost before is no more than what it costs now
        if pool.costs[r] <= loss and _is_inside(pool.codes[0], r, lo, hi):
            left = _join(part, at, left, pool)
        else:
            at += 1
    return left


@njit(cache=True, nogil=True, inline="always")
def _rank_ways(losses, part, left, grown, first, ways, pool):
    """Reckon what each row left costs, and rank the cheapest, each cost once; return how many.

    A cost is computed anew only for the attributes in which the group just grew.
    """
    lo, hi = pool.boxes[part, 0], pool.boxes[part, 1]
    n = 0
    dearest = NO_LIMIT
    for at in range(left):
        r = pool.rows[2, at]
        if grown > 0:
            _reckon(losses, lo, hi, r, grown, first, pool)
        cost = pool.costs[r]
        if cost >= dearest:
            continue
        rank = n
        while rank > 0 and pool.costs[pool.rows[2, pool.ways[rank - 1]]] >= cost:
            rank -= 1
        if rank < n and pool.costs[pool.rows[2, pool.ways[rank]]] == cost:
            continue
        n = min(n + 1, ways)
        for way in range(n - 1, rank, -1):
            pool.ways[way] = pool.ways[way - 1]
        pool.ways[rank] = at
        if n == ways:
            dearest = pool.costs[pool.rows[2, pool.ways[n - 1]]]
    return n


@njit(cache=True, nogil=True, inline="always")
def _thriftiest(k, part, size, left, loss, room, n, pool):
    """Where the row is whose way costs least for each row let in; -1 if none has ``room``."""
    pick, added, count = np.int64(-1), np.int64(0), np.int64(1)
    for way in range(n):
        cost = pool.costs[pool.rows[2, pool.ways[way]]]
        if cost >= FORBIDDEN or k * cost > room:
            break
        if pick >= 0 and (cost - loss) * count >= added * (k - size):
            break  # dearer, even if it let in all that are wanted
        inside = np.int64(1)
        if n > 1:
            inside = _count_inside(part, pool.rows[2, pool.ways[way]], k - size, left, pool)
        if pick < 0 or (cost - loss) * count < added * inside:
            pick, added, count = pool.ways[way], cost - loss, inside
    return pick


@njit(cache=True, nogil=True, counted=False)
def _count_inside(part, r, most, left, pool):
    """Count the rows left, not more than ``most``, inside a group that is widened to row ``r``."""
    lo, hi = pool.wide[0], pool.wide[1]
    for j in range(lo.size):
        lo[j] = min(pool.boxes[part, 0, j], pool.codes[0, r, j])
        hi[j] = max(pool.boxes[part, 1, j], pool.codes[0, r, j])
    inside = np.int64(0)
    for at in range(left):
        other = pool.rows[2, at]
        if pool.costs[other] <= pool.costs[r] and _is_inside(pool.codes[0], other, lo, hi):
            inside += 1
            if inside == most:
                break
    return inside


@njit(cache=True, nogil=True, inline="always")
def _widen(lo, hi, r, pool):
    """Widen a box to a row; return in how many attributes it grew."""
    grown = 0
    for j in range(lo.size):
        c = pool.codes[0, r, j]
        if c < lo[j] or c > hi[j]:
            lo[j], hi[j] = min(lo[j], c), max(hi[j], c)
            pool.fresh[grown] = j
            grown += 1
    return grown


@njit(cache=True, nogil=True, counted=False)
def _is_inside(codes, r, lo, hi):
    for j in range(lo.size):
        if codes[r, j] < lo[j] or codes[r, j] > hi[j]:
            return False
    return True


@njit(cache=True, nogil=True, counted=False)
def _reckon(losses, lo, hi, r, grown, first, pool):
    """Set what a group costs once row ``r`` joins it, where the group grew."""
    total = np.int64(0) if first else pool.costs[r]
    for f in range(grown):
        j = pool.fresh[f]
        c = pool.codes[0, r, j]
        new = span_loss(losses, j, min(lo[j], c), max(hi[j], c))
        total += new if first else new - pool.codes[1, r, j]
        pool.codes[1, r, j] = new
    pool.costs[r] = total


@njit(cache=True, nogil=True, counted=False)
def grow_kept(losses, k, part, nth, left, room, ways, pool):
    """Grow a group again from what it keeps of itself; return how many rows are left, or -1.

    The ``nth`` of its rows left leaves, and with it all on the same side of a drawn attribute;
    where ``nth`` is -1, nobody does.
    """
    pivot = _find(part, nth, left, pool)
    axis, side = _draw_side(part, pivot, left, pool)
    size, left = keep(part, pivot, axis, side, left, pool)
    if size == 0:  # others have taken all
        return grow(losses, k, part, draw(pool.luck, left), left, room, NOT_FAR, ways, pool)
    return grow_on(losses, k, part, size, left, room, NOT_FAR, ways, pool)


@njit(cache=True, nogil=True, counted=False)
def _find(part, nth, left, pool):
    """The nth row left of those that were in a group, -1 if there is none."""
    for at in range(left):
        r = pool.rows[2, at]
        if pool.rows[3, r] == part:
            if nth == 0:
                return r
            nth -= 1
    return np.int64(-1)


@njit(cache=True, nogil=True, counted=False)
def _draw_side(part, pivot, left, pool):
    """Draw an attribute in which the group is wide, and the side of it that stays, not the pivot's.

    The side is 0 where no attribute was found: all stay.
    """
    axis, side = np.int64(0), np.int64(0)
    for _ in range(TRIES):
        if pivot < 0 or side != 0:
            break
        axis = draw(pool.luck, np.int64(pool.fresh.size))
        c = pool.codes[0, pivot, axis]
        less, more = False, False
        for at in range(left):
            r = pool.rows[2, at]
            if pool.rows[3, r] == part:
                less = less or pool.codes[0, r, axis] < c
                more = more or pool.codes[0, r, axis] > c
        if less and (not more or draw(pool.luck, TWO) == 0):
            side = np.int64(-1)
        elif more:
            side = np.int64(1)
    return axis, side


@njit(cache=True, nogil=True, counted=False)
def keep(part, pivot, axis, side, left, pool):
    """Let those of a group make it again who are on a side of the pivot, and all if side is 0.

    Returns (how many they are, how many are left).
    """
    lo, hi = pool.boxes[part, 0], pool.boxes[part, 1]
    size = np.int64(0)
    at = np.int64(0)
    while at < left:
        r = pool.rows[2, at]
        stays = pool.rows[3, r] == part
        if stays and side != 0:
            stays = side * (pool.codes[0, r, axis] - pool.codes[0, pivot, axis]) > 0
        if stays:
            _cover(lo, hi, r, size == 0, pool)
            size += 1
            left = _join(part, at, left, pool)
        else:
            at += 1
    return size, left


@njit(cache=True, nogil=True, counted=False)
def take_all(losses, part, left, pool):
    """Make a group of all rows left; return how many are left then, or -1 if limits forbid it."""
    lo, hi = pool.boxes[part, 0], pool.boxes[part, 1]
    for at in range(left):
        r = pool.rows[2, at]
        pool.rows[1, r] = part
        _cover(lo, hi, r, at == 0, pool)
    pool.parts[part, 0] = left
    pool.parts[part, 1] = box_loss(losses, lo, hi)
    return np.int64(0) if pool.parts[part, 1] < FORBIDDEN else np.int64(-1)


@njit(cache=True, nogil=True, inline="always")
def _cover(lo, hi, r, first, pool):
    for j in range(lo.size):
        c = pool.codes[0, r, j]
        lo[j] = c if first else min(lo[j], c)
        hi[j] = c if first else max(hi[j], c)


@njit(cache=True, nogil=True, counted=False)
def farthest(left, pool):
    """The row left that would have cost the last group most."""
    pick = 0
    for at in range(1, left):
        if pool.costs[pool.rows[2, at]] > pool.costs[pool.rows[2, pick]]:
            pick = at
    return pick


@njit(cache=True, nogil=True, counted=False)
def insert(losses, i, parts, pool):
    """Put one row where it raises the total least; return by how much."""
    codes = pool.codes[0, i]
    best = NO_LIMIT
    pick = np.int64(0)
    new_loss = np.int64(0)
    for p in range(parts):
        size, loss = pool.parts[p, 0], pool.parts[p, 1]
        new = joined_loss(losses, pool.boxes[p, 0], pool.boxes[p, 1], codes, NO_LIMIT)
        added = (size + 1) * new - size * loss
        if new < FORBIDDEN and added < best:
            best, pick, new_loss = added, p, new
    for j in range(codes.size):
        pool.boxes[pick, 0, j] = min(pool.boxes[pick, 0, j], codes[j])
        pool.boxes[pick, 1, j] = max(pool.boxes[pick, 1, j], codes[j])
    pool.rows[1, i] = pick
    pool.parts[pick, 0] += 1
    pool.parts[pick, 1] = new_loss
    return best


@njit(cache=True, nogil=True, counted=False)
def draw(state, n):
    """A number below ``n`` (SplitMix64)."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z ^= z >> np.uint64(31)
    return np.int64((z >> np.uint64(33)) % np.uint64(n))
