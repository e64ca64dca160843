"""Boxes that charge too little for what their rows are said to cost, by branch and bound.

Every row is given a *charge*. Charges prove a bound if no box is overcharged: in each box with
at least k rows, the k dearest rows together are charged no more than k times the box's loss.
A box is looked for from its dearest row, the *seed*, among the rows that come after the seed in
one fixed order. All boxes around it are halved on the side on which they differ most, again and
again. A half is dead when the k dearest rows that may still join are charged no more than all of
its boxes lose; of numbers with many values, few are ever told apart.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.kernels.compiling import njit
from shoal.kernels.losses import span_loss
from shoal.kernels.nearest import TOO_MANY, cell_loss, cells_within, point_rows
from shoal.kernels.proof.sides import (
    BEGIN,
    BEYOND,
    COUNT,
    LEAST,
    MOST,
    NOBODY,
    SPLIT,
    Sets,
    all_boxes,
    cost_beyond,
    draw_in,
    new_sets,
    reach_beyond,
    split_off,
    stay_within,
    widest_side,
)
from shoal.kernels.slots import COPIES

MOST_CANDIDATES = 50_000
SLOW = 8  # if fewer than one of so many leave, nobody looks again
LOOK = 130  # work of looking at a set, however few are on its list


class BoxSearch(NamedTuple):
    """Buffers of one thread: candidates, dearest first, and the sets of boxes still to look at."""

    stack: np.ndarray
    rows: np.ndarray
    found: np.ndarray
    cells: np.ndarray  # of the candidates, dearest first
    charged: np.ndarray  # (candidates, 2): rows, and what each is charged
    best: np.ndarray  # candidates of the most overcharged box
    sets: Sets


def new_box_search(tree) -> BoxSearch:
    """Allocate the buffers one thread needs."""
    n, d = tree.codes.shape
    most = min(n, MOST_CANDIDATES)
    return BoxSearch(
        stack=np.empty(int(tree.depth[0]) + 2, np.int64),
        rows=np.empty(d, np.int64),
        found=np.empty(most, np.int64),
        cells=np.empty(most, np.int64),
        charged=np.empty((most, 2), np.int64),
        best=np.empty(most, np.int64),
        sets=new_sets(d, most),
    )


@njit(cache=True, nogil=True)
def overcharged_box(tree, losses, by_level, lines, charges, order, reach, k, over, seed, most, f):
    """Find the box around the seed that is overcharged most, in proportion.

    ``order[c]`` is the place of cell c in the fixed order; only cells that come after the seed
    are candidates, and ``reach[seed]`` is a charge that none of them exceeds: a box that loses
    as much cannot be overcharged. Returns (members of the box, left in ``f.best`` as numbers in
    ``f.cells``; what its k dearest rows are charged; its loss; work done). No members: there is
    no such box, if the work is less than ``most``.
    """
    n, work = _candidates(tree, losses, charges, order, k, seed, reach[seed], most, f)
    if n <= 0:
        return np.int64(0), np.int64(0), np.int64(0), work
    f.sets.work[0] = work
    point = tree.codes[seed]
    sides = all_boxes(tree, losses, by_level, lines, point, f.cells, n, f.sets)
    members, dear, loss = _halve(tree, losses, point, sides, k, over, most, f)
    return members, dear, loss, min(f.sets.work[0], most)


@njit(cache=True, nogil=True, counted=False)
def _halve(tree, losses, point, sides, k, over, most_work, f):
    """Halve the set of all boxes until what is left of it can be neither better nor halved."""
    sets, facts = f.sets, f.sets.facts
    members = np.int64(0)
    best_sum, best_loss = np.int64(k * over[0]), np.int64(over[1])  # the quotient to surpass
    s = np.int64(0)
    while s >= 0 and sets.work[0] < most_work:
        if facts[s, SPLIT] >= 0:
            reach_beyond(losses, point, s, sets)
        dear = _settle(k, s, best_sum, best_loss, f)
        if dear < 0:
            s -= 1
            continue
        side, within, near = _split(losses, point, sides, k, s, f)
        if _exceeds(dear, facts[s, MOST], best_sum, best_loss):
            loss = _loss_around(tree, losses, s, f)
            if _exceeds(dear, loss, best_sum, best_loss):
                best_sum, best_loss = dear, loss
                members = facts[s, COUNT]
                for i in range(members):
                    f.best[i] = sets.lists[facts[s, BEGIN] + i]
        if side < 0:
            s -= 1
            continue
        loss = facts[s, LEAST] + cost_beyond(losses, point, side, facts[s, BEYOND], s, sets)
        far = _exceeds(dear, loss, best_sum, best_loss)
        if near >= 0 and _exceeds(near, facts[s, LEAST], best_sum, best_loss):
            if not far:
                stay_within(losses, point, side, within, s, sets)
                continue
            facts[s, SPLIT] = side
            if not split_off(losses, point, sides, side, within, s, sets):
                sets.work[0] = most_work
                break
            s += 1
        elif far:
            facts[s, SPLIT] = side
        else:
            s -= 1
    if members == 0:
        return np.int64(0), np.int64(0), np.int64(0)
    return members, best_sum, best_loss


@njit(cache=True, nogil=True, counted=False)
def _loss_around(tree, losses, s, f):
    """What the box around all on a list loses, exactly: along lines, losses are rounded down."""
    begin, n = f.sets.facts[s, BEGIN], f.sets.facts[s, COUNT]
    loss = np.int64(0)
    for j in range(losses.meta.shape[0]):
        lo = hi = tree.codes[f.cells[f.sets.lists[begin]], j]
        for at in range(begin + 1, begin + n):
            code = tree.codes[f.cells[f.sets.lists[at]], j]
            lo, hi = min(lo, code), max(hi, code)
        loss += span_loss(losses, j, lo, hi)
    f.sets.work[0] += n * losses.meta.shape[0]
    return loss


@njit(cache=True, nogil=True, counted=False)
def _exceeds(dear, loss, best_sum, best_loss):
    """Whether dear / loss > best_sum / best_loss; a charge on a loss of 0 exceeds all."""
    return np.float64(dear) * np.float64(best_loss) > np.float64(best_sum) * np.float64(loss)


@njit(cache=True, nogil=True, counted=False)
def _settle(k, s, best_sum, best_loss, f):
    """Leave out who cannot be in a box of the set that is overcharged more than the best known.

    Returns what the k dearest of those who stay are charged; -1 if there is no such box.
    """
    begin, n, least = f.sets.facts[s, BEGIN], f.sets.facts[s, COUNT], f.sets.facts[s, LEAST]
    f.sets.work[0] += LOOK
    dear = _dearest(k, begin, n, f)
    while dear >= 0 and _exceeds(dear, least, best_sum, best_loss):
        most = np.float64(dear) * np.float64(best_loss) / np.float64(best_sum)
        kept = np.int64(0)
        for at in range(begin, begin + n):
            if f.sets.need[at] < most:
                f.sets.lists[begin + kept] = f.sets.lists[at]
                f.sets.need[begin + kept] = f.sets.need[at]
                kept += 1
        f.sets.work[0] += n
        few = SLOW * (n - kept) < n  # to go on would take longer than it saves
        if kept == n:
            return dear
        n = kept
        f.sets.facts[s, COUNT] = n
        dear = _dearest(k, begin, n, f)
        if few:
            break
    if dear < 0 or not _exceeds(dear, least, best_sum, best_loss):
        return np.int64(-1)
    return dear


@njit(cache=True, nogil=True, counted=False)
def _dearest(k, begin, n, f):
    """What the k dearest rows of a list are charged; -1 if there are fewer than k."""
    left = np.int64(k)
    total = np.int64(0)
    for at in range(begin, begin + n):
        i = f.sets.lists[at]
        rows = min(left, f.charged[i, 0])
        total += rows * f.charged[i, 1]
        left -= rows
        if left == 0:
            return total
    return np.int64(-1)


@njit(cache=True, nogil=True, counted=False)
def _split(losses, point, sides, k, s, f):
    """Choose a side to halve the boxes of a set on; remember what is beyond its nearer half.

    Returns the side (-1: there is one box only), how far out the nearer half reaches, and what
    its k dearest rows are charged (-1: there are fewer).
    """
    sets = f.sets
    while True:
        side = widest_side(sides, s, sets)
        if side < 0:
            return side, np.int64(0), np.int64(-1)
        middle = (sets.inner[s, side] + sets.outer[s, side]) // 2
        within, beyond, farthest = sets.inner[s, side], NOBODY, sets.inner[s, side]
        left, near = np.int64(k), np.int64(0)
        begin, n = sets.facts[s, BEGIN], sets.facts[s, COUNT]
        for at in range(begin, begin + n):
            i = sets.lists[at]
            out = sets.away[side, i]
            if out > middle:
                beyond, farthest = min(beyond, out), max(farthest, out)
                continue
            within = max(within, out)
            rows = min(left, f.charged[i, 0])
            near += rows * f.charged[i, 1]
            left -= rows
        sets.work[0] += 2 * n
        if farthest == sets.outer[s, side]:
            sets.facts[s, BEYOND] = beyond
            return side, within, near if left == 0 else np.int64(-1)
        draw_in(losses, point, side, max(farthest, within), s, sets)


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
def find_cuts(
    tree,
    losses,
    by_level,
    lines,
    charges,
    order,
    reach,
    k,
    over,
    seeds,
    share,
    f,
    cells,
    counts,
    facts,
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
            tree, losses, by_level, lines, charges, order, reach, k, over, seeds[s], allowance, f
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
