"""Packed files: gzip, Zstandard and ZIP, unpacked in memory and within bounds."""

from __future__ import annotations

import gzip
import io
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import IO, Any

import numpy as np

from shoal.exceptions import EmptyTableError, InputError
from shoal.table._csv import read_csv
from shoal.table._frames import read_frame
from shoal.table._read import existing, refuse_other_types
from shoal.table._reading import Reading
from shoal.table.sources._base import Place, TableSource
from shoal.table.sources._ndjson import read_lines

RATIO = 200  # tables shrink 3 to 50 times; more is a bomb
ALWAYS = 1 << 25  # bytes that may be unpacked whatever the ratio
MOST = 1 << 34


class PackedFile(TableSource):
    """A packed CSV file or file of JSON lines: ``.gz``, ``.zst``, ``.zip`` with one table in it."""

    kind = "packed"
    takes = frozenset({"delimiter", "encoding"})

    @classmethod
    def fits(cls, place: Place) -> bool:
        """Tell by the end of the name."""
        return place.suffix in PACKINGS

    def fetch(self) -> Reading:
        """Unpack and read."""
        file = existing(Path(self.place.where))
        what, opened = PACKINGS[self.place.suffix]
        limit = min(max(RATIO * file.stat().st_size, ALWAYS), MOST)
        try:
            with file.open("rb") as packed:
                name, stream = opened(packed, file)
                with stream:
                    unpacked = stream.read(limit + 1)
        except _DAMAGED:
            raise InputError(f"{file.name!r} is not {what}, or it is damaged.") from None
        if len(unpacked) > limit:
            raise InputError(
                f"{file.name!r} unpacks to more than {limit:,} bytes and was not read.",
                hint="If it is a table, unpack it yourself.",
            )
        if not unpacked:
            raise EmptyTableError(f"The file {file.name!r} is empty.")
        return self._parse(unpacked, name)

    def _parse(self, unpacked: bytes, name: str) -> Reading:
        if PurePosixPath(name).suffix.lower() in {".ndjson", ".jsonl"}:
            try:
                frame = read_lines(io.BytesIO(unpacked))
            except Exception:  # its message may quote what it found
                raise InputError(f"{name!r} is not a file of JSON lines.") from None
            return read_frame(frame)
        data = np.frombuffer(unpacked, dtype=np.uint8)
        refuse_other_types(data, name)
        place = self.place
        return read_csv(
            data, delimiter=place.delimiter, encoding=place.encoding, missing=place.missing
        )


def _gzip(packed: IO[bytes], file: Path) -> tuple[str, Any]:
    return file.stem, gzip.GzipFile(fileobj=packed)


def _zstandard(packed: IO[bytes], file: Path) -> tuple[str, Any]:
    import pyarrow as pa

    return file.stem, pa.CompressedInputStream(pa.PythonFile(packed), "zstd")


def _zip(packed: IO[bytes], file: Path) -> tuple[str, Any]:
    archive = zipfile.ZipFile(packed)
    tables = [
        entry
        for entry in archive.infolist()
        if not entry.is_dir() and not entry.filename.startswith("__MACOSX/")
    ]
    if len(tables) != 1:
        raise InputError(
            f"{file.name!r} holds {len(tables)} files, not one table.",
            hint="Unpack it and name the file, or a folder of parts.",
        )
    if tables[0].flag_bits & 1:
        raise InputError(f"{file.name!r} is locked with a password.", hint="Unpack it yourself.")
    return PurePosixPath(tables[0].filename).name, archive.open(tables[0])


PACKINGS: dict[str, tuple[str, Callable[[IO[bytes], Path], tuple[str, Any]]]] = {
    ".gz": ("a gzip file", _gzip),
    ".zst": ("a Zstandard file", _zstandard),
    ".zip": ("a ZIP archive", _zip),
}
_DAMAGED = (OSError, EOFError, zlib.error, zipfile.BadZipFile, NotImplementedError)
