"""Mondrian: the whole table is cut in two, and the parts again, as long as the loss falls."""

from __future__ import annotations

import numpy as np

from shoal.kernels.compiling import njit
from shoal.kernels.losses import box_loss
from shoal.kernels.slots import COUNT
from shoal.kernels.splitting import apply_split, best_split, cover


@njit(cache=True, nogil=True)
def cut_some(codes, pieces, losses, rules, k, pool, ranges, state, steps, work):
    """Cut up to ``steps`` parts; ``ranges[state[0]:state[1]]`` are still to be looked at.

    ``pool`` holds cells in part order; a part that cannot be cut with a gain stays as it is.
    Here every cell is a piece of its own.
    """
    lo = np.empty(codes.shape[1], np.int32)
    hi = np.empty(codes.shape[1], np.int32)
    for _ in range(steps):
        at, parts = state[0], state[1]
        if at == parts:
            return
        begin, end = ranges[at, 0], ranges[at, 1]
        rows = np.int64(0)
        for i in range(begin, end):
            cover(codes, pool[i], lo, hi, i == begin)
            rows += pieces[pool[i], COUNT]
        whole = rows * box_loss(losses, lo, hi)
        part = pool[begin:end]
        first, _ = best_split(codes, pieces, losses, rules, k, part, whole, work)
        if first == 0:
            state[0] += 1
            continue
        middle = begin + apply_split(part, work)
        ranges[at, 1] = middle
        ranges[parts, 0] = middle
        ranges[parts, 1] = end
        state[1] += 1
