"""Tree of a hierarchy, to look at."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.hierarchies import Arrangement
from shoal.web._workspace import Workspace

MOST_CHILDREN = 12  # shown below one node; the rest is counted


@dataclass(frozen=True)
class Branch:
    """A node, what is published for it, and what it covers."""

    label: str
    values: int
    children: list[Branch]
    more: int


def tree_of(space: Workspace, column: str) -> Branch | None:
    """Draw up the tree of a column; None where spans serve."""
    hierarchy = space.hierarchy(column)
    if hierarchy is None:
        return None
    labels = space.table.column(column).labels
    return grow(hierarchy.arrange(labels, column=column)) if labels else None


def grow(tree: Arrangement) -> Branch:
    """Turn an arrangement back into the tree it came from.

    >>> from shoal.hierarchies import Mask
    >>> tree = grow(Mask().arrange(["8010", "8045", "1190"]))
    >>> tree.label, [child.label for child in tree.children]
    ('*', ['1190', '80**'])
    """
    return _branch(tree, 0, tree.n_leaves - 1)


def _branch(tree: Arrangement, first: int, last: int) -> Branch:
    node = int(tree.lca(first, last))
    children: list[Branch] = []
    ends: list[int] = []
    if first < last:
        cuts = np.flatnonzero(tree.gap_nodes[first:last] == node) + first
        ends = [*cuts.tolist(), last]
        begins = [first, *(cut + 1 for cut in cuts.tolist())]
        shown = list(zip(begins, ends, strict=True))[:MOST_CHILDREN]
        children = [_branch(tree, begin, end) for begin, end in shown]
    more = max(0, len(ends) - MOST_CHILDREN)
    return Branch(tree.node_labels[node], last - first + 1, children, more)
