"""Upload limits: how much one table may be, counted while it arrives."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from shoal.exceptions import InputError

MEGABYTE = 1 << 20
ALWAYS = 32 * MEGABYTE  # bytes that may be unpacked whatever the ratio
STEP = MEGABYTE


@dataclass(frozen=True)
class UploadLimits:
    """How much one upload may be; whatever is larger is refused while it still arrives.

    Attributes
    ----------
    upload : int
        Bytes on the wire.
    unpacked : int
        Bytes once unpacked, for gzip and Parquet.
    ratio : int
        How many times larger than packed; more is a bomb (after the first 32 megabytes).
    rows, columns, field : int
        Lines, columns of the header, characters of one cell.
    idle, seconds : float
        Longest pause of a sender, and longest upload in all.
    """

    upload: int = 512 * MEGABYTE
    unpacked: int = 4096 * MEGABYTE
    ratio: int = 200
    rows: int = 5_000_000
    columns: int = 500
    field: int = 100_000
    idle: float = 30.0
    seconds: float = 900.0


class TooMuchError(InputError):
    """An upload is larger than this server takes (HTTP 413)."""


class TextCounter:
    """Counts the lines, columns and longest cell of delimited text while it arrives.

    It need not know the dialect: lines bound rows from above, and runs of bytes between commas,
    semicolons, tabs and line ends bound cells from below. The reader counts exactly, later.

    >>> counter = TextCounter(UploadLimits(columns=3, rows=2, field=5))
    >>> counter.feed(b"a,b,c\\n1,2,3\\n")
    >>> counter.feed(b"4,5,6\\n7,8,9\\n")
    Traceback (most recent call last):
    ...
    shoal.web._upload_limits.TooMuchError: The table has more than 2 rows.
    """

    def __init__(self, limits: UploadLimits) -> None:
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


class GzipCounter:
    """Unpacks gzip a little at a time, only to count; what grows too much is a bomb."""

    def __init__(self, limits: UploadLimits) -> None:
        self._limits = limits
        self._text = TextCounter(limits)
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


class NoCounter:
    """Parquet is measured when it is whole: its table of contents stands at the end."""

    def feed(self, piece: bytes) -> None:
        """Take the next piece."""


def counter_for(suffix: str, limits: UploadLimits) -> TextCounter | GzipCounter | NoCounter:
    """Return the counter for a kind of file."""
    if suffix == ".parquet":
        return NoCounter()
    return GzipCounter(limits) if suffix == ".csv.gz" else TextCounter(limits)


def check_parquet(path: Path, limits: UploadLimits) -> None:
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


def _check_shape(rows: int, columns: int, limits: UploadLimits) -> None:
    if rows > limits.rows:
        raise TooMuchError(f"The table has more than {limits.rows:,} rows.")
    if columns > limits.columns:
        raise TooMuchError(f"The table has more than {limits.columns:,} columns.")


def _check_batch(batch: object, unpacked: int, packed: int, limits: UploadLimits) -> None:
    import pyarrow as pa
    import pyarrow.compute as pc

    if unpacked > limits.unpacked or unpacked > max(ALWAYS, limits.ratio * packed):
        raise TooMuchError("The file grows too much when unpacked.")
    for column in batch.columns:  # type: ignore[attr-defined]
        if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
            longest = pc.max(pc.binary_length(column)).as_py() or 0
            if longest > limits.field:
                raise TooMuchError(f"A cell has more than {limits.field:,} characters.")
