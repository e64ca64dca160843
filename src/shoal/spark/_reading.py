"""Cells read as a plan asks, on a cluster: missing texts, spellings, formats of columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import polars as pl
import pyarrow as pa

from shoal.exceptions import ValueKindError
from shoal.plan import Plan
from shoal.spark._arrays import plain_text
from shoal.spark._errors import telling, understood
from shoal.spark._source import Source
from shoal.table import CellFormat, as_text, formats_of

Spelled = Mapping[str, str | None]  # what a text becomes


def read_as_asked(source: Source, plan: Plan) -> Source:
    """Rewrite the columns of which the plan says how they are written, as the local engine does.

    The driver learns the distinct texts of these columns with their counts, decides once what
    each becomes, and the workers replace them: a cell means the same in every part of the table.
    """
    said = {"*": tuple(plan.missing), **plan.missing_in}
    formats = formats_of(source.names, said, plan.clean, plan.formats)
    if not formats:
        return source
    counted = _count_texts(source, [*formats])
    frame = source.frame
    for name, form in formats.items():
        place = source.place(name)
        text = dict(source.frame.dtypes)[place] == "string"
        becomes = _spell(name, form, counted[name], plan.kinds.get(name), text)
        frame = frame.withColumn(place, _replace(becomes, text)(frame[place]))
    return replace(source, frame=frame)


def _spell(
    name: str, form: CellFormat, counts: Mapping[str, int], kind: Any, text: bool
) -> Spelled:
    """Read every text once, as often as it stands in the table where that decides a spelling."""
    texts = pl.Series(name, [*counts], dtype=pl.String)
    rows = pl.Series([*counts.values()], dtype=pl.Int64)
    if not text:
        return {cell: None for cell in counts if cell in form.missing}
    try:
        read = form.read(texts, kind, rows)
    except ValueKindError as error:
        raise ValueKindError(
            f"Column {name!r} has cells that are not written in its format.", hint=error.hint
        ) from None
    return {a: b for a, b in zip(texts, read, strict=True) if a != b}


def _replace(becomes: Spelled, text: bool) -> Callable[..., Any]:
    """Make the function of a column that replaces texts; all others stay as they are."""
    from pyspark.sql import functions as sf

    if not text:
        absent = [*becomes]
        return lambda column: sf.when(~column.cast("string").isin(absent), column)
    old = pl.Series([*becomes], dtype=pl.String)
    new = pl.Series([*becomes.values()], dtype=pl.String)

    def rewrite(cells: pa.Array) -> pa.Array:
        found = pl.Series(cells).cast(pl.String)
        return plain_text(found.replace(old, new))

    def work(cells: pa.Array) -> pa.Array:
        return telling(rewrite)(cells)

    from pyspark.sql.pandas import functions

    make: Any = functions.arrow_udf
    made: Callable[..., Any] = make(work, "string")
    return made


def _count_texts(source: Source, names: list[str]) -> dict[str, dict[str, int]]:
    """Count the distinct texts of some columns."""
    places = [source.place(name) for name in names]
    with understood():
        found = source.frame.select(*places).mapInArrow(_texts, "place int, text string, n bigint")
        rows = found.groupBy("place", "text").sum("n").collect()
    counted: dict[str, dict[str, int]] = {name: {} for name in names}
    for place, text, n in sorted((r for r in rows if r[1] is not None), key=lambda r: r[:2]):
        counted[names[place]][text] = int(n)
    return counted


@telling
def _texts(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        for place, column in enumerate(batch.columns):
            texts = as_text(pl.Series(column)).alias("text")
            counted = texts.value_counts(name="n").select(
                pl.lit(place, dtype=pl.Int32).alias("place"), "text", pl.col("n").cast(pl.Int64)
            )
            yield from counted.to_arrow(compat_level=pl.CompatLevel.oldest()).to_batches()
