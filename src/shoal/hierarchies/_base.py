"""Hierarchies: what each promises, and the arrangement of a column's values that it makes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, overload

import numpy as np

from shoal.exceptions import HierarchyGapError, InvalidParameterError
from shoal.typing import FloatArray, IntArray

FEW_LEAVES = 128  # of a tree whose spans are all looked up at once: in less than a millisecond


class Hierarchy(ABC):
    """A tree over the values of a column; every hierarchy is a frozen value."""

    #: What a node loses unless somebody says otherwise (`shoal.spaces.LOSSES`).
    loss: ClassVar[str] = "height"

    @abstractmethod
    def arrange(self, labels: Sequence[str], *, column: str | None = None) -> Arrangement:
        """Arrange the values of one column.

        Parameters
        ----------
        labels : sequence of str
            The distinct values of the column, missing ones left out, in any order: the tree
            decides the order of the leaves.
        column : str, optional
            Name of the column, for error messages.

        Raises
        ------
        HierarchyGapError
            Some values are not leaves of the hierarchy; the message holds their count.
        """


def distinct_labels(labels: Sequence[str], column: str | None) -> list[str]:
    """Return the labels as a list after checking that they are text and do not repeat."""
    labels = list(labels)
    if not all(isinstance(label, str) for label in labels):
        raise InvalidParameterError(f"A hierarchy arranges text; {_values_of(column)} are not.")
    repeated = len(labels) - len(set(labels))
    if repeated:
        raise InvalidParameterError(
            f"A hierarchy arranges distinct values; {repeated} {_values_of(column)} repeat others."
        )
    return labels


def gap_error(missing: int, total: int, column: str | None, *, hint: str) -> HierarchyGapError:
    """Say how many values the hierarchy lacks, and never which."""
    are = "is" if missing == 1 else "are"
    which = " To see which: shoal hierarchy check FILE COLUMN --hierarchy H"
    return HierarchyGapError(
        f"{missing} of {total} distinct {_values_of(column)} {are} not in the hierarchy.",
        hint=hint + which,
    )


def _values_of(column: str | None) -> str:
    return "values" if column is None else f"values of column {column!r}"


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
    grows : bool
        Whether the tree is as high as the longest value of the column, rather than given.

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
    >>> dict(zip(codes.node_labels, np.stack(codes.extents, axis=1).tolist()))
    {'1190': [0, 0], '8010': [1, 1], '8045': [2, 2], '80**': [1, 2], '*': [0, 2]}
    """

    position: IntArray
    gap_nodes: IntArray
    node_labels: tuple[str, ...]
    node_heights: IntArray
    node_levels: IntArray
    leaf_nodes: IntArray
    height: int
    root: int
    grows: bool = False
    #: The distinct values of the column.
    n_leaves: int = field(init=False)
    #: What publishing each node loses: its height over that of the tree.
    node_losses: FloatArray = field(init=False)
    #: First and last leaf below each node.
    extents: tuple[IntArray, IntArray] = field(init=False)
    #: The node of every span of leaves, in a small tree: they are asked for again and again.
    node_of_span: IntArray | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        n_leaves, n_nodes = int(self.leaf_nodes.size), len(self.node_labels)
        object.__setattr__(self, "n_leaves", n_leaves)
        if self.position.size != n_leaves or self.gap_nodes.size != max(n_leaves - 1, 0):
            raise InvalidParameterError("An arrangement has a gap between each two leaves.")
        if self.node_heights.size != n_nodes or self.node_levels.size != n_nodes:
            raise InvalidParameterError("Every node needs a label, a height and a level.")
        object.__setattr__(self, "node_losses", self.node_heights / self.height)
        first = np.zeros(n_nodes, dtype=np.int64)
        last = np.full(n_nodes, n_leaves - 1, dtype=np.int64)
        first[self.leaf_nodes] = last[self.leaf_nodes] = np.arange(n_leaves)
        heights = self.node_heights[self.gap_nodes]
        for height in np.unique(heights):
            gaps = np.flatnonzero(heights == height)
            walls = np.flatnonzero(heights > height)  # a taller gap on either side ends the subtree
            between = np.searchsorted(walls, gaps)
            first[self.gap_nodes[gaps]] = np.append(-1, walls)[between] + 1
            last[self.gap_nodes[gaps]] = np.append(walls, n_leaves - 1)[between]
        object.__setattr__(self, "extents", (first, last))
        if 0 < n_leaves <= FEW_LEAVES:
            leaves = np.arange(n_leaves)
            object.__setattr__(self, "node_of_span", self.lca(leaves[:, np.newaxis], leaves))

    def __repr__(self) -> str:  # labels are cell values and stay out of logs
        return f"Arrangement({self.n_leaves} leaves, height {self.height})"

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
        nodes = self.leaf_nodes[low]
        if self.n_leaves > 1:
            by_height, tallest = self._tallest
            power = np.frexp(np.maximum(high - low, 1))[1] - 1  # largest 2 ** power <= high - low
            left = np.minimum(low, self.n_leaves - 2)  # low == high may stand after the last gap
            right = np.maximum(high - (1 << power), 0)
            top = np.maximum(tallest[power, left], tallest[power, right])
            nodes = np.where(low == high, nodes, by_height[top])
        return int(nodes) if nodes.ndim == 0 else nodes

    @cached_property
    def _tallest(self) -> tuple[IntArray, IntArray]:
        """Nodes by height, and the rank of the tallest in gaps ``i`` to ``i + 2 ** row - 1``.

        The tallest node of a span of gaps is unique: all others in the span lie below it.
        """
        by_height = np.argsort(self.node_heights, kind="stable")
        ranks = np.empty(len(self.node_labels), dtype=np.int32)
        ranks[by_height] = np.arange(ranks.size, dtype=np.int32)
        table = np.empty((self.gap_nodes.size.bit_length(), self.gap_nodes.size), dtype=np.int32)
        table[0] = ranks[self.gap_nodes]
        for row in range(1, len(table)):
            half = 1 << (row - 1)
            table[row] = table[row - 1]
            np.maximum(table[row - 1, :-half], table[row - 1, half:], out=table[row, :-half])
        return by_height, table


