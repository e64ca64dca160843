"""The cheapest box around a cell that holds k rows, by branch and bound.

A box is chosen one attribute at a time. In a hierarchy a box around the seed costs as much as
its dearest member beside the seed, so its choices are levels: everything up to a loss. Other
attributes are chosen in two steps, how far to the left and how far to the right. The last
attribute needs no branching: a window slides over what is left.

A member must fit under the best box known: what has been chosen so far, plus what the member
itself costs in the attributes not yet chosen, must stay below. Where fewer than k rows do,
the branch is dead.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.kernels.compiling import njit
from shoal.kernels.losses import SPARSE, TABLE, span_loss
from shoal.kernels.slots import COPIES, KIND, REACH_AT, SIZE

LEVEL, LEFT, RIGHT = 0, 1, 2
NO_CHOICE = np.int64(1) << 60


class Branches(NamedTuple):
    """Buffers of one thread's searches: candidates, and the stages of choosing a box.

    The candidates that a stage may use come first in ``order``; narrower choices only move
    candidates about within that range, so a stage finds its own again when it is done.
    """

    excess: np.ndarray  # (attributes, candidates): loss beside the seed, beyond the seed's own
    rest: np.ndarray  # sum of the excess in attributes not chosen yet
    order: np.ndarray
    rank: np.ndarray  # number of the candidate's code among all codes of the last attribute
    held: np.ndarray  # rank -> rows
    window: np.ndarray  # rank -> code
    weight: np.ndarray  # attribute -> sum of the excess
    attribute: np.ndarray  # of each stage
    kind: np.ndarray  # of each stage
    count: np.ndarray  # candidates of each stage
    chosen: np.ndarray  # loss of all choices before each stage
    choice: np.ndarray  # of each stage: how far from the seed
    wider: np.ndarray  # the next choice of each stage


@njit(cache=True, nogil=True, counted=False)
def cheapest_box(
    tree, losses, by_level, rows, point, k, best, cells, n, most_work, branches, start, upper
):
    """Loss of the cheapest box around the point with k of the rows in ``cells``, below ``best``.

    Returns the loss (``best`` if there is no cheaper box) and the work done; the loss is only
    proven to be the least if the work is less than ``most_work``. Whenever a cheaper box is
    found, its members learn of it in ``upper``, which begins at position ``start``.
    """
    total = np.int64(0)
    for i in range(n):
        total += tree.cells[cells[i], COPIES]
    if total < k:
        return best, np.int64(n)
    own = _measure(tree, losses, rows, point, cells, n, branches)
    stages, last = _plan(by_level, point.size, branches)
    codes, middle = _rank(tree, point, last, cells, n, branches)
    work = np.int64(n * point.size)
    branches.count[0] = n
    branches.chosen[0] = own
    t = _enter(branches, np.int64(0), stages)
    while t >= 0 and work < most_work:
        work += 2 * branches.count[t]
        if t == stages:
            best = _slide(
                tree, losses, point, k, best, cells, t, last, codes, middle, branches, start, upper
            )
            t -= 1
            continue
        choice = branches.wider[t]
        cost = _cost(losses, point, t, choice, branches)
        room = best - branches.chosen[t] - cost
        if room <= 0:
            t = _leave(branches, t)
            continue
        branches.choice[t] = choice
        if branches.kind[t] == LEVEL:
            held = _keep_level(tree, cells, t, choice, room, branches)
        else:
            held = _keep_side(tree, losses, point, cells, t, choice, room, branches)
        if held >= k:
            branches.chosen[t + 1] = branches.chosen[t] + cost
            t = _enter(branches, t + 1, stages)
    return best, work


@njit(cache=True, nogil=True, inline="always")
def _measure(tree, losses, rows, point, cells, n, branches):
    """Set each candidate's excess, by attribute and in total; return the seed's own loss."""
    own = np.int64(0)
    branches.rest[:n] = 0
    for j in range(point.size):
        alone = span_loss(losses, j, point[j], point[j])
        own += alone
        total = np.int64(0)
        for i in range(n):
            code = tree.codes[cells[i], j]
            if rows[j] >= 0:
                excess = losses.values[rows[j] + code] - alone
            else:
                excess = span_loss(losses, j, min(point[j], code), max(point[j], code)) - alone
            branches.excess[j, i] = excess
            branches.rest[i] += excess
            total += excess
        branches.weight[j] = total
    for i in range(n):
        branches.order[i] = i
    return own


@njit(cache=True, nogil=True, inline="always")
def _plan(by_level, d, branches):
    """Lay out the stages: what tells candidates apart most comes first, levels before sides."""
    stages = np.int64(0)
    last = -1
    weight = branches.weight
    for j in range(d):
        if not by_level[j] and weight[j] > 0 and (last < 0 or weight[j] > weight[last]):
            last = j
    for kind in (LEVEL, LEFT):
        first = stages
        for j in range(d):
            if j == last or weight[j] == 0 or by_level[j] != (kind == LEVEL):
                continue
            at = stages
            while at > first and weight[branches.attribute[at - 1]] < weight[j]:
                branches.attribute[at] = branches.attribute[at - 1]
                at -= 1
            branches.attribute[at] = j
            stages += 1
        branches.kind[first:stages] = kind
    if last < 0 and stages > 0:
        stages -= 1
        return stages, branches.attribute[stages]
    return _two_sided(branches, stages), max(last, 0)


@njit(cache=True, nogil=True, inline="always")
def _two_sided(branches, stages):
    """Follow every stage to the left by one to the right; return the new number of stages."""
    sides = np.int64(0)
    for t in range(stages):
        sides += branches.kind[t] == LEFT
    at = stages + sides
    for t in range(stages - 1, stages - sides - 1, -1):
        for kind in (RIGHT, LEFT):
            at -= 1
            branches.attribute[at] = branches.attribute[t]
            branches.kind[at] = kind
    return stages + sides


@njit(cache=True, nogil=True, inline="always")
def _rank(tree, point, last, cells, n, branches):
    """Number the codes of the last attribute; return how many there are and the seed's number."""
    window = branches.window
    for i in range(n):
        window[i] = tree.codes[cells[i], last]
    _sort(window, n)
    codes = 1
    for i in range(1, n):
        if window[i] != window[codes - 1]:
            window[codes] = window[i]
            codes += 1
    for i in range(n):
        branches.rank[i] = _number(window, codes, tree.codes[cells[i], last])
    return codes, _number(window, codes, point[last])


