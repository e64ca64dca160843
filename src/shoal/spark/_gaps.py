"""Where to cut: between people who would not share a group anyway."""

from __future__ import annotations

import numpy as np
import polars as pl

from shoal.grouping import Problem
from shoal.kernels.hashing import number_repeats
from shoal.privacy import KAnonymity
from shoal.recipe import quick_grouper
from shoal.spark._recipe import SparkRecipe
from shoal.spark._rows import FragmentRows
from shoal.spark._tree import Cut, Cutter, CutTree, best_of, grow
from shoal.table import hash_rows
from shoal.typing import IntArray


def cut_at_gaps(points: IntArray, groups: IntArray, most: float) -> CutTree:
    """Learn a tree of cuts on a sample of rows, seen as points.

    ``groups`` are those that the sample forms without any cut. Each side of a cut keeps a tenth
    of the rows.
    """
    return grow(len(points), most, gap_cutter(points, groups), points)


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
    at = best_of(gains, below, total)
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


def sample_k(recipe: SparkRecipe, n: int) -> int:
    """As large a k for a sample of ``n`` rows as its share of the table; a crowd is two or more."""
    return max(2, round(recipe.k * n / recipe.rows))


def group_sample(recipe: SparkRecipe, codes: IntArray, k: int) -> IntArray:
    """Group the rows of a sample by the fast order, whatever the plan's models beside k.

    Rows must come in an order of their own (that of their hashes), not in that of the cluster.
    """
    if len(codes) < k:
        return np.zeros(len(codes), dtype=np.int64)
    hashes = number_repeats(hash_rows(pl.DataFrame({"row": np.arange(len(codes))})))
    table = FragmentRows({}, hashes)
    spaces = recipe.spaces_of(codes)
    limited = any(space.reach() is not None for space in spaces.spaces)
    problem = Problem(table, spaces, (KAnonymity(k),), 1.0 if limited else 0.0)
    grouper = quick_grouper(recipe.resolved.grouper.weights)
    return grouper.fit(problem).grouping_.labels
