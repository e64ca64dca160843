"""Groups of a sample, between which a cluster cuts."""

from __future__ import annotations

import numpy as np
import polars as pl

from shoal.grouping import Problem
from shoal.kernels.hashing import number_repeats
from shoal.privacy import KAnonymity
from shoal.recipe import quick_grouper
from shoal.spark._recipe import SparkRecipe
from shoal.spark._rows import FragmentRows
from shoal.table import hash_rows
from shoal.typing import IntArray


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
