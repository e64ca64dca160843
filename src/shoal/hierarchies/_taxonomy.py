"""Taxonomies: trees written down node by node."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from shoal.exceptions import HierarchyShapeError, InvalidParameterError
from shoal.hierarchies._base import Arrangement, Hierarchy, assemble, distinct_labels, gap_error
from shoal.hierarchies._json import json_nodes
from shoal.hierarchies._ladder import ladder_nodes
from shoal.hierarchies._layout import Layout, lay_out
from shoal.hierarchies._nodes import Nodes, parent_nodes
from shoal.typing import IntArray


@dataclass(frozen=True, eq=False, repr=False)
class Taxonomy(Hierarchy):
    """A tree of any depth with any labels; leaves need not be equally deep.

    Build one with `from_ladder`, `from_json` or `from_parents`, or read a file with
    `read_hierarchy`. A tree that is none is refused at birth, with counts and no values.

    Parameters
    ----------
    labels : sequence of str
        What each node publishes.
    parents : IntArray
        Parent of each node, -1 for the root. Children stand in the order of their numbers.
    values : sequence of str, optional
        The value of the table each leaf stands for; the labels if not given.
    source : str, optional
        Name of the file the tree came from, for messages.

    Examples
    --------
    >>> work = Taxonomy.from_ladder([
    ...     ("Private", "Private", "*"),
    ...     ("Federal", "Government", "*"),
    ...     ("Local", "Government", "*"),
    ... ])
    >>> print(work.draw())
    *
    ├── Private
    │   └── Private
    └── Government
        ├── Federal
        └── Local
    >>> jobs = work.arrange(["Federal", "Local", "Private"])
    >>> [jobs.node_labels[node] for node in jobs.gap_nodes]
    ['*', 'Government']
    """

    labels: Sequence[str]
    parents: IntArray
    values: Sequence[str] = ()
    source: str | None = None
    layout: Layout = field(init=False)

    def __post_init__(self) -> None:
        values = self.values or self.labels
        parents = np.asarray(self.parents, dtype=np.int64)
        if not len(self.labels) == len(values) == parents.size:
            raise InvalidParameterError("Every node needs a label, a value and a parent.")
        if not all(isinstance(text, str) for text in (*self.labels, *values)):
            raise InvalidParameterError("Labels and values of a hierarchy must be text.")
        if parents.size and parents.max() >= parents.size:
            raise InvalidParameterError("A parent must be one of the nodes.")
        object.__setattr__(self, "labels", tuple(self.labels))
        object.__setattr__(self, "values", tuple(values))
        object.__setattr__(self, "parents", parents)
        object.__setattr__(self, "layout", self._check_tree())

    def __repr__(self) -> str:  # labels may be cell values and stay out of logs
        source = f", source={self.source!r}" if self.source else ""
        return f"Taxonomy({self.n_leaves} leaves, height {self.height}{source})"

    @classmethod
    def from_ladder(cls, rows: Iterable[Sequence[str]], *, source: str | None = None) -> Taxonomy:
        """Build the tree from rows ``(value, level 1, ..., root)``, all equally long.

        A node is a label on a level: ``("US", "America", "America", "*")`` has two nodes called
        America, one above the other.
        """
        return cls._of(ladder_nodes(rows, _where(source)), source)

    @classmethod
    def from_json(cls, tree: Mapping[str, Any], *, source: str | None = None) -> Taxonomy:
        """Build the tree from nested objects and lists, or from entries that name their parent.

        >>> Taxonomy.from_json({"*": {"A": ["a1", "a2"], "B": ["b1"]}})
        Taxonomy(3 leaves, height 2)
        >>> Taxonomy.from_json({"entries": {
        ...     "all": {"name": "*", "gen": "all", "level": 0},
        ...     "Male": {"name": "Male", "gen": "all", "level": 1},
        ...     "Female": {"name": "Female", "gen": "all", "level": 1},
        ... }})
        Taxonomy(2 leaves, height 1)
        """
        return cls._of(json_nodes(tree, _where(source)), source)

    @classmethod
    def from_parents(
        cls, parents: Mapping[str, str | None], *, source: str | None = None
    ) -> Taxonomy:
        """Build the tree from the parent of each label.

        >>> Taxonomy.from_parents({"Graz": "Styria", "Styria": "*", "Linz": "*"})
        Taxonomy(2 leaves, height 2)
        """
        return cls._of(parent_nodes(parents), source)

    @classmethod
    def _of(cls, nodes: Nodes, source: str | None) -> Taxonomy:
        return cls(nodes.labels, nodes.parents, nodes.values, source)

    @property
    def height(self) -> int:
        """Steps from the root to the deepest leaf."""
        return self.layout.height

    @property
    def n_leaves(self) -> int:
        """Number of values the tree knows."""
        return int(self.layout.leaves.size)

    def arrange(self, labels: Sequence[str], *, column: str | None = None) -> Arrangement:
        """Arrange the values in the order of the tree; nodes above none of them are left out."""
        labels = distinct_labels(labels, column)
        known = self._positions
        full = np.fromiter((known.get(label, -1) for label in labels), np.int64, len(labels))
        missing = int((full < 0).sum())
        if missing:
            hint = "Add each as a leaf, or declare it missing; spelling and spaces count."
            raise gap_error(missing, len(labels), column, hint=hint)
        order = np.argsort(full)
        gaps = self._meet(full[order])
        inner, first = np.unique(np.append(gaps, self.layout.root), return_index=True)
        inner = inner[np.lexsort((first, self.layout.heights[inner]))]
        number = np.empty(len(self.labels), dtype=np.int64)
        number[inner] = np.arange(inner.size)
        return assemble(
            (self.labels[node] for node in self.layout.leaves[full[order]].tolist()),
            order,
            gap_inner=number[gaps],
            inner_labels=(self.labels[node] for node in inner.tolist()),
            inner_heights=self.layout.heights[inner],
        )

    def to_ladder_rows(self) -> list[tuple[str, ...]]:
        """Write the tree as ladder rows; labels repeat where a branch is short of steps.

        >>> Taxonomy.from_json({"*": {"A": ["a1", "a2"], "b": []}}).to_ladder_rows()
        [('a1', 'A', '*'), ('a2', 'A', '*'), ('b', 'b', '*')]
        """
        paths = [self._climb(leaf) for leaf in self.layout.leaves.tolist()]
        double = 0
        for level in range(1, self.height + 1):
            nodes = {path[level] for path in paths}
            double += len(nodes) - len({self.labels[node] for node in nodes})
        if double:  # read back, they would be one node
            where = _where(self.source)
            raise HierarchyShapeError(f"{where} is no ladder: {double} labels repeat on a level.")
        return [(self.values[leaf], *(self.labels[n] for n in above)) for leaf, *above in paths]

    def draw(self, max_nodes: int = 60) -> str:
        """Draw the tree as text, at most ``max_nodes`` lines of it."""
        lines: list[str] = []
        waiting = [(self.layout.root, "", "")]
        while waiting and len(lines) < max_nodes:
            node, branch, indent = waiting.pop()
            lines.append(branch + self.labels[node])
            below = self.layout.children_of(node)
            for child in reversed(below):
                tip, pad = ("└── ", "    ") if child == below[-1] else ("├── ", "│   ")
                waiting.append((child, indent + tip, indent + pad))
        hidden = len(self.labels) - len(lines)
        return "\n".join([*lines, f"... {hidden} more"] if hidden else lines)

    def _check_tree(self) -> Layout:
        where = _where(self.source)
        if len(self.labels) < 2:
            raise HierarchyShapeError(
                f"{where} has no value below a root: {len(self.labels)} nodes."
            )
        layout = lay_out(self.parents, where)
        double = layout.leaves.size - len({self.values[leaf] for leaf in layout.leaves.tolist()})
        if double:
            raise HierarchyShapeError(f"{where} has {double} values with two parents.")
        inner = np.flatnonzero(layout.heights > 0).tolist()
        empty = sum(self.labels[node] == "" for node in inner)  # published, it would look missing
        if empty:
            raise HierarchyShapeError(f"{where} has {empty} empty labels above the values.")
        return layout

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {self.values[leaf]: i for i, leaf in enumerate(self.layout.leaves.tolist())}

    def _meet(self, positions: IntArray) -> IntArray:
        """Lowest common ancestors of neighbours among sorted leaf positions of the whole tree."""
        if positions.size < 2:
            return np.empty(0, dtype=np.int64)
        gaps, n_nodes = self.layout.gaps[: positions[-1]], len(self.labels)
        tall = self.layout.heights[gaps] * n_nodes + gaps  # the tallest of a span is unique
        return np.maximum.reduceat(tall, positions[:-1]) % n_nodes

    def _climb(self, leaf: int) -> list[int]:
        """Nodes of one ladder row: on each level the highest ancestor that is not above it."""
        path = [leaf]
        for level in range(1, self.height + 1):
            parent = int(self.parents[path[-1]])
            fits = parent >= 0 and self.layout.heights[parent] <= level
            path.append(parent if fits else path[-1])
        return path


def _where(source: str | None) -> str:
    return "The hierarchy" if source is None else f"The hierarchy in {source!r}"
