"""A hash of rows that is the same on every machine, every version and in every row order.

Each distinct text is hashed once (FNV-1a over its UTF-8 bytes, Fowler, Noll and Vo, then the
finalizer of SplitMix64, Steele, Lea and Flood 2014); a row mixes the hashes of its cells in
column order. It spreads and it reproduces; it is no secret and must never be published.
"""

from __future__ import annotations

import numpy as np

from shoal.kernels.compiling import njit
from shoal.typing import IntArray

FNV_START = np.uint64(0xCBF29CE484222325)
FNV_PRIME = np.uint64(0x100000001B3)
GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
MISSING = np.uint64(0x6D697373696E6721)  # a missing cell is a value of its own


def hash_texts(bounds: IntArray, data: IntArray) -> IntArray:
    """Hash every text of an Arrow large string array; one more entry stands for missing.

    >>> texts = hash_texts(np.array([0, 1, 2, 3]), np.frombuffer(b"aba", dtype=np.uint8))
    >>> texts.size, bool(texts[0] == texts[2]), bool(texts[0] == texts[1])
    (4, True, False)
    """
    return _hash_texts(np.asarray(bounds, dtype=np.int64), np.asarray(data, dtype=np.uint8))


def mix_column(rows: IntArray, hashes: IntArray, codes: IntArray) -> None:
    """Mix the cell ``hashes[codes[row]]`` into the hash of every row, in place."""
    _mix_column(rows, hashes, codes)


def number_repeats(rows: IntArray) -> IntArray:
    """Mix into each row's hash how often the same hash came before it: 0, 1, 2, ...

    Equal rows are interchangeable, so the set of hashes does not depend on the row order.

    >>> once = number_repeats(np.array([7, 7, 9], dtype=np.uint64))
    >>> len(set(once.tolist()))
    3
    """
    return _number_repeats(rows, np.argsort(rows, kind="stable"))


@njit(cache=True, nogil=True)
def _finish(x):
    x = (x ^ (x >> np.uint64(30))) * MIX_1
    x = (x ^ (x >> np.uint64(27))) * MIX_2
    return x ^ (x >> np.uint64(31))


@njit(cache=True, nogil=True)
def _hash_texts(bounds, data):
    hashes = np.empty(bounds.size, dtype=np.uint64)
    for text in range(bounds.size - 1):
        x = FNV_START
        for i in range(bounds[text], bounds[text + 1]):
            x = (x ^ np.uint64(data[i])) * FNV_PRIME
        hashes[text] = _finish(x)
    hashes[bounds.size - 1] = MISSING
    return hashes


@njit(cache=True, nogil=True)
def _mix_column(rows, hashes, codes):
    for row in range(rows.size):
        rows[row] = _finish(rows[row] * FNV_PRIME + hashes[codes[row]] + GOLDEN)


@njit(cache=True, nogil=True)
def _number_repeats(rows, order):
    numbered = np.empty_like(rows)
    repeat = np.uint64(0)
    for i in range(order.size):
        same = i > 0 and rows[order[i]] == rows[order[i - 1]]
        repeat = repeat + np.uint64(1) if same else np.uint64(0)
        numbered[order[i]] = _finish(rows[order[i]] + repeat * GOLDEN)
    return numbered
