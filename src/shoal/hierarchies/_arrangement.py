"""An arrangement: the part of a tree that one column needs, as arrays."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import overload

import numpy as np

from shoal.exceptions import InvalidParameterError
from shoal.typing import IntArray


@dataclass(frozen=True, eq=False, repr=False)
class Arrangement:
    """The leaves of a column in depth-first order, and the nodes where neighbours meet.

    In depth-first order the leaves below any node are neighbours. So the lowest common ancestor
    of any set of leaves is that of its first and last one, and that is the tallest of the *gap
    nodes* between them: a tree becomes a line, a group becomes a span.

    Hierarchies number leaf i as node i and the other nodes by rising height, the root last.

    Attributes
    ----------
    position : IntArray
        Leaf position of each label, in the order the labels were given (a permutation).
    gap_nodes : IntArray
        Lowest common ancestor of leaf i and leaf i + 1, as node ids.
    node_labels : tuple of str
        What is published for each node.
    node_heights : IntArray
        Height of each node's subtree in the full tree; a leaf has 0. The loss of publishing a
        node is its height divided by the height of the tree.
    node_levels : IntArray
        The step of the ladder a node stands on, counted from the leaves: what limits speak of.
    leaf_nodes : IntArray
        Node id of the leaf at each position.
    height : int
        Height of the full tree, 1 or more.
    root : int
        Node id of the root.

    Examples
    --------
    >>> from shoal.hierarchies import Mask
    >>> codes = Mask().arrange(["8010", "1190", "8045"])
    >>> codes.position.tolist()
    [1, 0, 2]
    >>> [codes.node_labels[node] for node in codes.gap_nodes]
    ['*', '80**']
    >>> codes.node_labels[codes.lca(1, 2)], codes.node_heights[codes.lca(1, 2)] / codes.height
    ('80**', np.float64(0.5))
    """

    position: IntArray
    gap_nodes: IntArray
    node_labels: tuple[str, ...]
    node_heights: IntArray
    node_levels: IntArray
    leaf_nodes: IntArray
    height: int
    root: int

    def __post_init__(self) -> None:
        n_leaves, n_nodes = self.leaf_nodes.size, len(self.node_labels)
        if self.position.size != n_leaves or self.gap_nodes.size != max(n_leaves - 1, 0):
            raise InvalidParameterError("An arrangement has a gap between each two leaves.")
        if self.node_heights.size != n_nodes or self.node_levels.size != n_nodes:
            raise InvalidParameterError("Every node needs a label, a height and a level.")

    def __repr__(self) -> str:  # labels are cell values and stay out of logs
        return f"Arrangement({self.n_leaves} leaves, height {self.height})"

    @property
    def n_leaves(self) -> int:
        """Number of leaves: the distinct values of the column."""
        return int(self.leaf_nodes.size)

    @overload
    def lca(self, first: int, last: int) -> int: ...
    @overload
    def lca(self, first: IntArray, last: IntArray) -> IntArray: ...
    def lca(self, first: int | IntArray, last: int | IntArray) -> int | IntArray:
        """Find the lowest node that covers the leaf positions ``first`` to ``last``, both included.

        Takes two positions, or two arrays of positions (broadcast against each other); constant
        time per pair after a table of n log n is built once (Bender and Farach-Colton, "The LCA
        Problem Revisited", LATIN 2000).
        """
        low, high = np.minimum(first, last), np.maximum(first, last)
        if low.size and (low.min() < 0 or high.max() >= self.n_leaves):
            raise InvalidParameterError(f"Leaf positions run from 0 to {self.n_leaves - 1}.")
        nodes = self._cover(low, high)
        return int(nodes) if nodes.ndim == 0 else nodes

    def _cover(self, low: IntArray, high: IntArray) -> IntArray:
        if self.n_leaves < 2:
            return self.leaf_nodes[low]
        power = np.frexp(np.maximum(high - low, 1))[1] - 1  # the largest 2 ** power <= high - low
        left = np.minimum(low, self.n_leaves - 2)  # low == high may stand after the last gap
        right = np.maximum(high - (1 << power), 0)
        tallest = np.maximum(self._tallest[power, left], self._tallest[power, right])
        return np.where(low == high, self.leaf_nodes[low], self._by_height[tallest])

    @cached_property
    def _by_height(self) -> IntArray:
        return np.argsort(self.node_heights, kind="stable")

    @cached_property
    def _tallest(self) -> IntArray:
        """Rank (by height) of the tallest node in gaps ``i`` to ``i + 2 ** row - 1``.

        The tallest node of a span of gaps is unique: all others in the span lie below it.
        """
        ranks = np.empty(len(self.node_labels), dtype=np.int32)
        ranks[self._by_height] = np.arange(ranks.size, dtype=np.int32)
        table = np.empty((self.gap_nodes.size.bit_length(), self.gap_nodes.size), dtype=np.int32)
        table[0] = ranks[self.gap_nodes]
        for row in range(1, len(table)):
            half = 1 << (row - 1)
            table[row] = table[row - 1]
            np.maximum(table[row - 1, :-half], table[row - 1, half:], out=table[row, :-half])
        return table


def assemble(
    labels: Iterable[str],
    order: IntArray,
    *,
    gap_inner: IntArray,
    inner_labels: Iterable[str],
    inner_heights: IntArray,
) -> Arrangement:
    """Build an arrangement from its leaves and its inner nodes.

    Parameters
    ----------
    labels : iterable of str
        What is published for the leaf at each position.
    order : IntArray
        Index of the label that stands at each position.
    gap_inner : IntArray
        Inner node of each gap, as an index into the two that follow.
    inner_labels, inner_heights
        The inner nodes by rising height, the root last.
    """
    n_leaves, height = order.size, int(inner_heights[-1])
    node_labels = (*labels, *inner_labels)
    heights = np.concatenate([np.zeros(n_leaves, dtype=np.int64), inner_heights])
    position = np.empty(n_leaves, dtype=np.int64)
    position[order] = np.arange(n_leaves)
    return Arrangement(
        position=position,
        gap_nodes=gap_inner + n_leaves,
        node_labels=node_labels,
        node_heights=heights,
        node_levels=heights,
        leaf_nodes=np.arange(n_leaves),
        height=height,
        root=len(node_labels) - 1,
    )
