"""Pushing outliers back into the crowd (Miche et al., 2016, section 4.1)."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

import numpy as np

from shoal.exceptions import InvalidParameterError
from shoal.kernels.quantize.stirring import MOST_BINS, cluster_divergences
from shoal.quantize._moving import MovingValues
from shoal.quantize._step import Step
from shoal.typing import BoolArray, FloatArray, IntArray

PushBackWay: TypeAlias = Literal["noise", "centroid", "member"]
WAYS: tuple[str, ...] = get_args(PushBackWay)
ROUNDS = 16  # draws for what does not fit yet
NEAR = 0.05  # share of the largest distance by which noise may differ from a member's
EVEN = 1e-6  # shares are fixed point: this close is the same distance


class PushBack(Step):
    """Move outliers into the cluster they joined, in as few columns as possible (Eq. 5).

    Only values that stick out further than the cluster's own extent change. The new value is:

    - ``noise`` (Eq. 6): the centroid plus a draw as far from it as a random member, so that the
      distribution of distances stays within ``max_divergence``; always a value of the column.
    - ``centroid`` (Eq. 7): the centroid.
    - ``member`` (Eq. 8): the value of a random member.

    On its own this protects little: cells that do not stick out stay, and point home. Stir after.

    Parameters
    ----------
    way : {"noise", "centroid", "member"}
        What the new value is.
    max_divergence : float
        Largest Kullback-Leibler divergence (nats) of a cluster's distances to its centroid
        before from those after, where ``way`` is ``noise``.
    """

    def __init__(self, way: PushBackWay = "noise", max_divergence: float = 0.25) -> None:
        self.way = way
        self.max_divergence = max_divergence

    def apply(self, crowds: MovingValues) -> None:
        """Move the rows that are not of the core."""
        if self.way not in WAYS:
            raise InvalidParameterError(
                f"There is no way to push back named {self.way!r}.", hint=f"Use {', '.join(WAYS)}."
            )
        centroids = crowds.centroids()
        raw, mapped = crowds.distances(centroids)
        outside = sticks_out(crowds, raw)
        crowds.facts["pushed_cells"] = int(outside.sum())
        if not outside.any():
            return
        before = mapped.sum(axis=1)
        new = _Draws(crowds, centroids, raw)
        for j in range(len(crowds.names)):
            rows = new.rows[outside[new.rows, j]]
            crowds.codes[rows, j] = self._values(new, rows, j)
        if self.way == "noise":
            self._keep_shape(crowds, new, centroids, before)

    def _values(self, new: _Draws, rows: IntArray, j: int) -> IntArray:
        if self.way == "centroid":
            return np.asarray(new.centroids[new.crowds.grouping.labels[rows], j])
        members = new.members(rows)
        return (
            new.near(rows, members, j) if self.way == "noise" else np.asarray(new.codes[members, j])
        )

    def _keep_shape(
        self, crowds: MovingValues, new: _Draws, centroids: IntArray, before: FloatArray
    ) -> None:
        """Where distances moved too much, let outliers follow a random member in every column."""
        for _ in range(ROUNDS):
            after = crowds.distances(centroids)[1].sum(axis=1)
            worst = shape_change(crowds, before, after)
            wide = worst > self.max_divergence
            rows = new.rows[wide[crowds.grouping.labels[new.rows]]]
            if not rows.size:
                break
            crowds.codes[rows] = new.codes[new.members(rows)]
        crowds.facts["push_back_divergence"] = float(worst.max(initial=0.0))


def sticks_out(crowds: MovingValues, raw: FloatArray) -> BoolArray:
    """Tell which cells lie further from the centroid than any of the cluster's core (Eq. 5)."""
    extent = np.zeros((crowds.grouping.n_groups, raw.shape[1]))
    core = np.flatnonzero(crowds.core)
    np.maximum.at(extent, crowds.grouping.labels[core], raw[core])
    pushed = (crowds.grouping.labels >= 0) & ~crowds.core
    outside = np.zeros(raw.shape, dtype=np.bool_)
    rows = np.flatnonzero(pushed)
    outside[rows] = raw[rows] > extent[crowds.grouping.labels[rows]] + EVEN
    return outside


def shape_change(crowds: MovingValues, before: FloatArray, after: FloatArray) -> FloatArray:
    """Divergence of each cluster's distances to its centroid: core before, all rows after."""
    worst = np.zeros(crowds.grouping.n_groups)
    old = np.zeros((worst.size, MOST_BINS))
    cluster_divergences(crowds.order, crowds.starts, before, crowds.core, after, old, worst)
    return worst


class _Draws:
    """Random members of the clusters that outliers joined, as they were before."""

    def __init__(self, crowds: MovingValues, centroids: IntArray, raw: FloatArray) -> None:
        self.crowds, self.centroids, self.raw = crowds, centroids, raw
        self.codes = crowds.codes.copy()
        in_order = crowds.core[crowds.order]
        self.core = crowds.order[in_order]
        counts = np.bincount(crowds.grouping.labels[self.core], minlength=crowds.grouping.n_groups)
        self.begins, self.counts = np.cumsum(counts) - counts, counts
        self.rows = crowds.order[~in_order]

    def members(self, rows: IntArray) -> IntArray:
        """One random member of the core of each row's cluster."""
        clusters = self.crowds.grouping.labels[rows]
        drawn = (self.crowds.rng.random(rows.size) * self.counts[clusters]).astype(np.int64)
        drawn = np.minimum(drawn, self.counts[clusters] - 1)
        return np.asarray(self.core[self.begins[clusters] + drawn])

    def near(self, rows: IntArray, members: IntArray, j: int) -> IntArray:
        """Values of the column about as far from the centroid as the members are.

        Drawn from all values of the column between the cluster's smallest and largest code; who
        finds none at that distance takes the member's own.
        """
        crowds, clusters = self.crowds, self.crowds.grouping.labels[rows]
        values = self.codes[members, j].copy()
        open_ = np.arange(rows.size)
        lo, hi = self._ends(j)
        for _ in range(ROUNDS):
            of = clusters[open_]
            span = (hi[of] - lo[of] + 1).astype(np.float64)
            drawn = lo[of] + (crowds.rng.random(open_.size) * span).astype(np.int64)
            drawn = np.minimum(drawn, hi[of])
            far = crowds.metrics.measured[j].shares(drawn, self.centroids[of, j].astype(np.int64))
            there = self.raw[members[open_], j]
            fits = (np.abs(far - there) <= NEAR) & (far <= self._extent(j)[of] + EVEN / 2)
            values[open_[fits]] = drawn[fits]
            open_ = open_[~fits]
        return np.asarray(values)

    def _ends(self, j: int) -> tuple[IntArray, IntArray]:
        ordered = self.codes[self.core, j]
        lo = np.minimum.reduceat(ordered, self.begins)
        return lo.astype(np.int64), np.maximum.reduceat(ordered, self.begins).astype(np.int64)

    def _extent(self, j: int) -> FloatArray:
        found: FloatArray = np.maximum.reduceat(self.raw[self.core, j], self.begins)
        return found
