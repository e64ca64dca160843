"""SaNGreeA as the paper writes it: every pick looks at every free row. The naive baseline.

Same losses, same orders and same tie rule as `shoal.SaNGreeA`, so the groups are the same; only
the search is not. It is compiled too, and it is not clumsy: the loss beside each code is tabulated
once for each pick, so that a row costs one look-up per attribute.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from shoal.grouping import Problem
from shoal.table import Grouping


def group_by_scanning(problem: Problem, order: str = "common") -> Grouping:
    """Group the rows of a problem by full scans; its columns must have 1,024 codes or fewer.

    Groups start at the most common rows (``common``) or by a hash of the rows (``content``), which
    is the paper's order without its dependence on row positions.
    """
    cell = problem.cells.of_row  # cells are numbered most common first
    rows = np.argsort(cell if order == "common" else problem.table.row_hash(), kind="stable")
    codes = np.ascontiguousarray(problem.spaces.codes[rows])
    losses = problem.spaces.losses
    sizes, starts = losses.meta[:, 1].copy(), losses.meta[:, 2].copy()
    labels = np.empty(rows.size, dtype=np.int64)
    labels[rows] = _scan(codes, cell[rows], losses.values, starts, sizes, problem.k)
    return Grouping(labels)


@njit(cache=True, nogil=True)
def _scan(codes, cells, tables, starts, sizes, k):
    n, d = codes.shape
    labels = np.full(n, -1, np.int64)
    free = np.arange(n)
    beside = np.empty((d, sizes.max()), np.int64)
    boxes = np.empty((n // k + 1, 2, d), np.int32)
    groups = 0
    while free.size >= k:
        box = boxes[groups]
        box[0] = codes[free[0]]
        box[1] = box[0]
        labels[free[0]] = groups
        for _ in range(k - 1):
            _tabulate(box, tables, starts, sizes, beside)
            pick = _cheapest(codes, cells, free, labels, beside)
            labels[pick] = groups
            box[0] = np.minimum(box[0], codes[pick])
            box[1] = np.maximum(box[1], codes[pick])
        free = free[labels[free] < 0]
        groups += 1
    _disperse(codes, free, labels, boxes[:groups], tables, starts, sizes)
    return labels


@njit(cache=True, nogil=True)
def _tabulate(box, tables, starts, sizes, beside):
    """Loss of each attribute once a code joins the box."""
    for j in range(sizes.size):
        for code in range(sizes[j]):
            low, high = min(box[0, j], code), max(box[1, j], code)
            beside[j, code] = tables[starts[j] + low * sizes[j] + high]


@njit(cache=True, nogil=True)
def _cheapest(codes, cells, free, labels, beside):
    pick, least = np.int64(-1), np.int64(1) << 60
    for row in free:
        if labels[row] >= 0:
            continue
        loss = np.int64(0)
        for j in range(codes.shape[1]):
            loss += beside[j, codes[row, j]]
        if loss < least or (loss == least and cells[row] < cells[pick]):
            pick, least = row, loss
    return pick


@njit(cache=True, nogil=True)
def _disperse(codes, free, labels, boxes, tables, starts, sizes):
    """Give each row that is left to the group where it adds least."""
    counts = np.bincount(labels[labels >= 0])
    for row in free:
        host, least = -1, np.int64(1) << 60
        for group in range(boxes.shape[0]):
            old, new = np.int64(0), np.int64(0)
            for j in range(sizes.size):
                low, high = boxes[group, 0, j], boxes[group, 1, j]
                wide, code = starts[j], codes[row, j]
                old += tables[wide + low * sizes[j] + high]
                new += tables[wide + min(low, code) * sizes[j] + max(high, code)]
            added = (counts[group] + 1) * new - counts[group] * old
            if added < least:
                host, least = group, added
        labels[row] = host
        counts[host] += 1
        boxes[host, 0] = np.minimum(boxes[host, 0], codes[row])
        boxes[host, 1] = np.maximum(boxes[host, 1], codes[row])
