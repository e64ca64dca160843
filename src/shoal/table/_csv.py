"""CSV: the delimiter is found, every record is checked, and all cells are text."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl
import pyarrow as pa

from shoal.exceptions import (
    EmptyTableError,
    EncodingError,
    InputError,
    InvalidParameterError,
    RaggedRowError,
)
from shoal.kernels import delimited
from shoal.kernels.delimited import Bytes
from shoal.table._encoding import to_utf8
from shoal.table._header import check_header, looks_like_data
from shoal.table._reading import Reading
from shoal.typing import IntArray

DELIMITERS = (",", ";", "\t", "|")
SPELLED = {",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe"}
FIELD_LIMIT = 1 << 20  # bytes; a longer field is a quote left open rather than a value
SAMPLE = 1 << 18  # bytes that decide on the delimiter
SAMPLE_RECORDS = 200


def read_csv(
    data: Bytes,
    *,
    delimiter: str | None = None,
    encoding: str | None = None,
    missing: Sequence[str] = ("",),
) -> Reading:
    """Read delimited text: every column as text, an empty cell as null.

    >>> import numpy as np
    >>> data = np.frombuffer(b"zip;city\\n01234;Graz\\n1234;\\n", dtype=np.uint8)
    >>> reading = read_csv(data)
    >>> reading.frame.rows(), reading.notes
    ([('01234', 'Graz'), ('1234', None)], ('Columns were split at the semicolon.',))
    """
    utf8, encoding_note = to_utf8(data, encoding)
    if utf8.size == 0:
        raise EmptyTableError("The file is empty.")
    separator = _checked(delimiter) if delimiter is not None else find_delimiter(utf8)
    facts, sizes = delimited.inspect(utf8, separator, FIELD_LIMIT)
    _refuse_faults(facts)
    _refuse_shape(facts)
    columns = _split(utf8, separator, facts["records"], sizes)
    names = [str(column[0]) for column in columns]
    check_header(names)
    frame = pl.DataFrame({n: _cells(c, missing) for n, c in zip(names, columns, strict=True)})
    notes = [encoding_note, *_notes(names, separator, delimiter is None, facts["blank"])]
    return Reading(frame, tuple(note for note in notes if note))


def find_delimiter(data: Bytes) -> str:
    """Find the delimiter that gives most records of a sample the fields of the header.

    >>> import numpy as np
    >>> find_delimiter(np.frombuffer(b"a;b\\n1,5;2,5\\n", dtype=np.uint8))
    ';'
    """
    sample = data[:SAMPLE]
    best, best_score = DELIMITERS[0], (0.0, 1)
    for delimiter in DELIMITERS:
        fields = delimited.count_fields(sample, delimiter, SAMPLE, SAMPLE_RECORDS)
        fields = fields[:-1] if sample.size < data.size and fields.size > 1 else fields
        if fields.size and fields[0] > 1:
            score = (float((fields == fields[0]).mean()), int(fields[0]))
            best, best_score = max((best, best_score), (delimiter, score), key=lambda b: b[1])
    return best


def _checked(delimiter: str) -> str:
    one = isinstance(delimiter, str) and len(delimiter) == 1 and delimiter.isascii()
    if one and delimiter != '"' and (delimiter.isprintable() or delimiter == "\t"):
        return delimiter
    raise InvalidParameterError(
        "The delimiter must be one character, not a quote or a line end.",
        hint="Common ones are the comma, the semicolon, the tab and the pipe.",
    )


def _refuse_faults(facts: dict[str, int]) -> None:
    where = "The header" if facts["records"] == 0 else f"Row {facts['records']:,}"
    fault, offset = facts["fault"], facts["offset"]
    if fault == delimited.UNCLOSED:
        raise InputError(f"{where} opens a quote that is never closed.")
    if fault == delimited.TOO_LONG:
        raise InputError(
            f"{where} has a field longer than {FIELD_LIMIT:,} bytes.",
            hint="Look for a quote that is opened and not closed.",
        )
    if fault == delimited.AFTER_QUOTE:
        raise InputError(
            f"{where} has text after a closing quote (byte {offset:,}).",
            hint='A quote inside a quoted field is written twice: "".',
        )
    if fault == delimited.CONTROL_BYTE:
        raise EncodingError(
            f"{where} holds a NUL or another control character (byte {offset:,}).",
            hint="Is it a text file? If so, remove the character or give the encoding.",
        )
    if facts["records"] == 0:
        raise EmptyTableError("The file holds only empty lines.")


def _refuse_shape(facts: dict[str, int]) -> None:
    if facts["ragged"]:
        more = f" ({facts['ragged']:,} such rows in all)" if facts["ragged"] > 1 else ""
        raise RaggedRowError(
            f"Row {facts['first_ragged']:,} has {facts['first_fields']:,} fields, "
            f"the header has {facts['columns']:,}{more}.",
            hint="Quote fields that hold the delimiter, or give the right delimiter.",
        )
    if facts["records"] == 1:
        raise EmptyTableError("The file has a header but no rows.")


def _split(data: Bytes, delimiter: str, records: int, sizes: IntArray) -> list[pa.Array]:
    text, starts, bounds = delimited.split(data, delimiter, records, sizes)
    return [
        pa.LargeStringArray.from_buffers(
            records, pa.py_buffer(bounds[i]), pa.py_buffer(text[starts[i] : starts[i + 1]])
        )
        for i in range(sizes.size)
    ]


def _cells(column: pa.Array, missing: Sequence[str]) -> pl.Series:
    cells = pl.Series(column[1:], dtype=pl.String)
    return cells.set(cells == "", None) if "" in missing else cells


def _notes(names: list[str], delimiter: str, found: bool, blank: int) -> list[str]:
    notes = []
    if found and len(names) == 1:
        notes.append("Only one column was found; give delimiter= if there are more.")
    elif found and delimiter != ",":
        notes.append(f"Columns were split at the {SPELLED[delimiter]}.")
    if blank:
        notes.append(f"Empty lines were skipped: {blank:,}.")
    if looks_like_data(names):
        notes.append("The first line looks like data, not like column names; is a header missing?")
    return notes
