"""CSV text: encoding and delimiter are found, header and records checked, all cells are text."""

from __future__ import annotations

import codecs
import mmap
import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa

from shoal._progress import at_once
from shoal.exceptions import (
    EmptyTableError,
    EncodingError,
    InputError,
    InvalidParameterError,
    RaggedRowError,
)
from shoal.kernels import delimited
from shoal.kernels.delimited import PIECE, Bytes, Facts, classify, count_fields, scan_utf8
from shoal.table._cells import CodedFrame, Distinct
from shoal.table._header import (
    HEAD,
    looks_like_data,
    mend_header,
    name_columns,
    numbers_rows,
    skip_titles,
)
from shoal.table._reading import Reading
from shoal.typing import IntArray

DELIMITERS = (",", ";", "\t", "|")
SPELLED = {",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe"}
FIELD_LIMIT = 1 << 20  # bytes; a longer field is a quote left open rather than a value
SAMPLE = 1 << 18  # bytes that decide on the delimiter
SAMPLE_RECORDS = 200
_LET_GO: int | None = getattr(mmap, "MADV_DONTNEED", None)  # Windows has no such word
AGREED = 0.5  # share of records that have the fields of the header


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
    utf8, separator, title = find_header(utf8, delimiter)
    classes = classify(separator)
    utf8, facts, places = _inspect(utf8, separator, classes)
    heads, columns = _columns(utf8, classes, places, missing)
    names, named = name_columns(heads, (column.column() for column in columns))
    coded = CodedFrame(
        {name: column for name, column in zip(names, columns, strict=True) if name},
        facts.records - 1,
    )
    notes = [note for note in (encoding_note, title) if note]
    if delimiter is None and len(heads) == 1:
        notes.append("Only one column was found; give delimiter= if there are more.")
    elif delimiter is None and separator != ",":
        notes.append(f"Columns were split at the {SPELLED[separator]}.")
    if facts.blank:
        notes.append(f"Empty lines were skipped: {facts.blank:,}.")
    if looks_like_data(heads):
        notes.append("The first line looks like data, not like column names; is a header missing?")
    return Reading(coded, (*notes, *named))


def find_header(data: Bytes, given: str | None) -> tuple[Bytes, str, str | None]:
    """Find the delimiter and the header; lines above it are left out, and said.

    The delimiter is the one that gives most records of a sample the fields of the header.

    >>> import numpy as np
    >>> find_header(np.frombuffer(b"a;b\\n1,5;2,5\\n", dtype=np.uint8), None)[1:]
    (';', None)
    """
    found, best = (DELIMITERS[0], (0.0, 1)) if given is None else (_checked(given), (1.0, 1))
    sample = data[:SAMPLE]
    for delimiter in DELIMITERS if given is None else ():
        fields = count_fields(sample, classify(delimiter), SAMPLE, SAMPLE_RECORDS)
        fields = fields[:-1] if sample.size < data.size and fields.size > 1 else fields
        if fields.size and fields[0] > 1:
            score = (float((fields == fields[0]).mean()), int(fields[0]))
            found, best = max((found, best), (delimiter, score), key=lambda one: one[1])
    tried = [(d, *skip_titles(data, d)) for d in ((found,) if best[0] >= AGREED else DELIMITERS)]
    cut = [each for each in tried if each[2]]
    if not cut:
        return data, found, None
    # Commas inside numbers make a header of the first person, below the real one: the delimiter
    # that leaves out fewer lines and names more columns is the file's.
    delimiter, below, lines = min(cut, key=lambda each: (each[2], -_marks(each[1], each[0])))
    return below, delimiter, f"Lines above the header were left out: {lines}."


def _marks(data: Bytes, delimiter: str) -> int:
    return data[:SAMPLE].tobytes().split(b"\n", 1)[0].count(delimiter.encode())


UNQUOTED = "Quote fields that hold the delimiter, or give the right delimiter."
HEADER_ALONE = "No row fits the header: look for a name too many, or for a second line of header."


def _inspect(data: Bytes, delimiter: str, classes: Bytes) -> tuple[Bytes, Facts, IntArray]:
    """Look at every record; where all rows have one field more or less, mend the header."""
    facts, places = delimited.inspect(data, classes, FIELD_LIMIT, PIECE)
    if facts.fault or facts.records == 0:
        raise _fault(facts)
    lacking = facts.first_fields - facts.columns
    if facts.ragged == facts.records - 1 > 0 and abs(lacking) == 1:
        for first in (False, True):
            mended = mend_header(data, delimiter, lacking, first=first)
            again, cut = delimited.inspect(mended, classes, FIELD_LIMIT, PIECE)
            if again.ragged:
                continue
            _, columns = _columns(mended, classes, cut, ("",))
            if lacking < 0 or _explained(columns, first=first):
                return mended, again, cut
    if facts.ragged:
        more = f" ({facts.ragged:,} such rows in all)" if facts.ragged > 1 else ""
        all_alike = facts.ragged == facts.records - 1
        raise RaggedRowError(
            f"Row {facts.first_ragged:,} has {facts.first_fields:,} fields, "
            f"the header has {facts.columns:,}{more}.",
            hint=HEADER_ALONE if all_alike else UNQUOTED,
        )
    if facts.records == 1:
        raise EmptyTableError("The file has a header but no rows.")
    return data, facts, places


