"""Large-neighbourhood search: pool a few neighbouring groups, grow them anew from random seeds.

Each step draws from a hash of the seed and its own number, so that the same steps make the same
groups on every machine. What a step makes is kept if the total loss falls. Rows are single pieces
here, so that none has to be divided.
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
NO_LIMIT = np.int64(1) << 60


class RegrowingState(NamedTuple):
    """Buffers of one search."""

    trail: np.ndarray  # (2, levels): nodes still to visit and their bounds
    near: np.ndarray  # (3, neighbours): costs and groups nearby, groups pooled
    rows: np.ndarray  # (3, rows): pieces pooled, their new part, those not in a part yet
    costs: np.ndarray  # of rows not in a part yet
    parts: np.ndarray  # (parts, 2): rows and loss
    boxes: np.ndarray  # (parts, low and high, attributes)
    alive: np.ndarray  # groups that lose something


def new_regrowing(groups, index, k: int) -> RegrowingState:
    """Allocate buffers; groups of more than ``4 * k`` rows are left alone."""
    most = MOST * 4 * k
    return RegrowingState(
        trail=np.empty((2, int(index.depth[0]) + 4), np.int64),
        near=np.empty((3, REACH + 1), np.int64),
        rows=np.empty((3, most), np.int64),
        costs=np.empty(most, np.int64),
        parts=np.empty((most // max(1, k) + 1, 2), np.int64),
        boxes=np.empty((most // max(1, k) + 1, 2, groups.codes.shape[1]), np.int32),
        alive=np.flatnonzero(groups.state[:, LOSS] > 0),
    )


@njit(cache=True, nogil=True)
def regrow_some(groups, index, losses, rules, k, seed, first, steps, pool, tally):
    """Take ``steps`` steps from number ``first``; return (gain, steps that were kept)."""
    gain = np.int64(0)
    kept = np.int64(0)
    if pool.alive.size == 0:
        return gain, kept
    state = np.zeros(1, np.uint64)
    for step in range(first, first + steps):
        state[0] = seed + np.uint64(step) * np.uint64(0x9E3779B97F4A7C15)
        g = pool.alive[_draw(state, pool.alive.size)]
        other = pool.alive[_draw(state, pool.alive.size)]
        if _weight(groups, other) > _weight(groups, g):
            g = other  # where more is lost, more can be won
        if groups.state[g, SIZE] == 0 or groups.state[g, SIZE] > 4 * k:
            continue
        m = _companions(groups, index, losses, k, g, state, pool)
        if m < 2:
            continue
        n, before = _gather(groups, m, pool)
        parts, after = _regrow(groups, losses, k, n, m, state, pool)
        if parts == 0 or after >= before:
            continue
        if rules.meta.shape[0] > 0 and not _all_meet(groups, rules, n, parts, pool, tally):
            continue
        _apply(groups, index, losses, n, m, parts, pool)
        gain += before - after
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
def _companions(groups, index, losses, k, g, state, pool):
    """Choose one to three groups near ``g``, nearer ones more often; return how many in all."""
    n = nearest_groups(
        groups, index, losses, g, REACH, pool.trail[0], pool.trail[1], pool.near[0], pool.near[1]
    )
    pool.near[2, 0] = g
    m = np.int64(1)
    wanted = 2 + _draw(state, MOST - 1)
    for i in range(n):
        h = pool.near[1, i]
        if m == wanted:
            break
        if groups.state[h, SIZE] <= 4 * k and _draw(state, 5) < 2:
            pool.near[2, m] = h
            m += 1
    return m


@njit(cache=True, nogil=True)
def _gather(groups, m, pool):
    n = np.int64(0)
    before = np.int64(0)
    for i in range(m):
        h = pool.near[2, i]
        before += groups.state[h, SIZE] * groups.state[h, LOSS]
        piece = groups.state[h, HEAD]
        while piece >= 0:
            pool.rows[0, n] = piece
            pool.rows[1, n] = -1
            n += 1
            piece = groups.pieces[piece, AFTER]
    return n, before


@njit(cache=True, nogil=True)
def _regrow(groups, losses, k, n, m, state, pool):
    """Grow groups of k from drawn seeds, give the rest to where it costs least.

    Returns (parts, total loss); parts are left in ``pool.rows[1]``.
    """
    left = n
    for i in range(n):
        pool.rows[2, i] = i
    parts = np.int64(0)
    wanted = min(n // k, m)
    if wanted < m - 1 or wanted < 1:
        return np.int64(0), np.int64(0)
    if wanted > 1 and _draw(state, 8) == 0:
        wanted -= 1
    far = _draw(state, 2) == 0
    seed = _draw(state, n)
    while parts < wanted and left >= k:
        if parts > 0:
            seed = _farthest(left, pool) if far else _draw(state, left)
        left = _grow(groups, losses, k, parts, seed, left, pool)
        parts += 1
    for i in range(left):
        _insert(groups, losses, pool.rows[2, i], parts, pool)
    total = np.int64(0)
    for p in range(parts):
        total += pool.parts[p, 0] * pool.parts[p, 1]
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
def _grow(groups, losses, k, part, seed, left, pool):
    """Grow a group of k rows from one of those left; return how many are left then."""
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
    """Put one row where it raises the total least."""
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
def _apply(groups, index, losses, n, m, parts, pool):
    """Make the parts groups, in the places of the old ones; what is left over is empty."""
    for i in range(n):
        unlink(groups, pool.rows[0, i])
    for i in range(n):
        link(groups, pool.rows[0, i], pool.near[2, pool.rows[1, i]])
    for i in range(m):
        h = pool.near[2, i]
        tighten(groups, losses, h)
        if i < parts:
            loosen(index, groups, h)
