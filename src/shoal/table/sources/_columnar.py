"""Files that keep types by column, read whole."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import IO

import polars as pl

from shoal.exceptions import InputError
from shoal.table._frames import read_frame
from shoal.table._read import existing
from shoal.table._reading import Reading


def read_columns(
    path: Path, what: str, read: Callable[[IO[bytes]], pl.DataFrame], hint: str | None = None
) -> Reading:
    """Read a file with a reader whose messages nobody sees: they may quote what it found."""
    file = existing(path)
    try:
        with file.open("rb") as stream:  # a path would be searched for wildcards
            frame = read(stream)
    except Exception:
        raise InputError(
            f"{file.name!r} is not {what}, or it is damaged.",
            hint=hint or "Write it again, or read the table from CSV.",
        ) from None
    return read_frame(frame)
