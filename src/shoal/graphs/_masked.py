"""The network as it is published: of each group its size and inner edges, of pairs those between.

Structural information loss (Campan and Truta, 2009) is what nobody can tell any more: inside a
group, and between two, all that is known is how many of the possible edges there are.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.random import Generator

from shoal.graphs._graph import Graph
from shoal.typing import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class MaskedGraph:
    """Groups with their sizes and inner edges, and how many edges join two of them.

    Attributes
    ----------
    sizes, inner : IntArray
        People and edges in each group.
    pairs : IntArray
        Two groups with edges between them, one row each, the smaller number first, sorted.
    between : IntArray
        How many edges those are.

    Examples
    --------
    Two triangles and an edge between them; inside everything is certain, between nothing is:

    >>> graph = Graph.from_pairs(["ab", "bc", "ca", "de", "ef", "fd", "ad"])
    >>> masked = mask(graph, np.array([0, 0, 0, 1, 1, 1]))
    >>> masked.sizes.tolist(), masked.inner.tolist(), masked.between.tolist()
    ([3, 3], [3, 3], [1])
    >>> masked.structural_loss, round(masked.nsil, 4)
    (1.7777777777777777, 0.237)
    """

    sizes: IntArray
    inner: IntArray
    pairs: IntArray
    between: IntArray

    @property
    def n_people(self) -> int:
        """How many people there are."""
        return int(self.sizes.sum())

    @property
    def n_edges(self) -> int:
        """How many edges there are, inside groups and between them."""
        return int(self.inner.sum() + self.between.sum())

    @cached_property
    def possible_inside(self) -> IntArray:
        """How many edges each group could have."""
        return self.sizes * (self.sizes - 1) // 2

    @cached_property
    def possible_between(self) -> IntArray:
        """How many edges there could be between two groups."""
        return self.sizes[self.pairs[:, 0]] * self.sizes[self.pairs[:, 1]]

    @cached_property
    def structural_loss(self) -> float:
        """SIL: inside groups 2e(1 - e / C(s, 2)), between two 2e(1 - e / (s1 s2)), all together."""
        inside = uncertainty(self.inner, self.possible_inside)
        return float(inside.sum() + uncertainty(self.between, self.possible_between).sum())

    @property
    def nsil(self) -> float:
        """SIL over n(n - 1) / 4, the most it can be: from 0 to 1."""
        n = self.n_people
        return 4 * self.structural_loss / (n * (n - 1)) if n > 1 else 0.0

    @property
    def edge_loss(self) -> float:
        """SIL over 2E: the share of what edges could lose, the same at any number of people."""
        return self.structural_loss / (2 * self.n_edges) if self.n_edges else 0.0

    def draw(self, rng: Generator) -> Graph:
        """Draw a graph at random among all that could have been masked so."""
        first = np.cumsum(self.sizes) - self.sizes
        inside = [
            _inner_edges(rng, f, s, e)
            for f, s, e in zip(first, self.sizes, self.inner, strict=True)
            if e
        ]
        joined = [
            _outer_edges(rng, first[a], self.sizes[a], first[b], self.sizes[b], e)
            for (a, b), e in zip(self.pairs.tolist(), self.between.tolist(), strict=True)
        ]
        pairs = np.concatenate([*inside, *joined, np.zeros((0, 2), dtype=np.int64)])
        width = len(str(self.n_people))
        return Graph.from_numbers([f"{i:0{width}}" for i in range(self.n_people)], pairs)


def mask(graph: Graph, labels: IntArray) -> MaskedGraph:
    """Mask a graph: ``labels`` gives the group of each person, numbered without gaps."""
    groups = np.asarray(labels)
    sizes = np.bincount(groups)
    ends = np.sort(groups[graph.pairs], axis=1)
    same = ends[:, 0] == ends[:, 1]
    inner = np.bincount(ends[same, 0], minlength=sizes.size)
    keys, between = np.unique(ends[~same, 0] * sizes.size + ends[~same, 1], return_counts=True)
    return MaskedGraph(
        sizes, inner, np.column_stack([keys // sizes.size, keys % sizes.size]), between
    )


def uncertainty(edges: IntArray, possible: IntArray) -> FloatArray:
    """What is lost where ``edges`` of ``possible`` are known to be there, and not which.

    >>> uncertainty(np.array([0, 3, 6]), np.array([6, 6, 6])).tolist()
    [0.0, 3.0, 0.0]
    """
    return 2.0 * edges * (1.0 - edges / np.maximum(possible, 1))


def _inner_edges(rng: Generator, first: int, size: int, edges: int) -> IntArray:
    one, two = np.triu_indices(size, 1)
    chosen = rng.choice(one.size, edges, replace=False)
    return np.column_stack([first + one[chosen], first + two[chosen]])


def _outer_edges(
    rng: Generator, first: int, size: int, other: int, other_size: int, edges: int
) -> IntArray:
    chosen = rng.choice(size * other_size, edges, replace=False)
    return np.column_stack([first + chosen // other_size, other + chosen % other_size])
