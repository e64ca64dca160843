"""The values of a few columns, counted on the cluster: all that the driver learns of cells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa

from shoal.exceptions import EmptyTableError
from shoal.spark._errors import telling, understood
from shoal.spark._source import Source
from shoal.table import Column, as_text, read_table
from shoal.typing import IntArray, Kind


@dataclass(frozen=True, eq=False)
class Domain:
    """The distinct texts of a column in the whole table, as the local engine would code them.

    Attributes
    ----------
    column : Column
        The coded column; its codes are those of ``texts``.
    texts : pyarrow.Array
        Distinct texts as they stand in cells; null last, if any cell is missing.
    counts : IntArray
        Rows of each code.
    """

    column: Column
    texts: pa.Array
    counts: IntArray

    @property
    def rows(self) -> int:
        """Rows of the table."""
        return int(self.counts.sum())

    def codes(self, cells: pl.Series) -> IntArray:
        """Code the cells of any part of the table."""
        codes: IntArray = np.asarray(self.column.codes)[self.places(cells)]
        return codes

    def places(self, cells: pl.Series) -> IntArray:
        """Find the cells of any part of the table among the texts."""
        import pyarrow.compute as pc

        array = as_text(cells).to_arrow(compat_level=pl.CompatLevel.oldest())
        places = pc.index_in(array.cast(pa.large_string()), value_set=self.texts)
        return np.asarray(pl.Series(places).to_numpy())

    def only(self, places: IntArray) -> Column:
        """The column as it would be had the table no other texts than those at some places."""
        codes, texts = np.asarray(self.column.codes)[places], self.texts.take(pa.array(places))
        known = codes < len(self.column.labels)
        held = np.unique(codes[known])
        written: dict[int, str] = {}  # equal numbers are told by the shortest, then the smallest
        told = zip(codes[known].tolist(), texts.filter(pa.array(known)).to_pylist(), strict=True)
        for code, text in sorted(told, key=lambda pair: (len(pair[1]), pair[1])):
            written.setdefault(code, text)
        numbers = self.column.numbers
        return Column(
            self.column.name,
            self.column.kind,
            np.where(known, np.searchsorted(held, codes), held.size).astype(np.int32),
            tuple(written[code] for code in held.tolist()),
            None if numbers is None else numbers[held],
            not bool(known.all()),
        )


def read_domains(
    source: Source,
    names: Sequence[str],
    *,
    kinds: Mapping[str, Kind] | None = None,
    orders: Mapping[str, tuple[str, ...]] | None = None,
    missing: Sequence[str] = ("",),
) -> dict[str, Domain]:
    """Count the distinct texts of some columns in one pass over the table."""
    places = [source.place(name) for name in names]
    frame = source.frame.select(*places)
    dtypes: dict[str, pl.DataType] = {}
    counted: dict[str, list[tuple[str | None, int]]] = {name: [] for name in names}
    with understood():
        found = frame.mapInArrow(_count_texts, "place int, dtype string, text string, n bigint")
        rows = found.groupBy("place", "dtype", "text").sum("n").collect()
    for place, dtype, text, n in rows:
        counted[names[place]].append((text, int(n)))
        dtypes[names[place]] = _dtype(dtype)
    if not rows:
        raise EmptyTableError("The table has no rows.")
    return {
        name: _domain(name, dtypes[name], counted[name], kinds or {}, orders or {}, missing)
        for name in names
    }


@telling
def _count_texts(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        for place, column in enumerate(batch.columns):
            cells = pl.Series(column)
            texts = as_text(cells).alias("text")
            counted = texts.value_counts(name="n").with_columns(
                pl.lit(place, dtype=pl.Int32).alias("place"),
                pl.lit(str(cells.dtype)).alias("dtype"),
                pl.col("n").cast(pl.Int64),
            )
            ordered = counted.select("place", "dtype", "text", "n")
            yield from ordered.to_arrow(compat_level=pl.CompatLevel.oldest()).to_batches()


def _dtype(name: str) -> pl.DataType:
    known: dict[str, pl.DataType] = {str(kind()): kind() for kind in _PLAIN}
    return known.get(name, pl.String())


_PLAIN: tuple[Any, ...] = (
    *(pl.Int8, pl.Int16, pl.Int32, pl.Int64, pl.Float32, pl.Float64, pl.Boolean, pl.Date),
)


def _domain(
    name: str,
    dtype: pl.DataType,
    counted: list[tuple[str | None, int]],
    kinds: Mapping[str, Kind],
    orders: Mapping[str, tuple[str, ...]],
    missing: Sequence[str],
) -> Domain:
    """Code the distinct texts by the local engine's own reader."""
    counted = sorted(counted, key=lambda pair: (pair[0] is None, pair[0] or ""))
    texts = pl.Series(name, [text for text, _ in counted], dtype=pl.String)
    values = texts == "true" if dtype == pl.Boolean else texts.cast(dtype, strict=False)
    table = read_table(
        (texts if dtype == pl.String else values.alias(name)).to_frame(),
        kinds={name: kinds[name]} if name in kinds else None,
        orders={name: orders[name]} if name in orders else None,
        missing=missing,
    )
    column = table.column(name)
    weights = np.array([n for _, n in counted], dtype=np.int64)
    counts = np.zeros(column.n_codes, dtype=np.int64)
    np.add.at(counts, column.codes, weights)
    array = texts.to_arrow(compat_level=pl.CompatLevel.oldest()).cast(pa.large_string())
    return Domain(column, array, counts)
