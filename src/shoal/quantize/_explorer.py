"""Trying out m and radii: counts as fast as a slider moves, and a map of who stands out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from shoal.grouping import Problem
from shoal.hierarchies import Hierarchy
from shoal.quantize import EpsilonClusters
from shoal.quantize._moving import MovingValues
from shoal.quantize._push_back import PushBack
from shoal.spaces.metrics import Metric, MetricSpaces, build_metrics
from shoal.table import Table
from shoal.typing import BoolArray, FloatArray, IntArray

LANDMARKS = 48


@dataclass(frozen=True)
class ClusterCounts:
    """What some m and radii would find.

    Attributes
    ----------
    clusters, crowds : int
        Clusters within the radii, and those left once outliers have joined one.
    outliers, pushed : int
        Rows whose cluster is too small, and those of them that have to move.
    radii : mapping of str to float
        The widest cluster in each column, in the unit of its metric.
    """

    clusters: int
    crowds: int
    outliers: int
    pushed: int
    radii: Mapping[str, float]


@dataclass(frozen=True, eq=False)
class OutlierMap:
    """Rows in the plane, before and after outliers are pushed back.

    Attributes
    ----------
    before, after : FloatArray
        Two coordinates per row; only rows that move differ.
    outliers : BoolArray
        Who stood out.
    cluster : IntArray
        Whom each row is with afterwards.
    """

    before: FloatArray
    after: FloatArray
    outliers: BoolArray
    cluster: IntArray


class Explorer:
    """A table measured once, then asked again and again.

    Parameters
    ----------
    table : Table
        The people.
    hierarchies, weights, metrics
        As for `build_metrics`.

    Examples
    --------
    >>> from shoal.datasets import people
    >>> data = people(400)
    >>> explorer = Explorer(data.table(), data.hierarchies)
    >>> few, many = (explorer.count(m=m).outliers for m in (3, 20))
    >>> few < many
    True
    >>> explorer.map(m=5, at_most=100).before.shape
    (100, 2)
    """

    def __init__(
        self,
        table: Table,
        hierarchies: Mapping[str, Hierarchy] | None = None,
        weights: Mapping[str, float] | None = None,
        metrics: Mapping[str, Metric] | None = None,
    ) -> None:
        self.metrics: MetricSpaces = build_metrics(
            table, metrics=metrics, hierarchies=hierarchies, weights=weights
        )
        self.table = table
        self.problem = Problem(table, self.metrics, ())

    @property
    def reaches(self) -> dict[str, float]:
        """The largest distance in each column: where a slider ends."""
        return {measured.name: measured.reach for measured in self.metrics.measured}

    def clusters(self, m: int, radii: Mapping[str, float] | None = None) -> EpsilonClusters:
        """Find the clusters for some m and radii."""
        return EpsilonClusters(m=m, radii=radii).fit(self.problem)

    def count(self, m: int, radii: Mapping[str, float] | None = None) -> ClusterCounts:
        """Count what some m and radii would find."""
        found = self.clusters(m, radii)
        return ClusterCounts(
            clusters=found.clusters_.n_groups,
            crowds=found.grouping_.n_groups,
            outliers=int(found.outliers_.sum()),
            pushed=int((~found.core_).sum()),
            radii=found.radii_,
        )

    def map(
        self, m: int, radii: Mapping[str, float] | None = None, at_most: int = 1500
    ) -> OutlierMap:
        """Lay rows out in the plane, outliers first, and where pushing back moves them.

        Rows far apart by the sum of mapped distances lie far apart: coordinates are the two main
        directions of their distances to a few landmarks (Silva and Tenenbaum, 2004).
        """
        found = self.clusters(m, radii)
        crowds = MovingValues(
            table=self.table,
            metrics=self.metrics,
            grouping=found.grouping_,
            core=found.core_.copy(),
            rng=np.random.default_rng(0),  # drawn for the steward's eyes, published never
        )
        PushBack("centroid").apply(crowds)
        rows = _chosen(crowds.order, found.outliers_, at_most)
        far = self._to_landmarks(self.metrics.codes[rows], crowds.order)
        middle = far.mean(axis=0)
        _, _, directions = np.linalg.svd(far - middle, full_matrices=False)
        plane = directions[:2].T if len(directions) > 1 else np.zeros((far.shape[1], 2))
        after = self._to_landmarks(crowds.codes[rows], crowds.order)
        return OutlierMap(
            before=(far - middle) @ plane,
            after=(after - middle) @ plane,
            outliers=found.outliers_[rows],
            cluster=found.grouping_.labels[rows],
        )

    def _to_landmarks(self, codes: IntArray, order: IntArray) -> FloatArray:
        """Mapped distances of rows of codes to rows spread over the table."""
        places = np.unique(np.linspace(0, order.size - 1, LANDMARKS).astype(np.int64))
        marks = self.metrics.codes[order[places]].astype(np.int64)
        far = np.zeros((len(codes), len(marks)))
        for j, (measured, remap) in enumerate(
            zip(self.metrics.measured, self.metrics.maps, strict=True)
        ):
            shares = measured.shares(codes[:, j].astype(np.int64)[:, None], marks[None, :, j])
            far += self.metrics.weights[j] * remap(shares)
        return far


def _chosen(order: IntArray, outliers: BoolArray, at_most: int) -> IntArray:
    """Rows to draw: as many outliers as crowd members, evenly from all clusters."""
    out, rest = order[outliers[order]], order[~outliers[order]]
    half = min(out.size, max(at_most // 2, at_most - rest.size))
    return np.concatenate([_evenly(out, half), _evenly(rest, at_most - half)])


def _evenly(rows: IntArray, n: int) -> IntArray:
    if rows.size <= n:
        return rows
    return rows[np.linspace(0, rows.size - 1, n).astype(np.int64)]