def _explained(columns: list[Distinct], *, first: bool) -> bool:
    """Tell whether the field without a name is empty in all rows, or numbers them (as R does)."""
    cells = columns[0 if first else -1].column()
    return numbers_rows(cells) if first else cells.null_count() == len(cells)


def _columns(
    data: Bytes, classes: Bytes, places: IntArray, missing: Sequence[str]
) -> tuple[list[str], list[Distinct]]:
    """Split sound data piece by piece: what the header says, and the cells below it."""
    begins = np.maximum(places[:, 1] - 1, 0)  # the first record is the header, no row
    codes = {at: np.empty(begins[-1], dtype=np.uint32) for at in range(places.shape[1] - 2)}
    file: Any = data
    while isinstance(file, np.ndarray):
        file = file.base

    def look_up(piece: int) -> list[tuple[str, pa.Array]]:
        text, starts, bounds = delimited.split(data, classes, places[piece], places[piece + 1])
        told = []
        for column, ends in enumerate(bounds):
            letters = pa.py_buffer(text[starts[column] : starts[column + 1]])
            cells = pa.LargeStringArray.from_buffers(ends.size - 1, pa.py_buffer(ends), letters)
            found = cells[piece == 0 :].dictionary_encode()
            codes[column][begins[piece] : begins[piece + 1]] = found.indices
            told.append((str(cells[0]) if piece == 0 else "", found.dictionary))
        if isinstance(file, mmap.mmap) and _LET_GO is not None:
            file.madvise(_LET_GO)  # what was read of the file need not stay in memory
        return told

    def join(column: int) -> Distinct:
        (texts, *more) = (piece[column][1] for piece in pieces)
        mine = codes.pop(column)  # once it takes fewer bytes, nobody holds this any longer
        texts = _join([texts, *more], mine, begins) if more else texts
        found = Distinct(pl.Series(texts, dtype=pl.String), mine)
        return found.without([""]) if "" in missing else found

    pieces = at_once(look_up, [*range(len(begins) - 1)])
    columns = at_once(join, [*codes])
    pa.default_memory_pool().release_unused()  # it would keep what looking up took
    return [name for name, _ in pieces[0]], columns


def _join(texts: list[pa.Array], codes: IntArray, begins: IntArray) -> pa.Array:
    """Give texts the number they have in the first piece that has them, in place."""
    once = pa.concat_arrays(texts).dictionary_encode()
    numbers, first = once.indices.to_numpy(), 0
    for begin, end, some in zip(begins[:-1], begins[1:], texts, strict=True):
        codes[begin:end] = numbers[first:][codes[begin:end]]
        first += len(some)
    return once.dictionary


def _checked(delimiter: str) -> str:
    one = isinstance(delimiter, str) and len(delimiter) == 1 and delimiter.isascii()
    if one and delimiter != '"' and (delimiter.isprintable() or delimiter == "\t"):
        return delimiter
    raise InvalidParameterError(
        "The delimiter must be one character, not a quote or a line end.",
        hint="Common ones are the comma, the semicolon, the tab and the pipe.",
    )


def _fault(facts: Facts) -> InputError:
    where = "The header" if facts.records == 0 else f"Row {facts.records:,}"
    fault, offset = facts.fault, facts.offset
    if fault == delimited.UNCLOSED:
        return InputError(f"{where} opens a quote that is never closed.")
    if fault == delimited.TOO_LONG:
        return InputError(
            f"{where} has a field longer than {FIELD_LIMIT:,} bytes.",
            hint="Look for a quote that is opened and not closed.",
        )
    if fault == delimited.AFTER_QUOTE:
        return InputError(
            f"{where} has text after a closing quote (byte {offset:,}).",
            hint='A quote inside a quoted field is written twice: "".',
        )
    if fault == delimited.CONTROL_BYTE:
        return EncodingError(
            f"{where} holds a NUL or another control character (byte {offset:,}).",
            hint="Is it a text file? If so, remove the character or give the encoding.",
        )
    return EmptyTableError("The file holds only empty lines.")


