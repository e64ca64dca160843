"""What a worker does: code rows, find their fragment, group a fragment, count what came out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa

from shoal.exceptions import ImpossibleError
from shoal.grouping import group_boxes
from shoal.kernels.hashing import number_repeats
from shoal.ledger import canonical_marks
from shoal.spark._arrays import pack_rows, plain_text, to_polars, unpack_rows
from shoal.spark._errors import telling
from shoal.spark._recipe import SparkRecipe
from shoal.spark._routing import Router
from shoal.table import Grouping, hash_rows
from shoal.typing import IntArray

#: Columns that travel beside the data, never out of the cluster.
HASH, CODES, TARGET, FRAGMENT = "x_hash", "x_codes", "x_target", "x_fragment"
GROUP, COST, BOX, ROW = "x_group", "x_cost", "x_box", "x_row"
MARKS = ("x_canonical", "x_known")  # by which the ledger recognizes a row
VALUES = "x_values"  # its quasi-identifiers as they are, where rows may be left out; else null
CARRIED = (*MARKS, VALUES)
COSTS = 1024  # steps in which the cost of a group is told
LEFT_OUT, NO_PLACE = -1, -2  # in no group by its limits; in a fragment that cannot be grouped
BATCH = 50_000  # rows that go back to Spark at a time


def coder(recipe: SparkRecipe) -> Callable[..., Any]:
    """Make the function of all columns that codes a row: quasi-identifiers, hash, target.

    Only these numbers come back from Python. What is published as it is stays where it was, and
    texts of quasi-identifiers and identifiers are not needed again.
    """
    work = Encode(recipe)

    def code(*cells: pa.Array) -> pa.Array:
        return telling(work)(*cells)

    marks = ", ".join(f"{name} bigint" for name in MARKS)
    told = f"{CODES} binary, {HASH} bigint, {TARGET} int, {marks}, {VALUES} binary"
    return _column_function(code, told)


@dataclass(frozen=True, eq=False)
class Encode:
    """Codes, hash, target and marks of each row."""

    recipe: SparkRecipe

    def __call__(self, *cells: pa.Array) -> pa.Array:
        """Code a batch, given as its columns."""
        frame = pl.DataFrame(
            [pl.Series(name, c) for name, c in zip(self.recipe.names, cells, strict=True)]
        )
        values = self.recipe.values(frame)
        arrays = [
            pack_rows(self.recipe.codes(values)),
            pa.array(hash_rows(frame).view(np.int64), pa.int64()),
            pa.array(self._targets(frame), pa.int32()),
            *(pa.array(marks.view(np.int64), pa.int64()) for marks in self._marks(frame)),
            pack_rows(values) if self.recipe.leaves_out else pa.nulls(len(values), pa.binary()),
        ]
        return pa.StructArray.from_arrays(arrays, [CODES, HASH, TARGET, *CARRIED])

    def _marks(self, frame: pl.DataFrame) -> tuple[IntArray, IntArray]:
        """Hashes by which the ledger recognizes each row; 0 if there are too many to be traced."""
        if not self.recipe.is_traced:
            nothing = np.zeros(frame.height, dtype=np.uint64)
            return nothing, nothing
        return canonical_marks(frame, self.recipe.missing, self.recipe.roles.quasi_identifiers)

    def _targets(self, frame: pl.DataFrame) -> IntArray:
        """Code of the target of each row, for the network to learn; 0 without one."""
        name = self.recipe.roles.target
        if name is None or name not in self.recipe.domains:
            return np.zeros(frame.height, dtype=np.int32)
        return self.recipe.domains[name].codes(frame[name])


def guide(router: Router, width: int) -> Callable[..., Any]:
    """Make the function of codes and hash that finds the fragment of a row."""

    def route(codes: pa.Array, hashes: pa.Array) -> pa.Array:
        seen = np.asarray(hashes).view(np.uint64)
        return pa.array(router.fragments(unpack_rows(codes, width), seen), pa.int32())

    return _column_function(route, "int")


@dataclass(frozen=True, eq=False)
class Piece:
    """The rows of a fragment: what is published of them as it is, and what they are grouped by.

    ``hashes`` are those of the rows as they were; equal rows are told apart.
    """

    number: int
    rest: pa.Table
    codes: IntArray
    hashes: IntArray

    @classmethod
    def of(
        cls, table: pa.Table, recipe: SparkRecipe, hashes: IntArray, number: int | None = None
    ) -> Piece:
        """Take in what Spark deals out."""
        number = int(table.column(FRAGMENT)[0].as_py()) if number is None else number
        rest = table.select([*(recipe.place(name) for name in recipe.rest), *CARRIED])
        return cls(number, rest, unpack_rows(table.column(CODES), recipe.width), hashes)

    def problem(self, recipe: SparkRecipe, limit: float) -> Any:
        """Ask for a grouping of these rows."""
        names = [name for name in recipe.rest if name in recipe.references]
        frame = to_polars(self.rest, [recipe.place(name) for name in names], names)
        return recipe.problem(frame, self.codes, self.hashes, limit)


@dataclass(frozen=True, eq=False)
class GroupFragment:
    """Group the rows of a fragment with the plan's own grouper, and recode them."""

    recipe: SparkRecipe
    alone: bool = False  # the only fragment: what it cannot meet, nobody can

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Group a partition, which is a fragment."""
        return each_fragment(batches, self._group)

    def _group(self, table: pa.Table) -> pa.Table:
        recipe = self.recipe
        # equal rows share a fragment: numbered as in the whole
        hashes = number_repeats(np.asarray(table.column(HASH)).view(np.uint64))
        piece = Piece.of(table, recipe, hashes)
        problem = piece.problem(recipe, recipe.resolved.suppression_limit)
        try:
            grouping = recipe.resolved.grouper.fit(problem).grouping_
        except ImpossibleError:
            if self.alone:
                raise
            return grouped(recipe, piece, Grouping(np.full(len(table), -1)), NO_PLACE)
        return grouped(recipe, piece, grouping, LEFT_OUT)


def each_fragment(
    batches: Iterator[pa.RecordBatch], work: Callable[[pa.Table], pa.Table]
) -> Iterator[pa.RecordBatch]:
    """Work on all rows of a partition at once; an empty one has no fragment."""
    found = [batch for batch in batches if len(batch)]
    if found:
        done = telling(work)(pa.Table.from_batches(found).combine_chunks())
        found.clear()
        yield from done.to_batches(max_chunksize=BATCH)


def grouped(recipe: SparkRecipe, piece: Piece, grouping: Grouping, without: int) -> pa.Table:
    """Lay out rows that were grouped: what is published, and what the next step needs."""
    spaces = recipe.spaces_of(piece.codes)
    whole: Any = recipe.whole()  # recoders that publish ranges look at no cell
    words = recipe.resolved.recoder.recode(whole, grouping, spaces).columns
    labels = grouping.labels
    lo, hi = group_boxes(spaces.codes, grouping)
    alone = labels < 0
    box = np.concatenate([piece.codes, piece.codes], axis=1)
    box[~alone] = np.concatenate([lo, hi], axis=1)[labels[~alone]]
    cost = np.full(labels.size, COSTS - 1, dtype=np.int32)
    cost[~alone] = box_costs(recipe, lo, hi)[labels[~alone]]
    group = np.where(alone, without, labels + (np.int64(piece.number) << 32))
    columns = {
        recipe.place(name): plain_text(words[name])
        if name in words
        else piece.rest.column(recipe.place(name))
        for name in recipe.released
    }
    columns |= {
        GROUP: pa.array(group, pa.int64()),
        COST: pa.array(cost, pa.int32()),
        CODES: pack_rows(piece.codes),
        BOX: pack_rows(box),
        ROW: pa.array(piece.hashes.view(np.int64), pa.int64()),
        **{name: piece.rest.column(name) for name in CARRIED},
    }
    return pa.table(columns)


def box_costs(recipe: SparkRecipe, lo: IntArray, hi: IntArray) -> IntArray:
    """Weighted loss of each box, in steps from 0 to `COSTS` - 1."""
    weights = recipe.spaces.weights
    losses = recipe.spaces.loss_by_attribute(lo, hi) @ weights / max(float(weights.sum()), 1e-12)
    steps: IntArray = np.minimum(np.floor(losses * COSTS), COSTS - 1).astype(np.int32)
    return steps


@dataclass(frozen=True, eq=False)
class CountSpans:
    """Count how often each span of each quasi-identifier is published.

    Attribute -1 stands for rows in no group; its ``lo`` says why.
    """

    width: int

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Count batch by batch: attribute, first and last code, rows."""
        for batch in batches:
            group = np.asarray(batch.column(GROUP))
            boxes = unpack_rows(batch.column(BOX), 2 * self.width)
            if (group < 0).any():
                boxes = boxes[group >= 0]
                why, rows = np.unique(group[group < 0], return_counts=True)
                yield _counted(-1, why, np.zeros(why.size), rows)
            for j in range(self.width):
                packed = boxes[:, j].astype(np.int64) << 32 | boxes[:, self.width + j]
                spans, rows = np.unique(packed, return_counts=True)
                yield _counted(j, spans >> 32, spans & 0xFFFFFFFF, rows)


def _counted(attribute: int, lo: IntArray, hi: Any, rows: IntArray) -> pa.RecordBatch:
    columns = [np.full(len(rows), attribute), lo, hi, rows]
    arrays = [pa.array(np.asarray(c, dtype=np.int64)) for c in columns]
    return pa.RecordBatch.from_arrays(arrays, ["attribute", "lo", "hi", "n"])


def _column_function(work: Callable[..., pa.Array], kind: str) -> Callable[..., Any]:
    """Make Spark call a function with some columns in batches; all others stay where they are."""
    from pyspark.sql.pandas import functions

    make: Any = functions.arrow_udf  # whose type hints know no function of many columns
    made: Callable[..., Any] = make(work, kind)
    return made
