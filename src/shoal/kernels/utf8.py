"""Is it UTF-8? One pass over the bytes, without decoding them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.compiling import njit


def scan_utf8(data: NDArray[np.uint8]) -> tuple[int, int, int]:
    """Return (offset of the first invalid byte or -1, invalid bytes, valid multi-byte characters).

    >>> scan_utf8(np.frombuffer("né".encode(), dtype=np.uint8))
    (-1, 0, 1)
    >>> scan_utf8(np.frombuffer("né".encode("latin-1"), dtype=np.uint8))
    (1, 1, 0)
    """
    return _scan_utf8(data)


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
def _scan_utf8(data):
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
