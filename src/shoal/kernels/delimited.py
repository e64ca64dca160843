"""Delimited text (RFC 4180) in two passes: inspect every record, then split into columns.

And before that: are the bytes UTF-8? That is seen without decoding them.

Readers made for speed fill short records and cut long ones in silence. Here a record is data
only after the whole file was found sound. A field in double quotes may hold delimiters, line
ends and doubled quotes; a quote inside an unquoted field is text. CR, LF and CRLF end a record.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.compiling import njit

Bytes = NDArray[np.uint8]

PIECE = 1 << 24  # bytes that are split at a time: texts of all columns are copied once more
QUOTE, LF, CR = 34, 10, 13
PLAIN, DELIMITER, LINE_END, CONTROL = 0, 1, 2, 3

SOUND, UNCLOSED, AFTER_QUOTE, TOO_LONG, CONTROL_BYTE = 0, 1, 2, 3, 4


class Facts(NamedTuple):
    """What all records of a text come to."""

    fault: int  # one of the five above
    offset: int  # the byte where reading stopped
    records: int  # read so far, the header is the first
    columns: int  # fields of the header
    ragged: int  # records with another number of fields
    first_ragged: int  # the first of them (0 is the header) ...
    first_fields: int  # ... and how many fields it has
    blank: int  # empty lines, which are skipped


def classify(delimiter: str) -> NDArray[np.uint8]:
    """Say of each byte what it may be: the delimiter, the end of a line, or plain."""
    classes = np.zeros(256, dtype=np.uint8)
    classes[:32] = CONTROL
    classes[127] = CONTROL
    classes[9] = PLAIN
    classes[ord(delimiter)] = DELIMITER
    classes[LF] = classes[CR] = LINE_END
    return classes


@njit(cache=True, nogil=True, counted=False)
def _next_field(data, classes, start, limit):
    """Return (content start, content end, doubled quotes, next start, ends record, fault)."""
    size = data.size
    if start < size and data[start] == QUOTE:
        return _quoted_field(data, classes, start + 1, limit)
    i = start
    while i < size and classes[data[i]] == PLAIN:
        i += 1
    if i - start > limit:
        return start, i, 0, i, True, TOO_LONG
    if i < size and classes[data[i]] == CONTROL:
        return start, i, 0, i, True, CONTROL_BYTE
    after, ends = _step_over(data, classes, i)
    return start, i, 0, after, ends, SOUND


@njit(cache=True, nogil=True, counted=False)
def _quoted_field(data, classes, start, limit):
    size = data.size
    doubled = 0
    i = start
    while i < size:
        byte = data[i]
        if byte == QUOTE:
            if i + 1 >= size or data[i + 1] != QUOTE:
                break
            doubled += 1
            i += 1
        elif classes[byte] == CONTROL:
            return start, i, doubled, i, True, CONTROL_BYTE
        i += 1
        if i - start > limit:
            return start, i, doubled, i, True, TOO_LONG
    if i >= size:
        return start, size, doubled, size, True, UNCLOSED
    if i + 1 < size and classes[data[i + 1]] != DELIMITER and classes[data[i + 1]] != LINE_END:
        return start, i, doubled, i + 1, True, AFTER_QUOTE
    after, ends = _step_over(data, classes, i + 1)
    return start, i, doubled, after, ends, SOUND


@njit(cache=True, nogil=True, counted=False)
def _step_over(data, classes, i):
    """Step over what ends a field; tell whether the record ends too."""
    if i >= data.size:
        return i, True
    if classes[data[i]] == DELIMITER:
        return i + 1, False
    if data[i] == CR and i + 1 < data.size and data[i + 1] == LF:
        return i + 2, True
    return i + 1, True


@njit(cache=True, nogil=True)
def count_fields(data, classes, limit, most):
    """Count the fields of each of the first ``most`` records, as far as they can be read.

    >>> data = np.frombuffer(b"a;b;c\\n1;2", dtype=np.uint8)
    >>> count_fields(data, classify(";"), 100, 9).tolist()
    [3, 2]
    """
    counts = np.zeros(most, dtype=np.int64)
    records, fields, i = 0, 0, 0
    while (i < data.size or fields > 0) and records < most:
        start = i
        _, end, _, i, ends, fault = _next_field(data, classes, start, limit)
        if fault != SOUND:
            break
        fields += 1
        if ends:
            if fields > 1 or start < end:
                counts[records] = fields
                records += 1
            fields = 0
    return counts[:records]


@njit(cache=True, nogil=True)
def inspect(data, classes, limit, piece):
    """Look at every record; return the facts, and where pieces of the data begin and end.

    Of each place it is told how many bytes, records, and bytes of text of each column are before.

    >>> data = np.frombuffer(b"a,b\\n1,22\\n3\\n", dtype=np.uint8)
    >>> facts, places = inspect(data, classify(","), 100, PIECE)
    >>> facts.records, facts.columns, facts.ragged, facts.first_ragged
    (3, 2, 1, 2)
    >>> places.tolist()
    [[0, 0, 0, 0], [11, 3, 3, 3]]
    """
    head = count_fields(data, classes, limit, 1)
    columns = head[0] if head.size else 1
    places = np.zeros((data.size // piece + 2, columns + 2), dtype=np.int64)
    n_places, sizes = 1, places[0, 2:].copy()
    records, ragged, first_ragged, first_fields, blank = 0, 0, -1, 0, 0
    fault, fields, i = SOUND, 0, 0
    while i < data.size or fields > 0:
        start = i
        begin, end, doubled, i, ends, fault = _next_field(data, classes, start, limit)
        if fault != SOUND:
            break
        if fields < columns:
            sizes[fields] += end - begin - doubled
        fields += 1
        if not ends:
            continue
        if _is_blank(fields, start, end, columns, records):
            blank += 1
        else:
            if fields != columns:
                if ragged == 0:
                    first_ragged, first_fields = records, fields
                ragged += 1
            records += 1
        fields = 0
        if i >= places[n_places - 1, 0] + piece or i >= data.size:
            places[n_places, 0], places[n_places, 1] = i, records
            places[n_places, 2:] = sizes
            n_places += 1
    facts = Facts(fault, i, records, columns, ragged, first_ragged, first_fields, blank)
    return facts, places[:n_places]


@njit(cache=True, nogil=True, counted=False)
def _is_blank(fields, start, end, columns, records):
    """Tell an empty line (a quoted empty field ends after its start) from a record.

    Where the table has one column, an empty line under the header is a record.
    """
    return fields == 1 and start == end and (columns > 1 or records == 0)


@njit(cache=True, nogil=True)
def split(data, classes, begin, end):
    """Split a piece of sound data into columns: all text, where each begins, and its cell bounds.

    >>> data = np.frombuffer(b'a,b\\n1,"x""y"\\n', dtype=np.uint8)
    >>> places = inspect(data, classify(","), 100, PIECE)[1]
    >>> text, starts, bounds = split(data, classify(","), places[0], places[1])
    >>> text.tobytes(), starts.tolist(), bounds.tolist()
    (b'a1bx"y', [0, 2, 6], [[0, 1, 2], [0, 1, 4]])
    """
    columns = begin.size - 2
    starts = np.zeros(columns + 1, dtype=np.int64)
    for column in range(columns):
        starts[column + 1] = starts[column] + end[column + 2] - begin[column + 2]
    text = np.empty(starts[-1], dtype=np.uint8)
    bounds = np.zeros((columns, end[1] - begin[1] + 1), dtype=np.int64)
    into = starts[:-1].copy()
    record, column, i = 0, 0, begin[0]
    while i < end[0] or column > 0:
        start = i
        first, last, doubled, i, ends, _ = _next_field(data, classes, start, data.size)
        if ends and _is_blank(column + 1, start, last, columns, begin[1] + record):
            continue
        into[column] = _copy(data, first, last, doubled, text, into[column])
        bounds[column, record + 1] = into[column] - starts[column]
        column += 1
        if ends:
            column = 0
            record += 1
    return text, starts, bounds


@njit(cache=True, nogil=True, counted=False)
def _copy(data, begin, end, doubled, text, into):
    if doubled == 0:
        for i in range(begin, end):
            text[into] = data[i]
            into += 1
        return into
    i = begin
    while i < end:
        text[into] = data[i]
        into += 1
        i += 2 if data[i] == QUOTE else 1
    return into


@njit(cache=True, nogil=True, counted=False)
def scan_utf8(data):
    """Return (first invalid byte or -1, invalid bytes, valid characters of several bytes)."""
    first_bad, bad, wide = -1, 0, 0
    i = 0
    while i < data.size:
        length = _length(data, i)
        if length == 0:
            if bad == 0:
                first_bad = i
            bad += 1
            length = 1
        elif length > 1:
            wide += 1
        i += length
    return first_bad, bad, wide


@njit(cache=True, nogil=True, counted=False)
def _length(data, i):
    """Bytes of the character that starts at ``i`` (Unicode 15, table 3-7), 0 if there is none."""
    first = data[i]
    if first < 0x80:
        return 1
    if first < 0xC2 or first > 0xF4:
        return 0
    length = 2 if first < 0xE0 else (3 if first < 0xF0 else 4)
    if i + length > data.size:
        return 0
    low, high = 0x80, 0xBF
    if first == 0xE0:
        low = 0xA0  # overlong
    elif first == 0xED:
        high = 0x9F  # surrogates
    elif first == 0xF0:
        low = 0x90  # overlong
    elif first == 0xF4:
        high = 0x8F  # beyond U+10FFFF
    if data[i + 1] < low or data[i + 1] > high:
        return 0
    for j in range(i + 2, i + length):
        if data[j] < 0x80 or data[j] > 0xBF:
            return 0
    return length
