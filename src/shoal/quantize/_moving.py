"""Values on the move: the clusters of a table while steps push, flatten and stir them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.random import Generator

from shoal.exceptions import UnknownColumnError
from shoal.kernels.quantize.clusters import Yardsticks, distances_to
from shoal.spaces.metrics import MetricSpaces, centroids_of
from shoal.table import Grouping, Table
from shoal.typing import BoolArray, FloatArray, IntArray


@dataclass(eq=False)
class MovingValues:
    """What recoding steps work on: the published codes of every row, cluster by cluster.

    Rows that are suppressed take no part. Codes are those of the metric spaces, where the
    distance of two codes is known; every code is a value of the column, so nothing else can ever
    be published.

    Attributes
    ----------
    table : Table
        The original.
    metrics : MetricSpaces
        The columns that may change, with their distances.
    grouping : Grouping
        The clusters.
    core : BoolArray
        Rows that centroids and extents are taken from; the others are outliers to push back.
    rng : Generator
        Where chance comes from.
    codes : IntArray
        The codes published so far; steps change them in place.
    blank, flat : set of str
        Columns that are published empty, and those that show one value per cluster.
    facts : dict of str to Any
        What steps have to tell, such as the largest divergence.
    """

    table: Table
    metrics: MetricSpaces
    grouping: Grouping
    core: BoolArray
    rng: Generator
    codes: IntArray = field(init=False)
    blank: set[str] = field(default_factory=set)
    flat: set[str] = field(default_factory=set)
    facts: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.codes = self.metrics.codes.copy()
        self.core = self.core & (self.grouping.labels >= 0)

    @property
    def names(self) -> tuple[str, ...]:
        """The columns that may change."""
        return self.metrics.names

    def chosen(self, columns: Sequence[str] | str) -> tuple[str, ...]:
        """Names of columns; ``"all"`` stands for the quasi-identifiers."""
        if isinstance(columns, str):
            columns = self.table.roles.quasi_identifiers if columns == "all" else (columns,)
        for name in columns:
            if name not in self.names:
                raise UnknownColumnError.among(name, self.names)
        return tuple(columns)

    def places(self, columns: Sequence[str]) -> IntArray:
        """Positions of columns among those that may change."""
        return np.array([self.names.index(name) for name in columns], dtype=np.int64)

    @cached_property
    def sticks(self) -> Yardsticks:
        """Distances for kernels."""
        return self.metrics.yardsticks()

    @cached_property
    def order(self) -> IntArray:
        """Rows cluster by cluster, within one by a hash of what they hold: not by position."""
        rows = np.lexsort((self.table.row_hash(), self.grouping.labels))
        return rows[self.grouping.n_suppressed :]

    @property
    def starts(self) -> IntArray:
        """Where each cluster begins in ``order``, with one more entry for the end."""
        return self.grouping.starts

    def draw(self, size: int) -> FloatArray:
        """Uniform numbers for every row in cluster order; ``size`` columns of them, by row."""
        drawn = np.zeros((self.grouping.n_rows, size))
        drawn[self.order] = self.rng.random((self.order.size, size))
        return drawn

    def centroids(self) -> IntArray:
        """Codes of the centroid of each cluster, from the core of what is published so far."""
        return self._of_core()[0]

    def _of_core(self) -> tuple[IntArray, Grouping]:
        labels = np.where(self.core, self.grouping.labels, -1)
        grouping = Grouping(labels)
        ones = np.ones(labels.size, dtype=np.int64)
        return centroids_of(self.codes, ones, self.sticks, grouping), grouping

    def distances(self, centroids: IntArray) -> tuple[FloatArray, FloatArray]:
        """Distance of every published value to its cluster's centroid: raw shares, and mapped."""
        raw = np.zeros(self.codes.shape, dtype=np.float64)
        mapped = np.zeros(self.codes.shape, dtype=np.float64)
        rows = self.order
        some_raw, some_mapped = raw[rows], mapped[rows]
        distances_to(
            self.codes[rows], centroids, self.grouping.labels[rows], self.sticks, some_raw,
            some_mapped,
        )  # fmt: skip
        raw[rows], mapped[rows] = some_raw, some_mapped
        return raw, mapped
