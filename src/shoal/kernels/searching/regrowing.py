"""Large-neighbourhood search: pool a few neighbouring groups, grow them anew from random seeds.

What a step makes is kept if the total loss falls, or rises by no more than the *heat* of the
moment allows (annealing: Kirkpatrick et al. 1983). A search has its own random numbers, made from
a seed, so that the same steps make the same groups on every machine. Rows are single pieces here,
so that none has to be divided. A large group only lends some of its rows.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.kernels.compiling import njit
from shoal.kernels.groups import link, loosen, nearest_groups, tighten, unlink
from shoal.kernels.losses import box_loss, joined_loss
from shoal.kernels.rules import all_met, count_in, wipe
from shoal.kernels.slots import AFTER, CELL, HEAD, LOSS, SIZE

REACH = 10  # nearest groups among which companions are drawn
MOST = 4  # groups pooled at once
LARGE = 4  # times k: a group of more rows lends k of them
NO_LIMIT = np.int64(1) << 60
UNKNOWN = -2
COARSE = 256  # how finely the exponential distribution is drawn from, in as many parts


class RegrowingState(NamedTuple):
    """Buffers of one search; ``known`` is shared by searches of different groups."""

    trail: np.ndarray  # (2, levels): nodes still to visit and their bounds
    near: np.ndarray  # (3, neighbours): costs and groups nearby, groups pooled
    known: np.ndarray  # (groups, neighbours): groups nearby, -1 past the last, or UNKNOWN
    rows: np.ndarray  # (3, rows): pieces pooled, their new part, those not in a part yet
    costs: np.ndarray  # of rows not in a part yet
    parts: np.ndarray  # (parts, 3): rows, loss, and the group it becomes
    boxes: np.ndarray  # (parts, low and high, attributes)
    alive: np.ndarray  # groups that lose something
    chances: np.ndarray  # the exponential distribution, times COARSE


def new_regrowing(groups, index, k: int, known: np.ndarray) -> RegrowingState:
    """Allocate the buffers of a search among the groups of an index."""
    most = MOST * LARGE * k
    mine = np.sort(index.order)
    known[mine] = UNKNOWN
    middles = (np.arange(COARSE) + 0.5) / COARSE
    return RegrowingState(
        trail=np.empty((2, int(index.depth[0]) + 4), np.int64),
        near=np.empty((3, REACH + 1), np.int64),
        known=known,
        rows=np.empty((3, most), np.int64),
        costs=np.empty(most, np.int64),
        parts=np.empty((MOST, 3), np.int64),
        boxes=np.empty((MOST, 2, groups.codes.shape[1]), np.int32),
        alive=mine[groups.state[mine, LOSS] > 0],
        chances=np.rint(-np.log(middles) * COARSE).astype(np.int64),
    )


def no_neighbours(groups) -> np.ndarray:
    """Allocate what searches know of their neighbours."""
    return np.full((len(groups.state), REACH), UNKNOWN, np.int32)


@njit(cache=True, nogil=True)
def regrow_some(groups, index, losses, rules, k, seed, steps, heat, pool, tally):
    """Take ``steps`` steps; return (what they won in all, how many were kept)."""
    gain = np.int64(0)
    kept = np.int64(0)
    if pool.alive.size == 0:
        return gain, kept
    free = rules.meta.shape[0] == 0
    state = np.empty(1, np.uint64)
    state[0] = seed
    for _ in range(steps):
        g = pool.alive[_draw(state, pool.alive.size)]
        other = pool.alive[_draw(state, pool.alive.size)]
        if _weight(groups, other) > _weight(groups, g):
            g = other  # where more is lost, more can be won
        if groups.state[g, SIZE] == 0 or groups.state[g, SIZE] > LARGE * k:
            continue
        m = _companions(groups, index, losses, k, g, free, state, pool)
        if m < 2:
            continue
        n, lenders, before = _gather(groups, k, m, pool)
        allowed = before + heat * pool.chances[_draw(state, COARSE)] // COARSE
        parts, after = _regrow(groups, losses, k, n, m, lenders, allowed, state, pool)
        if after > allowed:
            continue
        if not free and not _all_meet(groups, rules, n, parts, pool, tally):
            continue
        gain += before - _apply(groups, index, losses, n, m, pool)
        kept += 1
    return gain, kept


@njit(cache=True, nogil=True)
def _weight(groups, g):
    return groups.state[g, SIZE] * groups.state[g, LOSS]


@njit(cache=True, nogil=True)
def _draw(state, n):
    """A number below ``n`` (SplitMix64)."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z ^= z >> np.uint64(31)
    return np.int64((z >> np.uint64(33)) % np.uint64(n))


