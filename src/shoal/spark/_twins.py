"""Twin columns on a cluster: looked for by a worker on some of its rows, which stay there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa

from shoal.risk import TwinColumns, find_twins
from shoal.spark._arrays import to_polars, unpack_rows
from shoal.spark._errors import telling, understood
from shoal.spark._fragments import CODES, GROUP, ROW
from shoal.spark._recipe import SparkRecipe
from shoal.table import read_table
from shoal.typing import IntArray

SAMPLED_ROWS = 20_000  # as many as `find_twins` looks at


def find_cluster_twins(frame: Any, recipe: SparkRecipe) -> tuple[TwinColumns, ...]:
    """Find columns published as they are that tell a generalized one, on rows chosen by hash.

    One worker gets the rows and runs the local engine's own search; only names and shares return.
    """
    from pyspark.sql import functions as sf

    places = [recipe.place(name) for name in as_is_of(recipe)]
    if not places:
        return ()
    grouped = frame.filter(sf.col(GROUP) >= 0).select(*places, CODES, GROUP, ROW)
    chosen = grouped.orderBy(ROW).limit(SAMPLED_ROWS).coalesce(1)
    with understood():
        found = chosen.mapInArrow(
            LookForTwins(recipe), "telling string, told string, share double, people bigint"
        ).collect()
    twins = [TwinColumns(*row) for row in found]
    return tuple(sorted(twins, key=lambda twin: (-twin.share, twin.telling, twin.told)))


def as_is_of(recipe: SparkRecipe) -> list[str]:
    """Name the columns that are published as they are, sensitive ones and the target apart."""
    plain = ("other", "publish_as_is")
    return [name for name in recipe.rest if recipe.roles.role_of(name) in plain]


@dataclass(frozen=True, eq=False)
class LookForTwins:
    """Read rows as the local engine would have, and look for twins among them."""

    recipe: SparkRecipe

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Look at all rows of a partition at once."""
        found = [batch for batch in batches if len(batch)]
        if found:
            twins = telling(self._look)(pa.Table.from_batches(found).combine_chunks())
            columns = [[getattr(twin, part) for twin in twins] for part in PARTS]
            types = (pa.string(), pa.string(), pa.float64(), pa.int64())
            arrays = [pa.array(c, t) for c, t in zip(columns, types, strict=True)]
            yield pa.RecordBatch.from_arrays(arrays, list(PARTS))

    def _look(self, rows: pa.Table) -> tuple[TwinColumns, ...]:
        recipe, names = self.recipe, as_is_of(self.recipe)
        frame = to_polars(rows, [recipe.place(name) for name in names], names)
        kinds = {name: recipe.domains[name].column.kind for name in recipe.spaces.names}
        texts = self._originals(unpack_rows(rows.column(CODES), recipe.width))
        roles = {name: recipe.roles.role_of(name) for name in (*texts, *names)}
        table = read_table(
            frame.with_columns(**texts),
            kinds={n: kind for n, kind in kinds.items() if kind != "ordinal"},
            orders={n: recipe.domains[n].column.labels for n in kinds if kinds[n] == "ordinal"},
            missing=recipe.missing,
            roles=type(recipe.roles).from_choices(roles),
        )
        crowds = np.unique(np.asarray(rows.column(GROUP)), return_inverse=True)[1]
        return find_twins(table, crowds)

    def _originals(self, codes: IntArray) -> dict[str, pl.Series]:
        """What stood in the cells of the quasi-identifiers, read back from their codes."""
        found = {}
        for j, space in enumerate(self.recipe.spaces.spaces):
            labels = [*self.recipe.domains[space.name].column.labels, None]
            of_code = np.asarray(space.codes)
            back = np.zeros(int(of_code.max()) + 1, dtype=np.int64)
            back[of_code[::-1]] = np.arange(of_code.size)[::-1]
            texts = pl.Series(labels, dtype=pl.String)
            found[space.name] = texts.gather(pl.Series(back[codes[:, j]]))
        return found


PARTS = ("telling", "told", "share", "people")
