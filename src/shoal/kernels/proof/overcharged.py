"""Boxes that charge too little for what their rows are said to cost, by branch and bound.

Every row is given a *charge*. Charges prove a bound if no box is overcharged: in each box with
at least k rows, the k dearest rows together are charged no more than k times the box's loss.
A box is looked for from its dearest row, the *seed*, among the rows that come after the seed in
one fixed order. It is chosen one attribute at a time, as in `shoal.kernels.cheapest_box`; a
branch dies when the k dearest rows that still fit are charged no more than what was chosen costs.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.kernels.compiling import njit
from shoal.kernels.losses import span_loss
from shoal.kernels.nearest import TOO_MANY, cell_loss, cells_within, point_rows
from shoal.kernels.slots import COPIES

LEVEL, LEFT, RIGHT = 0, 1, 2
NO_CHOICE = np.int64(1) << 60
MOST_CANDIDATES = 50_000
SLOW = 8  # if fewer than one of so many leave, nobody looks again


class BoxSearch(NamedTuple):
    """Buffers of one thread: candidates, dearest first, and the stages of choosing a box."""

    stack: np.ndarray
    rows: np.ndarray
    found: np.ndarray
    cells: np.ndarray  # of the candidates, dearest first
    away: np.ndarray  # (attributes, candidates): code beyond the seed's
    charged: np.ndarray  # (candidates, 2): rows, and what each is charged
    excess: np.ndarray  # (attributes, candidates): loss beside the seed, beyond the seed's own
    rest: np.ndarray  # (stages, candidates): sum of the excess in this stage and later ones
    lists: np.ndarray  # (stages, candidates): who may still join
    stages: np.ndarray  # of each: attribute, kind, candidates, loss before, choice, next choice
    best: np.ndarray  # candidates of the most overcharged box
    need: np.ndarray  # what a box loses at least that holds each of those who may join


def new_box_search(tree) -> BoxSearch:
    """Allocate the buffers one thread needs."""
    n, d = tree.codes.shape
    most = min(n, MOST_CANDIDATES)
    stages = 2 * d + 1
    return BoxSearch(
        stack=np.empty(int(tree.depth[0]) + 2, np.int64),
        rows=np.empty(d, np.int64),
        found=np.empty(most, np.int64),
        cells=np.empty(most, np.int64),
        away=np.empty((d, most), np.int64),
        charged=np.empty((most, 2), np.int64),
        excess=np.empty((d, most), np.int64),
        rest=np.empty((stages, most), np.int64),
        lists=np.empty((stages, most), np.int64),
        stages=np.empty((6, stages), np.int64),
        best=np.empty(most, np.int64),
        need=np.empty(most, np.int64),
    )


@njit(cache=True, nogil=True)
def overcharged_box(tree, losses, by_level, charges, order, reach, k, over, seed, most_work, f):
    """Find the box around the seed that is overcharged most, in proportion.

    ``order[c]`` is the place of cell c in the fixed order; only cells that come after the seed
    are candidates, and ``reach[seed]`` is a charge that none of them exceeds: a box that loses
    as much cannot be overcharged. Returns (members of the box, left in ``f.best`` as numbers in
    ``f.cells``; what its k dearest rows are charged; its loss; work done). No members: there is
    no such box, if the work is less than ``most_work``.
    """
    n, work = _candidates(tree, losses, charges, order, k, seed, reach[seed], most_work, f)
    if n <= 0:
        return np.int64(0), np.int64(0), np.int64(0), work
    point = tree.codes[seed]
    own = _measure(tree, losses, point, n, f)
    stages = _plan(by_level, point.size, n, f)
    work += 2 * n * point.size
    members = np.int64(0)
    best_sum, best_loss = np.int64(k * over[0]), np.int64(over[1])  # the quotient to surpass
    attribute, kind, count, chosen, choice, wider = f.stages
    for i in range(n):
        f.lists[0, i] = i
    count[0] = n
    chosen[0] = own
    wider[0] = 0
    t = np.int64(0)
    while t >= 0:
        if work >= most_work:
            break
        if t == stages:
            dear = _dearest(k, f.lists[t], count[t], f)
            if _exceeds(dear, chosen[t], best_sum, best_loss):
                best_sum, best_loss = dear, chosen[t]
                members = count[t]
                f.best[:members] = f.lists[t, :members]
            t -= 1
            continue
        now = wider[t]
        if now == NO_CHOICE:
            t -= 1
            continue
        choice[t] = now
        cost = _cost(losses, point, t, f)
        work += 40 + 4 * count[t]
        if _keep(losses, point, k, t, cost, best_sum, best_loss, f):
            chosen[t + 1] = chosen[t] + cost
            wider[t + 1] = 0
            t += 1
    if members == 0:
        return np.int64(0), np.int64(0), np.int64(0), work
    return members, best_sum, best_loss, work


@njit(cache=True, nogil=True)
def _exceeds(dear, loss, best_sum, best_loss):
    """Whether dear / loss > best_sum / best_loss; a charge on a loss of 0 exceeds all."""
    return np.float64(dear) * np.float64(best_loss) > np.float64(best_sum) * np.float64(loss)


@njit(cache=True, nogil=True)
def _candidates(tree, losses, charges, order, k, seed, reach, most_work, f):
    """Cells after the seed that a box worth looking at may hold, dearest first."""
    point = tree.codes[seed]
    point_rows(losses, point, f.rows)
    m, visits = cells_within(
        tree, losses, f.rows, point, max(reach, 1), most_work // 10, f.stack, f.found
    )
    work = 40 * visits
    if m == TOO_MANY:
        return np.int64(0), most_work
    n = np.int64(0)
    for i in range(m):
        c = f.found[i]
        if order[c] >= order[seed]:
            f.cells[n] = c
            n += 1
    total = np.int64(0)
    for i in range(n):
        total += tree.cells[f.cells[i], COPIES]
    if total < k:
        return np.int64(0), work
    keys = np.empty(n, np.int64)
    for i in range(n):
        keys[i] = -charges[f.cells[i]]
    ranked = np.argsort(keys, kind="mergesort")
    f.cells[:n] = f.cells[:n][ranked]
    for i in range(n):
        f.charged[i, 0] = tree.cells[f.cells[i], COPIES]
        f.charged[i, 1] = charges[f.cells[i]]
    return n, work + 15 * n


@njit(cache=True, nogil=True)
def _measure(tree, losses, point, n, f):
    own = np.int64(0)
    for j in range(point.size):
        alone = span_loss(losses, j, point[j], point[j])
        own += alone
        for i in range(n):
            code = np.int64(tree.codes[f.cells[i], j])
            f.away[j, i] = code - point[j]
            if f.rows[j] >= 0:
                f.excess[j, i] = losses.values[f.rows[j] + code] - alone
            else:
                f.excess[j, i] = (
                    span_loss(losses, j, min(point[j], code), max(point[j], code)) - alone
                )
    return own


@njit(cache=True, nogil=True)
def _plan(by_level, d, n, f):
    """Lay out the stages: levels first, then sides; what tells candidates apart most first."""
    attribute, kind = f.stages[0], f.stages[1]
    weight = np.zeros(d, np.int64)
    for j in range(d):
        for i in range(n):
            weight[j] += f.excess[j, i]
    stages = np.int64(0)
    done = np.zeros(d, np.bool_)
    for level in (True, False):
        while True:
            pick = -1
            for j in range(d):
                if not done[j] and by_level[j] == level and weight[j] > 0:
                    if pick < 0 or weight[j] > weight[pick]:
                        pick = j
            if pick < 0:
                break
            done[pick] = True
            attribute[stages] = pick
            kind[stages] = LEVEL if level else LEFT
            stages += 1
            if not level:
                attribute[stages] = pick
                kind[stages] = RIGHT
                stages += 1
    f.rest[stages, :n] = 0
    for t in range(stages - 1, -1, -1):
        j = attribute[t]
        for i in range(n):
            f.rest[t, i] = f.rest[t + 1, i] + (0 if kind[t] == RIGHT else f.excess[j, i])
    return stages


@njit(cache=True, nogil=True)
def _cost(losses, point, t, f):
    """What the choice of a stage adds to the loss of the box."""
    attribute, kind, choice = f.stages[0], f.stages[1], f.stages[4]
    if kind[t] == LEVEL:
        return choice[t]
    j = attribute[t]
    if kind[t] == LEFT:
        own = span_loss(losses, j, point[j], point[j])
        return span_loss(losses, j, point[j] - choice[t], point[j]) - own
    left = point[j] - choice[t - 1]
    return span_loss(losses, j, left, point[j] + choice[t]) - span_loss(losses, j, left, point[j])


@njit(cache=True, nogil=True)
def _keep(losses, point, k, t, cost, best_sum, best_loss, f):
    """Set who may join after a choice, and the next wider choice; return whether a box is left.

    Whoever stays can be in a box that is overcharged more than the best one known.
    """
    attribute, kind, count, chosen, choice, wider = f.stages
    j = attribute[t]
    base = chosen[t] + cost
    now = choice[t]
    side = 1 if kind[t] == RIGHT else -1
    here, there = f.lists[t], f.lists[t + 1]
    n = np.int64(0)
    tight = False
    beyond = NO_CHOICE
    for at in range(count[t]):
        i = here[at]
        if kind[t] == LEVEL:
            far = f.excess[j, i]
        else:
            far = max(np.int64(0), side * f.away[j, i])
        if far > now:
            beyond = min(beyond, far)
            continue
        there[n] = i
        n += 1
        tight |= far == now
    wider[t] = beyond
    if not tight:
        return False
    dear = _dearest(k, there, n, f)
    if dear < 0 or not _exceeds(dear, base, best_sum, best_loss):
        return False
    _need(losses, point, t, base, n, f)
    while True:
        most = np.float64(dear) * np.float64(best_loss) / np.float64(best_sum)
        kept = np.int64(0)
        for at in range(n):
            if f.need[at] < most:
                there[kept], f.need[kept] = there[at], f.need[at]
                kept += 1
        few = SLOW * (n - kept) < n  # to go on would take longer than it saves
        n = kept
        if few:
            break
        fewer = _dearest(k, there, n, f)
        if fewer < 0 or not _exceeds(fewer, base, best_sum, best_loss):
            return False
        if fewer == dear:
            break
        dear = fewer
    count[t + 1] = n
    return n > 0


@njit(cache=True, nogil=True)
def _need(losses, point, t, base, n, f):
    """What a box loses at least that holds each of those who may join after a choice."""
    j, there, rest = f.stages[0, t], f.lists[t + 1], f.rest[t + 1]
    for at in range(n):
        f.need[at] = base + rest[there[at]]
    if f.stages[1, t] != LEFT:
        return
    left = point[j] - f.stages[4, t]
    before = span_loss(losses, j, left, point[j])
    for at in range(n):
        away = f.away[j, there[at]]
        if away > 0:
            f.need[at] += span_loss(losses, j, left, point[j] + away) - before


@njit(cache=True, nogil=True)
def _dearest(k, which, n, f):
    """What the k dearest rows of some candidates are charged; -1 if there are fewer than k."""
    left = np.int64(k)
    total = np.int64(0)
    for at in range(n):
        rows = min(left, f.charged[which[at], 0])
        total += rows * f.charged[which[at], 1]
        left -= rows
        if left == 0:
            return total
    return np.int64(-1)


@njit(cache=True, nogil=True)
def find_cuts(
    tree, losses, by_level, charges, order, reach, k, over, seeds, share, f, cells, counts, facts
):
    """For each seed the k dearest rows of the box that is overcharged most, if there is one.

    Only boxes charged more than ``over[0] / over[1]`` times their loss count. ``share`` is the
    work each seed may take on average; one may take many times that as long as the others leave
    it. Columns of ``facts``: cells in ``cells`` and ``counts``, loss of the box, what the rows
    are charged, work done, whether the search was completed.
    """
    purse = share * seeds.size
    for s in range(seeds.size):
        allowance = 8 * purse // (seeds.size - s)
        members, dear, loss, work = overcharged_box(
            tree, losses, by_level, charges, order, reach, k, over, seeds[s], allowance, f
        )
        purse -= min(purse, work)
        facts[s, 1] = loss
        facts[s, 2] = dear
        facts[s, 3] = work
        facts[s, 4] = work < allowance
        left = np.int64(k)
        n = 0
        while n < members and left > 0:
            c = f.cells[f.best[n]]
            cells[s, n] = c
            counts[s, n] = min(left, tree.cells[c, COPIES])
            left -= counts[s, n]
            n += 1
        facts[s, 0] = n


@njit(cache=True, nogil=True)
def mark_reached(tree, losses, reach, order, late, reached):
    """Mark seeds that had none of the ``late`` as candidates and are less than their reach away."""
    rows = np.empty(tree.codes.shape[1], np.int64)
    for i in range(late.size):
        point = tree.codes[late[i]]
        point_rows(losses, point, rows)
        for c in range(reach.size):
            if order[c] > order[late[i]] and not reached[c]:
                reached[c] = cell_loss(losses, rows, point, tree.codes[c], reach[c]) < reach[c]
