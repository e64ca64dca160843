"""Growing one group: the cheapest free cell joins until the group is large enough.

This is the inner step of SaNGreeA (Campan and Truta 2008; Malle et al. 2017) with the choices
of a full scan, found through the tree. Losses only grow as a group grows, so a cost that was
computed for a smaller box is a lower bound: one query fetches the best candidates, they are
re-evaluated lazily, and the tree is asked again only when a candidate costs more than what
the query left out.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.kernels.compiling import njit
from shoal.kernels.heaps import before, drop_max, drop_min, push_max, push_min, sink_min
from shoal.kernels.helping import NO_LIMIT, NONE, most_helpful
from shoal.kernels.losses import (
    FORBIDDEN,
    box_loss,
    joined_loss,
    loss_beside,
    nearest_from,
    nearest_loss,
    point_origins,
)
from shoal.kernels.rules import (
    DISTINCT,
    all_met,
    count_in,
    distinct_wanted,
    helps,
    mark_helpful,
    only_distinct_wanted,
    wipe,
)
from shoal.kernels.slots import BEGIN, COPIES, END, FIRST, FREE, IDS, LEFT, RIGHT, RULE, SIZE

ASK_AGAIN = np.int64(-2)
DONE, ANYBODY, NEWCOMERS, CHOOSY = 0, 1, 2, 3
# Numba compiles a kernel anew for every literal argument: typed constants avoid that.
ALL, ONLY_HELPFUL, NOT_YET = np.bool_(False), np.bool_(True), np.bool_(False)
POOL = 3  # candidates of thrifty growth, in multiples of the rows still needed
WAYS = 8  # ways of widening a box that are compared by price per row


class Scratch(NamedTuple):
    """Buffers of one thread, so that growing allocates nothing."""

    box: np.ndarray  # (4, attributes): low and high of the group, and of the group widened
    group: np.ndarray  # (2, members): positions and copies
    heap: np.ndarray  # (3, candidates): costs, ids, positions
    trail: np.ndarray  # (2, levels): nodes still to visit and their bounds
    used: np.ndarray  # position -> copies already in the group
    histogram: np.ndarray
    counted: np.ndarray  # (1,): members of the group that the histogram still speaks of
    tally: np.ndarray  # (2, rules): distinct values and rows counted
    helpful: np.ndarray
    border: np.ndarray  # (2,): cost and id of the best candidate the query left out
    ways: np.ndarray
    seen: np.ndarray  # (3, cells): least costs, ids, positions of cells seen for the group so far
    unseen: np.ndarray  # (2, nodes): least costs of what no search for the group has opened yet
    listed: np.ndarray  # (2,): how many are in these two lists
    point: np.ndarray  # (2, attributes): where losses beside a single cell begin, and its own place


def new_scratch(tree, rules, k: int) -> Scratch:
    """Allocate the buffers one thread needs."""
    n, d = tree.codes.shape
    slots = int(rules.meta[:, SIZE].sum())
    rows = int(tree.cells[:, COPIES].sum())
    counts = rules.meta[:, RULE] == DISTINCT
    wanted = max(2 * k, *rules.bound[counts].astype(np.int64).tolist(), 0)  # in a sample, k is less
    return Scratch(
        box=np.empty((4, d), np.int32),
        group=np.empty((2, rows), np.int64),  # rules may let copies of a cell in one by one
        heap=np.empty((3, min(n, 2 * wanted) + 4), np.int64),
        trail=np.empty((2, int(tree.depth[0]) + 2), np.int64),
        used=np.zeros(n, np.int64),
        histogram=np.zeros(slots, np.int64),
        counted=np.zeros(1, np.int64),
        tally=np.zeros((2, len(rules.meta)), np.int64),
        helpful=np.zeros(slots, np.bool_),
        border=np.empty(2, np.int64),
        ways=np.empty(WAYS, np.int64),
        seen=np.empty((3, 0 if counts.all() else n), np.int64),
        unseen=np.empty((2, 1 if counts.all() else len(tree.nodes)), np.int64),
        listed=np.zeros(2, np.int64),
        point=np.empty((2, d), np.int64),
    )


@njit(cache=True, nogil=True, counted=False)
def grow(tree, losses, rules, k, seed, scratch):
    """Grow a group from the cell at position ``seed``; return (members, rows, loss of its box).

    The cheapest free cell joins, again and again. Members and their copies are left in
    ``scratch``. If no group can be made, rows is 0 and the loss NO_LIMIT where nobody is left who
    brings a rule closer, FORBIDDEN where limits keep all out. Nothing is taken from the tree.
    """
    n, rows = _start(tree, rules, k, seed, scratch)
    loss = box_loss(losses, scratch.box[0], scratch.box[1])  # on a grid, a cell alone has a width
    waiting = 0  # candidates in the heap
    fetched = DONE  # whom the heap was filled for; DONE if it must be filled anew
    while True:
        step = _next_step(rules, k, rows, scratch)
        if step == DONE:
            break
        count = np.int64(1)
        if step == CHOOSY:
            position, cost = most_helpful(tree, losses, rules, scratch)
            fetched = DONE
        elif step == NEWCOMERS:
            if fetched != NEWCOMERS:
                waiting = _fetch_newcomers(tree, losses, rules, scratch)
                fetched = NEWCOMERS
            position, cost, waiting = _cheapest_newcomer(tree, losses, rules, scratch, waiting)
        else:
            if fetched != ANYBODY:
                waiting = query(tree, losses, rules, 2 * (k - rows), ALL, scratch)
                fetched = ANYBODY
            position, cost, waiting = _cheapest(tree, losses, scratch, waiting)
        if position == ASK_AGAIN:
            fetched = DONE
            continue
        if position == NONE or cost >= FORBIDDEN:
            nobody = position == NONE and step != ANYBODY
            rows, loss = np.int64(0), NO_LIMIT if nobody else np.int64(FORBIDDEN)
            break
        if step == ANYBODY:
            count = min(k - rows, tree.cells[position, COPIES] - scratch.used[position])
        loss = cost
        rows += count
        n = _join(tree, rules, position, count, n, scratch)
    _forget(n, scratch)
    return n, rows, loss


@njit(cache=True, nogil=True, counted=False)
def grow_thrifty(tree, losses, rules, k, seed, scratch):
    """Grow a group as `grow` does, but by the price per row instead of the price alone.

    Where the box must widen, the few cheapest ways are compared by what they cost for each row
    that could then join at no further cost. Candidates are the ``POOL * k`` nearest rows.
    """
    n, rows = _start(tree, rules, k, seed, scratch)
    loss = box_loss(losses, scratch.box[0], scratch.box[1])  # on a grid, a cell alone has a width
    pool = np.int64(0)
    waiting = NONE  # candidates in the heap while it holds newcomers, else none
    asked = False  # whether the pool was fetched for the box as it is
    widened = NOT_YET  # whether the box grew since the costs of the pool were computed
    while True:
        step = _next_step(rules, k, rows, scratch)
        if step == DONE:
            break
        count = np.int64(1)
        if step != ANYBODY:
            pool = np.int64(0)
        if step != NEWCOMERS:
            waiting = NONE
        if step == CHOOSY:
            position, cost = most_helpful(tree, losses, rules, scratch)
        elif step == NEWCOMERS:
            if waiting == NONE:
                waiting = _fetch_newcomers(tree, losses, rules, scratch)
            position, cost, waiting = _cheapest_newcomer(tree, losses, rules, scratch, waiting)
            if position == ASK_AGAIN:
                waiting = NONE
                continue
        else:
            if pool == 0:
                pool = query(tree, losses, rules, POOL * (k - rows), ALL, scratch)
                asked = True
                widened = NOT_YET
            position, cost, pool = _thriftiest(tree, losses, k - rows, loss, pool, widened, scratch)
            if position == NONE and not asked:
                pool = np.int64(0)
                continue
        if position == NONE or cost >= FORBIDDEN:
            nobody = position == NONE and step != ANYBODY
            rows, loss = np.int64(0), NO_LIMIT if nobody else np.int64(FORBIDDEN)
            break
        if step == ANYBODY:
            count = min(k - rows, tree.cells[position, COPIES] - scratch.used[position])
        asked = False
        widened = not _holds(scratch, tree.codes[position])
        loss = cost
        rows += count
        n = _join(tree, rules, position, count, n, scratch)
    _forget(n, scratch)
    return n, rows, loss


@njit(cache=True, nogil=True, counted=False)
def _start(tree, rules, k, seed, scratch):
    """Begin a group with the copies of one cell; leave room for the values rules still want."""
    for j in range(scratch.box[0].size):
        scratch.box[0, j] = tree.codes[seed, j]
        scratch.box[1, j] = tree.codes[seed, j]
    rows = min(k, tree.cells[seed, COPIES])
    if rules.meta.shape[0] > 0:
        for i in range(scratch.counted[0]):
            wipe(rules, scratch.group[0, i], scratch.histogram)
        scratch.tally[0, :] = 0
        scratch.tally[1, :] = 0
        scratch.unseen[:, 0] = 0  # the root
        scratch.listed[0], scratch.listed[1] = 0, 1
        rows = min(rows, max(1, k - distinct_wanted(rules, scratch.tally[0]) + 1))
    return _join(tree, rules, seed, rows, np.int64(0), scratch), rows


@njit(cache=True, nogil=True, counted=False)
def _join(tree, rules, position, count, n, scratch):
    for j in range(scratch.box[0].size):
        c = tree.codes[position, j]
        scratch.box[0, j] = min(scratch.box[0, j], c)
        scratch.box[1, j] = max(scratch.box[1, j], c)
    scratch.group[0, n] = position
    scratch.group[1, n] = count
    scratch.used[position] += count
    if rules.meta.shape[0] > 0:
        count_in(rules, position, count, scratch.histogram, scratch.tally[0], scratch.tally[1])
    return n + 1


@njit(cache=True, nogil=True, inline="always")
def _holds(scratch, codes):
    """Whether the box of the group holds a cell: it may widen at no cost, up to a limit."""
    for j in range(codes.size):
        if codes[j] < scratch.box[0, j] or codes[j] > scratch.box[1, j]:
            return False
    return True


@njit(cache=True, nogil=True, counted=False)
def _forget(n, scratch):
    for i in range(n):
        scratch.used[scratch.group[0, i]] = 0
    scratch.counted[0] = n


@njit(cache=True, nogil=True, counted=False)
def _next_step(rules, k, rows, scratch):
    """Whether the group is done, takes anybody, or only those who bring a rule closer.

    Those who do for rules about distinct values alone are newcomers: whoever is none any more will
    not be one again, so that one query serves for several.
    """
    if rules.meta.shape[0] == 0:
        return DONE if rows >= k else ANYBODY
    if all_met(rules, scratch.histogram, scratch.tally[0], scratch.tally[1]):
        return DONE if rows >= k else ANYBODY
    few_left = k - rows <= distinct_wanted(rules, scratch.tally[0])
    if not few_left and rows < k:
        return ANYBODY
    only = only_distinct_wanted(rules, scratch.histogram, scratch.tally[0], scratch.tally[1])
    return NEWCOMERS if only else CHOOSY


@njit(cache=True, nogil=True, counted=False)
def _fetch_newcomers(tree, losses, rules, scratch):
    """Fill the heap with the cheapest cells whose values are not in the group yet."""
    mark_helpful(rules, scratch.histogram, scratch.tally[0], scratch.tally[1], scratch.helpful)
    wanted = np.int64(distinct_wanted(rules, scratch.tally[0]))
    return query(tree, losses, rules, 2 * wanted, ONLY_HELPFUL, scratch)


@njit(cache=True, nogil=True, counted=False)
def _cheapest_newcomer(tree, losses, rules, scratch, waiting):
    """Take the newcomer that costs least now out of the heap; whoever is none is dropped."""
    while True:
        position, cost, waiting = _cheapest(tree, losses, scratch, waiting)
        if position < 0 or helps(
            rules, position, scratch.histogram, scratch.tally[0], scratch.helpful
        ):
            return position, cost, waiting


@njit(cache=True, nogil=True, inline="always")
def _thriftiest(tree, losses, need, loss, pool, widened, scratch):
    """Take the candidate with the least price per row out of the pool; return the rest's size.

    ``widened`` says whether the box grew since the costs of the pool were computed.
    """
    costs, ids, items = scratch.heap[0], scratch.heap[1], scratch.heap[2]
    lo, hi = scratch.box[0], scratch.box[1]
    pick = -1
    for i in range(pool):
        if widened:
            costs[i] = joined_loss(losses, lo, hi, tree.codes[items[i]], NO_LIMIT)
        if pick < 0 or before(costs[i], ids[i], costs[pick], ids[pick]):
            pick = i
    if pick < 0 or costs[pick] >= FORBIDDEN:
        return NONE, np.int64(0), np.int64(0)
    if costs[pick] > loss:
        pick = _best_value(tree, losses, need, loss, pool, scratch)
    position, cost = items[pick], costs[pick]
    pool -= 1
    items[pick], ids[pick], costs[pick] = items[pool], ids[pool], costs[pool]
    return position, cost, pool


@njit(cache=True, nogil=True, inline="always")
def _best_value(tree, losses, need, loss, pool, scratch):
    """Among the few cheapest candidates, the one with the least price for each row gained."""
    costs, ids, ways = scratch.heap[0], scratch.heap[1], scratch.ways
    n = np.int64(0)
    for i in range(pool):
        n = _rank_way(costs, ids, i, ways, n)
    pick = ways[0]
    best_price = costs[pick] - loss
    best_gain = min(need, _gain(tree, losses, pick, pool, scratch))
    for way in ways[1:n]:
        price = costs[way] - loss
        if costs[way] >= FORBIDDEN or price * best_gain >= best_price * need:
            break  # no gain is large enough for this price, nor for the higher ones after it
        gain = min(need, _gain(tree, losses, way, pool, scratch))
        if price * best_gain < best_price * gain:
            pick, best_price, best_gain = way, price, gain
    return pick


@njit(cache=True, nogil=True, inline="always")
def _rank_way(costs, ids, i, ranked, n):
    """Insert candidate ``i`` among the cheapest few, best first; return how many there are."""
    at = n
    if n == ranked.size:
        last = ranked[n - 1]
        if not before(costs[i], ids[i], costs[last], ids[last]):
            return n
        at -= 1
    while at > 0 and before(costs[i], ids[i], costs[ranked[at - 1]], ids[ranked[at - 1]]):
        ranked[at] = ranked[at - 1]
        at -= 1
    ranked[at] = i
    return min(n + 1, ranked.size)


@njit(cache=True, nogil=True, counted=False)
def _gain(tree, losses, way, pool, scratch):
    """Rows of the pool that could join at no further cost once the candidate has joined."""
    codes = tree.codes[scratch.heap[2, way]]
    lo, hi = scratch.box[2], scratch.box[3]
    for j in range(lo.size):
        lo[j] = min(scratch.box[0, j], codes[j])
        hi[j] = max(scratch.box[1, j], codes[j])
    rows = np.int64(0)
    limit = scratch.heap[0, way]
    for i in range(pool):
        item = scratch.heap[2, i]
        if scratch.heap[0, i] > limit:  # it would cost no less next to a wider box
            continue
        if joined_loss(losses, lo, hi, tree.codes[item], limit) <= limit:
            rows += tree.cells[item, COPIES] - scratch.used[item]
    return rows


@njit(cache=True, nogil=True, counted=False)
def _cheapest(tree, losses, scratch, waiting):
    """Take the candidate that costs least now out of the heap; -2: ask the tree, -1: none."""
    costs, ids, items = scratch.heap[0], scratch.heap[1], scratch.heap[2]
    while waiting > 0:
        item = items[0]
        id_ = ids[0]
        cost = joined_loss(losses, scratch.box[0], scratch.box[1], tree.codes[item], NO_LIMIT)
        if cost != costs[0]:
            best = waiting == 1
            if not best:
                rival = 1
                if waiting > 2 and before(costs[2], ids[2], costs[1], ids[1]):
                    rival = 2
                best = before(cost, id_, costs[rival], ids[rival])
            if not best:
                sink_min(costs, ids, items, waiting, cost, id_, item)
                continue
        if before(scratch.border[0], scratch.border[1], cost, id_):
            return ASK_AGAIN, cost, waiting
        waiting = drop_min(costs, ids, items, waiting)
        return item, cost, waiting
    if scratch.border[0] < NO_LIMIT:
        return ASK_AGAIN, np.int64(0), waiting
    return NONE, np.int64(0), waiting


@njit(cache=True, nogil=True, counted=False)
def query(tree, losses, rules, need, choosy, scratch):
    """Fill the heap with the cheapest free cells that hold ``need`` copies; set the border.

    While searching it is a max-heap of what to keep; at the end it is turned into a min-heap.
    """
    costs, ids, items = scratch.heap[0], scratch.heap[1], scratch.heap[2]
    stack, bounds = scratch.trail[0], scratch.trail[1]
    lo, hi = scratch.box[0], scratch.box[1]
    begins, origins = scratch.point[0], scratch.point[1]
    alone = _is_point(lo, hi) and point_origins(losses, lo, begins, origins)  # most groups begin so
    kept = np.int64(0)
    held = np.int64(0)
    full = False
    worst = NO_LIMIT
    worst_id = NO_LIMIT
    stack[0] = 0
    bounds[0] = 0
    top = 1
    while top > 0:
        top -= 1
        node = stack[top]
        if tree.nodes[node, FREE] == 0:
            continue
        if full and (
            bounds[top] > worst or (bounds[top] == worst and tree.nodes[node, FIRST] > worst_id)
        ):
            continue
        left = tree.nodes[node, LEFT]
        few = tree.nodes[node, END] - tree.nodes[node, BEGIN] <= lo.size
        if left >= 0 and not few:  # next to many attributes, bounds of few cells spare nobody
            right = tree.nodes[node, RIGHT]
            near, far = NO_LIMIT, NO_LIMIT
            for child in (right, left):
                far, near = near, _bound(tree, losses, child, alone, worst, scratch)
            if far < near:
                left, right = right, left
                near, far = far, near
            if far < NO_LIMIT:
                stack[top] = right
                bounds[top] = far
                top += 1
            if near < NO_LIMIT:
                stack[top] = left
                bounds[top] = near
                top += 1
            continue
        for i in range(tree.nodes[node, BEGIN], tree.nodes[node, END]):
            left_over = tree.cells[i, COPIES] - scratch.used[i]
            if left_over <= 0:
                continue
            if alone:
                cost = loss_beside(losses.values, begins, origins, tree.codes, i, worst)
            else:
                cost = joined_loss(losses, lo, hi, tree.codes[i], worst)
            if full and not before(cost, tree.cells[i, IDS], worst, worst_id):
                continue
            if choosy and not helps(rules, i, scratch.histogram, scratch.tally[0], scratch.helpful):
                continue
            if choosy:
                left_over = np.int64(1)
            kept = push_max(costs, ids, items, kept, cost, tree.cells[i, IDS], i)
            held += left_over
            while kept > 1 and held - _left(tree, scratch, items[0], choosy) >= need:
                held -= _left(tree, scratch, items[0], choosy)
                kept = drop_max(costs, ids, items, kept)
            if held >= need:
                full = True
                worst = costs[0]
                worst_id = ids[0]
    scratch.border[0] = worst if full else NO_LIMIT
    scratch.border[1] = worst_id if full else NO_LIMIT
    for i in range(1, kept):
        push_min(costs, ids, items, i, costs[i], ids[i], items[i])
    return kept


@njit(cache=True, nogil=True, inline="always")
def _is_point(lo, hi):
    for j in range(lo.size):
        if lo[j] < hi[j]:
            return False
    return True


@njit(cache=True, nogil=True, inline="always")
def _bound(tree, losses, node, alone, enough, scratch):
    """Least loss of the group's box once any free cell of a node joins it."""
    bound = NO_LIMIT
    lo, hi, begins, origins = scratch.box[0], scratch.box[1], scratch.point[0], scratch.point[1]
    if tree.nodes[node, FREE] > 0:
        if alone:
            bound = nearest_from(losses.values, begins, origins, lo, tree.box, node, enough)
        else:
            bound = nearest_loss(losses, lo, hi, tree.box[node, 0], tree.box[node, 1], enough)
    return bound


@njit(cache=True, nogil=True, counted=False)
def _left(tree, scratch, position, choosy):
    return np.int64(1) if choosy else tree.cells[position, COPIES] - scratch.used[position]