@njit(cache=True, nogil=True)
def _companions(groups, index, losses, k, g, free, state, pool):
    """Choose one to three groups near ``g``, nearer ones more often; return how many in all.

    Neighbours are looked for once: what changed nearby since then is still nearby.
    """
    known = pool.known[g]
    if known[0] == UNKNOWN:
        n = nearest_groups(
            groups, index, losses, g, REACH, pool.trail[0], pool.trail[1], pool.near[0],
            pool.near[1],
        )  # fmt: skip
        for i in range(REACH):
            known[i] = pool.near[1, i] if i < n else -1
    pool.near[2, 0] = g
    m = np.int64(1)
    luck = _draw(state, 6)
    wanted = 2 if luck < 3 else 3 if luck < 5 else MOST  # the fewer, the faster
    for i in range(REACH):
        if m == wanted or known[i] < 0:
            break
        h = np.int64(known[i])
        size = groups.state[h, SIZE]
        if size > 0 and (free or size <= LARGE * k) and _draw(state, 5) < 2:
            pool.near[2, m] = h
            m += 1
    return m


@njit(cache=True, nogil=True)
def _gather(groups, k, m, pool):
    """Pool the rows of ``pool.near[2, :m]``; return (rows, lenders, loss of all these groups).

    What a large group does not lend is a part from the beginning.
    """
    n = np.int64(0)
    lenders = np.int64(0)
    before = np.int64(0)
    for i in range(m):
        h = pool.near[2, i]
        size, loss = groups.state[h, SIZE], groups.state[h, LOSS]
        before += size * loss
        count = size
        if size > LARGE * k:
            count = k
            pool.parts[lenders, 0] = size - count
            pool.parts[lenders, 1] = loss
            pool.parts[lenders, 2] = h
            pool.boxes[lenders] = groups.box[h]
            lenders += 1
        piece = groups.state[h, HEAD]
        for _ in range(count):
            pool.rows[0, n] = piece
            pool.rows[1, n] = -1
            n += 1
            piece = groups.pieces[piece, AFTER]
    at = lenders
    for i in range(m):
        h = pool.near[2, i]
        if groups.state[h, SIZE] <= LARGE * k:
            pool.parts[at, 2] = h
            at += 1
    return n, lenders, before


