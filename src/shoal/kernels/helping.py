"""Who helps a group to meet its rules: the cheapest free cell that brings an unmet one closer.

What a search for one row of a group saw serves for its next ones: costs only rise as a group grows.
"""

from __future__ import annotations

import numpy as np

from shoal.kernels.compiling import njit
from shoal.kernels.heaps import before
from shoal.kernels.losses import joined_loss, nearest_loss
from shoal.kernels.rules import helps, mark_helpful
from shoal.kernels.slots import BEGIN, COPIES, END, FIRST, FREE, IDS, LEFT, RIGHT

NO_LIMIT = np.int64(1) << 60
NONE = np.int64(-1)


@njit(cache=True, nogil=True, counted=False)
def most_helpful(tree, losses, rules, scratch):
    """The cheapest free cell that brings an unmet rule closer.

    What was seen for a row of the group serves for the next ones: costs only rise as it grows, so
    that those seen, and what was never opened, need another look only where they may be cheapest.
    """
    mark_helpful(rules, scratch.histogram, scratch.tally[0], scratch.tally[1], scratch.helpful)
    best = _cheapest_seen(tree, losses, rules, scratch)
    unseen, at = scratch.unseen, 0
    while at < scratch.listed[1]:
        node = unseen[1, at]
        if before(unseen[0, at], tree.nodes[node, FIRST], best[0], best[1]):
            low, high = tree.box[node, 0], tree.box[node, 1]
            bound = nearest_loss(losses, scratch.box[0], scratch.box[1], low, high, best[0])
            unseen[0, at] = bound
            if before(bound, tree.nodes[node, FIRST], best[0], best[1]):
                scratch.listed[1] -= 1
                last = scratch.listed[1]
                unseen[0, at], unseen[1, at] = unseen[0, last], unseen[1, last]
                best = _open(tree, losses, rules, node, bound, best, scratch)
                continue
        at += 1
    return best[2], best[0]


@njit(cache=True, nogil=True, inline="always")
def _cheapest_seen(tree, losses, rules, scratch):
    """Cost, id and position of the cheapest cell seen that brings a rule closer; -1 if none."""
    seen, at = scratch.seen, 0
    cost, id_, pick = NO_LIMIT, NO_LIMIT, NONE
    while at < scratch.listed[0]:
        if before(seen[0, at], seen[1, at], cost, id_):
            position = seen[2, at]
            if scratch.used[position] >= tree.cells[position, COPIES]:
                scratch.listed[0] -= 1
                for row in range(3):
                    seen[row, at] = seen[row, scratch.listed[0]]
                continue
            if helps(rules, position, scratch.histogram, scratch.tally[0], scratch.helpful):
                lo, hi = scratch.box[0], scratch.box[1]
                seen[0, at] = joined_loss(losses, lo, hi, tree.codes[position], cost)
                if before(seen[0, at], seen[1, at], cost, id_):
                    cost, id_, pick = seen[0, at], seen[1, at], position
        at += 1
    return cost, id_, pick


@njit(cache=True, nogil=True, inline="always")
def _open(tree, losses, rules, node, bound, best, scratch):
    """Look below a node for cells cheaper than ``best``; list what is seen, and what is not."""
    stack, bounds = scratch.trail[0], scratch.trail[1]
    lo, hi = scratch.box[0], scratch.box[1]
    seen, unseen = scratch.seen, scratch.unseen
    cost, id_, pick = best
    stack[0], bounds[0], top = node, bound, 1
    while top > 0:
        top -= 1
        node, bound = stack[top], bounds[top]
        if tree.nodes[node, FREE] == 0:
            continue
        if not before(bound, tree.nodes[node, FIRST], cost, id_):
            last = scratch.listed[1]
            unseen[0, last], unseen[1, last] = bound, node
            scratch.listed[1] += 1
            continue
        left, right = tree.nodes[node, LEFT], tree.nodes[node, RIGHT]
        if left >= 0:
            near = nearest_loss(losses, lo, hi, tree.box[left, 0], tree.box[left, 1], cost)
            far = nearest_loss(losses, lo, hi, tree.box[right, 0], tree.box[right, 1], cost)
            if far < near:
                left, right, near, far = right, left, far, near
            stack[top], bounds[top] = right, far
            stack[top + 1], bounds[top + 1] = left, near
            top += 2
            continue
        for i in range(tree.nodes[node, BEGIN], tree.nodes[node, END]):
            if scratch.used[i] >= tree.cells[i, COPIES]:
                continue
            least = bound
            if helps(rules, i, scratch.histogram, scratch.tally[0], scratch.helpful):
                least = joined_loss(losses, lo, hi, tree.codes[i], cost)
                if before(least, tree.cells[i, IDS], cost, id_):
                    cost, id_, pick = least, tree.cells[i, IDS], np.int64(i)
            last = scratch.listed[0]
            seen[0, last], seen[1, last], seen[2, last] = least, tree.cells[i, IDS], i
            scratch.listed[0] += 1
    return cost, id_, pick
