"""The boundary pass: rows of costly groups meet across the cuts and are grouped again.

Cutting a table hurts those who stand near a cut: in their fragment nobody is left who looks like
them, so they end up in wide groups. The rows of the costliest groups of all fragments are
therefore pooled, cut along other lines (learned on these rows alone) and grouped again with the
plan's own grouper. The driver keeps the new groups only if they lose less in all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from shoal.exceptions import ImpossibleError
from shoal.spark._arrays import to_polars, unpack_rows
from shoal.spark._errors import telling
from shoal.spark._fragments import (
    CODES,
    FRAGMENT,
    GROUP,
    HASH,
    LEFT_OUT,
    NO_PLACE,
    ROW,
    Route,
    grouped,
)
from shoal.spark._learning import learn_router
from shoal.spark._recipe import Recipe
from shoal.table import Grouping

SHARE = 0.25  # of the rows: those in the costliest groups are grouped again
SECOND = 1 << 24  # numbers of pools begin here, so that no two groups have one number


def costly_from(costs: dict[int, int], share: float = SHARE) -> int:
    """Cost from which groups are costly: they hold at most ``share`` of the rows.

    >>> costly_from({10: 80, 500: 15, 900: 5})
    11
    """
    rows, above = sum(costs.values()), 0
    for cost in sorted(costs, reverse=True):
        if above + costs[cost] > share * rows:
            return cost + 1
        above += costs[cost]
    return 0


def regroup(costly: Any, recipe: Recipe, rows: int, most: int, schema: str) -> Any:
    """Cut the rows of costly groups along lines of their own, and group them again."""
    from pyspark.sql import functions as sf

    places = tuple(f"c{recipe.names.index(name)}" for name in recipe.released)
    hashed = costly.withColumn(HASH, sf.xxhash64(*places, CODES))
    router = learn_router(hashed, recipe, "mondrian", most, rows)
    fields = f"{schema}, {HASH} bigint, {FRAGMENT} int"
    routed = hashed.mapInArrow(Route(router, recipe.width), fields)
    work = _GroupPool(recipe, places).work()
    dealt = routed.repartition(router.packing.n, FRAGMENT)
    return dealt.groupBy(FRAGMENT).applyInArrow(work, schema)


@dataclass(frozen=True, eq=False)
class _GroupPool:
    """Group the rows of a pool; as many may stay left out as were before."""

    recipe: Recipe
    seen_from: tuple[str, ...]

    def work(self) -> Any:
        """Give the function that Spark calls with each pool."""

        def group(key: Any, table: pa.Table) -> pa.Table:
            return telling(self._group)(int(key[0].as_py()), table)

        return group

    def _group(self, pool: int, table: pa.Table) -> pa.Table:
        recipe = self.recipe
        frame = to_polars(table, list(self.seen_from), list(recipe.released))
        codes = unpack_rows(table.column(CODES), recipe.width)
        left_out = int((np.asarray(table.column(GROUP)) < 0).sum())
        limit = min(1.0, (left_out + 0.5) / max(1, frame.height)) if left_out else 0.0
        problem = recipe.problem(frame, codes, limit)
        rows = np.asarray(table.column(ROW))
        try:
            grouping = recipe.grouper.fit(problem).grouping_
        except ImpossibleError:
            nobody = Grouping(np.full(frame.height, -1))
            return grouped(recipe, problem.table, codes, rows, nobody, NO_PLACE, SECOND + pool)
        return grouped(recipe, problem.table, codes, rows, grouping, LEFT_OUT, SECOND + pool)
