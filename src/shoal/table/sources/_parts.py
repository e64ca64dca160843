"""A folder of parts: files of one kind that make one table, also by partitions ``year=2020/``."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote

import polars as pl

from shoal.exceptions import EmptyTableError, HeaderError, InputError
from shoal.table._reading import Reading
from shoal.table.sources._base import Place, TableSource

NO_VALUE = "__HIVE_DEFAULT_PARTITION__"  # what Hive and Spark write for a missing one


class FolderOfParts(TableSource):
    """A folder whose files are parts of one table; names of partitions become columns of text."""

    kind = "parts"
    takes = frozenset({"delimiter", "encoding", "sheet"})

    @classmethod
    def fits(cls, place: Place) -> bool:
        """Tell a folder."""
        return place.path is not None and os.path.isdir(place.path)

    def fetch(self) -> Reading:
        """Read all parts in the order of their names; they must agree on columns."""
        folder = Path(self.place.where).absolute()
        parts = sorted(_parts(folder))
        if not parts:
            raise EmptyTableError(f"The folder {folder.name!r} holds no parts of a table.")
        if len({part.suffix.lower() for part in parts}) > 1:
            raise InputError(
                f"The files in the folder {folder.name!r} are of more than one kind.",
                hint="A folder of parts holds CSV files, or Parquet files, and nothing else.",
            )
        readings = [self._part(part, folder) for part in parts]
        first = readings[0]
        for part, reading in zip(parts, readings, strict=True):
            if reading.frame.columns != first.frame.columns:
                raise HeaderError(
                    f"The columns of {part.name!r} are not those of {parts[0].name!r}.",
                    hint="All parts of a table have the same columns, in the same order.",
                )
        notes = (f"{len(parts):,} parts were read as one table.", *first.notes)
        return replace(first, given=_joined([r.frame for r in readings]), notes=notes)

    def read(self) -> Reading:
        """Read it; a release of parts in Parquet is Parquet, too."""
        reading = super().read()
        part = next(_parts(Path(self.place.where)))
        form = "parquet" if part.suffix.lower() in (".parquet", ".pq") else "csv"
        return replace(reading, origin=replace(reading.origin, format=form))

    def _part(self, part: Path, folder: Path) -> Reading:
        from shoal.table.sources import open_source

        reading = open_source(replace(self.place, where=part)).read()
        named = [name.partition("=") for name in part.relative_to(folder).parts[:-1]]
        cells = {key: None if value == NO_VALUE else unquote(value) for key, _, value in named}
        columns = [pl.lit(value, dtype=pl.String).alias(key) for key, value in cells.items()]
        return replace(reading, given=reading.frame.with_columns(columns))


def _parts(folder: Path) -> Iterator[Path]:
    """Find the files of a folder and of its partitions; what is hidden or private is none."""
    for entry in folder.iterdir():
        if entry.name.startswith((".", "_")):
            continue
        if not entry.is_dir():
            yield entry
        elif "=" in entry.name:
            yield from _parts(entry)
        else:
            raise InputError(
                f"The folder {folder.name!r} holds a folder that is no partition: {entry.name!r}.",
                hint="Partitions are called column=value.",
            )


def _joined(frames: list[pl.DataFrame]) -> pl.DataFrame:
    """Put parts below each other; numbers that were whole in one part must be so in all."""
    for name in frames[0].columns:
        if len({frame.schema[name] for frame in frames} - {pl.Null}) > 1:
            raise InputError(
                f"Column {name!r} has one type in some parts and another in others.",
                hint="Write the parts again with the same types.",
            )
    return pl.concat(frames, how="vertical_relaxed", rechunk=False)
