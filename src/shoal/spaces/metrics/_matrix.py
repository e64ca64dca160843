"""Distances of all pairs of values, where no order and no tree tells them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from shoal.exceptions import InvalidParameterError
from shoal.hierarchies import Arrangement, Flat
from shoal.spaces.metrics._base import Measured, from_tree, positions_of
from shoal.table import Column
from shoal.typing import FloatArray

MOST_VALUES = 4096  # 64 MB of pairs
FINEST = 1 << 20  # heights of a tree are whole numbers: this many for the largest distance


def from_matrix(column: Column, matrix: FloatArray) -> Measured:
    """Measure a column by a table of distances between its labels.

    Clusters need spans of codes with a diameter. Complete linkage gives them: it joins values
    into a tree in which the height of a node is the largest distance between any two below it.
    """
    reach = float(matrix.max(initial=0.0)) or 1.0
    tree = _complete_linkage(column, matrix / reach)
    measured = from_tree(column, tree)
    back = measured.column_codes
    exact = np.ones((column.n_codes, column.n_codes), dtype=np.float32)
    labels = back[back < len(column.labels)]
    exact[: labels.size, : labels.size] = (matrix / reach)[np.ix_(labels, labels)]
    np.fill_diagonal(exact, 0.0)
    return replace(measured, reach=reach, exact=exact)


def refuse_too_many(column: Column, what: str, hint: str) -> None:
    """Raise if a table of all pairs would be too large."""
    if len(column.labels) > MOST_VALUES:
        raise InvalidParameterError(
            f"Column {column.name!r} has {len(column.labels):,} distinct values; {what} compares "
            f"all pairs of at most {MOST_VALUES:,}.",
            hint=hint,
        )


def _complete_linkage(column: Column, shares: FloatArray) -> Arrangement:
    n = len(column.labels)
    if n < 2:
        return Flat().arrange(column.labels, column=column.name)
    from scipy.cluster.hierarchy import linkage
    from scipy.spatial.distance import squareform

    joins = linkage(squareform(shares, checks=False), method="complete")
    leaves = {i: [i] for i in range(n)}
    spans: dict[int, tuple[int, int]] = {}
    for step, (left, right) in enumerate(joins[:, :2].astype(int).tolist()):
        leaves[n + step] = leaves.pop(left) + leaves.pop(right)
        spans[n + step] = (left, right)
    order = np.array(leaves[2 * n - 2], dtype=np.int64)
    heights = np.maximum(1, np.round(joins[:, 2] * FINEST)).astype(np.int64)
    every = np.concatenate([np.zeros(n, dtype=np.int64), heights])
    return Arrangement(
        position=positions_of(order),
        gap_nodes=_gaps(order, spans, n) + n,
        node_labels=(*(column.labels[i] for i in order.tolist()), *["*"] * (n - 1)),
        node_heights=every,
        node_levels=every,
        leaf_nodes=np.arange(n),
        height=int(heights[-1]),
        root=2 * n - 2,
    )


def _gaps(order: np.ndarray, spans: dict[int, tuple[int, int]], n: int) -> np.ndarray:
    """Which join closes the gap between each two neighbouring leaves."""
    first = {int(leaf): place for place, leaf in enumerate(order)}
    gaps = np.empty(n - 1, dtype=np.int64)
    for node, (left, right) in spans.items():
        gaps[first[right] - 1] = node - n
        first[node] = first[left]
    return gaps
