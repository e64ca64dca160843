"""What lies around one cell: its nearest rows, and all cells within a loss.

The same tree as for growing groups, asked from a single point: of every table of losses only
one row is read then, which stays in the processor's cache however large the table is.
"""

from __future__ import annotations

import numpy as np

from shoal.kernels.compiling import njit
from shoal.kernels.heaps import drop_max, push_max
from shoal.kernels.losses import TABLE, span_loss
from shoal.kernels.slots import BEGIN, COPIES, END, KIND, LEFT, OFFSET, RIGHT, SIZE

NO_LIMIT = np.int64(1) << 60
TOO_MANY = -1


@njit(cache=True, nogil=True, counted=False)
def point_rows(losses, point, rows):
    """Where the losses beside each code of ``point`` begin; -1 if they must be computed."""
    for j in range(point.size):
        at = losses.meta[j, OFFSET] + np.int64(point[j]) * losses.meta[j, SIZE]
        rows[j] = at if losses.meta[j, KIND] == TABLE else -1


@njit(cache=True, nogil=True, counted=False)
def cell_loss(losses, rows, point, codes, enough):
    """Loss of the box around two points; stops early at ``enough`` or more."""
    total = np.int64(0)
    for j in range(point.size):
        code = codes[j]
        if rows[j] >= 0:
            total += losses.values[rows[j] + code]
        else:
            total += span_loss(losses, j, min(point[j], code), max(point[j], code))
        if total >= enough:
            return total
    return total


@njit(cache=True, nogil=True, counted=False)
def node_loss(losses, rows, point, lo, hi, enough):
    """Least loss of a box around the point and any point between ``lo`` and ``hi``."""
    total = np.int64(0)
    for j in range(point.size):
        code = min(max(point[j], lo[j]), hi[j])
        if rows[j] >= 0:
            total += losses.values[rows[j] + code]
        else:
            total += span_loss(losses, j, min(point[j], code), max(point[j], code))
        if total >= enough:
            return total
    return total


@njit(cache=True, nogil=True, counted=False)
def nearest_rows(tree, losses, rows, point, need, most_visits, stack, bounds, costs, items):
    """Find the cells nearest to the point that hold ``need`` rows together, nearest first.

    Returns how many there are, and a loss that every cell not among them is at least away:
    beyond the last of them, or, after ``most_visits`` nodes, beyond what was left unvisited.
    """
    kept = np.int64(0)
    held = np.int64(0)
    worst = NO_LIMIT
    stack[0] = 0
    bounds[0] = 0
    top = 1
    visits = 0
    while top > 0 and visits < most_visits:
        top -= 1
        visits += 1
        if bounds[top] >= worst:
            continue
        node = stack[top]
        left, right = tree.nodes[node, LEFT], tree.nodes[node, RIGHT]
        if left >= 0:
            near = node_loss(losses, rows, point, tree.box[left, 0], tree.box[left, 1], worst)
            far = node_loss(losses, rows, point, tree.box[right, 0], tree.box[right, 1], worst)
            if far < near:
                left, right = right, left
                near, far = far, near
            stack[top], bounds[top] = right, far
            stack[top + 1], bounds[top + 1] = left, near
            top += 2
            continue
        for i in range(tree.nodes[node, BEGIN], tree.nodes[node, END]):
            cost = cell_loss(losses, rows, point, tree.codes[i], worst)
            if cost >= worst:
                continue
            kept = push_max(costs, items, items, kept, cost, i, i)
            held += tree.cells[i, COPIES]
            while held - tree.cells[items[0], COPIES] >= need:
                held -= tree.cells[items[0], COPIES]
                kept = drop_max(costs, items, items, kept)
            if held >= need:
                worst = costs[0]
    beyond = worst
    for i in range(top):
        beyond = min(beyond, bounds[i])
    _sort(costs, items, kept)
    return kept, beyond


@njit(cache=True, nogil=True, counted=False)
def _sort(costs, items, n):
    """Turn a max-heap into ascending order."""
    while n > 1:
        cost, item = costs[0], items[0]
        n = drop_max(costs, items, items, n)
        costs[n], items[n] = cost, item


@njit(cache=True, nogil=True, counted=False)
def cells_within(tree, losses, rows, point, limit, most_visits, stack, found):
    """Write positions of all cells less than ``limit`` away; return how many, and the visits.

    They are -1 if ``found`` or ``most_visits`` is too small for all of them.
    """
    stack[0] = 0
    top = 1
    count = np.int64(0)
    visits = 0
    while top > 0:
        top -= 1
        visits += 1
        if visits > most_visits:
            return TOO_MANY, visits
        node = stack[top]
        left, right = tree.nodes[node, LEFT], tree.nodes[node, RIGHT]
        if left >= 0:
            stack[top] = right
            near = node_loss(losses, rows, point, tree.box[right, 0], tree.box[right, 1], limit)
            top += near < limit
            stack[top] = left
            near = node_loss(losses, rows, point, tree.box[left, 0], tree.box[left, 1], limit)
            top += near < limit
            continue
        for i in range(tree.nodes[node, BEGIN], tree.nodes[node, END]):
            if cell_loss(losses, rows, point, tree.codes[i], limit) < limit:
                if count == found.size:
                    return TOO_MANY, visits
                found[count] = i
                count += 1
    return count, visits