BYTE_ORDER_MARKS = {  # the longer first: UTF-32 begins like UTF-16
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
#: Those in which tables are still exported; rarer ones are asked for by name.
LEGACY = (
    *(f"windows-125{page}" for page in range(8)),
    *("iso-8859-2", "koi8-r", "cp874", "cp932", "euc-jp", "gb18030", "big5", "cp949"),
)
WORD = re.compile(rb"[A-Za-z\x80-\xff]+")
FEW_WORDS = 5  # fewer with letters beyond ASCII do not tell one language from another
#: Words that are none in Latin-1, a sign stands in them for a letter: ``P£EÆ``, ``Pawe³``; no cm³.
ODD_WORD = re.compile(
    rb"(?=.{4})[A-Za-z\xc0-\xff]*[\xa1\xa3\xa5\xa6\xac\xae\xaf\xb3\xb6\xb9\xbc\xbe\xbf].*"
)
ODD_WORDS = 2
UNUSED_IN_CP1252 = (0x81, 0x8D, 0x8F, 0x90, 0x9D)
SEEN_FOR_ENCODING = 200_000  # bytes
MOSTLY_UTF8 = 0.5  # of what is no ASCII; two letters of another encoding may look like one of it


def to_utf8(data: Bytes, encoding: str | None = None) -> tuple[Bytes, str | None]:
    """Return the text as UTF-8 without byte order mark, and a note if it was not UTF-8.

    >>> data = np.frombuffer("née".encode("latin-1"), dtype=np.uint8)
    >>> utf8, note = to_utf8(data)
    >>> utf8.tobytes().decode()
    'née'
    >>> note
    'The file was read as Latin-1, because it is not UTF-8; another can be given.'
    """
    if encoding is not None:
        return _decode(data, _known(encoding)), None
    mark = next((m for m in BYTE_ORDER_MARKS if data[: len(m)].tobytes() == m), b"")
    if mark not in (b"", codecs.BOM_UTF8):
        name = BYTE_ORDER_MARKS[mark]
        return _decode(data, name), f"The file was read as {name.upper()}, as its first bytes say."
    text = data[len(mark) :]
    first_bad, n_bad, n_wide = scan_utf8(text)
    if first_bad < 0:
        return text, None
    if (text[:HEAD] == 0).any():
        raise EncodingError(
            "The file is not text: it holds NUL bytes, as databases and office documents do.",
            hint="Export the table as CSV or Parquet; a text in UTF-16 needs encoding=.",
        )
    if mark or n_wide > MOSTLY_UTF8 * n_bad:
        raise EncodingError(
            f"The file is UTF-8, but {n_bad:,} of its bytes are not, the first at byte "
            f"{first_bad + len(mark):,}.",
            hint="Save it as UTF-8 where it comes from, or give encoding= if it is in another one.",
        )
    name = _legacy_encoding(text, first_bad)
    note = f"The file was read as {name}, because it is not UTF-8; another can be given."
    return _decode(text, codecs.lookup(name).name), note


def _legacy_encoding(text: Bytes, first_bad: int) -> str:
    """Guess by the letters that follow each other which encoding older than Unicode this is."""
    import chardet  # only here: most files are UTF-8

    begin = max(0, first_bad - SEEN_FOR_ENCODING // 2)
    seen = text[begin : begin + SEEN_FOR_ENCODING].tobytes()
    words = {word for word in WORD.findall(seen) if not word.isascii()}
    if len(words) < FEW_WORDS and sum(map(bool, map(ODD_WORD.fullmatch, words))) < ODD_WORDS:
        return _western_encoding(text, first_bad)
    guess = chardet.detect(seen, include_encodings=LEGACY, no_match_encoding="windows-1252")
    name = str(guess["encoding"]).upper().replace("WINDOWS-", "CP")
    return _western_encoding(text, first_bad) if name == "CP1252" else name


def _western_encoding(data: Bytes, offset: int) -> str:
    """Latin-1 and CP1252 agree but for bytes 128 to 159, where only CP1252 has letters."""
    counts = np.bincount(data, minlength=256)
    if counts[0] or counts[list(UNUSED_IN_CP1252)].any():
        raise EncodingError(
            f"The file is not text in UTF-8, Latin-1 or CP1252 (byte {offset:,}).",
            hint="Give the encoding of the file, such as encoding='utf-16-le'.",
        )
    return "CP1252" if counts[0x80:0xA0].any() else "Latin-1"


def _decode(data: Bytes, encoding: str) -> Bytes:
    if encoding == "utf-8" and scan_utf8(data)[0] < 0:  # no need to decode all of it
        return data[3:] if data[:3].tobytes() == codecs.BOM_UTF8 else data
    try:
        text = data.tobytes().decode(encoding).removeprefix("\ufeff")
        return np.frombuffer(text.encode(), dtype=np.uint8)
    except UnicodeDecodeError as error:
        raise EncodingError(
            f"The file is not {encoding.upper()}: byte {error.start:,} cannot be read.",
            hint="Give the right one with encoding=, or leave that out to have it guessed.",
        ) from None
    except (UnicodeError, LookupError):
        raise _not_an_encoding(encoding) from None


def _known(encoding: Any) -> str:
    try:
        return codecs.lookup(encoding).name
    except (LookupError, TypeError, ValueError):
        raise _not_an_encoding(encoding) from None


def _not_an_encoding(encoding: object) -> InvalidParameterError:
    return InvalidParameterError(
        f"There is no text encoding named {encoding!r}.",
        hint="Common ones are utf-8, cp1252, latin-1 and utf-16.",
    )
