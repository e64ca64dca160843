"""Centroids of groups: the value of each attribute that is nearest to all members."""

from __future__ import annotations

import numpy as np

from shoal.kernels.quantize.clusters import Yardsticks, find_centroids
from shoal.table import Grouping
from shoal.typing import IntArray


def centroids_of(
    codes: IntArray, copies: IntArray, sticks: Yardsticks, grouping: Grouping
) -> IntArray:
    """Codes of the centroid of each group in each attribute (Miche et al., 2016, Eq. 3)."""
    found = np.zeros((grouping.n_groups, codes.shape[1]), dtype=np.int32)
    codes = np.ascontiguousarray(codes, dtype=np.int32)
    find_centroids(codes, copies, sticks, grouping.order, grouping.starts, found)
    return found
