"""The box of a group: its smallest and largest code in every attribute."""

from __future__ import annotations

import numpy as np

from shoal.table import Grouping
from shoal.typing import IntArray


def group_boxes(codes: IntArray, grouping: Grouping) -> tuple[IntArray, IntArray]:
    """Smallest and largest code of every group in every attribute.

    >>> import numpy as np
    >>> lo, hi = group_boxes(np.array([[1, 5], [2, 4], [7, 7]]), Grouping(np.array([0, 0, 1])))
    >>> lo.tolist(), hi.tolist()
    ([[1, 4], [7, 7]], [[2, 5], [7, 7]])
    """
    if grouping.n_groups == 0 or codes.shape[1] == 0:
        empty = np.zeros((grouping.n_groups, codes.shape[1]), dtype=codes.dtype)
        return empty, empty
    ordered = codes[grouping.order]
    begins = grouping.starts[:-1]
    lo = np.minimum.reduceat(ordered, begins, axis=0)
    return lo, np.maximum.reduceat(ordered, begins, axis=0)
