"""A kd-tree over boxes of codes that knows which of its cells are still free.

A cell is a distinct row with the number of its copies not yet grouped. Nodes keep the box
and the number of their free cells; both shrink as cells are taken, so that bounds stay tight.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.kernels.compiling import njit
from shoal.kernels.losses import span_loss
from shoal.kernels.slots import (
    BEGIN,
    COPIES,
    END,
    FIRST,
    FREE,
    IDS,
    LEAF,
    LEFT,
    PARENT,
    RIGHT,
    ROWS,
)

LEAF_SIZE = 8


class KdTree(NamedTuple):
    """Cells in tree order and the nodes above them; columns are named in `shoal.kernels.slots`."""

    codes: np.ndarray  # (cells, attributes) int32
    cells: np.ndarray  # id, copies still free, leaf node
    nodes: np.ndarray  # begin, end, left (-1: leaf), right, parent, free cells and rows, first id
    box: np.ndarray  # (nodes, low and high, attributes) of the free cells
    depth: np.ndarray  # one number: levels of the tree, for stacks


def build_tree(codes: np.ndarray, copies: np.ndarray, losses) -> KdTree:
    """Index cells; ``codes`` is (cells, attributes), ``copies`` how often each occurs."""
    codes = np.ascontiguousarray(codes, dtype=np.int32)
    order, *links = _split(codes, losses)
    nodes = np.zeros((links[0].size, 8), dtype=np.int64)
    for column, values in enumerate(links):
        nodes[:, column] = values
    tree = KdTree(
        codes=codes[order],
        cells=np.column_stack([order, copies[order], np.zeros_like(order)]).astype(np.int64),
        nodes=nodes,
        box=np.zeros((len(nodes), 2, codes.shape[1]), dtype=np.int32),
        depth=np.zeros(1, dtype=np.int64),
    )
    _finish(tree)
    return tree


@njit(cache=True, nogil=True)
def _split(codes, losses):
    n, d = codes.shape
    order = np.arange(n)
    most = max(1, 2 * n)  # equal codes stay together, so a leaf may hold a single cell
    begin = np.empty(most, np.int64)
    end = np.empty(most, np.int64)
    left = np.empty(most, np.int64)  # of what is not touched, nothing is held
    right = np.empty(most, np.int64)
    parent = np.empty(most, np.int64)
    begin[0] = 0
    end[0] = n
    left[0] = right[0] = parent[0] = -1
    nodes = 1
    done = 0
    buffer = np.empty(n, np.int32)
    scratch = np.empty(n, np.int64)
    while done < nodes:
        node = done
        done += 1
        b, e = begin[node], end[node]
        if e - b <= LEAF_SIZE:
            continue
        axis = _widest(codes, order, b, e, losses)
        if axis < 0:
            continue  # cells that differ in what rules look at only: one large leaf
        middle = _partition(codes, order, b, e, axis, buffer, scratch)
        for child in range(2):
            begin[nodes] = b if child == 0 else middle
            end[nodes] = middle if child == 0 else e
            parent[nodes] = node
            left[nodes] = right[nodes] = -1
            if child == 0:
                left[node] = nodes
            else:
                right[node] = nodes
            nodes += 1
    return order, begin[:nodes], end[:nodes], left[:nodes], right[:nodes], parent[:nodes]


@njit(cache=True, nogil=True, counted=False)
def _widest(codes, order, b, e, losses):
    d = codes.shape[1]
    best = -1
    best_loss = np.int64(-1)
    best_width = -1
    for j in range(d):
        lo = codes[order[b], j]
        hi = lo
        for i in range(b + 1, e):
            c = codes[order[i], j]
            lo = min(lo, c)
            hi = max(hi, c)
        if lo == hi:
            continue
        loss = span_loss(losses, j, lo, hi)
        if loss > best_loss or (loss == best_loss and hi - lo > best_width):
            best, best_loss, best_width = j, loss, hi - lo
    return best


@njit(cache=True, nogil=True, counted=False)
def _partition(codes, order, b, e, axis, buffer, scratch):
    """Put the smaller half by ``axis`` first, equal codes together; return where it ends."""
    n = e - b
    for i in range(n):
        buffer[i] = codes[order[b + i], axis]
    pivot = _select(buffer[:n], n // 2)
    below = 0
    upto = 0
    for i in range(b, e):
        c = codes[order[i], axis]
        below += c < pivot
        upto += c <= pivot
    strict = upto == n or (below > 0 and n // 2 - below < upto - n // 2)
    first = 0
    second = below if strict else upto
    middle = b + second
    for i in range(b, e):
        c = codes[order[i], axis]
        if c < pivot or (c == pivot and not strict):
            scratch[first] = order[i]
            first += 1
        else:
            scratch[second] = order[i]
            second += 1
    for i in range(n):
        order[b + i] = scratch[i]
    return middle


@njit(cache=True, nogil=True, counted=False)
def _select(values, rank):
    """The value that would stand at ``rank`` if ``values`` were sorted (reorders them)."""
    low, high = 0, values.size - 1
    while low < high:
        pivot = values[(low + high) // 2]
        i, j = low, high
        while i <= j:
            while values[i] < pivot:
                i += 1
            while values[j] > pivot:
                j -= 1
            if i <= j:
                swap = values[i]
                values[i] = values[j]
                values[j] = swap
                i += 1
                j -= 1
        if rank <= j:
            high = j
        elif rank >= i:
            low = i
        else:
            return values[rank]
    return values[low]


@njit(cache=True, nogil=True)
def _finish(tree):
    """Fill in every node from its cells; children stand after their parent."""
    level = np.ones(tree.nodes.shape[0], np.int64)
    tree.depth[0] = 1
    for node in range(1, tree.nodes.shape[0]):
        level[node] = level[tree.nodes[node, PARENT]] + 1
        tree.depth[0] = max(tree.depth[0], level[node])
    for node in range(tree.nodes.shape[0] - 1, -1, -1):
        if tree.nodes[node, LEFT] < 0:
            first = tree.cells[tree.nodes[node, BEGIN], IDS]
            for i in range(tree.nodes[node, BEGIN], tree.nodes[node, END]):
                tree.cells[i, LEAF] = node
                first = min(first, tree.cells[i, IDS])
            tree.nodes[node, FIRST] = first
        else:
            tree.nodes[node, FIRST] = min(
                tree.nodes[tree.nodes[node, LEFT], FIRST],
                tree.nodes[tree.nodes[node, RIGHT], FIRST],
            )
        _refresh(tree, node)


@njit(cache=True, nogil=True, counted=False)
def take(tree, position, count):
    """Use up copies of a cell; boxes and counts above it shrink when it is gone."""
    tree.cells[position, COPIES] -= count
    node = tree.cells[position, LEAF]
    gone = tree.cells[position, COPIES] == 0
    while node >= 0:
        if gone:
            _refresh(tree, node)
        else:
            tree.nodes[node, ROWS] -= count
        node = tree.nodes[node, PARENT]


@njit(cache=True, nogil=True, counted=False)
def _refresh(tree, node):
    d = tree.codes.shape[1]
    left, right = tree.nodes[node, LEFT], tree.nodes[node, RIGHT]
    if left >= 0:
        tree.nodes[node, FREE] = tree.nodes[left, FREE] + tree.nodes[right, FREE]
        tree.nodes[node, ROWS] = tree.nodes[left, ROWS] + tree.nodes[right, ROWS]
        one = left if tree.nodes[left, FREE] > 0 else right
        other = right if tree.nodes[right, FREE] > 0 else left
        for j in range(d):
            tree.box[node, 0, j] = min(tree.box[one, 0, j], tree.box[other, 0, j])
            tree.box[node, 1, j] = max(tree.box[one, 1, j], tree.box[other, 1, j])
        return
    free = 0
    rows = 0
    for i in range(tree.nodes[node, BEGIN], tree.nodes[node, END]):
        if tree.cells[i, COPIES] == 0:
            continue
        rows += tree.cells[i, COPIES]
        for j in range(d):
            c = tree.codes[i, j]
            if free == 0 or c < tree.box[node, 0, j]:
                tree.box[node, 0, j] = c
            if free == 0 or c > tree.box[node, 1, j]:
                tree.box[node, 1, j] = c
        free += 1
    tree.nodes[node, FREE] = free
    tree.nodes[node, ROWS] = rows


@njit(cache=True, nogil=True)
def gather_inside(tree, lo, hi, found):
    """Write positions of all free cells inside the box into ``found``; return how many."""
    stack = np.empty(tree.depth[0] + 2, np.int64)
    stack[0] = 0
    top = 1
    count = 0
    d = lo.size
    while top > 0:
        top -= 1
        node = stack[top]
        if tree.nodes[node, FREE] == 0:
            continue
        apart = False
        for j in range(d):
            if tree.box[node, 1, j] < lo[j] or tree.box[node, 0, j] > hi[j]:
                apart = True
                break
        if apart:
            continue
        if tree.nodes[node, LEFT] >= 0:
            stack[top] = tree.nodes[node, LEFT]
            stack[top + 1] = tree.nodes[node, RIGHT]
            top += 2
            continue
        for i in range(tree.nodes[node, BEGIN], tree.nodes[node, END]):
            if tree.cells[i, COPIES] == 0:
                continue
            inside = True
            for j in range(d):
                if tree.codes[i, j] < lo[j] or tree.codes[i, j] > hi[j]:
                    inside = False
                    break
            if inside:
                found[count] = i
                count += 1
    return count
