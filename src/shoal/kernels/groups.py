"""Groups that can change: members as linked pieces, boxes, and an index to find neighbours.

A piece is a number of copies of one cell that sit in one group.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.kernels.compiling import njit
from shoal.kernels.losses import FORBIDDEN, box_loss, span_loss
from shoal.kernels.slots import (
    AFTER,
    AHEAD,
    BEGIN,
    CELL,
    COUNT,
    END,
    GROUP,
    HEAD,
    LEFT,
    LOSS,
    PARENT,
    RIGHT,
    SIZE,
)

LEAF_SIZE = 4
NOBODY = np.int64(-1)


class Groups(NamedTuple):
    """Pieces linked into groups, and the groups' boxes; columns are named in `slots`."""

    codes: np.ndarray  # (cells, attributes)
    pieces: np.ndarray  # cell, count, group, and the pieces after and ahead of it in the group
    state: np.ndarray  # (groups, 3): first piece, rows, loss of the box
    box: np.ndarray  # (groups, low and high, attributes)


class Index(NamedTuple):
    """A tree over group boxes; a node knows the largest low and the smallest high below it."""

    order: np.ndarray
    leaf: np.ndarray  # group -> node
    nodes: np.ndarray  # begin, end, left, right, parent
    box: np.ndarray  # (nodes, low and high, attributes)
    depth: np.ndarray


def make_groups(codes: np.ndarray, pieces: np.ndarray, n_groups: int, losses) -> Groups:
    """Link pieces (cell, count, group) into groups."""
    linked = np.full((len(pieces), 5), -1, dtype=np.int64)
    linked[:, :2] = pieces[:, :2]
    groups = Groups(
        codes=np.ascontiguousarray(codes, dtype=np.int32),
        pieces=linked,
        state=np.tile(np.array([-1, 0, 0], dtype=np.int64), (n_groups, 1)),
        box=np.zeros((n_groups, 2, codes.shape[1]), np.int32),
    )
    _link_all(groups, np.ascontiguousarray(pieces[:, 2]), losses)
    return groups


@njit(cache=True, nogil=True, counted=False)
def _link_all(groups, labels, losses):
    for piece in range(labels.size - 1, -1, -1):
        if labels[piece] >= 0:
            link(groups, piece, labels[piece])
    for g in range(groups.state.shape[0]):
        if groups.state[g, SIZE] > 0:
            tighten(groups, losses, g)


@njit(cache=True, nogil=True, counted=False)
def link(groups, piece, g):
    """Put a piece into a group (its box is the caller's business)."""
    first = groups.state[g, HEAD]
    groups.pieces[piece, GROUP] = g
    groups.pieces[piece, AFTER] = first
    groups.pieces[piece, AHEAD] = -1
    if first >= 0:
        groups.pieces[first, AHEAD] = piece
    groups.state[g, HEAD] = piece
    groups.state[g, SIZE] += groups.pieces[piece, COUNT]


@njit(cache=True, nogil=True, counted=False)
def unlink(groups, piece):
    """Take a piece out of its group (its box is the caller's business)."""
    g = groups.pieces[piece, GROUP]
    after, ahead = groups.pieces[piece, AFTER], groups.pieces[piece, AHEAD]
    if ahead >= 0:
        groups.pieces[ahead, AFTER] = after
    else:
        groups.state[g, HEAD] = after
    if after >= 0:
        groups.pieces[after, AHEAD] = ahead
    groups.pieces[piece, GROUP] = -1
    groups.state[g, SIZE] -= groups.pieces[piece, COUNT]


@njit(cache=True, nogil=True, counted=False)
def tighten(groups, losses, g):
    """Recompute a group's box and loss from its members."""
    d = groups.codes.shape[1]
    piece = groups.state[g, HEAD]
    first = True
    while piece >= 0:
        cell = groups.pieces[piece, CELL]
        for j in range(d):
            c = groups.codes[cell, j]
            if first or c < groups.box[g, 0, j]:
                groups.box[g, 0, j] = c
            if first or c > groups.box[g, 1, j]:
                groups.box[g, 1, j] = c
        first = False
        piece = groups.pieces[piece, AFTER]
    groups.state[g, LOSS] = (
        np.int64(0) if first else box_loss(losses, groups.box[g, 0], groups.box[g, 1])
    )


@njit(cache=True, nogil=True, counted=False)
def widen(groups, losses, g, cell):
    """Let a group's box grow around a cell."""
    for j in range(groups.codes.shape[1]):
        c = groups.codes[cell, j]
        groups.box[g, 0, j] = min(groups.box[g, 0, j], c)
        groups.box[g, 1, j] = max(groups.box[g, 1, j], c)
    groups.state[g, LOSS] = box_loss(losses, groups.box[g, 0], groups.box[g, 1])


def build_index(groups: Groups, losses, which: np.ndarray | None = None) -> Index:
    """Index all groups that have members, or those of ``which``."""
    alive = np.flatnonzero(groups.state[:, SIZE] > 0) if which is None else which.copy()
    order, *links = _split(groups.box, alive, losses)
    nodes = np.column_stack(links)
    index = Index(
        order=order,
        leaf=np.full(len(groups.state), -1, np.int64),
        nodes=nodes,
        box=np.zeros((len(nodes), 2, groups.box.shape[2]), np.int32),
        depth=np.zeros(1, np.int64),
    )
    _fill(index, groups)
    return index


