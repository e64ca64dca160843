"""The tree of boxes behind epsilon clusters: cut once, then asked for clusters and neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from shoal.kernels.quantize.clusters import (
    CHILD,
    CLUSTER,
    LARGEST,
    PARENT,
    Yardsticks,
    cut_tree,
    push_small,
    split_crowds,
)
from shoal.spaces.metrics import centroids_of
from shoal.table import Grouping
from shoal.typing import IntArray


@dataclass(frozen=True, eq=False)
class BoxTree:
    """Cells of a table cut into boxes; the leaves are clusters.

    Attributes
    ----------
    codes, copies : IntArray
        The cells: codes of all attributes, and how many rows each stands for.
    sticks : Yardsticks
        Distances for kernels.
    pool : IntArray
        Cells in the order of the leaves.
    spans : IntArray
        For each node where its cells begin and end in ``pool``, and its first child or -1.
    boxes : IntArray
        For each node its smallest and largest codes.
    """

    codes: IntArray
    copies: IntArray
    sticks: Yardsticks
    pool: IntArray
    spans: IntArray
    boxes: IntArray

    @classmethod
    def cut(
        cls, codes: IntArray, copies: IntArray, sticks: Yardsticks, wanted: int, fewest: int | None
    ) -> BoxTree:
        """Cut cells until there are ``wanted`` clusters within the radii.

        With ``fewest``, clusters that are enough for two of that many rows are cut on.
        """
        n = copies.size
        pool = np.arange(n)
        spans = np.empty((2 * n + 1, 3), dtype=np.int64)
        boxes = np.empty((2 * n + 1, 2, codes.shape[1]), dtype=np.int32)
        nodes = cut_tree(codes, copies, sticks, wanted, pool, spans, boxes)
        if fewest is not None:
            nodes = split_crowds(codes, copies, sticks, fewest, pool, spans, boxes, nodes)
        return cls(codes, copies, sticks, pool, spans[:nodes].copy(), boxes[:nodes].copy())

    @cached_property
    def leaves(self) -> IntArray:
        """Node of each cluster."""
        return np.flatnonzero(self.spans[:, 2] < 0)

    @cached_property
    def labels(self) -> IntArray:
        """Cluster of each cell."""
        labels = np.empty(self.pool.size, dtype=np.int64)
        by_place = self.leaves[np.argsort(self.spans[self.leaves, 0])]
        lengths = self.spans[by_place, 1] - self.spans[by_place, 0]
        labels[self.pool] = np.repeat(np.searchsorted(self.leaves, by_place), lengths)
        return labels

    @cached_property
    def sizes(self) -> IntArray:
        """Rows of each cluster."""
        return np.bincount(self.labels, weights=self.copies).astype(np.int64)

    @cached_property
    def centroids(self) -> IntArray:
        """Codes of the centroid of each cluster (Eq. 3)."""
        return centroids_of(self.codes, self.copies, self.sticks, Grouping(self.labels))

    def push_back(self, m: int) -> IntArray:
        """Give every cluster of ``m`` rows or fewer to the nearest it exceeds m with (Eq. 4).

        Returns the cluster that takes each; itself if it stays, -1 if none can take it.
        """
        sizes, tree = self.sizes.copy(), self._as_tree()
        to = np.arange(sizes.size)
        order = np.lexsort((np.arange(sizes.size), -sizes))
        order = order[sizes[order] <= m]
        push_small(self.sticks, tree, self.boxes, self.leaves, self.centroids, sizes, m, order, to)
        return _follow(to)

    def _as_tree(self) -> IntArray:
        nodes = len(self.spans)
        tree = np.full((nodes, 4), -1, dtype=np.int64)
        tree[:, CHILD] = self.spans[:, 2]
        inner = np.flatnonzero(tree[:, CHILD] >= 0)
        tree[tree[inner, CHILD], PARENT] = inner
        tree[tree[inner, CHILD] + 1, PARENT] = inner
        tree[self.leaves, CLUSTER] = np.arange(self.leaves.size)
        tree[self.leaves, LARGEST] = self.sizes
        for node in inner[::-1].tolist():  # children have higher numbers than their parents
            child = tree[node, CHILD]
            tree[node, LARGEST] = max(tree[child, LARGEST], tree[child + 1, LARGEST])
        return tree


def _follow(to: IntArray) -> IntArray:
    """Where clusters end up that went to one that went on itself."""
    while True:
        further = np.where(to >= 0, to[to], -1)
        if np.array_equal(further, to):
            return to
        to = further
