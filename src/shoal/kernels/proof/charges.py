"""Charges of rows: raised as far as known boxes allow, and lowered where a box says so."""

from __future__ import annotations

import numpy as np

from shoal.kernels.compiling import njit


@njit(cache=True, nogil=True)
def lower_charges(charges, floor, cells, counts, facts, k, firmly):
    """Lower the charges of each cut's rows towards the floor until its box is not overcharged.

    The floor itself overcharges no box. ``firmly`` lowers them to the floor at once.
    """
    for s in range(facts.shape[0]):
        n = facts[s, 0]
        above = np.int64(0)
        least = np.int64(0)
        for i in range(n):
            least += counts[s, i] * floor[cells[s, i]]
            above += counts[s, i] * (charges[cells[s, i]] - floor[cells[s, i]])
        room = k * facts[s, 1] - least
        if n == 0 or above <= room:
            continue
        part = 0.0 if firmly else max(0.0, np.float64(room) / np.float64(above))
        for i in range(n):
            c = cells[s, i]
            charges[c] = floor[c] + np.int64(part * np.float64(charges[c] - floor[c]))


@njit(cache=True, nogil=True)
def ascend(cut, cell, amount, starts, limits, copies, highest, steps, pace, charges, prices):
    """Raise the charges as far as some cuts allow; return means of charges and prices.

    Primal-dual steps (Chambolle and Pock 2011) with steps fitted to each row and column (Pock and
    Chambolle 2011) on: maximize ``copies @ charges`` such that the ``amount`` of every cut times
    the charges is at most its limit. ``prices`` are the multipliers of the cuts.
    """
    n, m = charges.size, limits.size
    step = np.zeros(n)
    stride = np.zeros(m)
    for e in range(cell.size):
        step[cell[e]] += amount[e]
        stride[cut[e]] += amount[e]
    step = pace / np.maximum(step, 1.0)
    stride = 1.0 / (stride * pace)
    ahead = charges.copy()
    slope = np.empty(n)
    mean_charges = np.zeros(n)
    mean_prices = np.zeros(m)
    for _ in range(steps):
        slope[:] = copies
        for r in range(m):
            total = -limits[r]
            for e in range(starts[r], starts[r + 1]):
                total += amount[e] * ahead[cell[e]]
            prices[r] = max(0.0, prices[r] + stride[r] * total)
            mean_prices[r] += prices[r]
            if prices[r] > 0.0:
                for e in range(starts[r], starts[r + 1]):
                    slope[cell[e]] -= amount[e] * prices[r]
        for c in range(n):
            new = min(highest[c], max(0.0, charges[c] + step[c] * slope[c]))
            ahead[c] = 2.0 * new - charges[c]
            charges[c] = new
            mean_charges[c] += new
    return mean_charges / steps, mean_prices / steps
