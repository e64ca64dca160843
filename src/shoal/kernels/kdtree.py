"""A kd-tree over boxes of codes that knows which of its cells are still free.

A cell is a distinct row with the number of its copies not yet grouped. Nodes keep the box
and the number of their free cells; both shrink as cells are taken, so that bounds stay tight.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from shoal.kernels.losses import span_loss

LEAF_SIZE = 8


class Tree(NamedTuple):
    """Cells in tree order (``codes``, ``ids``, ``copies``) and the nodes above them."""

    codes: np.ndarray  # (cells, attributes) int32
    ids: np.ndarray  # position -> cell id
    where: np.ndarray  # cell id -> position
    copies: np.ndarray  # position -> copies still free
    leaf: np.ndarray  # position -> node
    begin: np.ndarray
    end: np.ndarray
    left: np.ndarray  # -1 for leaves
    right: np.ndarray
    parent: np.ndarray
    lo: np.ndarray
    hi: np.ndarray
    free: np.ndarray  # free cells below the node
    rows: np.ndarray  # free copies below the node
    first: np.ndarray  # smallest id below the node: settles ties without a visit
    depth: np.ndarray  # one number: levels of the tree, for stacks


def build_tree(codes: np.ndarray, copies: np.ndarray, losses) -> Tree:
    """Index cells; ``codes`` is (cells, attributes), ``copies`` how often each occurs."""
    codes = np.ascontiguousarray(codes, dtype=np.int32)
    order, begin, end, left, right, parent = _split(codes, losses)
    inner = codes[order]
    where = np.empty_like(order)
    where[order] = np.arange(order.size)
    tree = Tree(
        codes=inner,
        ids=order,
        where=where,
        copies=np.ascontiguousarray(copies[order], dtype=np.int64),
        leaf=np.empty(order.size, dtype=np.int64),
        begin=begin,
        end=end,
        left=left,
        right=right,
        parent=parent,
        lo=np.empty((begin.size, codes.shape[1]), dtype=np.int32),
        hi=np.empty((begin.size, codes.shape[1]), dtype=np.int32),
        free=np.zeros(begin.size, dtype=np.int64),
        rows=np.zeros(begin.size, dtype=np.int64),
        first=np.zeros(begin.size, dtype=np.int64),
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
    left = np.full(most, -1, np.int64)
    right = np.full(most, -1, np.int64)
    parent = np.full(most, -1, np.int64)
    begin[0] = 0
    end[0] = n
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
        middle = _partition(codes, order, b, e, axis, buffer, scratch)
        for child in range(2):
            begin[nodes] = b if child == 0 else middle
            end[nodes] = middle if child == 0 else e
            parent[nodes] = node
            if child == 0:
                left[node] = nodes
            else:
                right[node] = nodes
            nodes += 1
    return order, begin[:nodes], end[:nodes], left[:nodes], right[:nodes], parent[:nodes]


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
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
    order[b:e] = scratch[:n]
    return middle


@njit(cache=True, nogil=True)
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
    level = np.ones(tree.begin.size, np.int64)
    for node in range(1, tree.begin.size):
        level[node] = level[tree.parent[node]] + 1
    tree.depth[0] = level.max()
    for node in range(tree.begin.size - 1, -1, -1):
        if tree.left[node] < 0:
            for i in range(tree.begin[node], tree.end[node]):
                tree.leaf[i] = node
            tree.first[node] = tree.ids[tree.begin[node] : tree.end[node]].min()
        else:
            tree.first[node] = min(tree.first[tree.left[node]], tree.first[tree.right[node]])
        _refresh(tree, node)


@njit(cache=True, nogil=True)
def take(tree, position, count):
    """Use up copies of a cell; boxes and counts above it shrink when it is gone."""
    tree.copies[position] -= count
    node = tree.leaf[position]
    gone = tree.copies[position] == 0
    while node >= 0:
        if gone:
            _refresh(tree, node)
        else:
            tree.rows[node] -= count
        node = tree.parent[node]


@njit(cache=True, nogil=True)
def _refresh(tree, node):
    d = tree.codes.shape[1]
    left, right = tree.left[node], tree.right[node]
    if left >= 0:
        tree.free[node] = tree.free[left] + tree.free[right]
        tree.rows[node] = tree.rows[left] + tree.rows[right]
        one = left if tree.free[left] > 0 else right
        other = right if tree.free[right] > 0 else left
        for j in range(d):
            tree.lo[node, j] = min(tree.lo[one, j], tree.lo[other, j])
            tree.hi[node, j] = max(tree.hi[one, j], tree.hi[other, j])
        return
    free = 0
    rows = 0
    for i in range(tree.begin[node], tree.end[node]):
        if tree.copies[i] == 0:
            continue
        rows += tree.copies[i]
        for j in range(d):
            c = tree.codes[i, j]
            if free == 0 or c < tree.lo[node, j]:
                tree.lo[node, j] = c
            if free == 0 or c > tree.hi[node, j]:
                tree.hi[node, j] = c
        free += 1
    tree.free[node] = free
    tree.rows[node] = rows


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
        if tree.free[node] == 0:
            continue
        apart = False
        for j in range(d):
            if tree.hi[node, j] < lo[j] or tree.lo[node, j] > hi[j]:
                apart = True
                break
        if apart:
            continue
        if tree.left[node] >= 0:
            stack[top] = tree.left[node]
            stack[top + 1] = tree.right[node]
            top += 2
            continue
        for i in range(tree.begin[node], tree.end[node]):
            if tree.copies[i] == 0:
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
