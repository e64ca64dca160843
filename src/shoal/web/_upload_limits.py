"""Upload limits: how much one table may be, counted while it arrives."""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from shoal.exceptions import InputError

MEGABYTE = 1 << 20
ALWAYS = 32 * MEGABYTE  # bytes that may be unpacked whatever the ratio
STEP = MEGABYTE
LONGEST_HEADER = MEGABYTE
BATCH = 1024  # rows


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
        self._header: bytes | None = b""  # until it is whole
        self._open = 0  # bytes of the cell that the last piece ended in

    def feed(self, piece: bytes) -> None:
        """Take the next piece."""
        if self._header is not None:
            self._count_columns(piece)
        self._lines += piece.count(b"\n")
        if self._lines > self._limits.rows + 1:
            raise TooMuchError(f"The table has more than {self._limits.rows:,} rows.")
        self._measure_cells(piece)

    def _count_columns(self, piece: bytes) -> None:
        """Count the columns of the header, which may go on behind a line end in quotes."""
        header = (self._header or b"") + piece
        plain = _QUOTED.sub(rb"\1", header)
        line, end, _ = plain.partition(b"\n")
        columns = 1 + max(line.count(mark) for mark in (b",", b";", b"\t", b"|"))
        if columns > self._limits.columns:
            raise TooMuchError(f"The table has more than {self._limits.columns:,} columns.")
        if not end and len(header) > LONGEST_HEADER:
            raise TooMuchError("The header of the table is longer than a megabyte.")
        self._header = None if end else header

    def _measure_cells(self, piece: bytes) -> None:
        first, *others = piece.translate(_ENDS).split(b"\n")
        whole = [self._open + len(first), *map(len, others)]
        if max(whole) > self._limits.field:
            raise TooMuchError(f"A cell has more than {self._limits.field:,} characters.")
        self._open = whole[-1]


_QUOTED = re.compile(rb'(^|[,;\t|])"(?:[^"]|"")*(?:"(?=[,;\t|\r\n]|$)|\Z)')
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
    """What is no text is measured when it is whole."""

    def feed(self, piece: bytes) -> None:
        """Take the next piece."""


def counter_for(suffix: str, limits: UploadLimits) -> TextCounter | GzipCounter | NoCounter:
    """Return the counter for a kind of file."""
    if suffix == ".csv":
        return TextCounter(limits)
    return GzipCounter(limits) if suffix == ".csv.gz" else NoCounter()


def check_parquet(path: Path, limits: UploadLimits) -> None:
    """Measure a Parquet file by its table of contents, then a batch at a time: it may lie.

    Text is read as a dictionary, so that a long text that every row repeats is there once; what it
    would take written out is added up without writing it out.
    """
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            _check_contents(file.metadata, path.stat().st_size, limits)
            schema = file.schema_arrow
        for column in schema:
            _check_type(column.type, limits)
        texts = [column.name for column in schema if _is_text(column.type)]
        with pq.ParquetFile(path, read_dictionary=texts) as file:
            unpacked = 0
            for batch in file.iter_batches(batch_size=BATCH):
                unpacked += sum(_unpacked(column, limits) for column in batch.columns)
                check_growth(unpacked, path.stat().st_size, limits)
    except InputError:
        raise
    except Exception:  # a reader's message may quote what it found
        raise InputError("The file is not Parquet, or it is damaged.") from None


def check_workbook(path: Path, limits: UploadLimits) -> None:
    """Refuse a workbook that grows too much, by what its table of contents says of each part."""
    try:
        with zipfile.ZipFile(path) as pack:
            unpacked = sum(part.file_size for part in pack.infolist())
    except zipfile.BadZipFile:
        raise InputError("The file is not a workbook, or it is damaged.") from None
    check_growth(unpacked, path.stat().st_size, limits)


def check_shape(rows: int, columns: int, limits: UploadLimits) -> None:
    """Refuse more rows or columns than we take."""
    if rows > limits.rows:
        raise TooMuchError(f"The table has more than {limits.rows:,} rows.")
    if columns > limits.columns:
        raise TooMuchError(f"The table has more than {limits.columns:,} columns.")


def _check_contents(contents: Any, packed: int, limits: UploadLimits) -> None:
    check_shape(contents.num_rows, contents.num_columns, limits)
    groups = [contents.row_group(i) for i in range(contents.num_row_groups)]
    sizes = (g.column(i).total_uncompressed_size for g in groups for i in range(g.num_columns))
    check_growth(sum(sizes), packed, limits)


def check_growth(unpacked: int, packed: int, limits: UploadLimits) -> None:
    """Refuse what is far larger than it was packed."""
    if unpacked > limits.unpacked or unpacked > max(ALWAYS, limits.ratio * packed):
        raise TooMuchError("The file grows too much when unpacked.")


def _unpacked(column: Any, limits: UploadLimits) -> int:
    """Return the bytes that a column takes written out; refuse a cell that is too long."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not pa.types.is_dictionary(column.type):
        return int(column.nbytes)
    lengths = pc.binary_length(column.dictionary)
    if (pc.max(lengths).as_py() or 0) > limits.field:
        raise TooMuchError(f"A cell has more than {limits.field:,} characters.")
    return int(pc.sum(pc.take(lengths, column.indices)).as_py() or 0)


def _check_type(kind: Any, limits: UploadLimits) -> None:
    import pyarrow.types as types

    if types.is_nested(kind):
        raise InputError("A column holds lists or records; a table has one value a cell.")
    if types.is_fixed_size_binary(kind) and kind.byte_width > limits.field:
        raise TooMuchError(f"A cell has more than {limits.field:,} characters.")


def _is_text(kind: Any) -> bool:
    import pyarrow.types as types

    names = ("string", "large_string", "string_view", "binary", "large_binary", "binary_view")
    return any(getattr(types, f"is_{name}")(kind) for name in names)
