"""A whole tree laid out on a line: parents in, depth-first arrays out, layer by layer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.exceptions import HierarchyShapeError
from shoal.typing import IntArray


@dataclass(frozen=True, eq=False)
class Layout:
    """Where the nodes of a tree stand when its leaves are in depth-first order.

    ``heights`` is by node; ``leaves`` holds the leaf nodes from left to right and ``gaps`` the
    lowest common ancestor of each and the next. The children of node v, in the order in which
    they were given, are ``children[starts[v]:starts[v + 1]]``.
    """

    root: int
    heights: IntArray
    leaves: IntArray
    gaps: IntArray
    children: IntArray
    starts: IntArray

    @property
    def height(self) -> int:
        """Height of the tree."""
        return int(self.heights[self.root])

    def children_of(self, node: int) -> list[int]:
        """Children of one node, from left to right."""
        below: list[int] = self.children[self.starts[node] : self.starts[node + 1]].tolist()
        return below


def lay_out(parents: IntArray, where: str) -> Layout:
    """Lay out the tree in which ``parents[node]`` is a node, or -1 for the root.

    ``where`` names the hierarchy in errors: more than one root, or nodes that lead to none.

    >>> tree = lay_out(np.array([3, 4, 3, 4, -1]), "the example")
    >>> tree.leaves.tolist(), tree.gaps.tolist(), tree.height
    ([1, 0, 2], [4, 3], 2)
    """
    roots = np.flatnonzero(parents < 0)
    if roots.size > 1:
        hint = "Give all of them one common parent, such as *."
        raise HierarchyShapeError(f"{where} has {roots.size} roots.", hint=hint)
    children, starts = _children(parents)
    layers = _layers(roots, children, starts)
    lost = parents.size - sum(layer.size for layer in layers)
    if lost:
        hint = "Follow the parents upward from any value: each must end at the root."
        raise HierarchyShapeError(
            f"{where} has a cycle: {lost} nodes never reach a root.", hint=hint
        )
    heights, n_leaves = _measure(parents, layers)
    leaves, gaps = _line_up(parents, layers, heights, n_leaves)
    return Layout(int(roots[0]), heights, leaves, gaps, children, starts)


def _children(parents: IntArray) -> tuple[IntArray, IntArray]:
    order = np.argsort(parents, kind="stable")
    n_roots = int((parents < 0).sum())
    counts = np.bincount(parents[parents >= 0], minlength=parents.size)
    return order[n_roots:], np.concatenate([[0], np.cumsum(counts)])


def _layers(layer: IntArray, children: IntArray, starts: IntArray) -> list[IntArray]:
    """Nodes by depth, each layer from left to right."""
    layers = []
    while layer.size:
        layers.append(layer)
        counts = starts[layer + 1] - starts[layer]
        before = np.cumsum(counts) - counts
        layer = children[np.repeat(starts[layer] - before, counts) + np.arange(counts.sum())]
    return layers


def _measure(parents: IntArray, layers: list[IntArray]) -> tuple[IntArray, IntArray]:
    """Height of every node's subtree and the number of leaves in it, from the bottom up."""
    heights = np.zeros(parents.size, dtype=np.int64)
    n_leaves = np.zeros(parents.size, dtype=np.int64)
    for layer in reversed(layers):
        n_leaves[layer] = np.maximum(n_leaves[layer], 1)  # no children: a leaf itself
        above = parents[layer]
        if above[0] >= 0:
            np.maximum.at(heights, above, heights[layer] + 1)
            np.add.at(n_leaves, above, n_leaves[layer])
    return heights, n_leaves


def _line_up(
    parents: IntArray, layers: list[IntArray], heights: IntArray, n_leaves: IntArray
) -> tuple[IntArray, IntArray]:
    """Leaves from left to right, and the node at which each meets the next, from the top down.

    The gap before the first leaf of a node with an elder sibling is their parent.
    """
    first = np.zeros(parents.size, dtype=np.int64)
    total = int(n_leaves[layers[0][0]])
    gaps = np.empty(total - 1, dtype=np.int64)
    for layer in layers[1:]:
        above = parents[layer]
        before = np.cumsum(n_leaves[layer]) - n_leaves[layer]
        eldest = np.concatenate([[True], above[1:] != above[:-1]])
        family = np.maximum.accumulate(np.where(eldest, before, 0))
        first[layer] = first[above] + before - family
        gaps[first[layer[~eldest]] - 1] = above[~eldest]
    leaf_nodes = np.flatnonzero(heights == 0)
    leaves = np.empty(total, dtype=np.int64)
    leaves[first[leaf_nodes]] = leaf_nodes
    return leaves, gaps
