"""Hashes: one of rows that is the same on every machine and version, and one under a key.

Each distinct text is hashed once (FNV-1a over its UTF-8 bytes, Fowler, Noll and Vo, then the
finalizer of SplitMix64, Steele, Lea and Flood 2014); a row mixes the hashes of its cells in
column order. It spreads and it reproduces; it is no secret and must never be published.

SipHash-2-4 (J.-P. Aumasson, D. J. Bernstein, SipHash: a fast short-input PRF, INDOCRYPT 2012)
of the eight bytes of a number tells without its key nothing but which numbers are equal.
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
LENGTH = np.uint64(8 << 56)  # the last block of a message of eight bytes
END = np.uint64(0xFF)
START = (0x736F6D6570736575, 0x646F72616E646F6D, 0x6C7967656E657261, 0x7465646279746573)
V0, V1, V2, V3 = (np.uint64(word) for word in START)


def number_repeats(rows: IntArray) -> IntArray:
    """Mix into each row's hash how often the same hash came before it: 0, 1, 2, ...

    Equal rows are interchangeable, so the set of hashes does not depend on the row order.

    >>> once = number_repeats(np.array([7, 7, 9], dtype=np.uint64))
    >>> len(set(once.tolist()))
    3
    """
    return _number_repeats(rows, np.argsort(rows, kind="stable"))


def siphash(numbers: IntArray, key: bytes) -> IntArray:
    """Hash each number under a key of sixteen bytes.

    >>> told = np.frombuffer(bytes(range(8)), dtype="<u8")
    >>> hex(siphash(told, bytes(range(16)))[0])  # from the authors' own test vectors
    '0x93f5f5799a932462'
    """
    low, high = np.frombuffer(key, dtype="<u8", count=2)
    return _siphash(np.ascontiguousarray(numbers, dtype=np.uint64), np.uint64(low), np.uint64(high))


@njit(cache=True, nogil=True, counted=False)
def _finish(x):
    x = (x ^ (x >> np.uint64(30))) * MIX_1
    x = (x ^ (x >> np.uint64(27))) * MIX_2
    return x ^ (x >> np.uint64(31))


@njit(cache=True, nogil=True)
def hash_texts(bounds, data):
    """Hash every text of an Arrow large string array; one more entry stands for missing."""
    hashes = np.empty(bounds.size, dtype=np.uint64)
    for text in range(bounds.size - 1):
        x = FNV_START
        for i in range(bounds[text], bounds[text + 1]):
            x = (x ^ np.uint64(data[i])) * FNV_PRIME
        hashes[text] = _finish(x)
    hashes[bounds.size - 1] = MISSING
    return hashes


@njit(cache=True, nogil=True, counted=False)
def mix_column(rows, hashes, codes):
    """Mix the cell ``hashes[codes[row]]`` into the hash of every row, in place."""
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


@njit(cache=True, nogil=True)
def _siphash(numbers, low, high):
    hashes = np.empty_like(numbers)
    for i in range(numbers.size):
        v0, v1, v2, v3 = V0 ^ low, V1 ^ high, V2 ^ low, V3 ^ high
        for block in (numbers[i], LENGTH):
            v3 ^= block
            for _ in range(2):
                v0, v1, v2, v3 = _round(v0, v1, v2, v3)
            v0 ^= block
        v2 ^= END
        for _ in range(4):
            v0, v1, v2, v3 = _round(v0, v1, v2, v3)
        hashes[i] = v0 ^ v1 ^ v2 ^ v3
    return hashes


@njit(cache=True, nogil=True, counted=False)
def _round(v0, v1, v2, v3):
    v0 = v0 + v1
    v1 = _turn(v1, np.uint64(13), np.uint64(51)) ^ v0
    v0 = _turn(v0, np.uint64(32), np.uint64(32))
    v2 = v2 + v3
    v3 = _turn(v3, np.uint64(16), np.uint64(48)) ^ v2
    v0 = v0 + v3
    v3 = _turn(v3, np.uint64(21), np.uint64(43)) ^ v0
    v2 = v2 + v1
    v1 = _turn(v1, np.uint64(17), np.uint64(47)) ^ v2
    v2 = _turn(v2, np.uint64(32), np.uint64(32))
    return v0, v1, v2, v3


@njit(cache=True, nogil=True, counted=False)
def _turn(word, left, right):
    return (word << left) | (word >> right)
