"""Slow, plain twins of the kernels: the formulas of Miche et al. (2016) as they stand there."""

from __future__ import annotations

import math

import numpy as np


def centroid(measured, codes, domain):
    """Eq. 3: the value of the domain with the least sum of distances to the members."""
    sums = [float(measured.shares(np.full(len(codes), v), codes).sum()) for v in domain]
    return min(sums), domain[int(np.argmin(sums))]


def cost(measured, codes, value):
    return float(measured.shares(np.full(len(codes), value), codes).sum())


def mapped(metrics, a, b):
    """Eq. 4: the sum of remapped, weighted distances between two rows of codes."""
    total = 0.0
    for j, (measured, remap) in enumerate(zip(metrics.measured, metrics.maps, strict=True)):
        share = measured.shares(np.array([a[j]]), np.array([b[j]]))
        total += metrics.weights[j] * float(remap(share)[0])
    return total


def histogram(distances, top, bins, slack=0.0):
    counts = [0] * bins
    for distance in distances:
        place = 0 if top <= 0 else int(bins * max(distance + slack, 0) / (top * (1 + 1e-9)))
        counts[min(place, bins - 1)] += 1
    return counts


def divergence(old, new):
    """KL divergence in nats, half a row added to every bin of both sides."""
    p = [(count + 0.5) / (sum(old) + 0.5 * len(old)) for count in old]
    q = [(count + 0.5) / (sum(new) + 0.5 * len(new)) for count in new]
    return sum(a * math.log(a / b) for a, b in zip(p, q, strict=True))


def shape_change(before, after, slack=0.0):
    """Divergence of distances to the centroid: bins as documented, from what was.

    Kernels count in fixed point: what lies on the edge of a bin may fall to either side of it,
    and with ``slack`` the side that is kinder to both is taken.
    """
    bins = min(12, max(2, round(math.sqrt(len(before)))))
    top = max(before)
    return min(
        divergence(histogram(before, top, bins, one), histogram(after, top, bins, other))
        for one in {-slack, 0.0, slack}
        for other in {-slack, 0.0, slack}
    )
