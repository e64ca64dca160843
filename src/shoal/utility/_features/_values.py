"""Values without a written tree: flat, spelled out as paths, or arranged by a custom hierarchy."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from shoal.hierarchies import Arrangement, Flat, Hierarchy, Taxonomy, infer_hierarchy
from shoal.hierarchies.ready import ReadyLadder
from shoal.table import Column
from shoal.utility._features._cells import OTHER


def value_tree(name: str, values: Sequence[str], hierarchy: Hierarchy | None) -> Taxonomy:
    """Find the tree above some values; those of a column without any are all alike.

    >>> value_tree("pet", ["cat", "dog"], None)
    Taxonomy(2 leaves, height 1)
    """
    if isinstance(hierarchy, Taxonomy):
        return hierarchy
    if not values:
        return _flat([OTHER])
    if isinstance(hierarchy, ReadyLadder):
        return hierarchy.published_tree(values)
    if hierarchy is None:
        plain = tuple(value for value in values if not value.endswith("*"))
        hierarchy = infer_hierarchy(
            Column(name, "nominal", np.zeros(0, dtype=np.int32), plain, None, False)
        )
        if isinstance(hierarchy, Taxonomy):
            return hierarchy
    if hierarchy is None or isinstance(hierarchy, Flat):
        return _flat(values)
    return _written_out(hierarchy.arrange(values, column=name), values)


def _flat(values: Sequence[str]) -> Taxonomy:
    return Taxonomy.from_parents(dict.fromkeys(values, "*"))


def _written_out(tree: Arrangement, values: Sequence[str]) -> Taxonomy:
    """Write an arrangement out: the parent of a node is the lower of the nodes on either side.

    >>> from shoal.hierarchies import Mask
    >>> codes = ["8010", "8045", "1190"]
    >>> print(_written_out(Mask().arrange(codes), codes).draw())
    *
    ├── 1190
    └── 80**
        ├── 8010
        └── 8045
    """
    first, last = tree.extents
    sides = np.concatenate([[tree.root], tree.gap_nodes, [tree.root]])
    before, after = sides[first], sides[last + 1]
    lower = tree.node_heights[before] <= tree.node_heights[after]
    parents = np.where(lower, before, after)
    parents[tree.root] = -1
    names = list(tree.node_labels)
    for value, place in zip(values, tree.position.tolist(), strict=True):
        names[int(tree.leaf_nodes[place])] = value
    return Taxonomy(tree.node_labels, parents, names)
