"""Pulling in extremes: the largest and smallest values of a column are nobody's alone."""

from __future__ import annotations

import numpy as np

from shoal.exceptions import InvalidParameterError
from shoal.presets import DEFAULT_K
from shoal.quantize._moving import MovingValues
from shoal.quantize._step import Step


class PullIn(Step):
    """Pull the k most extreme values of every ordered column in to the k-th, at both ends.

    A permutation keeps every value, so the oldest person of a table would stay in it for all to
    see. Names and codes have no extremes.

    Parameters
    ----------
    k : int
        Rows that share the largest, and the smallest, published value of a column.
    """

    def __init__(self, k: int = DEFAULT_K) -> None:
        self.k = k

    def apply(self, crowds: MovingValues) -> None:
        """Pull in every quasi-identifier that has an order."""
        if isinstance(self.k, bool) or self.k < 1:
            raise InvalidParameterError("The number of extremes to pull in must be 1 or more.")
        rows = crowds.order
        for j, measured in enumerate(crowds.metrics.measured):
            if not measured.on_line or measured.name not in crowds.table.roles.quasi_identifiers:
                continue
            codes = crowds.codes[rows, j]
            known = np.sort(codes[codes != measured.space.missing])
            if not known.size:
                continue
            last = min(self.k, (known.size + 1) // 2) - 1
            lo, hi = known[last], known[known.size - 1 - last]
            pulled = np.clip(codes, lo, max(lo, hi))
            pulled[codes == measured.space.missing] = measured.space.missing
            crowds.codes[rows, j] = pulled
