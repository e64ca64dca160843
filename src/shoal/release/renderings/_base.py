"""What every rendering does: say its limits, write the rows, and have them read back."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

import polars as pl

from shoal._words import listing
from shoal.exceptions import InvalidParameterError, OutputError, ReleaseRefusedError
from shoal.table import Table, as_text
from shoal.table.sources import Codebook, Place, open_source

EXACT = 2**53  # whole numbers up to here are doubles too


class Rendering(ABC):
    """A format that a release can be written in, beside the CSV that proves it."""

    format: ClassVar[str]
    #: What people call such a file.
    title: ClassVar[str]
    most_rows: ClassVar[int] = 1 << 40
    most_columns: ClassVar[int] = 1 << 15

    def refuse(self, names: Sequence[str], rows: int) -> None:
        """Refuse a table that such a file cannot hold, before any work is done for it."""
        if rows > self.most_rows or len(names) > self.most_columns:
            raise InvalidParameterError(
                f"{self.title} holds at most {self.most_rows:,} rows and {self.most_columns:,}"
                " columns.",
                hint="Write it as Parquet or CSV: --format parquet.",
            )

    def losses(self, table: Table) -> list[str]:
        """Say what will not be as it was; nothing by default."""
        return []

    @abstractmethod
    def write(self, path: Path, frame: pl.DataFrame, book: Codebook) -> None:
        """Write the rows, with what of the codebook still speaks of them."""

    def read(self, path: Path) -> pl.DataFrame:
        """Read them back, by the way that any such file is read."""
        return open_source(Place(path)).read().frame


def told_before(rendering: Rendering, table: Table) -> list[str]:
    """Refuse what the format cannot hold, and say what it will not hold as it was."""
    kept = [name for name in table.column_names if name not in table.roles.dropped]
    rendering.refuse(kept, table.n_rows)
    return rendering.losses(table)


def render(rendering: Rendering, data: Path, frame: pl.DataFrame, book: Codebook) -> None:
    """Write the rows beside the data that are verified, and hold what was written against them."""
    path = data.with_name(f"data.{rendering.format}")
    rendering.refuse(frame.columns, frame.height)
    try:
        rendering.write(path, frame, book)
        with path.open("rb") as file:
            os.fsync(file.fileno())
    except OSError:
        raise
    except Exception:  # a writer's message may quote cells
        raise OutputError(
            f"The release was not written: {rendering.title} cannot hold it.",
            hint="Write it as Parquet or CSV: --format parquet.",
        ) from None
    differing = _differing(frame, rendering.read(path))
    if differing:
        raise ReleaseRefusedError(
            f"Not released: read back from {rendering.title}, cells of {listing(differing)} are not"
            " those that were verified.",
            hint="Write it as Parquet or CSV: --format parquet.",
        )


def _differing(frame: pl.DataFrame, back: pl.DataFrame) -> list[str]:
    """Name the columns whose cells are not the same as text; a missing cell is an empty one."""
    if frame.columns != back.columns or frame.height != back.height:
        return ["all columns"]
    return [
        name
        for name in frame.columns
        if not printed(frame[name]).equals(printed(back[name]), check_names=False)
    ]


def printed(series: pl.Series) -> pl.Series:
    """Print the cells of a column for comparing."""
    return as_text(series).fill_null("")


def as_doubles(series: pl.Series) -> bool:
    """Tell whether all numbers of a column are doubles without losing a digit."""
    if series.dtype.is_float() or not series.dtype.is_integer():
        return series.dtype.is_float()
    return bool((series.abs() <= EXACT).all())
