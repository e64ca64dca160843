"""Binning schemes: six ways coarser and coarser. The paper gives none, so several are tried."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shoal.typing import FloatArray, IntArray

EFFORTS = 6


@dataclass(frozen=True)
class Scheme:
    """How numbers become bins in six efforts.

    ``equal width`` cuts the range into so many bins, ``equal crowds`` puts so many values into
    each bin, ``rounding`` rounds to a multiple of so many hundredths of a round unit.
    """

    name: str
    kind: str
    steps: tuple[int, ...]

    def bins(self, values: FloatArray, effort: int) -> IntArray:
        """Number the bin of every value; effort 0 leaves all values as they are."""
        if effort == 0:
            return np.unique(values, return_inverse=True)[1]
        step = self.steps[effort - 1]
        if self.kind == "equal width":
            return _equal_width(values, step)
        if self.kind == "equal crowds":
            return _equal_crowds(values, step)
        return np.round(values / (step * _unit(values) / 100)).astype(np.int64)


SCHEMES = {
    scheme.name: scheme
    for scheme in (
        Scheme("equal width, halving", "equal width", (128, 64, 32, 16, 8, 4)),
        Scheme("equal width, by tens", "equal width", (60, 50, 40, 30, 20, 10)),
        Scheme("rounding", "rounding", (20, 50, 100, 200, 500, 1000)),
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


def _equal_width(values: FloatArray, n_bins: int) -> IntArray:
    low, high = values.min(), values.max()
    share = (values - low) / (high - low)
    found: IntArray = np.minimum((share * n_bins).astype(np.int64), n_bins - 1)
    return found


def _equal_crowds(values: FloatArray, crowd: int) -> IntArray:
    """Fill bins in order, equal values together; a short last bin joins the one before.

    >>> _equal_crowds(np.array([1, 2, 3, 3, 3, 4, 5]), 3).tolist()
    [0, 0, 0, 0, 0, 0, 0]
    >>> _equal_crowds(np.array([1, 2, 3, 4, 5, 6, 7]), 3).tolist()
    [0, 0, 0, 1, 1, 1, 1]
    """
    distinct, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    bin_of, filled, number = np.zeros(distinct.size, dtype=np.int64), 0, 0
    for i, count in enumerate(counts.tolist()):
        if filled >= crowd:
            number, filled = number + 1, 0
        bin_of[i] = number
        filled += count
    if filled < crowd and number:
        bin_of[bin_of == number] = number - 1
    found: IntArray = bin_of[inverse]
    return found


def _unit(values: FloatArray) -> float:
    """A power of ten of about a tenth of the range."""
    return float(10.0 ** np.round(np.log10((values.max() - values.min()) / 10)))


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
