"""Products of small matrices, without the threads of a linear algebra library.

For a few thousand numbers, waking other cores takes longer than the work: with them a question
took three times as long on a busy machine. It also gives the same bits everywhere.
"""

from __future__ import annotations

import numpy as np

from shoal.typing import FloatArray


def products(left: FloatArray, right: FloatArray) -> FloatArray:
    """Scalar product of each vector on the left with each on the right (vectors are last).

    >>> products(np.array([[1.0, 2.0]]), np.array([[3.0, 4.0], [0.0, 1.0]])).tolist()
    [[11.0, 2.0]]
    """
    return np.asarray(np.einsum("...m,nm->...n", left, right))