@njit(cache=True, nogil=True)
def _regrow(groups, losses, k, n, m, lenders, allowed, state, pool):
    """Grow groups of k from drawn seeds, give the rest to where it costs least.

    Returns (parts, total loss); parts are left in ``pool.rows[1]``. What would cost more than is
    ``allowed`` is given up at once.
    """
    wanted = min(n // k, m - lenders)
    if wanted < m - lenders - 1:
        return np.int64(0), NO_LIMIT
    if wanted + lenders > 1 and _draw(state, 8) == 0:
        wanted -= 1
    if wanted + lenders == 0:
        return np.int64(0), NO_LIMIT
    total = np.int64(0)
    for p in range(lenders):
        total += pool.parts[p, 0] * pool.parts[p, 1]
    left = n
    for i in range(n):
        pool.rows[2, i] = i
    parts = lenders
    far = _draw(state, 2) == 0
    seed = _draw(state, n)
    while parts < lenders + wanted and left >= k:
        if parts > lenders:
            seed = _farthest(left, pool) if far else _draw(state, left)
        left = _grow(groups, losses, k, parts, seed, left, allowed - total, pool)
        if left < 0:
            return parts, NO_LIMIT
        total += k * pool.parts[parts, 1]
        parts += 1
    for i in range(left):
        total += _insert(groups, losses, pool.rows[2, i], parts, pool)
        if total > allowed:
            return parts, NO_LIMIT
    return parts, total


@njit(cache=True, nogil=True)
def _farthest(left, pool):
    """The row left that would have cost the last group most."""
    pick = 0
    for i in range(1, left):
        if pool.costs[i] > pool.costs[pick]:
            pick = i
    return pick


@njit(cache=True, nogil=True)
def _grow(groups, losses, k, part, seed, left, room, pool):
    """Grow a group of k rows from one of those left; return how many are left then.

    Returns -1 as soon as the group loses more than there is ``room`` for.
    """
    lo, hi = pool.boxes[part, 0], pool.boxes[part, 1]
    rows, costs = pool.rows, pool.costs
    pick = seed
    loss = np.int64(0)
    for size in range(k):
        i = rows[2, pick]
        rows[1, i] = part
        codes = groups.codes[groups.pieces[rows[0, i], CELL]]
        changed = size == 0
        for j in range(codes.size):
            if size == 0 or codes[j] < lo[j]:
                lo[j] = codes[j]
                changed = True
            if size == 0 or codes[j] > hi[j]:
                hi[j] = codes[j]
                changed = True
        left -= 1
        rows[2, pick] = rows[2, left]
        costs[pick] = costs[left]
        if changed:
            loss = box_loss(losses, lo, hi)
            if k * loss > room:
                return np.int64(-1)
        pick = 0
        best = NO_LIMIT
        for at in range(left):
            if changed:
                cell = groups.pieces[rows[0, rows[2, at]], CELL]
                costs[at] = joined_loss(losses, lo, hi, groups.codes[cell], NO_LIMIT)
            if costs[at] < best:
                best = costs[at]
                pick = at
    pool.parts[part, 0] = k
    pool.parts[part, 1] = loss
    return left


@njit(cache=True, nogil=True)
def _insert(groups, losses, i, parts, pool):
    """Put one row where it raises the total least; return by how much."""
    codes = groups.codes[groups.pieces[pool.rows[0, i], CELL]]
    best = NO_LIMIT
    pick = np.int64(0)
    new_loss = np.int64(0)
    for p in range(parts):
        size, loss = pool.parts[p, 0], pool.parts[p, 1]
        new = joined_loss(losses, pool.boxes[p, 0], pool.boxes[p, 1], codes, NO_LIMIT)
        added = (size + 1) * new - size * loss
        if added < best:
            best, pick, new_loss = added, p, new
    for j in range(codes.size):
        pool.boxes[pick, 0, j] = min(pool.boxes[pick, 0, j], codes[j])
        pool.boxes[pick, 1, j] = max(pool.boxes[pick, 1, j], codes[j])
    pool.rows[1, i] = pick
    pool.parts[pick, 0] += 1
    pool.parts[pick, 1] = new_loss
    return best


@njit(cache=True, nogil=True)
def _all_meet(groups, rules, n, parts, pool, tally):
    """Whether every part meets all rules; ``tally`` is (histogram, distinct and counted)."""
    histogram, counted = tally
    for p in range(parts):
        counted[0, :] = 0
        counted[1, :] = 0
        for i in range(n):
            if pool.rows[1, i] == p:
                cell = groups.pieces[pool.rows[0, i], CELL]
                count_in(rules, cell, np.int64(1), histogram, counted[0], counted[1])
        met = all_met(rules, histogram, counted[0], counted[1])
        for i in range(n):
            if pool.rows[1, i] == p:
                wipe(rules, groups.pieces[pool.rows[0, i], CELL], histogram)
        if not met:
            return False
    return True


@njit(cache=True, nogil=True)
def _apply(groups, index, losses, n, m, pool):
    """Make the parts groups, in the places of the old ones; return what they lose in all."""
    for i in range(n):
        unlink(groups, pool.rows[0, i])
    for i in range(n):
        link(groups, pool.rows[0, i], pool.parts[pool.rows[1, i], 2])
    total = np.int64(0)
    for i in range(m):
        h = pool.near[2, i]
        tighten(groups, losses, h)
        if groups.state[h, SIZE] > 0:
            loosen(index, groups, h)
        total += _weight(groups, h)
    return total