def assemble(
    labels: Iterable[str],
    order: IntArray,
    *,
    gap_inner: IntArray,
    inner_labels: Iterable[str],
    inner_heights: IntArray,
    grows: bool = False,
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
    grows : bool
        As in `Arrangement`.
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
        grows=grows,
    )


def meeting_heights(keys: Sequence[IntArray]) -> IntArray:
    """Find the height at which each leaf meets the next.

    ``keys[i]`` names the bin of each sorted leaf at height ``i + 1``, finest first; leaves that
    never share a bin meet at the root, one step above the last.

    >>> month, year = np.array([1, 1, 2, 13]), np.array([0, 0, 0, 1])
    >>> meeting_heights([month, year]).tolist()
    [1, 2, 3]
    """
    heights = np.full(max(keys[0].size - 1, 0), len(keys) + 1, dtype=np.int64)
    for height in range(len(keys), 0, -1):
        key = keys[height - 1]
        heights[key[1:] == key[:-1]] = height
    return heights


def arrange_sorted(
    labels: Sequence[str],
    order: IntArray,
    gap_heights: IntArray,
    *,
    height: int,
    name: Callable[[int, int], str],
    grows: bool = False,
) -> Arrangement:
    """Arrange sorted leaves whose neighbours meet at the heights given.

    Two gaps of one height belong to the same node unless a taller gap stands between them.

    Parameters
    ----------
    labels : sequence of str
        The labels as given; ``order`` sorts them.
    height : int
        Height of the tree: gaps of this height are the root, published as ``*``.
    name : callable
        Gives the label of the node of some height above the leaf at some position.
    grows : bool
        As in `Arrangement`.
    """
    gap_inner = np.empty(gap_heights.size, dtype=np.int64)
    names: list[str] = []
    heights: list[int] = []
    for step in np.unique(gap_heights[gap_heights < height]).tolist():
        gaps = np.flatnonzero(gap_heights == step)
        block = np.cumsum(gap_heights > step)[gaps]
        opens = np.concatenate([[True], block[1:] != block[:-1]])
        gap_inner[gaps] = len(names) + np.cumsum(opens) - 1
        names.extend(name(step, leaf) for leaf in gaps[opens].tolist())
        heights.extend([step] * int(opens.sum()))
    gap_inner[gap_heights >= height] = len(names)
    return assemble(
        [labels[i] for i in order.tolist()],
        order,
        gap_inner=gap_inner,
        inner_labels=[*names, "*"],
        inner_heights=np.array([*heights, height], dtype=np.int64),
        grows=grows,
    )
