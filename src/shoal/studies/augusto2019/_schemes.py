"""Binning schemes: six ways coarser and coarser. The paper gives none, so several are tried."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from shoal.tuning import ROUNDING, Scheme
from shoal.typing import FloatArray, IntArray

EFFORTS = 6
SCHEMES = {
    scheme.name: scheme
    for scheme in (
        Scheme("equal width, halving", "equal width", (128, 64, 32, 16, 8, 4)),
        Scheme("equal width, by tens", "equal width", (60, 50, 40, 30, 20, 10)),
        ROUNDING,
        Scheme("equal width, coarse", "equal width", (12, 10, 7, 5, 4, 3)),
        Scheme("equal crowds, 2 to 50", "equal crowds", (2, 3, 5, 10, 20, 50)),
        Scheme("equal crowds, doubling", "equal crowds", (2, 4, 8, 16, 32, 64)),
    )
}


def anonymize(
    features: FloatArray, scheme: Scheme, effort: int, columns: Sequence[int]
) -> tuple[FloatArray, int]:
    """Publish the midpoint of each bin in some columns; return that and the smallest crowd.

    k is counted on the columns that are generalized: a column published as it is would make
    everybody unique, and the paper's k could not be more than 1.

    >>> rows = np.array([[1.0, 5.0], [2.0, 5.0], [9.0, 6.0], [10.0, 6.0]])
    >>> published, k = anonymize(rows, SCHEMES["equal crowds, 2 to 50"], 1, [0])
    >>> published[:, 0].tolist(), k
    ([1.5, 1.5, 9.5, 9.5], 2)
    """
    published = features.copy()
    codes = [scheme.bins(features[:, column], effort) for column in columns]
    for column, bins in zip(columns, codes, strict=True):
        published[:, column] = midpoints(features[:, column], bins)
    _, counts = np.unique(np.column_stack(codes), axis=0, return_counts=True)
    return published, int(counts.min())


def midpoints(values: FloatArray, bins: IntArray) -> FloatArray:
    """The middle of what each bin holds, for every value."""
    low, high, numbers = _ends(values, bins)
    middle: FloatArray = ((low + high) / 2)[numbers]
    return middle


def lower_ends(values: FloatArray, bins: IntArray) -> FloatArray:
    """The smallest value of each bin, for every value."""
    low, _, numbers = _ends(values, bins)
    return low[numbers]


def _ends(values: FloatArray, bins: IntArray) -> tuple[FloatArray, FloatArray, IntArray]:
    numbers = np.unique(bins, return_inverse=True)[1]
    low, high = np.full(numbers.max() + 1, np.inf), np.full(numbers.max() + 1, -np.inf)
    np.minimum.at(low, numbers, values)
    np.maximum.at(high, numbers, values)
    return low, high, numbers
