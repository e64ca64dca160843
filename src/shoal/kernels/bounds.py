"""What each cell costs at least in any grouping: the cheapest box around it that holds k rows."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.kernels.cheapest_box import Branches, cheapest_box
from shoal.kernels.compiling import njit
from shoal.kernels.losses import box_loss
from shoal.kernels.nearest import NO_LIMIT, TOO_MANY, cells_within, nearest_rows, point_rows
from shoal.kernels.slots import COPIES

MOST_CANDIDATES = 20_000
NEAREST = 3  # times k rows, the first candidates for the cheapest box


class Finder(NamedTuple):
    """Buffers of one thread."""

    stack: np.ndarray
    bounds: np.ndarray
    rows: np.ndarray
    lo: np.ndarray
    hi: np.ndarray
    losses: np.ndarray  # of the nearest cells
    nearest: np.ndarray
    candidates: np.ndarray
    branches: Branches


def new_finder(tree, k: int) -> Finder:
    """Allocate the buffers one thread needs."""
    n, d = tree.codes.shape
    depth = int(tree.depth[0]) + 2
    first = min(n, NEAREST * k) + 2
    most = max(first, min(n, MOST_CANDIDATES))
    stages = 2 * d + 1
    return Finder(
        stack=np.empty(depth, np.int64),
        bounds=np.empty(depth, np.int64),
        rows=np.empty(d, np.int64),
        lo=np.empty(d, np.int32),
        hi=np.empty(d, np.int32),
        losses=np.empty(first, np.int64),
        nearest=np.empty(first, np.int64),
        candidates=np.empty(most, np.int64),
        branches=Branches(
            excess=np.empty((d, most), np.int64),
            rest=np.empty(most, np.int64),
            order=np.empty(most, np.int64),
            rank=np.empty(most, np.int64),
            held=np.empty(most, np.int64),
            window=np.empty(most, np.int64),
            weight=np.empty(d, np.int64),
            attribute=np.empty(stages, np.int64),
            kind=np.empty(stages, np.int64),
            count=np.empty(stages, np.int64),
            chosen=np.empty(stages, np.int64),
            choice=np.empty(stages, np.int64),
            wider=np.empty(stages, np.int64),
        ),
    )


@njit(cache=True, nogil=True, counted=False)
def cheapest_costs(tree, losses, by_level, k, start, share, finder, upper, costs):
    """Set ``costs`` of as many cells from ``start`` on as ``upper`` has: the least loss of a box.

    A box with k rows, that is; no cell costs more than its ``upper``, which learns on the way.

    ``share`` is the work each cell may take on average; one cell may take many times that as
    long as the others leave it. Where it does not suffice, the loss of the box around the cell
    and its k-th nearest row stands in, which is never more. A cell without a permitted box can
    only be suppressed, and that loses all of every attribute, never more.
    """
    stop = start + upper.size
    purse = share * upper.size
    for at in range(start, stop):
        allowance = 8 * purse // (stop - at)
        cost, work = _cost(tree, losses, by_level, k, at, share, allowance, finder, start, upper)
        costs[at] = cost
        purse -= min(purse, work)


@njit(cache=True, nogil=True, inline="always")
def _cost(tree, losses, by_level, k, at, share, allowance, f, start, upper):
    point = tree.codes[at]
    if tree.cells[at, COPIES] >= k:
        return box_loss(losses, point, point), np.int64(0)
    point_rows(losses, point, f.rows)
    n, beyond = nearest_rows(
        tree, losses, f.rows, point, NEAREST * k, share, f.stack, f.bounds, f.losses, f.nearest
    )
    least, dear = _around_nearest(tree, losses, k, n, f)
    least = min(least, beyond)
    best = min(upper[at - start], dear)
    if least >= best:
        return best, np.int64(0)
    best, work = cheapest_box(
        tree,
        losses,
        by_level,
        f.rows,
        point,
        k,
        best,
        f.nearest,
        n,
        allowance,
        f.branches,
        start,
        upper,
    )
    if work < allowance and best <= beyond:
        return best, work
    m, visits = cells_within(tree, losses, f.rows, point, best, allowance, f.stack, f.candidates)
    work += 10 * visits
    if m == TOO_MANY or work >= allowance:
        return least, work
    best, more = cheapest_box(
        tree,
        losses,
        by_level,
        f.rows,
        point,
        k,
        best,
        f.candidates,
        m,
        allowance - work,
        f.branches,
        start,
        upper,
    )
    if more >= allowance - work:
        best = least
    return best, work + more


@njit(cache=True, nogil=True, inline="always")
def _around_nearest(tree, losses, k, n, f):
    """Loss beside the k-th nearest row, and of the box around the k nearest."""
    held = np.int64(0)
    for i in range(n):
        codes = tree.codes[f.nearest[i]]
        for j in range(f.lo.size):
            f.lo[j] = min(f.lo[j], codes[j]) if i > 0 else codes[j]
            f.hi[j] = max(f.hi[j], codes[j]) if i > 0 else codes[j]
        held += tree.cells[f.nearest[i], COPIES]
        if held >= k:
            return f.losses[i], box_loss(losses, f.lo, f.hi)
    return NO_LIMIT, NO_LIMIT
