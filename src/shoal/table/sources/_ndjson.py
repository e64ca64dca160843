"""JSON lines: one object a row."""

from __future__ import annotations

from pathlib import Path
from typing import IO

import polars as pl

from shoal.table._reading import Reading
from shoal.table.sources._base import Place, TableSource
from shoal.table.sources._columnar import read_columns


class JsonLines(TableSource):
    """A file with one JSON object a line; a name that is absent is a missing value."""

    kind = "ndjson"
    format = "ndjson"

    @classmethod
    def fits(cls, place: Place) -> bool:
        """Tell by the end of the name."""
        return place.suffix in {".ndjson", ".jsonl"}

    def fetch(self) -> Reading:
        """Read all objects; what is nested is refused."""
        hint = "Each line must be one object, and a name must hold values of one type."
        return read_columns(Path(self.place.where), "a file of JSON lines", read_lines, hint)


def read_lines(stream: IO[bytes]) -> pl.DataFrame:
    """Read JSON lines; all of them decide on the types. A mark at the beginning is passed over."""
    if stream.read(3) != b"\xef\xbb\xbf":
        stream.seek(0)
    return pl.read_ndjson(stream, infer_schema_length=None)
