"""Mondrian routing: cuts of quasi-identifiers, where the loss falls most."""

from __future__ import annotations

import numpy as np

from shoal.grouping import Cut, Cutter, CutTree, best_cut, grow_cuts
from shoal.spaces import Space, WeightedSpaces
from shoal.typing import FloatArray, IntArray


def learn_cuts(
    spaces: WeightedSpaces, codes: IntArray, most: float, copies: IntArray | None = None
) -> CutTree:
    """Learn a tree of cuts on a sample of rows (or of groups of ``copies`` rows each).

    A cut is rated as Mondrian rates it (LeFevre et al. 2006, by the loss of this package): rows
    on each side times the loss of the box that side spans. Each side keeps a tenth of the rows.
    """
    weights = np.ones(len(codes), dtype=np.int64) if copies is None else copies
    return grow_cuts(len(codes), most, loss_cutter(spaces, codes, weights), codes)


def loss_cutter(spaces: WeightedSpaces, codes: IntArray, copies: IntArray) -> Cutter:
    """Rate the cuts of all quasi-identifiers."""

    def best(rows: IntArray) -> Cut | None:
        found = [
            _best_cut(space, float(weight), axis, codes[rows, axis], copies[rows])
            for axis, (space, weight) in enumerate(zip(spaces.spaces, spaces.weights, strict=True))
        ]
        return max((cut for cut in found if cut is not None), default=None)

    return best


def _best_cut(
    space: Space, weight: float, axis: int, codes: IntArray, copies: IntArray
) -> Cut | None:
    values, which = np.unique(codes, return_inverse=True)
    if values.size < 2:
        return None
    upto = np.bincount(which, weights=copies).cumsum()
    gains = _gains(space, values, upto) * weight
    at = best_cut(gains, upto[:-1], int(upto[-1]))
    return None if at is None else Cut(float(gains[at]), axis, int(values[at]))


def _gains(space: Space, values: IntArray, upto: FloatArray) -> FloatArray:
    total, below = upto[-1], upto[:-1]
    low = space.loss(np.full(below.size, values[0]), values[:-1])
    high = space.loss(values[1:], np.full(below.size, values[-1]))
    whole = space.loss(values[:1], values[-1:])[0]
    gains: FloatArray = total * whole - below * low - (total - below) * high
    return gains
