"""What a worker does: code rows, find their fragment, group a fragment, count what came out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa

from shoal.exceptions import ImpossibleError
from shoal.grouping import group_boxes
from shoal.spark._arrays import pack_rows, to_polars, unpack_rows
from shoal.spark._errors import telling
from shoal.spark._recipe import Recipe
from shoal.spark._routing import Router
from shoal.table import Grouping
from shoal.typing import IntArray

#: Columns that travel beside the data, never out of the cluster.
HASH, CODES, TARGET, FRAGMENT = "x_hash", "x_codes", "x_target", "x_fragment"
GROUP, COST, BOX, ROW = "x_group", "x_cost", "x_box", "x_row"
COSTS = 1024  # steps in which the cost of a group is told
LEFT_OUT, NO_PLACE = -1, -2  # in no group by its limits; in a fragment that cannot be grouped


@dataclass(frozen=True, eq=False)
class Encode:
    """Add the codes of the quasi-identifiers to each row."""

    recipe: Recipe

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Code batch by batch."""
        for batch in batches:
            yield telling(self._one)(batch)

    def _one(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        names = self.recipe.spaces.names
        places = [f"c{self.recipe.names.index(name)}" for name in names]
        frame = to_polars(pa.Table.from_batches([batch]), places, list(names))
        coded = batch.append_column(CODES, pack_rows(self.recipe.codes(frame)))
        return coded.append_column(TARGET, pa.array(self._targets(batch), pa.int32()))

    def _targets(self, batch: pa.RecordBatch) -> IntArray:
        """Code of the target of each row, for the network to learn; 0 without one."""
        name = self.recipe.roles.target
        if name is None or name not in self.recipe.domains:
            return np.zeros(len(batch), dtype=np.int32)
        cells = pl.Series(batch.column(f"c{self.recipe.names.index(name)}"))
        return self.recipe.domains[name].codes(cells)


@dataclass(frozen=True, eq=False)
class Route:
    """Add the fragment of each row."""

    router: Router
    width: int

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Route batch by batch."""
        for batch in batches:
            codes = unpack_rows(batch.column(CODES), self.width)
            hashes = np.asarray(batch.column(HASH)).view(np.uint64)
            found = self.router.fragments(codes, hashes)
            yield batch.append_column(FRAGMENT, pa.array(found, pa.int32()))


@dataclass(frozen=True, eq=False)
class GroupFragment:
    """Group the rows of a fragment with the plan's own grouper, and recode them."""

    recipe: Recipe
    seen_from: tuple[str, ...]  # columns of the data inside Spark
    alone: bool = False  # the only fragment: what it cannot meet, nobody can

    def work(self) -> Any:
        """Give the function that Spark calls with each fragment."""

        def group(key: Any, table: pa.Table) -> pa.Table:
            return telling(self._group)(int(key[0].as_py()), table)

        return group

    def _group(self, fragment: int, table: pa.Table) -> pa.Table:
        recipe = self.recipe
        frame = to_polars(table, list(self.seen_from), list(recipe.names))
        codes = unpack_rows(table.column(CODES), recipe.width)
        problem = recipe.problem(frame, codes, recipe.suppression_limit)
        rows = problem.table.row_hash()  # equal rows share a fragment: numbered as in the whole
        try:
            grouping = recipe.grouper.fit(problem).grouping_
        except ImpossibleError:
            if self.alone:
                raise
            grouping = Grouping(np.full(frame.height, -1))
            return grouped(recipe, problem.table, codes, rows, grouping, NO_PLACE, fragment)
        return grouped(recipe, problem.table, codes, rows, grouping, LEFT_OUT, fragment)


def grouped(
    recipe: Recipe,
    table: Any,
    codes: IntArray,
    rows: IntArray,
    grouping: Grouping,
    without: int,
    fragment: int,
) -> pa.Table:
    """Lay out rows that were grouped: what is published, and what the next step needs.

    ``rows`` is the hash of each row as it was, by which the ledger will know it.
    """
    spaces = recipe.spaces_of(codes)
    recoded = recipe.recoder.recode(table, grouping, spaces)
    labels = grouping.labels
    lo, hi = group_boxes(spaces.codes, grouping)
    alone = labels < 0
    box = np.concatenate([codes, codes], axis=1)
    box[~alone] = np.concatenate([lo, hi], axis=1)[labels[~alone]]
    cost = np.full(labels.size, COSTS - 1, dtype=np.int32)
    cost[~alone] = box_costs(recipe, lo, hi)[labels[~alone]]
    group = np.where(alone, without, labels + (np.int64(fragment) << 32))
    frame = recoded.aligned_frame(table)
    places = {name: f"c{recipe.names.index(name)}" for name in frame.columns}
    data = _plain_arrow(frame.rename(places))
    for name, values in (
        (GROUP, pa.array(group, pa.int64())),
        (COST, pa.array(cost, pa.int32())),
        (CODES, pack_rows(codes)),
        (BOX, pack_rows(box)),
        (ROW, pa.array(rows.view(np.int64), pa.int64())),
    ):
        data = data.append_column(name, values)
    return data


def box_costs(recipe: Recipe, lo: IntArray, hi: IntArray) -> IntArray:
    """Weighted loss of each box, in steps from 0 to `COSTS` - 1."""
    weights = recipe.spaces.weights
    losses = recipe.spaces.loss_by_attribute(lo, hi) @ weights / max(float(weights.sum()), 1e-12)
    steps: IntArray = np.minimum(np.floor(losses * COSTS), COSTS - 1).astype(np.int32)
    return steps


@dataclass(frozen=True, eq=False)
class CountSpans:
    """Count how often each span of each quasi-identifier is published."""

    width: int

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Count batch by batch: attribute, first and last code, rows."""
        for batch in batches:
            boxes = unpack_rows(batch.column(BOX), 2 * self.width)
            for j in range(self.width):
                packed = boxes[:, j].astype(np.int64) << 32 | boxes[:, self.width + j]
                spans, rows = np.unique(packed, return_counts=True)
                columns = [np.full(len(spans), j), spans >> 32, spans & 0xFFFFFFFF, rows]
                arrays = [pa.array(np.asarray(c, dtype=np.int64)) for c in columns]
                yield pa.RecordBatch.from_arrays(arrays, ["attribute", "lo", "hi", "n"])


def _plain_arrow(frame: pl.DataFrame) -> pa.Table:
    """Arrow as Spark takes it: no large or view types."""
    table = frame.to_arrow(compat_level=pl.CompatLevel.oldest())
    fields = [
        pa.field(f.name, pa.string() if pa.types.is_large_string(f.type) else f.type)
        for f in table.schema
    ]
    return table.cast(pa.schema(fields))
