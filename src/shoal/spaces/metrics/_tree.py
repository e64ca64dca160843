"""Values at the leaves of a tree: height of the common ancestor, path, shared prefix, equality."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.exceptions import InvalidParameterError
from shoal.hierarchies import Flat, Hierarchy, Mask, Taxonomy
from shoal.spaces.metrics._base import Measured, Metric, from_tree
from shoal.spaces.metrics._matrix import from_matrix, refuse_too_many
from shoal.table import Column, Table
from shoal.typing import FloatArray


@dataclass(frozen=True)
class Height(Metric):
    """Height of the lowest common ancestor in a hierarchy, in levels above the leaves.

    >>> import polars as pl
    >>> from shoal.table import read_table
    >>> table = read_table(pl.DataFrame({"job": ["cook", "vet", "nurse"]}))
    >>> work = Taxonomy.from_json({"*": {"care": ["vet", "nurse"], "food": ["cook"]}})
    >>> jobs = Height(work).measure(table.column("job"), table)
    >>> jobs.between(np.array([0, 0]), np.array([1, 2])).tolist(), jobs.reach
    ([1.0, 2.0], 2.0)
    """

    hierarchy: Hierarchy

    def measure(self, column: Column, table: Table) -> Measured:
        """Measure a column whose values are leaves of the hierarchy."""
        return from_tree(column, self.hierarchy.arrange(column.labels, column=column.name))


@dataclass(frozen=True)
class Path(Metric):
    """Steps from one leaf up to the common ancestor and down to the other.

    Where leaves are not equally deep, a step near the root counts as much as one near a leaf.
    """

    hierarchy: Taxonomy

    def measure(self, column: Column, table: Table) -> Measured:
        """Measure a column whose values are leaves of the taxonomy."""
        self.hierarchy.arrange(column.labels, column=column.name)  # says which ones are not
        refuse_too_many(column, "the path metric", "Use Height, which needs no table of pairs.")
        return from_matrix(column, _path_lengths(self.hierarchy, column.labels))


@dataclass(frozen=True)
class SharedPrefix(Metric):
    """Characters from the right that must be masked until two codes look the same.

    >>> import polars as pl
    >>> from shoal.table import read_table
    >>> frame = pl.DataFrame({"zip": ["13053", "13068", "14853"]})
    >>> table = read_table(frame, kinds={"zip": "code"})
    >>> zips = SharedPrefix().measure(table.column("zip"), table)
    >>> zips.between(np.array([0, 0]), np.array([1, 2])).tolist()
    [2.0, 4.0]
    """

    def measure(self, column: Column, table: Table) -> Measured:
        """Measure a column of codes."""
        return from_tree(column, Mask().arrange(column.labels, column=column.name))


@dataclass(frozen=True)
class Equality(Metric):
    """0 between equals, 1 between all others."""

    def measure(self, column: Column, table: Table) -> Measured:
        """Measure any column."""
        return from_tree(column, Flat().arrange(column.labels, column=column.name))


def _path_lengths(tree: Taxonomy, labels: tuple[str, ...]) -> FloatArray:
    """Steps between all pairs of values: what two ways from the root do not share."""
    leaf_of = {tree.values[leaf]: leaf for leaf in tree.layout.leaves.tolist()}
    ways = [_way_down(tree, leaf_of[label]) for label in labels]
    depth = np.array([len(way) for way in ways])
    padded = np.full((len(ways), int(depth.max(initial=0))), -1)
    for i, way in enumerate(ways):
        padded[i, : len(way)] = way
    shared = np.zeros((len(ways), len(ways)))
    for level in padded.T:
        shared += (level[:, None] == level[None, :]) & (level[:, None] >= 0)
    return np.asarray(depth[:, None] + depth[None, :] - 2.0 * shared)


def _way_down(tree: Taxonomy, leaf: int) -> list[int]:
    way = [leaf]
    while tree.parents[way[-1]] >= 0:
        way.append(int(tree.parents[way[-1]]))
    if len(way) > len(tree.labels):
        raise InvalidParameterError("A taxonomy has a way that never ends.")
    return way[::-1]
