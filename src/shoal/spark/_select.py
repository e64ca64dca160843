"""Counts for feature selection by map and reduce: the same numbers as on one machine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa

from shoal.exceptions import InvalidParameterError
from shoal.selection import (
    GRID,
    LARGEST_DOMAIN,
    Selection,
    Tally,
    cells_of_grid,
    eligible,
    equal_frequency_cuts,
    mdl_cuts,
    select_by,
)
from shoal.spark._domains import Domain, read_domains
from shoal.spark._errors import telling, understood
from shoal.spark._session import spark_session
from shoal.spark._source import Source, read_source
from shoal.table import COLUMN_KINDS
from shoal.typing import IntArray, Kind


class SparkCounts:
    """Count how often the values of a Spark frame occur together.

    The classes of numbers and dates are chosen as `shoal.selection.TableCounts` chooses them, from
    the same counts; only counts of values travel to the driver.
    """

    def __init__(
        self,
        source: Source,
        target: str,
        columns: Sequence[str] | None = None,
        left_out: Sequence[str] = (),
        *,
        kinds: Mapping[str, Kind] | None = None,
        missing: Sequence[str] = ("",),
    ) -> None:
        self.target = target
        self.columns = eligible(source.names, target, columns, left_out)
        wanted = [*self.columns, target]
        domains = read_domains(source, wanted, kinds=kinds, missing=missing)
        self.rows = domains[target].rows
        self._binned = _Binned(source, domains, target)

    def tallies(self, groups: Sequence[tuple[str, ...]]) -> list[Tally]:
        """Tally combinations of values: one pass over the rows, whatever is asked."""
        return self._binned.tallies(groups)


def select_frame(source: Source, target: str, **options: Any) -> Selection:
    """Select columns of a Spark frame; options as for `shoal.selection.select`."""
    choosing = {
        "method": options.pop("method", "fcbf"),
        "threshold": options.pop("threshold", None),
        "locally_predictive": options.pop("locally_predictive", True),
    }
    counts = SparkCounts(source, target, **options)
    return select_by(counts, counts.rows, **choosing)


def select_file(
    path: str | PathLike[str],
    target: str,
    *,
    master: str | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
    **options: Any,
) -> Selection:
    """Select columns of a file, on the active session or one of its own."""
    with spark_session(master) as spark:
        source = read_source(spark, path, delimiter=delimiter, encoding=encoding)
        return select_frame(source, target, **options)


@dataclass(frozen=True, eq=False)
class _Classes:
    """Class of every text of a column."""

    domain: Domain
    classes: IntArray

    def of(self, cells: pl.Series) -> IntArray:
        """Class of each cell."""
        return self.classes[self.domain.codes(cells)]


class _Binned:
    """Every column as small whole numbers, computed where the rows are."""

    def __init__(self, source: Source, domains: Mapping[str, Domain], target: str) -> None:
        self.source = source
        self.names = list(domains)
        cells = {name: _cells(domain) for name, domain in domains.items()}
        found = {target: _classes(domains[target], cells[target], _target_cuts(domains, target))}
        numeric = [n for n in domains if n != target and _is_line(domains[n])]
        against = self._against(domains, cells, found[target], numeric, target)
        for name in domains:
            if name != target:
                cuts = mdl_cuts(against[name]) if name in against else None
                found[name] = _classes(domains[name], cells[name], cuts)
        self.classes = {name: found[name] for name in self.names}

    def tallies(self, groups: Sequence[tuple[str, ...]]) -> list[Tally]:
        """Count pairs in the workers, then how many pairs occur how often."""
        pairs = [tuple(self.names.index(name) for name in group) for group in groups]
        work = _CountPairs(list(self.classes.values()), pairs)
        rows = self._counted(work, "pair int, cell bigint", ["pair", "cell"])
        by_times = rows.groupBy("pair", "n").count().collect()
        found: list[dict[int, int]] = [{} for _ in groups]
        for pair, times, values in by_times:
            found[pair][int(times)] = int(values)
        return list(found)

    def _against(
        self,
        domains: Mapping[str, Domain],
        cells: Mapping[str, IntArray],
        target_classes: _Classes,
        numeric: Sequence[str],
        target: str,
    ) -> dict[str, IntArray]:
        """Cells of each numeric column by classes of the target."""
        if not numeric:
            return {}
        lines = {name: _Classes(domains[name], cells[name]) for name in numeric}
        lines[target] = target_classes
        used = [n for n in self.names if n in lines]
        pairs = [(used.index(name), used.index(target)) for name in numeric]
        work = _CountPairs([lines[n] for n in used], pairs, [self.names.index(n) for n in used])
        rows = self._counted(work, "pair int, cell bigint", ["pair", "cell"]).collect()
        n_classes = int(target_classes.classes.max()) + 1
        sizes = {name: int(cells[name].max()) + 1 for name in numeric}
        found = {name: np.zeros((sizes[name], n_classes), dtype=np.int64) for name in numeric}
        for pair, cell, n in rows:
            found[numeric[pair]][divmod(int(cell), n_classes)] = n
        return {
            name: counts[: _n_known(domains[name], cells[name])] for name, counts in found.items()
        }

    def _counted(self, work: Any, schema: str, keys: list[str]) -> Any:
        from pyspark.sql import functions as sf

        places = [self.source.place(name) for name in self.names]
        counted = self.source.frame.select(*places).mapInArrow(work, f"{schema}, n bigint")
        with understood():
            return counted.groupBy(*keys).agg(sf.sum("n").alias("n")).persist()


@dataclass(frozen=True, eq=False)
class _CountPairs:
    """Count combinations of classes in each batch; the cluster adds them up."""

    classes: list[_Classes]
    pairs: Sequence[tuple[int, ...]]
    used: list[int] | None = None

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            yield from telling(self._count)(batch)

    def _count(self, batch: pa.RecordBatch) -> list[pa.RecordBatch]:
        used = self.used or list(range(len(self.classes)))
        codes = [
            each.of(pl.Series(batch.column(place)))
            for each, place in zip(self.classes, used, strict=True)
        ]
        made = []
        for number, pair in enumerate(self.pairs):
            key = np.zeros(len(batch), dtype=np.int64)
            for i in pair:
                key = key * (int(self.classes[i].classes.max()) + 1) + codes[i]
            cells, n = np.unique(key, return_counts=True)
            arrays = [
                pa.array(np.full(cells.size, number, dtype=np.int32)),
                pa.array(cells),
                pa.array(n.astype(np.int64)),
            ]
            made.append(pa.RecordBatch.from_arrays(arrays, ["pair", "cell", "n"]))
        return made


def _is_line(domain: Domain) -> bool:
    column = domain.column
    if column.kind == "date" and len(column.labels) > LARGEST_DOMAIN:
        return False
    return COLUMN_KINDS[column.kind].measured and column.numbers is not None


def _cells(domain: Domain) -> IntArray:
    """Cell of every code: itself, or its place on the grid; a missing value comes last."""
    column = domain.column
    n = len(column.labels)
    if not _is_line(domain) or n <= GRID:
        return np.arange(n + 1)[: max(column.n_codes, 1)]
    numbers = np.asarray(column.numbers)
    cells = cells_of_grid(numbers, float(numbers[0]), float(numbers[-1]))
    return np.append(cells, int(cells.max()) + 1)[: column.n_codes]


def _n_known(domain: Domain, cells: IntArray) -> int:
    known = cells[: len(domain.column.labels)]
    return int(known.max(initial=-1)) + 1


def _target_cuts(domains: Mapping[str, Domain], target: str) -> list[int] | None:
    domain = domains[target]
    if not _is_line(domain):
        return None
    cells, n = _cells(domain), len(domain.column.labels)
    rows = np.bincount(cells[:n], weights=domain.counts[:n], minlength=_n_known(domain, cells))
    return equal_frequency_cuts(rows.astype(np.int64))


def _classes(domain: Domain, cells: IntArray, cuts: Sequence[int] | None) -> _Classes:
    """Class of every code, from its cell and the cuts; names stay as they are."""
    if cuts is None:
        return _Classes(domain, np.arange(max(domain.column.n_codes, 1)))
    classes = np.searchsorted(np.asarray(cuts, dtype=np.int64), cells, side="right")
    classes[len(domain.column.labels) :] = len(cuts) + 1
    return _Classes(domain, classes)


def check_formats(asked: Mapping[str, Mapping[str, object]]) -> None:
    """Refuse what says how the cells of a column are written: they are counted as they stand."""
    for what, columns in asked.items():
        if columns:
            raise InvalidParameterError(
                f"Spark reads cells as they stand, but {what} speaks of single columns.",
                hint="Clean the table first, or run it on this machine (--engine local).",
            )
