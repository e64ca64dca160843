"""Distance remapping (Miche et al., 2016, Eq. 1): distances of all attributes on one scale.

The distribution of an attribute's pairwise distances is mapped to that of Euclidean distances,
here between two uniform draws from the unit interval: density 2 (1 - x), quantiles
1 - sqrt(1 - p). The map is monotone and keeps 0 at 0. Discrete distances cannot reach a
continuous distribution; what is left is reported.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.kernels.quantize.clusters import KNOTS
from shoal.spaces.metrics._base import Measured
from shoal.typing import FloatArray, IntArray

ALL_PAIRS_UP_TO = 512  # codes; past this, pairs are drawn
PAIRS = 100_000
GRID = 4096  # points of [0, 1] at which quantiles are compared


@dataclass(frozen=True, eq=False)
class DistanceMap:
    """A monotone map of distances, and how far from Euclidean it leaves them.

    Attributes
    ----------
    knots : FloatArray
        The mapped distance at even steps from 0 to the largest distance.
    wasserstein, wasserstein_before : float
        Wasserstein-1 distance to the Euclidean distribution, with the map and without.
    """

    knots: FloatArray
    wasserstein: float
    wasserstein_before: float

    def __call__(self, shares: FloatArray) -> FloatArray:
        """Map distances given as shares of the largest."""
        return np.interp(shares, np.linspace(0, 1, KNOTS + 1), self.knots)


def remap(measured: Measured, counts: IntArray | None = None) -> DistanceMap:
    """Map the distances of an attribute to Euclidean ones.

    Parameters
    ----------
    measured : Measured
        The attribute.
    counts : IntArray, optional
        How often each code occurs: pairs then come from the data. Without it every value of
        the domain is as likely as any other, as in the paper.

    Examples
    --------
    >>> import polars as pl
    >>> from shoal.spaces.metrics import Equality
    >>> from shoal.table import read_table
    >>> table = read_table(pl.DataFrame({"sex": ["f", "m"]}))
    >>> mapped = remap(Equality().measure(table.column("sex"), table))
    >>> mapped(np.array([0.0, 1.0])).round(4).tolist(), round(mapped.wasserstein, 3)
    ([0.0, 0.5286], 0.139)
    """
    shares, weights = _pairs(measured, counts)
    values, inverse = np.unique(np.round(shares, 9), return_inverse=True)
    mass = np.bincount(inverse, weights=weights, minlength=values.size)
    upper = np.cumsum(mass) / mass.sum()
    upper[-1] = 1.0
    lower = np.concatenate([[0.0], upper[:-1]])
    targets = (_area(upper) - _area(lower)) / np.maximum(upper - lower, 1e-12)
    if values[0] == 0.0:
        targets[0] = 0.0
    points, heights = np.append(0.0, values), np.append(0.0, np.maximum.accumulate(targets))
    knots = np.interp(np.linspace(0, 1, KNOTS + 1), points, heights)
    levels = (np.arange(GRID) + 0.5) / GRID
    euclid = 1 - np.sqrt(1 - levels)
    place = np.searchsorted(upper, levels)
    left, before = (np.abs(of[place] - euclid).mean() for of in (targets, values))
    return DistanceMap(knots, float(left), float(before))


def _area(p: FloatArray) -> FloatArray:
    """Integral of the Euclidean quantiles from 0 to p, up to a constant."""
    return p + (2 / 3) * (1 - p) ** 1.5


def _pairs(measured: Measured, counts: IntArray | None) -> tuple[FloatArray, FloatArray]:
    """Distances of pairs of values with their weights; the same on every machine."""
    n = measured.space.n_codes - (measured.space.missing >= 0)
    if n == 0:
        return np.zeros(1), np.ones(1)
    odds = np.ones(n) if counts is None else np.asarray(counts[:n], dtype=np.float64)
    odds = odds / max(odds.sum(), 1.0)
    if n <= ALL_PAIRS_UP_TO:
        a, b = np.divmod(np.arange(n * n), n)
        return measured.shares(a, b), odds[a] * odds[b]
    rng = np.random.default_rng(n)  # protects nobody: it only has to be the same every time
    a, b = rng.choice(n, size=(2, PAIRS), p=odds)
    return measured.shares(a, b), np.full(PAIRS, 1 / PAIRS)
