"""JSON lines."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import polars.selectors as cs

from shoal.release.renderings._base import Rendering
from shoal.table import as_text
from shoal.table.sources import Codebook


class JsonLinesRendering(Rendering):
    """One JSON object a line; dates are text there."""

    format = "ndjson"
    title = "a file of JSON lines"

    def write(self, path: Path, frame: pl.DataFrame, book: Codebook) -> None:
        """Write one object for each row."""
        dated = frame.select(cs.temporal() | cs.decimal()).columns
        frame.with_columns(as_text(frame[name]) for name in dated).write_ndjson(path)