@njit(cache=True, nogil=True, inline="always")
def _sort(values, n):
    """Sort the first n (Shell 1959, with Knuth's gaps: numpy's takes a second to compile)."""
    gap = 1
    while 3 * gap < n:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, n):
            value = values[i]
            at = i
            while at >= gap and values[at - gap] > value:
                values[at] = values[at - gap]
                at -= gap
            values[at] = value
        gap //= 3


@njit(cache=True, nogil=True, counted=False)
def _number(window, codes, code):
    """Where a code stands, or would stand, among the first ``codes`` of the window."""
    low, high = np.int64(0), np.int64(codes)
    while low < high:
        middle = (low + high) // 2
        if window[middle] < code:
            low = middle + 1
        else:
            high = middle
    return low


@njit(cache=True, nogil=True, counted=False)
def _enter(branches, t, stages):
    """Begin a stage with its narrowest choice; its attribute no longer counts as unchosen."""
    branches.wider[t] = 0
    if t < stages and branches.kind[t] != RIGHT:
        excess = branches.excess[branches.attribute[t]]
        for at in range(branches.count[t]):
            i = branches.order[at]
            branches.rest[i] -= excess[i]
    return t


@njit(cache=True, nogil=True, inline="always")
def _leave(branches, t):
    """Give up a stage that has no choice left; return the one before."""
    if branches.kind[t] != RIGHT:
        excess = branches.excess[branches.attribute[t]]
        for at in range(branches.count[t]):
            i = branches.order[at]
            branches.rest[i] += excess[i]
    return t - 1


@njit(cache=True, nogil=True, inline="always")
def _cost(losses, point, t, choice, branches):
    """What a choice adds to the loss of the box."""
    kind = branches.kind[t]
    if kind == LEVEL or choice == NO_CHOICE:
        return choice
    j = branches.attribute[t]
    if kind == LEFT:
        own = span_loss(losses, j, point[j], point[j])
        return span_loss(losses, j, point[j] - choice, point[j]) - own
    left = point[j] - branches.choice[t - 1]
    return span_loss(losses, j, left, point[j] + choice) - span_loss(losses, j, left, point[j])


@njit(cache=True, nogil=True, inline="always")
def _keep_level(tree, cells, t, choice, room, branches):
    """Move the candidates up to a level that have room to the front; return their rows.

    No rows if none lies at that very level: a narrower choice has done all that then.
    """
    order, rest = branches.order, branches.rest
    excess = branches.excess[branches.attribute[t]]
    kept = np.int64(0)
    held = np.int64(0)
    tight = False
    wider = NO_CHOICE
    for at in range(branches.count[t]):
        i = order[at]
        if excess[i] > choice:
            wider = min(wider, excess[i])
        elif rest[i] < room:
            order[at] = order[kept]
            order[kept] = i
            kept += 1
            held += tree.cells[cells[i], COPIES]
            tight |= excess[i] == choice
    branches.wider[t] = wider
    branches.count[t + 1] = kept
    return held if tight else np.int64(0)


