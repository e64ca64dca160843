"""Earth mover's distances between each group and the table, as exact fractions."""

from __future__ import annotations

import numpy as np

from shoal.hierarchies import Hierarchy
from shoal.kernels.closeness import (
    CARRY,
    equal_distances,
    ordered_distance_wide,
    ordered_distances,
    tree_distances,
    tree_of_gaps,
)
from shoal.privacy._histograms import Histograms
from shoal.privacy._ratios import Ratios
from shoal.table import Column
from shoal.typing import IntArray


def equal_ratios(counted: Histograms, reference: IntArray) -> Ratios:
    """Half the sum of absolute differences: all values are equally far from each other."""
    rows = int(reference.sum())
    distances = equal_distances(
        counted.starts, counted.codes, counted.counts, counted.totals, reference, rows
    )
    return Ratios(distances, counted.totals * (2 * rows))


def ordered_ratios(counted: Histograms, reference: IntArray) -> Ratios:
    """Sum of absolute cumulated differences over (values - 1): distance is difference in rank.

    Values that the reference does not hold take no rank. A missing value ranks last.
    """
    present = reference > 0
    rank = np.cumsum(present) - 1
    codes, reference = rank[counted.codes], reference[present]
    rows, steps = int(reference.sum()), max(reference.size - 1, 1)
    distances = ordered_distances(counted.starts, codes, counted.counts, counted.totals, reference)
    if int(counted.totals.max()) * rows * reference.size < CARRY:
        return Ratios(distances, counted.totals * (rows * steps))
    exact, totals = distances.astype(object), counted.totals.astype(object)
    for group in np.flatnonzero(totals * rows * reference.size >= int(CARRY)).tolist():
        part = slice(counted.starts[group], counted.starts[group + 1])
        high, low = ordered_distance_wide(
            codes[part], counted.counts[part], totals[group], reference
        )
        exact[group] = int(high) * int(CARRY) + int(low)
    return Ratios(exact, totals * (rows * steps))


def hierarchical_ratios(
    counted: Histograms, reference: IntArray, column: Column, hierarchy: Hierarchy
) -> Ratios:
    """Distance is the height at which two values meet, over the height of the tree.

    On a tree each edge carries the surplus of all that lies below it, so the cost is the sum over
    nodes of edge length times surplus; half of it, since the way leads up and down. Short branches
    count as if they were stretched to the height of the tree. A missing value hangs at the root.
    """
    arrangement = hierarchy.arrange(list(column.labels), column=column.name)
    gaps = arrangement.node_heights[arrangement.gap_nodes]
    leaves = arrangement.position
    if column.has_missing:
        gaps = np.append(gaps, np.full(min(leaves.size, 1), arrangement.height))
        leaves = np.append(leaves, leaves.size)
    parents, levels = tree_of_gaps(np.ascontiguousarray(gaps, dtype=np.int64))
    at_leaves = np.zeros_like(reference)
    at_leaves[leaves] = reference
    rows = int(reference.sum())
    moved = (counted.starts, leaves[counted.codes], counted.counts, counted.totals)
    distances = tree_distances(*moved, at_leaves, rows, parents, levels)
    return Ratios(distances, counted.totals * (2 * rows * arrangement.height))
