"""Stirring values inside clusters (Miche et al., 2016, Eq. 10)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias, get_args

import numpy as np

from shoal.exceptions import InvalidParameterError
from shoal.kernels.quantize.stirring import MOST_BINS, bins_for, cluster_divergences, stir_clusters
from shoal.quantize._moving import MovingValues
from shoal.quantize._step import Step
from shoal.typing import FloatArray, IntArray

StirMode: TypeAlias = Literal["permute", "redraw"]
MODES: tuple[str, ...] = get_args(StirMode)
ROUNDS = 8  # draws from the domain before a row keeps what a member lent it


class Stir(Step):
    """Let values change places inside clusters, one column at a time.

    A permutation is drawn uniformly, then swaps bring the distribution of distances to the
    centroid within the bound of Eq. 10, and only where swaps do not suffice do values return to
    their own row. At last, if no quasi-identifier stays as it was, whole stirred rows change
    places: whatever the bound preferred, each row of a cluster is then equally likely to be
    anybody's in it.

    Parameters
    ----------
    columns : sequence of str, or "all"
        The columns; ``"all"`` stands for all quasi-identifiers. Fewer leave cells that point
        home.
    mode : {"permute", "redraw"}
        Publish the values that members had, or redraw each from the values of the whole column
        at about the same distance from the centroid.
    max_divergence : float
        Largest Kullback-Leibler divergence (nats) of a cluster's distances to its centroid
        before from those after: histograms of ``sqrt(rows)`` bins (2 to 12) from 0 to the
        largest distance, half a row added to each bin.
    """

    def __init__(
        self,
        columns: Sequence[str] | str = "all",
        mode: StirMode = "permute",
        max_divergence: float = 0.25,
    ) -> None:
        self.columns = columns
        self.mode = mode
        self.max_divergence = max_divergence

    def apply(self, crowds: MovingValues) -> None:
        """Stir the columns, except those already flattened to nothing."""
        self._check()
        names = [name for name in crowds.chosen(self.columns or ()) if name not in crowds.blank]
        if not names:
            return
        columns = crowds.places(names)
        centroids = crowds.centroids()
        mapped = crowds.distances(centroids)[1]
        whole = set(crowds.names) <= {*names, *crowds.flat, *crowds.blank}
        source, worst = self._permute(crowds, mapped, columns, whole)
        self._remember(crowds, source, columns, names)
        before = mapped.sum(axis=1)
        moved = crowds.codes.copy()
        for at, j in enumerate(columns.tolist()):
            moved[crowds.order, j] = crowds.codes[source[crowds.order, at], j]
        crowds.codes = moved
        if self.mode == "redraw":
            worst = self._redraw(crowds, centroids, columns, before)
        crowds.facts["stir_divergence"] = float(worst.max(initial=0.0))

    def _check(self) -> None:
        if self.mode not in MODES:
            raise InvalidParameterError(
                f"There is no way to stir named {self.mode!r}.", hint=f"Use {' or '.join(MODES)}."
            )
        if isinstance(self.max_divergence, bool) or not self.max_divergence >= 0:
            raise InvalidParameterError("The largest divergence must be a number, 0 or more.")

    def _permute(
        self, crowds: MovingValues, mapped: FloatArray, columns: IntArray, whole: bool
    ) -> tuple[IntArray, FloatArray]:
        """From which row each row takes its value, by column, and the divergence of clusters."""
        n, clusters = crowds.grouping.n_rows, crowds.grouping.n_groups
        source = np.repeat(np.arange(n)[:, None], columns.size, axis=1)
        worst = np.zeros(clusters)
        seeds = crowds.rng.integers(0, 2**64, size=clusters, dtype=np.uint64)
        stir_clusters(
            crowds.order, crowds.starts, mapped, columns, crowds.draw(columns.size + 1), seeds,
            float(self.max_divergence), whole, source, worst,
        )  # fmt: skip
        return source, worst

    def _remember(
        self, crowds: MovingValues, source: IntArray, columns: IntArray, names: Sequence[str]
    ) -> None:
        """Count cells that got their own value back, beside what chance alone gives."""
        rows = crowds.order
        sizes = crowds.grouping.sizes[crowds.grouping.labels[rows]]
        cells = rows.size * columns.size
        stayed = int((source[rows] == rows[:, None]).sum())
        same = sum(
            int((crowds.codes[source[rows, at], j] == crowds.codes[rows, j]).sum())
            for at, j in enumerate(columns.tolist())
        )
        crowds.facts |= {
            "stirred": tuple(names),
            "unchanged_share": stayed / max(cells, 1),
            "unchanged_chance": float((1 / sizes).mean()) if rows.size else 0.0,
            "same_value_share": same / max(cells, 1),
        }

    def _redraw(
        self, crowds: MovingValues, centroids: IntArray, columns: IntArray, before: FloatArray
    ) -> FloatArray:
        """Replace values by others of the column in the same bin of distances.

        A row's distance stays in its bin, so the divergence is that of the permutation.
        """
        rows = crowds.order
        top, bins = _scale(crowds, before)
        mapped = crowds.distances(centroids)[1]
        total = mapped.sum(axis=1)
        for j in columns.tolist():
            measured, remap = crowds.metrics.measured[j], crowds.metrics.maps[j]
            lo, hi = _ends(crowds, j)
            weight = crowds.metrics.weights[j]
            open_ = rows
            for _ in range(ROUNDS):
                of = crowds.grouping.labels[open_]
                span = (hi[of] - lo[of] + 1).astype(np.float64)
                drawn = lo[of] + (crowds.rng.random(open_.size) * span).astype(np.int64)
                drawn = np.minimum(drawn, hi[of])
                far = weight * remap(measured.shares(drawn, centroids[of, j].astype(np.int64)))
                there = total[open_] - mapped[open_, j] + far
                fits = _bin(there, top[of], bins[of]) == _bin(total[open_], top[of], bins[of])
                hit = open_[fits]
                crowds.codes[hit, j] = drawn[fits]
                total[hit], mapped[hit, j] = there[fits], far[fits]
                open_ = open_[~fits]
        worst = np.zeros(crowds.grouping.n_groups)
        old = np.zeros((worst.size, MOST_BINS))
        everybody = crowds.grouping.labels >= 0
        cluster_divergences(crowds.order, crowds.starts, before, everybody, total, old, worst)
        return worst


def _scale(crowds: MovingValues, before: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The largest distance and the number of bins of each cluster."""
    top = np.zeros(crowds.grouping.n_groups)
    np.maximum.at(top, crowds.grouping.labels[crowds.order], before[crowds.order])
    bins = np.array([bins_for(int(size)) for size in crowds.grouping.sizes], dtype=np.float64)
    return top, bins


def _bin(distance: FloatArray, top: FloatArray, bins: FloatArray) -> IntArray:
    place = bins * distance / np.maximum(top * (1.0 + 1e-9), 1e-300)
    return np.minimum(np.where(top > 0, place, 0.0), bins - 1).astype(np.int64)


def _ends(crowds: MovingValues, j: int) -> tuple[IntArray, IntArray]:
    ordered = crowds.codes[crowds.order, j].astype(np.int64)
    lo = np.minimum.reduceat(ordered, crowds.starts[:-1])
    return lo, np.maximum.reduceat(ordered, crowds.starts[:-1])
