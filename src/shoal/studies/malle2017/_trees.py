"""The hierarchies as the original code climbs them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from shoal.hierarchies import Taxonomy
from shoal.studies._census._people import people
from shoal.typing import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class PaperTree:
    """A tree with all meetings worked out.

    ``joined[a, b]`` is the node where the original code ends when a group at node ``a`` takes a
    row at ``b``; ``share[a]`` is the part of the tree's height below ``a``.
    """

    keys: tuple[str, ...]
    names: dict[str, str]
    share: FloatArray
    joined: IntArray

    def codes(self, values: Sequence[str]) -> IntArray:
        """Number the nodes of values."""
        number = {key: i for i, key in enumerate(self.keys)}
        return np.array([number[value] for value in values], dtype=np.int64)


@cache
def legacy_tree(column: str) -> PaperTree:
    """Work out the tree of a column."""
    taxonomy = people().hierarchies[column]
    assert isinstance(taxonomy, Taxonomy)
    parents = np.where(taxonomy.parents < 0, np.arange(len(taxonomy.labels)), taxonomy.parents)
    depth = _depths(taxonomy.parents)
    n = len(taxonomy.labels)
    joined = np.array([[_climb(a, b, parents, depth) for b in range(n)] for a in range(n)])
    share = (depth.max() - depth) / depth.max()
    names = dict(zip(taxonomy.values, taxonomy.labels, strict=True))
    return PaperTree(tuple(taxonomy.values), names, share, joined)


def _climb(group: int, row: int, parents: IntArray, depth: IntArray) -> int:
    """Climb as the original does: the row always, the group whenever it is the deeper one.

    Where leaves lie at different depths this may end above the lowest common ancestor.
    """
    while group != row:
        row = int(parents[row])
        if depth[group] > depth[row]:
            group = int(parents[group])
    return group


def _depths(parents: IntArray) -> IntArray:
    depth = np.zeros(parents.size, dtype=np.int64)
    for node in range(parents.size):
        above = parents[node]
        while above >= 0:
            depth[node] += 1
            above = parents[above]
    return depth
