"""Writing the files of a release: private while they are written, on disk before they count."""

from __future__ import annotations

import errno
import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import polars as pl

from shoal._progress import Progress, stop_if_cancelled
from shoal.exceptions import OutputError

_ROWS_AT_ONCE = 65_536
_WHAT_WENT_WRONG = {
    errno.ENOSPC: "The disk is full.",
    errno.EDQUOT: "The disk quota is used up.",
    errno.EFBIG: "The file is larger than this system allows.",
    errno.EROFS: "The disk is read-only.",
    errno.EACCES: "There is no permission to write there.",
    errno.EPERM: "There is no permission to write there.",
    errno.ENAMETOOLONG: "The name of the folder is too long.",
    errno.EIO: "The disk failed.",
}


@contextmanager
def durable(path: Path) -> Iterator[IO[bytes]]:
    """Open a new file, readable by its owner only, that is on disk when the block ends."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        yield file
        file.flush()
        os.fsync(file.fileno())


def write_text(path: Path, text: str) -> None:
    """Write a text file."""
    with durable(path) as file:
        file.write(text.encode("utf-8"))


def write_data(path: Path, frame: pl.DataFrame, progress: Progress) -> None:
    """Write a frame as ``.csv`` or ``.parquet``, by the name of the file."""
    progress.phase("writing", frame.height)
    (_write_csv if path.suffix == ".csv" else _write_parquet)(path, frame, progress)


def _write_csv(path: Path, frame: pl.DataFrame, progress: Progress) -> None:
    """Write UTF-8 with commas and quotes where needed; a missing cell is an empty one.

    Empty text is written as a missing cell is: told apart by quotes alone, they would make
    groups that look alike and are not.
    """
    for name, dtype in frame.schema.items():
        if dtype.is_nested() or dtype in (pl.Binary, pl.Object):
            raise OutputError(f"CSV cannot hold column {name!r}.", hint="Write it as Parquet.")
    text = pl.col(pl.String)
    frame = frame.with_columns(pl.when(text == "").then(None).otherwise(text).name.keep())
    if frame.width == 1:  # an empty line would be skipped by many readers: write a quoted nothing
        frame = frame.with_columns(pl.all().cast(pl.String).fill_null(""))
    header = pl.DataFrame({str(i): [name] for i, name in enumerate(frame.columns)})
    with durable(path) as file:
        file.write(_lines(header))
        for part in _parts(frame, progress):
            file.write(_lines(part))


def _lines(frame: pl.DataFrame) -> bytes:
    return frame.write_csv(include_header=False, line_terminator="\n").encode("utf-8")


def _write_parquet(path: Path, frame: pl.DataFrame, progress: Progress) -> None:
    """Write plain columns: no index, no dictionary of categories, no statistics, no notes."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = frame.to_arrow(compat_level=pl.CompatLevel.oldest()).replace_schema_metadata(None)
    with (
        durable(path) as file,
        pq.ParquetWriter(
            file, table.schema, compression="zstd", write_statistics=False, version="2.6"
        ) as writer,
    ):
        for part in _parts(frame, progress):
            rows = part.to_arrow(compat_level=pl.CompatLevel.oldest())
            writer.write_table(pa.Table.from_arrays(rows.columns, schema=table.schema))


def _parts(frame: pl.DataFrame, progress: Progress) -> Iterator[pl.DataFrame]:
    for part in frame.iter_slices(_ROWS_AT_ONCE):
        stop_if_cancelled(progress)
        yield part
        progress.advance(part.height)


def number_parts(folder: Path) -> list[str]:
    """Number the parts in a folder, drop whatever lies beside them, and force them to disk."""
    parts = sorted(path for path in folder.iterdir() if path.name.startswith("part-"))
    if not parts:
        raise OutputError("No part of the release was written.")
    for path in folder.iterdir():
        if path not in parts:
            path.unlink()
    names = []
    for number, path in enumerate(parts):
        plain = path.with_name(f"part-{number:05d}{path.suffix}")
        path.rename(plain)
        with plain.open("rb") as file:
            os.fsync(file.fileno())
        names.append(f"{folder.name}/{plain.name}")
    return names


def describe(path: Path) -> dict[str, int | str]:
    """Give the size of a file and its SHA-256."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return {"bytes": path.stat().st_size, "sha256": digest}


@contextmanager
def explained() -> Iterator[None]:
    """Turn what the system says about files into a sentence."""
    try:
        yield
    except OutputError:
        raise
    except OSError as error:
        known = _WHAT_WENT_WRONG.get(error.errno or 0)
        reason = known or f"The system said: {error.strerror or type(error).__name__}."
        raise OutputError(f"The release was not written. {reason}") from error
