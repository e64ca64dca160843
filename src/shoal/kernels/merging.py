"""Which group a group that fails a model is merged with."""

from __future__ import annotations

import numpy as np

from shoal.kernels.compiling import njit
from shoal.kernels.losses import merged_loss


@njit(cache=True, nogil=True, counted=False)
def cheapest_partner(losses, lo, hi, into, g):
    """The group whose merger with ``g`` has the least loss; ``into`` says who merged with whom."""
    best = np.int64(-1)
    least = np.int64(1) << 60
    for h in range(lo.shape[0]):
        if into[h] != g:
            loss = merged_loss(losses, lo[g], hi[g], lo[h], hi[h], least)
            if loss < least:
                best, least = np.int64(into[h]), loss
    return best
