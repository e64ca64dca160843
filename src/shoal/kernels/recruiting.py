"""A row that no group wants may find company: rows that larger groups can spare."""

from __future__ import annotations

import numpy as np

from shoal.kernels.compiling import njit
from shoal.kernels.losses import box_loss, joined_loss
from shoal.kernels.slots import CELL, COUNT, GROUP, SIZE
from shoal.kernels.splitting import cover

NO_COST = np.int64(1) << 60


@njit(cache=True, nogil=True)
def company_costs(groups, losses, k, piece):
    """Loss of the box around a piece and each other that is free or in a group larger than k."""
    codes = groups.codes[groups.pieces[piece, CELL]]
    costs = np.full(groups.pieces.shape[0], NO_COST, np.int64)
    for other in range(costs.size):
        g = groups.pieces[other, GROUP]
        if other != piece and (g < 0 or groups.state[g, SIZE] > k):
            cell = groups.pieces[other, CELL]
            costs[other] = joined_loss(losses, codes, codes, groups.codes[cell], NO_COST)
    return costs


@njit(cache=True, nogil=True)
def recruit(groups, losses, k, piece, candidates):
    """Grow a group of k around a piece out of what is free or spare; return (loss, rows taken).

    The cheapest candidate joins, again and again. The loss is `NO_COST` if there are too few.
    """
    taken = np.zeros(candidates.size, np.int64)
    spare = groups.state[:, SIZE] - k
    lo = groups.codes[groups.pieces[piece, CELL]].copy()
    hi = lo.copy()
    need = k - groups.pieces[piece, COUNT]
    loss = box_loss(losses, lo, hi)
    while need > 0:
        pick = -1
        cheapest = NO_COST
        for i in range(candidates.size):
            if _available(groups, spare, candidates[i], taken[i]) > 0:
                cell = groups.pieces[candidates[i], CELL]
                cost = joined_loss(losses, lo, hi, groups.codes[cell], cheapest)
                if cost < cheapest:
                    pick, cheapest = i, cost
        if pick < 0:
            return NO_COST, taken
        other = candidates[pick]
        count = min(need, _available(groups, spare, other, taken[pick]))
        taken[pick] += count
        need -= count
        if groups.pieces[other, GROUP] >= 0:
            spare[groups.pieces[other, GROUP]] -= count
        loss = cheapest
        cover(groups.codes, groups.pieces[other, CELL], lo, hi, np.bool_(False))
    return loss, taken


@njit(cache=True, nogil=True, counted=False)
def _available(groups, spare, piece, taken):
    """Rows of a piece that may still be taken."""
    left = groups.pieces[piece, COUNT] - taken
    g = groups.pieces[piece, GROUP]
    return left if g < 0 else min(left, spare[g])
