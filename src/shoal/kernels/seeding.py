"""Which group is made next: along a given order of rows, or the cheapest group first."""

from __future__ import annotations

import numpy as np

from shoal.kernels.compiling import njit
from shoal.kernels.growing import grow, grow_thrifty
from shoal.kernels.heaps import before, drop_min, sink_min
from shoal.kernels.helping import NO_LIMIT
from shoal.kernels.kdtree import gather_inside, take
from shoal.kernels.rules import all_met, count_in, may_break, wipe
from shoal.kernels.slots import COPIES, ROWS

PIECES, GROUPS, HEAP, NEXT, VAIN = 0, 1, 2, 3, 4  # slots of ``state``
IN_VAIN = 2  # times the cells: so many may join groups that come to nothing before all give up


@njit(cache=True, nogil=True, counted=False)
def group_in_order(tree, losses, rules, k, sequence, rank, copies, steps, scratch, pieces, state):
    """Seed groups along ``sequence`` (positions; ``rank`` counts the copies of one cell).

    Works off at most ``steps`` entries and returns; ``state`` remembers where it stopped.
    """
    at = state[NEXT]
    stop = min(sequence.size, at + steps)
    while at < stop:
        seed = sequence[at]
        taken = copies[seed] - tree.cells[seed, COPIES]
        if rank[at] >= taken and tree.nodes[0, ROWS] >= k:
            n, rows, loss = grow(tree, losses, rules, k, seed, scratch)
            if rows > 0:
                _publish(tree, n, scratch, pieces, state)
            elif _hopeless(tree, rules, n, loss, state):
                at = sequence.size
                break
        at += 1
    state[NEXT] = at


@njit(cache=True, nogil=True, counted=False)
def first_costs(tree, losses, rules, k, seeds, start, stop, scratch, costs):
    """Cost of the group that each of ``seeds[start:stop]`` would start; NO_LIMIT if none.

    Returns how many rows beyond k joined all these groups, one by one, or joined in vain.
    """
    beyond = np.int64(0)
    for i in range(start, stop):
        n, rows, loss = grow_thrifty(tree, losses, rules, k, seeds[i], scratch)
        costs[i] = loss if rows > 0 else NO_LIMIT
        beyond += rows - k if rows > 0 else n
    return beyond


@njit(cache=True, nogil=True, counted=False)
def group_cheapest_first(
    tree, losses, rules, k, costs, ids, items, lag, steps, absorb, scratch, found, pieces, state
):
    """Publish the cheapest group, again and again; ``costs, ids, items`` is a min-heap.

    Costs mostly rise while cells are taken, so an old cost is taken for a lower bound, which it
    need not be (decision 3): the cheapest is grown again and put back if it is not the cheapest
    any more, or, with a ``lag``, if the next was cheaper by more than that part of its cost.
    """
    waiting = state[HEAP]
    for _ in range(steps):
        if waiting == 0 or tree.nodes[0, ROWS] < k:
            waiting = 0
            break
        seed = items[0]
        if tree.cells[seed, COPIES] == 0:
            waiting = drop_min(costs, ids, items, waiting)
            continue
        n, rows, loss = grow_thrifty(tree, losses, rules, k, seed, scratch)
        if rows == 0:
            waiting = drop_min(costs, ids, items, waiting)
            if _hopeless(tree, rules, n, loss, state):
                waiting = 0
                break
            continue
        if loss > costs[0] and waiting > 1:
            rival = 1
            if waiting > 2 and before(costs[2], ids[2], costs[1], ids[1]):
                rival = 2
            excused = loss - loss // lag if lag > 0 else loss
            if before(costs[rival], ids[rival], excused, ids[0]):
                sink_min(costs, ids, items, waiting, loss, ids[0], seed)
                continue
        if tree.cells[seed, COPIES] == scratch.group[1, 0]:
            waiting = drop_min(costs, ids, items, waiting)
        _publish(tree, n, scratch, pieces, state)
        if absorb:
            _absorb(tree, rules, scratch, found, pieces, state)
    state[HEAP] = waiting


@njit(cache=True, nogil=True, inline="always")
def _hopeless(tree, rules, n, loss, state):
    """Whether too many cells joined in vain, where rules ask for those of whom none is left."""
    if loss == NO_LIMIT and may_break(rules):
        state[VAIN] += n
    return state[VAIN] > IN_VAIN * tree.cells.shape[0]


@njit(cache=True, nogil=True, counted=False)
def _publish(tree, n, scratch, pieces, state):
    group = state[GROUPS]
    for i in range(n):
        _add_piece(tree, scratch.group[0, i], scratch.group[1, i], group, pieces, state)
    state[GROUPS] = group + 1


@njit(cache=True, nogil=True, counted=False)
def _add_piece(tree, position, count, group, pieces, state):
    at = state[PIECES]
    pieces[at, 0] = position
    pieces[at, 1] = count
    pieces[at, 2] = group
    state[PIECES] = at + 1
    take(tree, position, count)


@njit(cache=True, nogil=True, inline="always")
def _absorb(tree, rules, scratch, found, pieces, state):
    """Take in every free row inside the box of the last group: it costs no extra loss."""
    group = state[GROUPS] - 1
    n = gather_inside(tree, scratch.box[0], scratch.box[1], found)
    guarded = may_break(rules)
    for i in range(n):
        count = tree.cells[found[i], COPIES]
        if guarded:
            count_in(rules, found[i], count, scratch.histogram, scratch.tally[0], scratch.tally[1])
            if not all_met(rules, scratch.histogram, scratch.tally[0], scratch.tally[1]):
                count_in(
                    rules, found[i], -count, scratch.histogram, scratch.tally[0], scratch.tally[1]
                )
                continue
        _add_piece(tree, found[i], count, group, pieces, state)
    if guarded:
        for i in range(n):
            wipe(rules, found[i], scratch.histogram)
