"""Numbers become a few classes: cuts are chosen from counts alone."""

from __future__ import annotations

import math

import numpy as np

from shoal.typing import FloatArray, IntArray

GRID = 4096  # cells that a column of more distinct numbers is laid on first
BINS = 10  # classes of a numeric target


def mdl_cuts(counts: IntArray) -> list[int]:
    """Cut ordered values where that shortens the description of the classes.

    The recursive entropy cuts of Fayyad and Irani (1993), which stop by the principle of minimal
    description length. ``counts[v, c]`` says how often value v comes with class c; a cut at i
    separates the values before i from value i on. A column that says nothing gets no cut.

    >>> import numpy as np
    >>> young, old = [40, 0], [0, 40]
    >>> mdl_cuts(np.array([young, young, old, old]))
    [2]
    >>> mdl_cuts(np.array([[20, 20], [20, 20], [20, 20]]))
    []
    """
    upto = np.concatenate([np.zeros((1, counts.shape[1]), dtype=np.int64), counts.cumsum(axis=0)])
    cuts: list[int] = []
    parts = [(0, len(counts))]
    while parts:
        begin, end = parts.pop()
        cut = _best_cut(upto, begin, end)
        if cut is not None:
            cuts.append(cut)
            parts += [(begin, cut), (cut, end)]
    return sorted(cuts)


def equal_frequency_cuts(counts: IntArray, bins: int = BINS) -> list[int]:
    """Cut ordered values into at most ``bins`` classes of about as many rows each.

    >>> import numpy as np
    >>> equal_frequency_cuts(np.array([5, 5, 5, 5]), bins=2)
    [2]
    """
    if len(counts) <= bins:
        return list(range(1, len(counts)))
    upto = np.cumsum(counts)
    marks = np.arange(1, bins) * int(upto[-1])
    cuts = np.searchsorted(upto * bins, marks, side="left") + 1
    return sorted({int(cut) for cut in cuts if cut < len(counts)})


def cells_of_grid(values: FloatArray, low: float, high: float) -> IntArray:
    """Cell of each number on a grid of `GRID` cells of one width.

    >>> import numpy as np
    >>> cells_of_grid(np.array([0.0, 5.0, 10.0]), 0.0, 10.0).tolist()
    [0, 2048, 4095]
    """
    places = np.floor((values - low) / (high - low) * GRID)
    cells: IntArray = np.minimum(places, GRID - 1).astype(np.int64)
    return cells


def _best_cut(upto: IntArray, begin: int, end: int) -> int | None:
    """Cut of the least entropy, if the description of the classes gets shorter by it."""
    left = upto[begin + 1 : end] - upto[begin]
    if not len(left):
        return None
    whole = upto[end] - upto[begin]
    right = whole - left
    n = int(whole.sum())
    inside = (left.sum(axis=1) * _entropies(left) + right.sum(axis=1) * _entropies(right)) / n
    at = int(inside.argmin())
    gain = float(_entropies(whole[None])[0] - inside[at])
    if n < 2 or gain <= (math.log2(n - 1) + _price(whole, left[at], right[at])) / n:
        return None
    return begin + 1 + at


def _price(whole: IntArray, left: IntArray, right: IntArray) -> float:
    """What it costs to tell the classes of two parts instead of one."""
    parts = np.stack([whole, left, right])
    present = (parts > 0).sum(axis=1)
    bits = present * _entropies(parts)
    return float(math.log2(3.0 ** present[0] - 2) - (bits[0] - bits[1] - bits[2]))


def _entropies(counts: IntArray) -> FloatArray:
    """Entropy of each row of counts; 0 for an empty one."""
    n = np.maximum(counts.sum(axis=1, keepdims=True), 1)
    shares = counts / n
    logs = np.log2(shares, where=shares > 0, out=np.zeros_like(shares))
    entropies: FloatArray = -(shares * logs).sum(axis=1)
    return entropies
