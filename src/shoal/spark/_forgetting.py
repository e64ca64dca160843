"""Papers speak of released rows alone: what was left out may show in no end of any range.

One value with decimals, or with a time, changes how all ends on a grid and all dates read. So once
it is known who is released, spaces are built again from the texts of released rows, and what every
group publishes is written in their words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa

from shoal.spaces import WeightedSpaces
from shoal.spark._arrays import unpack_rows
from shoal.spark._errors import understood
from shoal.spark._fragments import GROUP, LEFT_OUT, ROW, VALUES, Piece, each_fragment, grouped
from shoal.spark._recipe import SparkRecipe
from shoal.spark._rows import WholeTable
from shoal.table import Grouping
from shoal.typing import IntArray


@dataclass(frozen=True, eq=False)
class Rewording:
    """How a release reads if nobody but the released had been in the table.

    Attributes
    ----------
    recipe : SparkRecipe
        The recipe with spaces of released values alone.
    codes : mapping of str to IntArray
        For each quasi-identifier the code that each text of its domain has in them; 0 for those
        that nobody released holds.
    """

    recipe: SparkRecipe
    codes: Mapping[str, IntArray]

    @classmethod
    def of(cls, frame: Any, recipe: SparkRecipe) -> Rewording:
        """Ask the cluster which texts are released, and build spaces of them."""
        held = _released(frame, recipe)
        columns = {name: recipe.domains[name].only(places) for name, places in held.items()}
        known = {
            name: replace(column, codes=np.arange(column.n_codes, dtype=np.int32))
            for name, column in columns.items()
        }
        whole: Any = WholeTable(known, recipe.rows, recipe.names, recipe.roles)
        made = recipe.resolved.recoder.spaces(whole)
        codes = {}
        for space in made.spaces:
            codes[space.name] = np.zeros(len(recipe.domains[space.name].texts), dtype=np.int32)
            codes[space.name][held[space.name]] = np.asarray(space.codes)[columns[space.name].codes]
        spaces = WeightedSpaces(made.spaces, recipe.spaces.weights)
        return cls(replace(recipe, resolved=replace(recipe.resolved, spaces=spaces)), codes)

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Reword a partition, which holds all rows of its groups."""
        return each_fragment(batches, self._reword)

    def _reword(self, table: pa.Table) -> pa.Table:
        values = unpack_rows(table.column(VALUES), self.recipe.width)
        codes = np.column_stack(
            [self.codes[name][values[:, j]] for j, name in enumerate(self.recipe.spaces.names)]
        )
        rows = np.asarray(table.column(ROW)).view(np.uint64)
        group = np.asarray(table.column(GROUP))
        labels = np.full(group.size, -1, dtype=np.int64)
        labels[group >= 0] = np.unique(group[group >= 0], return_inverse=True)[1]
        piece = replace(Piece.of(table, self.recipe, rows, number=0), codes=codes)
        done = grouped(self.recipe, piece, Grouping(labels), LEFT_OUT)
        return done.set_column(done.schema.get_field_index(GROUP), GROUP, table.column(GROUP))


def _released(frame: Any, recipe: SparkRecipe) -> dict[str, IntArray]:
    """For each quasi-identifier the places of the texts that released rows hold."""
    with understood():
        found = frame.select(GROUP, VALUES).mapInArrow(
            _Held(recipe.width), "attribute bigint, place bigint"
        )
        seen = found.distinct().toArrow()
    attribute, place = (np.asarray(seen.column(name)) for name in ("attribute", "place"))
    names = recipe.spaces.names
    return {name: np.sort(place[attribute == j]) for j, name in enumerate(names)}


@dataclass(frozen=True, eq=False)
class _Held:
    width: int

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            values = unpack_rows(batch.column(VALUES), self.width)
            kept = values[np.asarray(batch.column(GROUP)) >= 0]
            for j in range(self.width):
                places = np.unique(kept[:, j]).astype(np.int64)
                arrays = [pa.array(np.full(places.size, j)), pa.array(places)]
                yield pa.RecordBatch.from_arrays(arrays, ["attribute", "place"])
