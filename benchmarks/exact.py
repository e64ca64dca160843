"""The best grouping of a few rows, by trying every set of them."""

from __future__ import annotations

import numba
import numpy as np

from shoal.grouping import Problem
from shoal.typing import FloatArray, IntArray


def least_loss(problem: Problem) -> float:
    """Loss of the best grouping of at most a dozen rows; nobody is left out."""
    codes, spaces = problem.spaces.codes, problem.spaces
    n = len(codes)
    sets = np.arange(1, 1 << n)
    inside = (sets[:, None] >> np.arange(n)) & 1 == 1
    lo = np.where(inside[:, :, None], codes, codes.max() + 1).min(axis=1)
    hi = np.where(inside[:, :, None], codes, -1).max(axis=1)
    losses = spaces.loss_by_attribute(lo, hi).sum(axis=1)
    costs = np.append(np.inf, np.where(inside.sum(axis=1) >= problem.k, losses, np.inf))
    costs[1:] *= inside.sum(axis=1)
    return float(_best_partition(costs, sets) / (n * len(spaces.spaces)))


@numba.njit
def _best_partition(costs: FloatArray, sets: IntArray) -> float:
    best = np.full(costs.size, np.inf)
    best[0] = 0.0
    for left in sets:
        first = left & -left
        rest = left ^ first
        subset = rest
        while True:
            group = subset | first
            best[left] = min(best[left], costs[group] + best[left ^ group])
            if subset == 0:
                break
            subset = (subset - 1) & rest
    return best[costs.size - 1]
