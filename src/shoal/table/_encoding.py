"""Bytes to UTF-8: which encoding a file is in, or where its bytes are not text."""

from __future__ import annotations

import codecs
from typing import Any

import numpy as np

from shoal.exceptions import EncodingError, InvalidParameterError
from shoal.kernels.delimited import Bytes
from shoal.kernels.utf8 import scan_utf8

BYTE_ORDER_MARKS = {  # the longer first: UTF-32 begins like UTF-16
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
UNUSED_IN_CP1252 = (0x81, 0x8D, 0x8F, 0x90, 0x9D)


def to_utf8(data: Bytes, encoding: str | None = None) -> tuple[Bytes, str | None]:
    """Return the text as UTF-8 without byte order mark, and a note if it was not UTF-8.

    >>> data = np.frombuffer("née".encode("latin-1"), dtype=np.uint8)
    >>> utf8, note = to_utf8(data)
    >>> utf8.tobytes().decode()
    'née'
    >>> note
    'The file was read as Latin-1, because it is not UTF-8; give encoding= if that is wrong.'
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
    if mark or n_wide:
        raise EncodingError(
            f"The file is UTF-8, but {n_bad:,} of its bytes are not, the first at byte "
            f"{first_bad + len(mark):,}.",
            hint="Repair the file, or give encoding= if it is in another encoding.",
        )
    name = _one_byte_encoding(text, first_bad)
    note = f"The file was read as {name}, because it is not UTF-8; give encoding= if that is wrong."
    return _decode(text, "cp1252"), note


def _one_byte_encoding(data: Bytes, offset: int) -> str:
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
            hint="Leave encoding out to have it detected, or give the right one.",
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
