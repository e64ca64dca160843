"""Large-neighbourhood search: pool a few neighbouring groups, grow them anew from random seeds.

What a step makes is kept if the total loss falls, or rises by no more than the *heat* of the
moment allows (annealing: Kirkpatrick et al. 1983). A search has its own random numbers, made from
a seed, so that the same steps make the same groups on every machine. Rows are single pieces here,
so that none has to be divided. A large group only lends some of its rows.

In most steps a group keeps a part of itself: somebody leaves, with all on the same side of one
attribute, so that its box shrinks there, and it takes others instead. In the rest, all groups that
were pooled are grown from single rows. One group fewer may come of a step, and where groups may be
split, one more: without that, a warm search would merge what it could never part again.

Companions of a group are those in which somebody sits who is like one of its members: who is like
whom never changes, so it is found once, and who sits where is known at every moment.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.kernels.compiling import njit
from shoal.kernels.groups import link, tighten, unlink
from shoal.kernels.nearest import nearest_rows, point_rows
from shoal.kernels.rules import all_met, count_in, wipe
from shoal.kernels.searching.parts import (
    COARSE,
    LARGE,
    NO_LIMIT,
    TWO,
    WAYS,
    draw,
    farthest,
    grow,
    grow_kept,
    insert,
    take_all,
)
from shoal.kernels.slots import AFTER, CELL, GROUP, HEAD, IDS, LOSS, SIZE

NEAR = np.int64(32)  # cells most like a cell, itself included
PRICED = 30  # rows of a group at which every other step compares prices; of larger ones, more do
FARTHEST_MEMBER = 64  # members of a group who are asked for somebody like them
FOUR, EIGHT = np.int64(4), np.int64(8)  # typed: see `shoal.kernels.growing`
SHRUNK = 3  # of 8 companions of a group that keeps a part of itself, those that do so too
NOBODY = np.int64(-1)


class Surroundings(NamedTuple):
    """Who is like whom, who sits where, which groups a search may change, and how many at once."""

    near: np.ndarray  # (cells, NEAR): cells most like a cell, -1 past the last
    members: np.ndarray  # pieces, cell by cell
    begins: np.ndarray  # where those of a cell begin, and one more
    owner: np.ndarray  # the part that a group belongs to
    spare: np.ndarray  # the next of the groups without rows, below each; empty if none is split
    top: np.ndarray  # the first of them in each part, -1 if there is none
    company: np.ndarray  # how many groups a step pools, the most last: one of these is drawn


@njit(cache=True, nogil=True)
def find_near(tree, losses, positions, found):
    """Set ``found`` of the cells at ``positions`` of a tree, each with one copy, to those nearest.

    Cells are called by their ids, in ``found`` and as its rows.
    """
    depth, d = tree.depth[0] + 4, tree.codes.shape[1]
    stack, bounds = np.empty(depth, np.int64), np.empty(depth, np.int64)
    costs, items = np.empty(NEAR + 2, np.int64), np.empty(NEAR + 2, np.int64)
    rows = np.empty(d, np.int64)
    for position in positions:
        point = tree.codes[position]
        point_rows(losses, point, rows)
        n, _ = nearest_rows(
            tree, losses, rows, point, NEAR, NO_LIMIT, stack, bounds, costs, items
        )  # fmt: skip
        for i in range(NEAR):
            found[tree.cells[position, IDS], i] = tree.cells[items[i], IDS] if i < n else -1


@njit(cache=True, nogil=True, counted=False)
def regrow_some(groups, losses, rules, k, seed, steps, heat, around, part, alive, pool, tally):
    """Take ``steps`` steps that begin at groups ``alive`` of a part; return (gain, steps kept)."""
    gain = np.int64(0)
    kept = np.int64(0)
    if alive.size == 0:
        return gain, kept
    free = rules.meta.shape[0] == 0
    state = pool.luck
    state[0] = seed
    for _ in range(steps):
        g = alive[draw(state, alive.size)]
        other = alive[draw(state, alive.size)]
        if _weight(groups, other) > _weight(groups, g):
            g = other  # where more is lost, more can be won
        if groups.state[g, SIZE] == 0 or groups.state[g, SIZE] > LARGE * k:
            continue
        m = _companions(groups, k, g, free, around, part, state, pool)
        if m < 2:
            continue
        n, lenders, before = _gather(groups, k, m, pool)
        allowed = before + heat * pool.chances[draw(state, COARSE)] // COARSE
        most = _weight(groups, g) + allowed - before  # that the first group may lose if it shrinks
        pool.chosen[m] = pool.parts[m, 2] = around.top[part]
        parts, after = _regrow(losses, k, n, m, lenders, allowed, most, state, pool)
        if after > allowed:
            continue
        if not free and not _all_meet(groups, rules, n, parts, pool, tally):
            continue
        gain += before - _apply(groups, losses, n, m, parts, around, part, pool)
        kept += 1
    return gain, kept


@njit(cache=True, nogil=True, counted=False)
def _weight(groups, g):
    return groups.state[g, SIZE] * groups.state[g, LOSS]


@njit(cache=True, nogil=True, counted=False)
def _companions(groups, k, g, free, around, part, state, pool):
    """Draw groups of the part in which somebody is like a member of ``g``.

    The member who is asked first may have to leave, so one group has somebody like it. Returns how
    many groups are pooled in all. Rules beside k may depend on rows that a large group
    would keep, so with rules those are left alone.
    """
    pool.chosen[0] = g
    m = np.int64(1)
    members = min(groups.state[g, SIZE], FARTHEST_MEMBER)
    pool.asked[0] = draw(state, members)
    wanted = around.company[draw(state, around.company.size)]  # the fewer, the faster
    for _ in range(2 * around.company[-1]):
        if m == wanted:
            break
        piece = groups.state[g, HEAD]
        for _ in range(pool.asked[0] if m == 1 else draw(state, members)):
            piece = groups.pieces[piece, AFTER]
        rank = min(draw(state, NEAR), draw(state, NEAR))
        like = around.near[groups.pieces[piece, CELL], rank]
        if like < 0:
            continue
        begin, end = around.begins[like], around.begins[like + 1]
        if begin == end:
            continue  # it is suppressed
        h = groups.pieces[around.members[begin + draw(state, end - begin)], GROUP]
        if h < 0 or around.owner[h] != part:
            continue  # another part's, on its way from one group to the next
        if not free and groups.state[h, SIZE] > LARGE * k:
            continue
        known = False
        for i in range(m):
            known = known or pool.chosen[i] == h
        if not known:
            pool.chosen[m] = h
            m += 1
    return m


@njit(cache=True, nogil=True, counted=False)
def _gather(groups, k, m, pool):
    """Pool the rows of ``pool.chosen[:m]``; return (rows, lenders, loss of all these groups).

    What a large group does not lend is a part from the beginning.
    """
    n = np.int64(0)
    lenders = np.int64(0)
    before = np.int64(0)
    for i in range(m):
        h = pool.chosen[i]
        size, loss = groups.state[h, SIZE], groups.state[h, LOSS]
        before += size * loss
        count = size
        if size > LARGE * k:
            count = k
            pool.parts[lenders, 0] = size - count
            pool.parts[lenders, 1] = loss
            pool.parts[lenders, 2] = h
            for j in range(pool.fresh.size):
                pool.boxes[lenders, 0, j] = groups.box[h, 0, j]
                pool.boxes[lenders, 1, j] = groups.box[h, 1, j]
            lenders += 1
        piece = groups.state[h, HEAD]
        for _ in range(count):
            pool.rows[0, n] = piece
            pool.rows[1, n] = -1
            pool.rows[3, n] = i
            cell = groups.pieces[piece, CELL]
            for j in range(pool.fresh.size):
                pool.codes[0, n, j] = groups.codes[cell, j]
            n += 1
            piece = groups.pieces[piece, AFTER]
    at = lenders
    for i in range(m):
        h = pool.chosen[i]
        if groups.state[h, SIZE] <= LARGE * k:
            pool.parts[at, 2] = h
            at += 1
    return n, lenders, before


@njit(cache=True, nogil=True, counted=False)
def _regrow(losses, k, n, m, lenders, allowed, most, state, pool):
    """Grow groups of k from drawn rows or what groups keep, give the rest to where it costs least.

    Returns (parts, total loss); parts are left in ``pool.rows[1]``. What would cost more than is
    ``allowed``, or break a limit, is given up at once.
    """
    wanted = min(n // k, m - lenders)
    if wanted < m - lenders - 1:
        return np.int64(0), NO_LIMIT
    if n >= (m - lenders + 1) * k and pool.chosen[m] >= 0 and draw(state, TWO) == 0:
        wanted += 1
    elif wanted + lenders > 1 and draw(state, EIGHT) == 0:
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
    shrinks = lenders == 0 and draw(state, FOUR) > 0
    far = not shrinks and draw(state, TWO) == 0
    ways = WAYS if draw(state, k + PRICED) < k else 1
    while parts < lenders + wanted and left >= k:
        room = allowed - total
        if left == k and parts == lenders + wanted - 1:
            left = take_all(losses, parts, left, pool)
        elif shrinks:
            nth = pool.asked[0]
            if parts == 0:
                room = most
            else:
                nth = draw(state, k) if draw(state, EIGHT) < SHRUNK else NOBODY
            left = grow_kept(losses, k, parts, nth, left, room, ways, pool)
        else:
            seed = farthest(left, pool) if far and parts > lenders else draw(state, left)
            left = grow(losses, k, parts, seed, left, room, far, ways, pool)
        if left >= 0:
            total += pool.parts[parts, 0] * pool.parts[parts, 1]
        if left < 0 or total > allowed:
            return parts, NO_LIMIT
        parts += 1
    for i in range(left):
        total += insert(losses, pool.rows[2, i], parts, pool)
        if total > allowed:
            return parts, NO_LIMIT
    return parts, total


@njit(cache=True, nogil=True, counted=False)
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


@njit(cache=True, nogil=True, counted=False)
def _apply(groups, losses, n, m, parts, around, part, pool):
    """Make the parts groups, in the places of the old ones; return what they lose in all.

    One more takes a group without rows, and a group that is left without any can be taken.
    """
    if parts > m:
        around.top[part] = around.spare[pool.chosen[m]]
    for i in range(n):
        unlink(groups, pool.rows[0, i])
    for i in range(n):
        link(groups, pool.rows[0, i], pool.parts[pool.rows[1, i], 2])
    total = np.int64(0)
    for i in range(max(m, parts)):
        g = pool.chosen[i]
        tighten(groups, losses, g)
        total += _weight(groups, g)
        if around.spare.size > 0 and groups.state[g, SIZE] == 0:
            around.spare[g] = around.top[part]
            around.top[part] = g
    return total
