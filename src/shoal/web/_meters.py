"""Meters: they watch bytes go by and refuse what is too much, before it is stored or unpacked."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from pathlib import Path

from shoal.exceptions import InputError
from shoal.web._settings import MEGABYTE, Limits

ALWAYS = 32 * MEGABYTE  # bytes that may be unpacked whatever the ratio
STEP = MEGABYTE


class TooMuchError(InputError):
    """An upload is larger than this server takes (HTTP 413)."""


class TextMeter:
    """Counts the lines, columns and longest cell of delimited text while it arrives.

    It need not know the dialect: lines bound rows from above, and runs of bytes between commas,
    semicolons, tabs and line ends bound cells from below. The reader counts exactly, later.

    >>> meter = TextMeter(Limits(columns=3, rows=2, field=5))
    >>> meter.feed(b"a,b,c\\n1,2,3\\n")
    >>> meter.feed(b"4,5,6\\n7,8,9\\n")
    Traceback (most recent call last):
    ...
    shoal.web._meters.TooMuchError: The table has more than 2 rows.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._lines = 0
        self._columns = 1
        self._open = 0  # bytes of the cell that the last piece ended in

    def feed(self, piece: bytes) -> None:
        """Take the next piece."""
        if self._lines == 0:
            self._count_columns(piece)
        self._lines += piece.count(b"\n")
        if self._lines > self._limits.rows + 1:
            raise TooMuchError(f"The table has more than {self._limits.rows:,} rows.")
        self._measure_cells(piece)

    def _count_columns(self, piece: bytes) -> None:
        header = piece.partition(b"\n")[0]
        self._columns += max(header.count(mark) for mark in (b",", b";", b"\t", b"|"))
        if self._columns > self._limits.columns:
            raise TooMuchError(f"The table has more than {self._limits.columns:,} columns.")

    def _measure_cells(self, piece: bytes) -> None:
        first, *others = piece.translate(_ENDS).split(b"\n")
        whole = [self._open + len(first), *map(len, others)]
        if max(whole) > self._limits.field:
            raise TooMuchError(f"A cell has more than {self._limits.field:,} characters.")
        self._open = whole[-1]


_ENDS = bytes.maketrans(b",;\t|", b"\n\n\n\n")


class GzipMeter:
    """Unpacks gzip a little at a time, only to count; what grows too much is a bomb."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._text = TextMeter(limits)
        self._inflate = zlib.decompressobj(wbits=31)
        self._packed = self._unpacked = 0

    def feed(self, piece: bytes) -> None:
        """Take the next piece."""
        self._packed += len(piece)
        for unpacked in self._pieces(piece):
            self._unpacked += len(unpacked)
            self._check_growth()
            self._text.feed(unpacked)

    def _pieces(self, piece: bytes) -> Iterator[bytes]:
        try:
            while piece:
                yield self._inflate.decompress(piece, STEP)
                piece = self._inflate.unconsumed_tail
                if self._inflate.eof:  # another member may follow
                    piece = self._inflate.unused_data
                    self._inflate = zlib.decompressobj(wbits=31)
        except zlib.error:
            raise InputError("The file is not gzip, or it is damaged.") from None

    def _check_growth(self) -> None:
        if self._unpacked > self._limits.unpacked:
            most = self._limits.unpacked // MEGABYTE
            raise TooMuchError(f"Unpacked, the file has more than {most:,} megabytes.")
        if self._unpacked > max(ALWAYS, self._limits.ratio * self._packed):
            raise TooMuchError(
                f"The file grows more than {self._limits.ratio} times when unpacked.",
                hint="Unpack it, and bring the CSV itself.",
            )


class NoMeter:
    """Parquet is measured when it is whole: its table of contents stands at the end."""

    def feed(self, piece: bytes) -> None:
        """Take the next piece."""


def meter_for(suffix: str, limits: Limits) -> TextMeter | GzipMeter | NoMeter:
    """Return the meter for a kind of file."""
    if suffix == ".parquet":
        return NoMeter()
    return GzipMeter(limits) if suffix == ".csv.gz" else TextMeter(limits)


def check_parquet(path: Path, limits: Limits) -> None:
    """Measure a Parquet file by its table of contents, then a batch at a time: it may lie."""
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            _check_shape(file.metadata.num_rows, file.metadata.num_columns, limits)
            unpacked = 0
            for batch in file.iter_batches(batch_size=4096):
                unpacked += batch.nbytes
                _check_batch(batch, unpacked, path.stat().st_size, limits)
    except InputError:
        raise
    except Exception:  # a reader's message may quote what it found
        raise InputError("The file is not Parquet, or it is damaged.") from None


def _check_shape(rows: int, columns: int, limits: Limits) -> None:
    if rows > limits.rows:
        raise TooMuchError(f"The table has more than {limits.rows:,} rows.")
    if columns > limits.columns:
        raise TooMuchError(f"The table has more than {limits.columns:,} columns.")


def _check_batch(batch: object, unpacked: int, packed: int, limits: Limits) -> None:
    import pyarrow as pa
    import pyarrow.compute as pc

    if unpacked > limits.unpacked or unpacked > max(ALWAYS, limits.ratio * packed):
        raise TooMuchError("The file grows too much when unpacked.")
    for column in batch.columns:  # type: ignore[attr-defined]
        if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
            longest = pc.max(pc.binary_length(column)).as_py() or 0
            if longest > limits.field:
                raise TooMuchError(f"A cell has more than {limits.field:,} characters.")