@njit(cache=True, nogil=True, inline="always")
def _keep_side(tree, losses, point, cells, t, choice, room, branches):
    """As `_keep_level`, for how many codes a span reaches to the left or to the right."""
    order, rest = branches.order, branches.rest
    j = branches.attribute[t]
    side = 1 if branches.kind[t] == RIGHT else -1
    left = point[j] - choice
    from_left = span_loss(losses, j, left, point[j]) if side < 0 else np.int64(0)
    kept = np.int64(0)
    held = np.int64(0)
    tight = False
    wider = NO_CHOICE
    for at in range(branches.count[t]):
        i = order[at]
        code = tree.codes[cells[i], j]
        far = max(np.int64(0), side * (code - point[j]))
        if far > choice:
            wider = min(wider, far)
            continue
        need = rest[i]
        if side < 0 and code > point[j]:  # what reaching to the right will cost from here
            need += span_loss(losses, j, left, code) - from_left
        if need < room:
            order[at] = order[kept]
            order[kept] = i
            kept += 1
            held += tree.cells[cells[i], COPIES]
            tight |= far == choice
    branches.wider[t] = wider
    branches.count[t + 1] = kept
    return held if tight else np.int64(0)


@njit(cache=True, nogil=True, inline="always")
def _slide(tree, losses, point, k, best, cells, t, last, codes, middle, branches, start, upper):
    """Slide a window with k rows over the last attribute; return the least loss known then."""
    held, window = branches.held, branches.window
    held[:codes] = 0
    for at in range(branches.count[t]):
        i = branches.order[at]
        held[branches.rank[i]] += tree.cells[cells[i], COPIES]
    chosen = branches.chosen[t] - span_loss(losses, last, point[last], point[last])
    x, y = middle, codes - 1
    inside = np.int64(0)
    for i in range(middle, codes):
        inside += held[i]
    best_x, best_y = -1, -1
    while chosen + span_loss(losses, last, window[x], window[middle]) < best:
        while y > middle and inside - held[y] >= k:
            inside -= held[y]
            y -= 1
        loss = chosen + span_loss(losses, last, window[x], window[y])
        if inside >= k and loss < best:
            best, best_x, best_y = loss, x, y
        x -= 1
        if x < 0:
            break
        inside += held[x]
    if best_x >= 0:
        _tell(cells, t, best, best_x, best_y, branches, start, upper)
    return best


@njit(cache=True, nogil=True, inline="always")
def _tell(cells, t, best, x, y, branches, start, upper):
    """Tell all members of a box what it costs: none of them needs a dearer one."""
    for at in range(branches.count[t]):
        i = branches.order[at]
        known = cells[i] - start
        if x <= branches.rank[i] <= y and 0 <= known < upper.size:
            upper[known] = min(upper[known], best)


@njit(cache=True, nogil=True)
def costs_by_level(losses):
    """Tell which attributes cost as much in a span as the dearer of its two halves.

    Hierarchies do: the lowest common ancestor is that of one of the two.
    """
    d = losses.meta.shape[0]
    by_level = np.zeros(d, np.bool_)
    for j in range(d):
        if losses.meta[j, KIND] == TABLE:
            by_level[j] = _table_by_level(losses, j)
        elif losses.meta[j, KIND] == SPARSE:
            by_level[j] = _limited_by_walls(losses, j)
    return by_level


@njit(cache=True, nogil=True, inline="always")
def _table_by_level(losses, j):
    for a in range(losses.meta[j, SIZE]):
        if span_loss(losses, j, a, a) != 0:
            return False
        for b in range(a + 1, losses.meta[j, SIZE]):
            halves = max(span_loss(losses, j, a, b - 1), span_loss(losses, j, b - 1, b))
            if span_loss(losses, j, a, b) != halves:
                return False
    return True


@njit(cache=True, nogil=True, inline="always")
def _limited_by_walls(losses, j):
    """Whether no permitted span crosses the end of another."""
    at = losses.meta[j, REACH_AT]
    if at < 0:
        return True
    for a in range(losses.meta[j, SIZE] - 1):
        end = losses.reach[at + a]
        if end != a and end != losses.reach[at + a + 1]:
            return False
    return True
