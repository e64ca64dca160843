"""Schemes: numbers become bins that grow coarser step by step.

The paper (Augusto et al., 2019) generalizes six times in a row and does not say how, so there are
several ways. `shoal study augusto2019` compares them; a stepwise search of `tune` uses one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.exceptions import InvalidParameterError
from shoal.typing import FloatArray, IntArray


@dataclass(frozen=True)
class Scheme:
    """How numbers become bins, effort by effort.

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
        return np.round(values / self.width(values, effort)).astype(np.int64)

    def width(self, values: FloatArray, effort: int) -> float:
        """Width of a bin, where all have the same.

        >>> ages = np.array([17.0, 90.0])
        >>> [ROUNDING.width(ages, effort) for effort in range(1, 7)]
        [2.0, 5.0, 10.0, 20.0, 50.0, 100.0]
        """
        step = self.steps[effort - 1]
        if self.kind == "rounding":
            return step * _unit(values) / 100
        if self.kind == "equal width":
            return float(values.max() - values.min()) / step
        raise InvalidParameterError(
            f"The bins of the scheme {self.name!r} have no width that could be repeated.",
            hint="Use one with equal widths, or rounding.",
        )


#: Multiples of 2, 5, 10, ... so that bins have round ends.
ROUNDING = Scheme("rounding", "rounding", (20, 50, 100, 200, 500, 1000))


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