@njit(cache=True, nogil=True)
def _split(box, order, losses):
    n = order.size
    d = box.shape[2]
    most = max(1, 4 * (n // LEAF_SIZE + 1))
    begin = np.zeros(most, np.int64)
    end = np.zeros(most, np.int64)
    left = np.full(most, -1, np.int64)
    right = np.full(most, -1, np.int64)
    parent = np.full(most, -1, np.int64)
    keys = np.empty((2, n), np.int64)
    spare = np.empty(n, np.int64)
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
            low = box[order[b], 0, j] + box[order[b], 1, j]
            high = low
            for i in range(b, e):
                middle = box[order[i], 0, j] + box[order[i], 1, j]
                low = min(low, middle)
                high = max(high, middle)
            if low < high:
                loss = span_loss(losses, j, low // 2, high // 2)
                if loss > best_loss:
                    best, best_loss = j, loss
        if best < 0:
            continue  # all centres coincide: one large leaf
        for i in range(b, e):
            keys[0, i] = box[order[i], 0, best] + box[order[i], 1, best]
        _sort(keys, order, spare, b, e)
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


@njit(cache=True, nogil=True, inline="always")
def _sort(keys, order, spare, b, e):
    """Sort ``order[b:e]`` by ``keys[0, b:e]``, equal keys as they stand: merging runs of runs.

    Numpy's own takes longer to compile than this whole file.
    """
    width = 1
    while width < e - b:
        for at in range(b, e):
            keys[1, at] = keys[0, at]
            spare[at] = order[at]
        for low in range(b, e, 2 * width):
            middle, high = min(low + width, e), min(low + 2 * width, e)
            one, other = low, middle
            for at in range(low, high):
                if other >= high or (one < middle and keys[1, one] <= keys[1, other]):
                    keys[0, at], order[at] = keys[1, one], spare[one]
                    one += 1
                else:
                    keys[0, at], order[at] = keys[1, other], spare[other]
                    other += 1
        width *= 2


@njit(cache=True, nogil=True)
def _fill(index, groups):
    level = np.ones(index.nodes.shape[0], np.int64)
    index.depth[0] = 1
    for node in range(1, index.nodes.shape[0]):
        level[node] = level[index.nodes[node, PARENT]] + 1
        index.depth[0] = max(index.depth[0], level[node])
    d = groups.box.shape[2]
    for node in range(index.nodes.shape[0] - 1, -1, -1):
        left = index.nodes[node, LEFT]
        if left >= 0:
            right = index.nodes[node, RIGHT]
            for j in range(d):
                index.box[node, 0, j] = max(index.box[left, 0, j], index.box[right, 0, j])
                index.box[node, 1, j] = min(index.box[left, 1, j], index.box[right, 1, j])
            continue
        for i in range(index.nodes[node, BEGIN], index.nodes[node, END]):
            g = index.order[i]
            index.leaf[g] = node
            for j in range(d):
                fresh = i == index.nodes[node, BEGIN]
                if fresh or groups.box[g, 0, j] > index.box[node, 0, j]:
                    index.box[node, 0, j] = groups.box[g, 0, j]
                if fresh or groups.box[g, 1, j] < index.box[node, 1, j]:
                    index.box[node, 1, j] = groups.box[g, 1, j]


@njit(cache=True, nogil=True, counted=False)
def loosen(index, groups, g):
    """Keep the nodes above a group valid after its box became smaller."""
    node = index.leaf[g]
    d = groups.box.shape[2]
    while node >= 0:
        changed = False
        for j in range(d):
            if groups.box[g, 0, j] > index.box[node, 0, j]:
                index.box[node, 0, j] = groups.box[g, 0, j]
                changed = True
            if groups.box[g, 1, j] < index.box[node, 1, j]:
                index.box[node, 1, j] = groups.box[g, 1, j]
                changed = True
        if not changed:
            return
        node = index.nodes[node, PARENT]


@njit(cache=True, nogil=True, counted=False)
def least_with(losses, lo, hi, low, high, enough):
    """Least loss of the box joined with any group below a node."""
    total = np.int64(0)
    for j in range(lo.size):
        total += span_loss(losses, j, min(lo[j], low[j]), max(hi[j], high[j]))
        if total > enough:
            return total
    return total


@njit(cache=True, nogil=True, counted=False)
def best_host(groups, index, losses, cell, count, but, limit, stack, bounds):
    """Group that takes in ``count`` copies of a cell at the least added loss, below ``limit``.

    Returns (group or -1 if limits rule out all, added loss, nodes visited). Taking in costs
    (size + count) * new - size * old, which is never less than count * new: the bound that
    prunes. Ties go to the smaller group number, which is a function of content.
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
        left = index.nodes[node, LEFT]
        if left >= 0:
            enough = best_added // count + 1
            right = index.nodes[node, RIGHT]
            near = least_with(losses, codes, codes, index.box[left, 0], index.box[left, 1], enough)
            far = least_with(losses, codes, codes, index.box[right, 0], index.box[right, 1], enough)
            if far < near:
                left, right = right, left
                near, far = far, near
            stack[top], bounds[top] = right, far
            stack[top + 1], bounds[top + 1] = left, near
            top += 2
            continue
        for i in range(index.nodes[node, BEGIN], index.nodes[node, END]):
            g = index.order[i]
            size = groups.state[g, SIZE]
            if g == but or size == 0:
                continue
            old = groups.state[g, LOSS]
            enough = (best_added + size * old) // (size + count) + 1
            new = least_with(losses, codes, codes, groups.box[g, 0], groups.box[g, 1], enough)
            if new >= FORBIDDEN:
                continue
            added = (size + count) * new - size * old
            if added < best_added or (added == best_added and g < best):
                best, best_added = g, added
    return best, best_added, visited
