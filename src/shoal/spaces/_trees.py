"""Taxonomies and masks: a group publishes the lowest common ancestor of its values."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.hierarchies import Arrangement
from shoal.kernels.losses import SPARSE
from shoal.spaces._base import Space
from shoal.typing import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class TreeSpace(Space):
    """Values at the leaves of a tree, numbered depth first.

    The loss of a node is the height of its subtree over the height of the tree:
    ``height(gen(cl)[C]) / height(H_C)`` in the GIL of Malle et al. (2017).

    Examples
    --------
    >>> import numpy as np
    >>> from shoal.hierarchies import Mask
    >>> tree = Mask().arrange(["8010", "8045", "1190"])
    >>> space = TreeSpace("zip", tree.position, 3, False, None, tree)
    >>> space.publish(np.array([0, 1, 0]), np.array([0, 2, 2]))
    ['1190', '80**', '*']
    >>> space.loss(np.array([0, 1, 0]), np.array([0, 2, 2])).tolist()
    [0.0, 0.5, 1.0]
    """

    tree: Arrangement

    def loss(self, lo: IntArray, hi: IntArray) -> FloatArray:
        """Height of the published node over the height of the tree."""
        heights = self.tree.node_heights[self._nodes(lo, hi)] / self.tree.height
        mixed = (hi == self.missing_code) & (lo != hi)
        return np.where(lo == hi, 0.0, np.where(mixed, 1.0, heights))

    def publish(self, lo: IntArray, hi: IntArray) -> list[str | None]:
        """Label of the lowest common ancestor of each span."""
        labels = self.tree.node_labels
        nodes = self._nodes(lo, hi).tolist()
        return [
            labels[node] if b != self.missing_code else (None if a == b else "*")
            for a, b, node in zip(lo.tolist(), hi.tolist(), nodes, strict=True)
        ]

    def _nodes(self, lo: IntArray, hi: IntArray) -> IntArray:
        top = self.tree.n_leaves - 1
        if top < 0:
            return np.full(len(lo), self.tree.root)
        return np.asarray(self.tree.lca(np.minimum(lo, top), np.minimum(hi, top)))

    def reach(self) -> IntArray | None:
        """Last leaf below the same permitted ancestor as each leaf."""
        if self.limit is None or self.limit >= self.tree.node_levels[self.tree.root]:
            return None
        walls = np.flatnonzero(self.tree.node_levels[self.tree.gap_nodes] > self.limit)
        ends = np.append(walls, self.tree.n_leaves - 1)
        last = ends[np.searchsorted(ends, np.arange(self.tree.n_leaves))]
        if self.has_missing:
            last = np.append(last, self.missing_code)
        return last.astype(np.int32)

    def large_form(self, full: int) -> tuple[int, IntArray]:
        """Running maxima of the losses between neighbours, by powers of two."""
        gaps = self.tree.node_heights[self.tree.gap_nodes] / self.tree.height
        if self.has_missing and self.tree.n_leaves:
            gaps = np.append(gaps, 1.0)
        level = np.zeros(self.n_codes, dtype=np.int32)
        level[: gaps.size] = np.round(gaps * full)
        levels = [level]
        step = 1
        while 2 * step <= gaps.size:
            wider = level.copy()
            wider[:-step] = np.maximum(level[:-step], level[step:])
            levels.append(wider)
            level, step = wider, 2 * step
        return SPARSE, np.concatenate(levels)
