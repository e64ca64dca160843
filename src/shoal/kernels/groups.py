"""Groups that can change: members as linked pieces, boxes, and an index to find neighbours.

A piece is a number of copies of one cell that sit in one group.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from shoal.kernels.losses import FORBIDDEN, box_loss, span_loss

LEAF_SIZE = 4
NOBODY = np.int64(-1)


class Groups(NamedTuple):
    """Pieces (``cell``, ``count``, ``group``, linked by ``after`` / ``ahead``) and group boxes."""

    codes: np.ndarray  # (cells, attributes)
    cell: np.ndarray
    count: np.ndarray
    group: np.ndarray
    after: np.ndarray
    ahead: np.ndarray
    head: np.ndarray
    size: np.ndarray
    lo: np.ndarray
    hi: np.ndarray
    loss: np.ndarray


class Index(NamedTuple):
    """A tree over group boxes; a node knows the largest low and the smallest high below it."""

    order: np.ndarray
    leaf: np.ndarray  # group -> node
    begin: np.ndarray
    end: np.ndarray
    left: np.ndarray
    right: np.ndarray
    parent: np.ndarray
    low: np.ndarray
    high: np.ndarray
    depth: np.ndarray


def make_groups(codes: np.ndarray, pieces: np.ndarray, n_groups: int, losses) -> Groups:
    """Link pieces (cell, count, group) into groups."""
    n, d = pieces.shape[0], codes.shape[1]
    groups = Groups(
        codes=np.ascontiguousarray(codes, dtype=np.int32),
        cell=pieces[:, 0].copy(),
        count=pieces[:, 1].copy(),
        group=np.full(n, -1, np.int64),
        after=np.full(n, -1, np.int64),
        ahead=np.full(n, -1, np.int64),
        head=np.full(n_groups, -1, np.int64),
        size=np.zeros(n_groups, np.int64),
        lo=np.zeros((n_groups, d), np.int32),
        hi=np.zeros((n_groups, d), np.int32),
        loss=np.zeros(n_groups, np.int64),
    )
    _link_all(groups, np.ascontiguousarray(pieces[:, 2]))
    _boxes(groups, losses)
    return groups


@njit(cache=True, nogil=True)
def _link_all(groups, labels):
    for piece in range(labels.size - 1, -1, -1):
        if labels[piece] >= 0:
            link(groups, piece, labels[piece])


@njit(cache=True, nogil=True)
def _boxes(groups, losses):
    for g in range(groups.size.size):
        if groups.size[g] > 0:
            tighten(groups, losses, g)


@njit(cache=True, nogil=True)
def link(groups, piece, g):
    """Put a piece into a group (its box is the caller's business)."""
    first = groups.head[g]
    groups.group[piece] = g
    groups.after[piece] = first
    groups.ahead[piece] = -1
    if first >= 0:
        groups.ahead[first] = piece
    groups.head[g] = piece
    groups.size[g] += groups.count[piece]


@njit(cache=True, nogil=True)
def unlink(groups, piece):
    """Take a piece out of its group (its box is the caller's business)."""
    g = groups.group[piece]
    after, ahead = groups.after[piece], groups.ahead[piece]
    if ahead >= 0:
        groups.after[ahead] = after
    else:
        groups.head[g] = after
    if after >= 0:
        groups.ahead[after] = ahead
    groups.group[piece] = -1
    groups.size[g] -= groups.count[piece]


@njit(cache=True, nogil=True)
def tighten(groups, losses, g):
    """Recompute a group's box and loss from its members."""
    d = groups.codes.shape[1]
    piece = groups.head[g]
    first = True
    while piece >= 0:
        cell = groups.cell[piece]
        for j in range(d):
            c = groups.codes[cell, j]
            if first or c < groups.lo[g, j]:
                groups.lo[g, j] = c
            if first or c > groups.hi[g, j]:
                groups.hi[g, j] = c
        first = False
        piece = groups.after[piece]
    groups.loss[g] = np.int64(0) if first else box_loss(losses, groups.lo[g], groups.hi[g])


@njit(cache=True, nogil=True)
def widen(groups, losses, g, cell):
    """Let a group's box grow around a cell."""
    for j in range(groups.codes.shape[1]):
        c = groups.codes[cell, j]
        groups.lo[g, j] = min(groups.lo[g, j], c)
        groups.hi[g, j] = max(groups.hi[g, j], c)
    groups.loss[g] = box_loss(losses, groups.lo[g], groups.hi[g])


def build_index(groups: Groups, losses) -> Index:
    """Index all groups that have members."""
    alive = np.flatnonzero(groups.size > 0)
    order, begin, end, left, right, parent = _split(groups.lo, groups.hi, alive, losses)
    d = groups.lo.shape[1]
    index = Index(
        order=order,
        leaf=np.full(groups.size.size, -1, np.int64),
        begin=begin,
        end=end,
        left=left,
        right=right,
        parent=parent,
        low=np.empty((begin.size, d), np.int32),
        high=np.empty((begin.size, d), np.int32),
        depth=np.zeros(1, np.int64),
    )
    _fill(index, groups)
    return index


@njit(cache=True, nogil=True)
def _split(lo, hi, order, losses):
    n = order.size
    d = lo.shape[1]
    most = max(1, 4 * (n // LEAF_SIZE + 1))
    begin = np.zeros(most, np.int64)
    end = np.zeros(most, np.int64)
    left = np.full(most, -1, np.int64)
    right = np.full(most, -1, np.int64)
    parent = np.full(most, -1, np.int64)
    end[0] = n
    nodes = 1
    done = 0
    while done < nodes:
        node = done
        done += 1
        b, e = begin[node], end[node]
        if e - b <= LEAF_SIZE:
            continue
        best = -1
        best_loss = np.int64(-1)
        for j in range(d):
            low = lo[order[b], j] + hi[order[b], j]
            high = low
            for i in range(b, e):
                middle = lo[order[i], j] + hi[order[i], j]
                low = min(low, middle)
                high = max(high, middle)
            if low < high:
                loss = span_loss(losses, j, low // 2, high // 2)
                if loss > best_loss:
                    best, best_loss = j, loss
        if best < 0:
            continue  # all centres coincide: one large leaf
        middles = lo[order[b:e], best] + hi[order[b:e], best]
        ranked = np.argsort(middles, kind="mergesort")
        order[b:e] = order[b:e][ranked]
        cut = b + (e - b) // 2
        for child in range(2):
            begin[nodes] = b if child == 0 else cut
            end[nodes] = cut if child == 0 else e
            parent[nodes] = node
            if child == 0:
                left[node] = nodes
            else:
                right[node] = nodes
            nodes += 1
    return order, begin[:nodes], end[:nodes], left[:nodes], right[:nodes], parent[:nodes]


@njit(cache=True, nogil=True)
def _fill(index, groups):
    level = np.ones(index.begin.size, np.int64)
    for node in range(1, index.begin.size):
        level[node] = level[index.parent[node]] + 1
    index.depth[0] = level.max()
    d = groups.lo.shape[1]
    for node in range(index.begin.size - 1, -1, -1):
        left = index.left[node]
        if left >= 0:
            right = index.right[node]
            for j in range(d):
                index.low[node, j] = max(index.low[left, j], index.low[right, j])
                index.high[node, j] = min(index.high[left, j], index.high[right, j])
            continue
        for i in range(index.begin[node], index.end[node]):
            g = index.order[i]
            index.leaf[g] = node
            for j in range(d):
                fresh = i == index.begin[node]
                if fresh or groups.lo[g, j] > index.low[node, j]:
                    index.low[node, j] = groups.lo[g, j]
                if fresh or groups.hi[g, j] < index.high[node, j]:
                    index.high[node, j] = groups.hi[g, j]


@njit(cache=True, nogil=True)
def loosen(index, groups, g):
    """Keep the nodes above a group valid after its box became smaller."""
    node = index.leaf[g]
    d = groups.lo.shape[1]
    while node >= 0:
        changed = False
        for j in range(d):
            if groups.lo[g, j] > index.low[node, j]:
                index.low[node, j] = groups.lo[g, j]
                changed = True
            if groups.hi[g, j] < index.high[node, j]:
                index.high[node, j] = groups.hi[g, j]
                changed = True
        if not changed:
            return
        node = index.parent[node]


@njit(cache=True, nogil=True)
def _least(losses, lo, hi, low, high, enough):
    """Least loss of the box joined with any group below a node."""
    total = np.int64(0)
    for j in range(lo.size):
        total += span_loss(losses, j, min(lo[j], low[j]), max(hi[j], high[j]))
        if total > enough:
            return total
    return total


@njit(cache=True, nogil=True)
def best_host(groups, index, losses, cell, count, but, limit, stack, bounds):
    """Group that takes in ``count`` copies of a cell at the least added loss, below ``limit``.

    Returns (group or -1 if limits rule out all, added loss). Taking in costs (size + count) * new - size * old,
    which is never less than count * new: the bound that prunes. Ties go to the smaller group
    number, which is a function of content.
    """
    codes = groups.codes[cell]
    best = NOBODY
    best_added = limit
    stack[0] = 0
    bounds[0] = 0
    top = 1
    visited = 0
    while top > 0:
        top -= 1
        if bounds[top] * count > best_added:
            continue
        node = stack[top]
        visited += 1
        left = index.left[node]
        if left >= 0:
            enough = best_added // count + 1
            right = index.right[node]
            near = _least(losses, codes, codes, index.low[left], index.high[left], enough)
            far = _least(losses, codes, codes, index.low[right], index.high[right], enough)
            if far < near:
                left, right = right, left
                near, far = far, near
            stack[top], bounds[top] = right, far
            stack[top + 1], bounds[top + 1] = left, near
            top += 2
            continue
        for i in range(index.begin[node], index.end[node]):
            g = index.order[i]
            size = groups.size[g]
            if g == but or size == 0:
                continue
            old = groups.loss[g]
            enough = (best_added + size * old) // (size + count) + 1
            new = _least(losses, codes, codes, groups.lo[g], groups.hi[g], enough)
            if new >= FORBIDDEN:
                continue
            added = (size + count) * new - size * old
            if added < best_added or (added == best_added and g < best):
                best, best_added = g, added
    return best, best_added, visited


@njit(cache=True, nogil=True)
def nearest_groups(groups, index, losses, g, wanted, stack, bounds, costs, found):
    """The ``wanted`` groups whose merger with ``g`` has the least loss; cheapest first."""
    lo, hi = groups.lo[g], groups.hi[g]
    n = 0
    worst = np.int64(1) << 60
    stack[0] = 0
    bounds[0] = 0
    top = 1
    while top > 0:
        top -= 1
        if n == wanted and bounds[top] > worst:
            continue
        node = stack[top]
        left = index.left[node]
        if left >= 0:
            right = index.right[node]
            near = _least(losses, lo, hi, index.low[left], index.high[left], worst)
            far = _least(losses, lo, hi, index.low[right], index.high[right], worst)
            if far < near:
                left, right = right, left
                near, far = far, near
            stack[top], bounds[top] = right, far
            stack[top + 1], bounds[top + 1] = left, near
            top += 2
            continue
        for i in range(index.begin[node], index.end[node]):
            h = index.order[i]
            if h == g or groups.size[h] == 0:
                continue
            cost = _least(losses, lo, hi, groups.lo[h], groups.hi[h], worst)
            if n == wanted and (cost > worst or (cost == worst and h > found[n - 1])):
                continue
            at = n if n < wanted else n - 1
            while at > 0 and (
                costs[at - 1] > cost or (costs[at - 1] == cost and found[at - 1] > h)
            ):
                costs[at], found[at] = costs[at - 1], found[at - 1]
                at -= 1
            costs[at], found[at] = cost, h
            n = min(n + 1, wanted)
            if n == wanted:
                worst = costs[n - 1]
    return n
