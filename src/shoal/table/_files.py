"""Files: what they really are (by their first bytes), and how each is read."""

from __future__ import annotations

import gzip
import os
import stat
import zlib
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from pathlib import Path

import numpy as np
import polars as pl

from shoal.exceptions import EmptyTableError, InputError, InvalidParameterError
from shoal.kernels.delimited import Bytes
from shoal.table._csv import read_csv
from shoal.table._frames import read_frame
from shoal.table._reading import Reading

PARQUET, ARROW = {".parquet", ".pq"}, {".arrow", ".feather", ".ipc"}
SIGNATURES = {  # first bytes -> what it is, what to do
    b"PAR1\x15": ("a Parquet file", "Name it .parquet."),
    b"ARROW1\x00": ("an Arrow file", "Name it .arrow."),
    b"\x1f\x8b": ("a gzip file", "Name it .csv.gz, or unpack it."),
    b"PK\x03\x04": ("a ZIP archive or an Excel workbook", "Unpack it, or save it as CSV."),
    b"\xd0\xcf\x11\xe0": ("an old Office document", "Save it as CSV."),
    b"%PDF": ("a PDF document", "Export the table as CSV."),
    b"SQLite format 3\x00": ("an SQLite database", "Export the table as CSV."),
    b"BZh91AY&SY": ("a bzip2 file", "Unpack it."),
    b"\xfd7zXZ": ("an xz file", "Unpack it."),
    b"7z\xbc\xaf": ("a 7-Zip archive", "Unpack it."),
    b"\x28\xb5\x2f\xfd": ("a Zstandard file", "Unpack it."),
    b"\x89PNG": ("an image", "Export the table as CSV."),
    b"\xff\xd8\xff": ("an image", "Export the table as CSV."),
    b"<!doctype": ("a web page", "Save the table as CSV."),
    b"<html": ("a web page", "Save the table as CSV."),
    b"<?xml": ("an XML document", "Save the table as CSV."),
}
GZIP_RATIO = 200  # tables shrink 3 to 50 times; more is a bomb
GZIP_ALWAYS = 1 << 25  # bytes that may be unpacked whatever the ratio
GZIP_MOST = 1 << 34


def read_file(
    path: str | os.PathLike[str],
    *,
    delimiter: str | None,
    encoding: str | None,
    missing: Sequence[str],
) -> Reading:
    """Read a CSV (also ``.gz``), Parquet or Arrow file, by the end of its name."""
    file = _existing(path)
    suffix = file.suffix.lower()
    if suffix in PARQUET | ARROW:
        if delimiter is not None or encoding is not None:
            raise InvalidParameterError("A delimiter or an encoding is only for CSV files.")
        return _read_columnar(file, pl.read_parquet if suffix in PARQUET else pl.read_ipc)
    data = _unpacked(file) if suffix == ".gz" else np.asarray(np.memmap(file, np.uint8, "r"))
    _refuse_other_types(data, file.name)
    return read_csv(data, delimiter=delimiter, encoding=encoding, missing=missing)


def no_file(path: str | os.PathLike[str]) -> InputError:
    """Build the error for a file that is not there, naming one beside it that looks alike.

    >>> no_file("no/such/folder/data.csv").hint
    "The folder 'no/such/folder' is not there either."
    """
    file = Path(path)
    try:
        beside = [entry.name for entry in file.parent.iterdir()]
    except (OSError, ValueError):
        hint = f"The folder {str(file.parent)!r} is not there either."
    else:
        alike = get_close_matches(file.name, beside, n=1)
        hint = f"Did you mean {str(file.with_name(alike[0]))!r}?" if alike else _LOOK
    return InputError(f"There is no file {str(file)!r}.", hint=hint)


_LOOK = "Names are read from the folder you are in; look there with ls, or give the whole path."


def _existing(path: str | os.PathLike[str]) -> Path:
    file = Path(path)
    try:
        state = file.stat()
        if stat.S_ISREG(state.st_mode):
            file.open("rb").close()
    except FileNotFoundError:
        raise no_file(file) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "no file can have this name"
        raise InputError(f"{file.name!r} cannot be opened: {reason}.") from None
    if not stat.S_ISREG(state.st_mode):  # opening a pipe could wait forever
        what = "a folder" if stat.S_ISDIR(state.st_mode) else "a pipe or a device"
        raise InputError(f"{file.name!r} is {what}, not a file.")
    if state.st_size == 0:
        raise EmptyTableError(f"The file {file.name!r} is empty.")
    return file


def _read_columnar(file: Path, read: Callable[..., pl.DataFrame]) -> Reading:
    try:
        with file.open("rb") as stream:  # a path would be searched for wildcards
            frame = read(stream)
    except Exception:  # a reader's message may quote what it found
        kind = "a Parquet" if file.suffix.lower() in PARQUET else "an Arrow"
        raise InputError(
            f"{file.name!r} is not {kind} file, or it is damaged.",
            hint="Write it again, or read the table from CSV.",
        ) from None
    return read_frame(frame)


def _refuse_other_types(data: Bytes, name: str) -> None:
    head = data[:32].tobytes()
    for signature, (what, hint) in SIGNATURES.items():
        if head.startswith(signature) or head.lstrip().lower().startswith(signature):
            raise InputError(f"{name!r} is {what}, not CSV.", hint=hint)


def _unpacked(file: Path) -> Bytes:
    limit = min(max(GZIP_RATIO * file.stat().st_size, GZIP_ALWAYS), GZIP_MOST)
    try:
        with gzip.open(file) as stream:
            unpacked = stream.read(limit + 1)
    except (OSError, EOFError, zlib.error):
        raise InputError(f"{file.name!r} is not a gzip file, or it is damaged.") from None
    if len(unpacked) > limit:
        raise InputError(
            f"{file.name!r} unpacks to more than {limit:,} bytes and was not read.",
            hint="If it is a table, unpack it yourself.",
        )
    if not unpacked:
        raise EmptyTableError(f"The file {file.name!r} is empty.")
    return np.frombuffer(unpacked, dtype=np.uint8)
