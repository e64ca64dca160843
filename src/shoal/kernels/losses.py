"""Losses of boxes of codes, as whole numbers.

Leaves of every attribute are numbered so that the loss of a span never falls as the span
widens (hierarchies in depth-first order, numbers by value). A group is then a box of codes,
its loss a sum of look-ups, and nearest corners give exact lower bounds.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.kernels.compiling import njit
from shoal.kernels.slots import FULL, KIND, MISSING, OFFSET, REACH_AT, SIZE

TABLE, LINEAR, SPARSE = 0, 1, 2
FORBIDDEN = 1 << 30  # more than all permitted losses together: a span that a limit rules out


class Losses(NamedTuple):
    """Loss of every span of every attribute, flat.

    Row j of ``meta`` describes attribute j (`shoal.kernels.slots`). Its KIND says how
    ``values[OFFSET:]`` is read: a symmetric SIZE x SIZE table of losses; a running position per
    code (loss = difference; MISSING, if >= 0, is a last code that costs FULL next to any other);
    or a sparse table of running maxima of the losses between neighbours.
    ``reach[REACH_AT + a]`` is the last code a span that starts at ``a`` may end at (REACH_AT < 0:
    no limit; tables have limits baked in).
    """

    meta: np.ndarray
    values: np.ndarray
    reach: np.ndarray


@njit(cache=True, nogil=True, counted=False)
def span_loss(losses, j, a, b):
    kind = losses.meta[j, KIND]
    base = losses.meta[j, OFFSET]
    if kind == 0:
        return np.int64(losses.values[base + a * losses.meta[j, SIZE] + b])
    if a == b:
        return np.int64(0)
    at = losses.meta[j, REACH_AT]
    if at >= 0 and b > losses.reach[at + a]:
        return np.int64(FORBIDDEN)
    if kind == 1:
        if b == losses.meta[j, MISSING]:
            return np.int64(losses.meta[j, FULL])
        return np.int64(losses.values[base + b] - losses.values[base + a])
    width = b - a
    level = 0
    while (2 << level) <= width:
        level += 1
    row = base + level * losses.meta[j, SIZE]
    return np.int64(max(losses.values[row + a], losses.values[row + b - (1 << level)]))


@njit(cache=True, nogil=True, counted=False)
def box_loss(losses, lo, hi):
    total = np.int64(0)
    for j in range(lo.size):
        total += span_loss(losses, j, lo[j], hi[j])
    return total


@njit(cache=True, nogil=True, counted=False)
def joined_loss(losses, lo, hi, codes, enough):
    """Loss of the box once ``codes`` joins it; stops early at ``enough`` or more."""
    total = np.int64(0)
    for j in range(lo.size):
        c = codes[j]
        total += span_loss(losses, j, min(lo[j], c), max(hi[j], c))
        if total > enough:
            return total
    return total


@njit(cache=True, nogil=True, counted=False)
def merged_loss(losses, lo, hi, other_lo, other_hi, enough):
    """Loss of the smallest box around two boxes; stops early at ``enough`` or more."""
    total = np.int64(0)
    for j in range(lo.size):
        total += span_loss(losses, j, min(lo[j], other_lo[j]), max(hi[j], other_hi[j]))
        if total > enough:
            return total
    return total


@njit(cache=True, nogil=True, counted=False)
def nearest_loss(losses, lo, hi, node_lo, node_hi, enough):
    """Least loss the box can have once any code of the node's box joins it."""
    total = np.int64(0)
    for j in range(lo.size):
        a = lo[j]
        b = hi[j]
        if node_hi[j] < a:
            a = node_hi[j]
        elif node_lo[j] > b:
            b = node_lo[j]
        total += span_loss(losses, j, a, b)
        if total > enough:
            return total
    return total


@njit(cache=True, nogil=True, counted=False)
def point_origins(losses, point, begins, origins):
    """Prepare to ask for losses of boxes that begin at one point; say whether that can be done.

    The loss of the span to a code is then how far ``values[begins[j] + code]`` is from
    ``origins[j]``: one place is read instead of six, and nothing is decided. It cannot be done
    where one attribute is sparse, or a line with limits or missing values.
    """
    for j in range(point.size):
        base, kind = losses.meta[j, OFFSET], losses.meta[j, KIND]
        if kind == TABLE:
            begins[j], origins[j] = base + np.int64(point[j]) * losses.meta[j, SIZE], 0
        elif kind == LINEAR and losses.meta[j, REACH_AT] < 0 and losses.meta[j, MISSING] < 0:
            begins[j], origins[j] = base, losses.values[base + point[j]]
        else:
            return False
    return True


@njit(cache=True, nogil=True, inline="always")
def loss_beside(values, begins, origins, codes, i, enough):
    """`joined_loss` of a box that is one point and the cell ``i``: see `point_origins`.

    Whether it is enough is asked at every fourth attribute; places are unsigned, for numba looks
    whether others are negative.
    """
    total = np.int64(0)
    d = begins.size
    fours = d - d % 4
    for first in range(0, fours, 4):
        for j in range(first, first + 4):
            total += abs(values[np.uint64(begins[j] + codes[i, j])] - origins[j])
        if total > enough:
            break
    else:
        for j in range(fours, d):
            total += abs(values[np.uint64(begins[j] + codes[i, j])] - origins[j])
    return total


@njit(cache=True, nogil=True, inline="always")
def nearest_from(values, begins, origins, point, box, node, enough):
    """`nearest_loss` of a box that is one point and that of a node, as `loss_beside`."""
    total = np.int64(0)
    d = begins.size
    fours = d - d % 4
    for first in range(0, fours, 4):
        for j in range(first, first + 4):
            code = min(max(point[j], box[node, 0, j]), box[node, 1, j])
            total += abs(values[np.uint64(begins[j] + code)] - origins[j])
        if total > enough:
            break
    else:
        for j in range(fours, d):
            code = min(max(point[j], box[node, 0, j]), box[node, 1, j])
            total += abs(values[np.uint64(begins[j] + code)] - origins[j])
    return total
