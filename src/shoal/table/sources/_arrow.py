"""Arrow files."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from shoal.table._reading import Reading
from shoal.table.sources._base import Place, TableSource
from shoal.table.sources._columnar import read_columns


class ArrowFile(TableSource):
    """An Arrow file: columns keep the types they have."""

    kind = "arrow"
    format = "arrow"

    @classmethod
    def fits(cls, place: Place) -> bool:
        """Tell by the end of the name."""
        return place.suffix in {".arrow", ".feather", ".ipc"}

    def fetch(self) -> Reading:
        """Read all columns."""
        return read_columns(Path(self.place.where), "an Arrow file", pl.read_ipc)
