"""Where to cut: between people who would not share a group anyway."""

from __future__ import annotations

import numpy as np

from shoal.grouping._cut_tree import Cut, Cutter, CutTree, best_cut, grow_cuts
from shoal.typing import IntArray


def cut_at_gaps(points: IntArray, groups: IntArray, most: float) -> CutTree:
    """Learn a tree of cuts on a sample of rows, seen as points.

    ``groups`` are those that the sample forms without any cut. Each side of a cut keeps a tenth
    of the rows.
    """
    return grow_cuts(len(points), most, gap_cutter(points, groups), points)


def gap_cutter(points: IntArray, groups: IntArray) -> Cutter:
    """Rate cuts by how few rows they tear from their group.

    The gain is the share of rows that are spared, among those that a cut through all groups with
    as many rows on its smaller side would tear off.
    """

    def best(rows: IntArray) -> Cut | None:
        found = [
            _best_cut(points[rows, axis], groups[rows], axis) for axis in range(points.shape[1])
        ]
        return max((cut for cut in found if cut is not None), default=None)

    return best


def _best_cut(points: IntArray, groups: IntArray, axis: int) -> Cut | None:
    order = np.argsort(points, kind="stable")
    ranked, total = points[order], len(points)
    ends = np.flatnonzero(ranked[1:] != ranked[:-1])
    below = ends + 1
    gains = 1 - torn_off(groups[order])[ends] / np.minimum(below, total - below)
    at = best_cut(gains, below, total)
    return None if at is None else Cut(float(gains[at]), axis, int(ranked[ends[at]]))


def torn_off(groups: IntArray) -> IntArray:
    """Rows on the smaller side of their group, if all up to each row in turn are cut off.

    >>> torn_off(np.array([0, 0, 1, 0, 1, 1])).tolist()
    [1, 1, 2, 1, 1, 0]
    """
    _, which, sizes = np.unique(groups, return_inverse=True, return_counts=True)
    together = np.argsort(which, kind="stable")
    rank = np.empty(which.size, dtype=np.int64)
    rank[together] = np.arange(which.size) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    torn: IntArray = np.cumsum(np.sign(sizes[which] - 2 * rank - 1))
    return torn
