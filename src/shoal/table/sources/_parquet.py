"""Parquet files."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from shoal.table._reading import Reading
from shoal.table.sources._base import Place, TableSource
from shoal.table.sources._columnar import read_columns


class ParquetFile(TableSource):
    """A Parquet file: columns keep the types they have."""

    kind = "parquet"
    format = "parquet"

    @classmethod
    def fits(cls, place: Place) -> bool:
        """Tell by the end of the name."""
        return place.suffix in {".parquet", ".pq"}

    def fetch(self) -> Reading:
        """Read all columns."""
        return read_columns(Path(self.place.where), "a Parquet file", pl.read_parquet)
