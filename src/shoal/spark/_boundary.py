"""The boundary pass: rows of costly groups meet across the cuts and are grouped again.

Cutting a table hurts those who stand near a cut: in their fragment nobody is left who looks like
them, so they end up in wide groups. The rows of the costliest groups of all fragments are
therefore pooled, cut along other lines (learned on these rows alone) and grouped again with the
plan's own grouper. Of many pools a few are tried first; the driver keeps the new groups only if
they lose less in all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa

from shoal.exceptions import ImpossibleError
from shoal.spark._fragments import (
    CARRIED,
    CODES,
    FRAGMENT,
    GROUP,
    HASH,
    LEFT_OUT,
    NO_PLACE,
    ROW,
    Piece,
    each_fragment,
    grouped,
    guide,
)
from shoal.spark._learning import learn_router
from shoal.spark._recipe import SparkRecipe
from shoal.table import Grouping

SHARE = 0.25  # of the rows: those in the costliest groups are grouped again
TRIED = 2  # pools that are grouped again before all others are
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


@dataclass(frozen=True, eq=False)
class Pools:
    """Rows of costly groups, cut along lines of their own; few pools can be tried before all."""

    frame: Any
    recipe: SparkRecipe
    schema: str
    n: int

    @classmethod
    def of(cls, costly: Any, recipe: SparkRecipe, rows: int, most: int, schema: str) -> Pools:
        """Learn where to cut these rows."""
        hashed = costly.withColumn(HASH, costly[ROW])
        router = learn_router(hashed, recipe, "mondrian", most, rows)
        routed = hashed.withColumn(FRAGMENT, guide(router, recipe.width)(CODES, HASH))
        return cls(routed, recipe, schema, router.packing.n)

    def some(self) -> Pools | None:
        """A few of the pools, from all over the table; None if there are not many."""
        if self.n < 4 * TRIED:
            return None
        chosen = self.frame[FRAGMENT] % (self.n // TRIED) == 0
        return Pools(self.frame.filter(chosen), self.recipe, self.schema, self.n)

    def regrouped(self) -> Any:
        """Group every pool again."""
        needed = [self.recipe.place(name) for name in self.recipe.rest]
        rows = self.frame.select(*needed, CODES, ROW, *CARRIED, GROUP, FRAGMENT)
        return rows.repartitionById(self.n, FRAGMENT).mapInArrow(
            _GroupPool(self.recipe), self.schema
        )


@dataclass(frozen=True, eq=False)
class _GroupPool:
    """Group the rows of a pool; as many may stay left out as were before."""

    recipe: SparkRecipe

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Group a partition, which is a pool."""
        return each_fragment(batches, self._group)

    def _group(self, table: pa.Table) -> pa.Table:
        recipe = self.recipe
        piece = Piece.of(table, recipe, np.asarray(table.column(ROW)).view(np.uint64))
        piece = replace(piece, number=SECOND + piece.number)
        left_out = int((np.asarray(table.column(GROUP)) < 0).sum())
        limit = min(1.0, (left_out + 0.5) / max(1, len(table))) if left_out else 0.0
        try:
            grouping = recipe.resolved.grouper.fit(piece.problem(recipe, limit)).grouping_
        except ImpossibleError:
            return grouped(recipe, piece, Grouping(np.full(len(table), -1)), NO_PLACE)
        return grouped(recipe, piece, grouping, LEFT_OUT)
