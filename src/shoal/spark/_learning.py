"""Learning where to cut: on a sample that a hash of the content chooses, and on the workers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa

from shoal.grouping import CutTree, Packing, pack_leaves
from shoal.spark._arrays import unpack_rows
from shoal.spark._cuts import learn_cuts
from shoal.spark._errors import telling, understood
from shoal.spark._fragments import CODES, HASH, TARGET
from shoal.spark._recipe import SparkRecipe
from shoal.spark._routing import Router, check_routing
from shoal.typing import IntArray

SAMPLE = 60_000  # rows that cuts are learned on
FINER = 3  # leaves per fragment, so that counts decide how they are put together


def learn_router(
    coded: Any, recipe: SparkRecipe, routing: str, most: int, rows: int | None = None
) -> Router:
    """Learn the routing asked for, count its leaves, and pack them into fragments.

    ``rows`` says how many rows ``coded`` has, if they are not all of the table.
    """
    rows = recipe.rows if rows is None else rows
    check_routing(routing)
    alone = Packing(np.zeros(1, dtype=np.int64), np.ones(1, dtype=np.int64))
    router = Router(CutTree.single(), alone)
    if rows <= most or not recipe.width:
        return replace(router, packing=_packed(router.tree, np.array([rows]), most, recipe))
    if routing == "mondrian":
        router = replace(router, tree=_learn_cuts(coded, recipe, most, rows))
    elif routing == "network":
        from shoal.spark._training import train_router

        router = train_router(sample_of(coded, rows), recipe, most, router)
    counts = count_leaves(coded, router, recipe.width)
    return replace(router, packing=_packed(router.tree, counts, most, recipe))


def sample_of(coded: Any, rows: int, wanted: int = SAMPLE) -> Any:
    """Rows whose hash is below a mark: the same ones however the table is cut into partitions."""
    from pyspark.sql import functions as sf

    kept = coded.select(*(name for name in coded.columns if name in (CODES, HASH, TARGET)))
    if rows <= wanted:
        return kept
    marks = 1 << 20
    return kept.filter(sf.pmod(sf.col(HASH), sf.lit(marks)) < int(marks * wanted / rows))


def count_leaves(coded: Any, router: Router, width: int) -> IntArray:
    """Count the rows of every leaf, on the workers."""
    with understood():
        found = (
            coded.select(CODES)
            .mapInArrow(_CountLeaves(router, width), "leaf int, n bigint")
            .groupBy("leaf")
            .sum("n")
            .collect()
        )
    counts = np.zeros(router.tree.axis.size, dtype=np.int64)
    for leaf, n in found:
        counts[leaf] = n
    return counts


def on_one_worker(frame: Any, work: Callable[[pa.Table], str]) -> str:
    """Let a single worker see a (small) frame and answer with a text of statistics."""
    from pyspark.sql import functions as sf

    def answer(table: pa.Table) -> pa.Table:
        return pa.table({"answer": [telling(work)(table)]})

    with understood():
        answers = (
            frame.withColumn("x_all", sf.lit(0))
            .groupBy("x_all")
            .applyInArrow(answer, "answer string")
        ).collect()
    return str(answers[0][0])


@dataclass(frozen=True, eq=False)
class _CountLeaves:
    router: Router
    width: int

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            leaves = self.router.leaves(unpack_rows(batch.column(CODES), self.width))
            found, n = np.unique(leaves, return_counts=True)
            arrays = [pa.array(found, pa.int32()), pa.array(n, pa.int64())]
            yield pa.RecordBatch.from_arrays(arrays, ["leaf", "n"])


def _learn_cuts(coded: Any, recipe: SparkRecipe, most: int, rows: int) -> CutTree:
    def learn(sample: pa.Table) -> str:
        codes = unpack_rows(sample.column(CODES), recipe.width)
        share = len(codes) / rows
        return learn_cuts(recipe.spaces, codes, most * share / FINER).to_json()

    return CutTree.from_json(on_one_worker(sample_of(coded, rows), learn))


def _packed(tree: CutTree, counts: IntArray, most: int, recipe: SparkRecipe) -> Packing:
    return pack_leaves(tree, counts, most, max(recipe.k, min(most // 20, 20 * recipe.k)))
