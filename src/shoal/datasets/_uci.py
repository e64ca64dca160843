"""UCI's way of writing tables: no header, blanks after commas, a question mark for missing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import polars as pl

MISSING = "?"


def read_uci(path: Path, columns: Sequence[str], numbers: Iterable[str]) -> pl.DataFrame:
    """Read a UCI file (gzipped or not); text is kept as it is but for the blanks around it."""
    frame = pl.read_csv(
        path, has_header=False, new_columns=list(columns), infer_schema=False, comment_prefix="|"
    )
    text = frame.select(pl.all().str.strip_chars()).filter(~pl.all_horizontal(pl.all().is_null()))
    known = text.with_columns(pl.all().replace(MISSING, None))
    return known.with_columns(_as_number(known[name]) for name in numbers)


def _as_number(cells: pl.Series) -> pl.Series:
    return cells.cast(pl.Float64 if cells.str.contains(".", literal=True).any() else pl.Int64)
