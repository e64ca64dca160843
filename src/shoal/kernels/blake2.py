"""BLAKE2b under a key, of a row's texts, for a million rows at a time.

BLAKE2b (J.-P. Aumasson, S. Neves, Z. Wilcox-O'Hearn, C. Winnerlein, BLAKE2: simpler, smaller, fast
as MD5, ACNS 2013; RFC 7693), eight bytes of digest, as `hashlib.blake2b` computes it: the same
numbers, without a Python object for each row. The block that holds the key comes first and is the
same for all rows, so what it leaves behind is computed once.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from shoal._progress import at_once
from shoal.kernels.compiling import njit
from shoal.typing import IntArray

BLOCK = 128  # bytes
AT_ONCE = 100_000  # rows of one job
START = np.array(
    [
        *(0x6A09E667F3BCC908, 0xBB67AE8584CAA73B, 0x3C6EF372FE94F82B, 0xA54FF53A5F1D36F1),
        *(0x510E527FADE682D1, 0x9B05688C2B3E6C1F, 0x1F83D9ABFB41BD6B, 0x5BE0CD19137E2179),
    ],
    dtype=np.uint64,
)
SIGMA = np.array(  # which word of a block each round takes when; two rounds come again
    [
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
        [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
        [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
        [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
        [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
        [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
        [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
        [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
        [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
        [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
        [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
    ],
    dtype=np.int64,
)
COLUMNS = np.array(  # the four words of each of eight mixings: columns, then diagonals
    [
        *([0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15]),
        *([0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13], [3, 4, 9, 14]),
    ],
    dtype=np.int64,
)


def hash_framed(
    columns: Sequence[tuple[IntArray, IntArray]], key: bytes, person: bytes
) -> IntArray:
    """Hash each row of texts, every text after its length in eight bytes; a key is needed.

    Parameters
    ----------
    columns : sequence of (bounds, bytes)
        Texts as Arrow holds them.
    key, person : bytes
        As for `hashlib.blake2b`, whose digest has eight bytes here.

    Examples
    --------
    >>> from hashlib import blake2b
    >>> texts = np.array([0, 2, 2]), np.frombuffer(b"ab", dtype=np.uint8)
    >>> hashed = blake2b(b"\\x02" + bytes(7) + b"ab", digest_size=8, key=b"k", person=b"p")
    >>> hash_framed([texts], b"k", b"p")[0].tobytes() == hashed.digest()
    True
    """
    states = START.copy()
    states[0] ^= np.uint64(0x01010000 | len(key) << 8 | 8)
    states[6:] ^= np.frombuffer(person.ljust(16, b"\0"), dtype="<u8")
    block = np.frombuffer(key.ljust(BLOCK, b"\0"), dtype=np.uint8).copy()
    _compress(states, block, BLOCK, False, np.empty(32, dtype=np.uint64))
    bounds = np.stack([bounds for bounds, _ in columns])
    sizes = np.cumsum([0, *(data.size for _, data in columns)])
    texts = np.concatenate([data for _, data in columns])
    bounds += sizes[:-1, None]
    hashes = np.empty(bounds.shape[1] - 1, dtype=np.uint64)

    def hash_some(begin: int) -> None:
        _hash_rows(states, bounds[:, begin : begin + AT_ONCE + 1], texts, hashes[begin:])

    at_once(hash_some, list(range(0, hashes.size, AT_ONCE)))
    return hashes


@njit(cache=True, nogil=True)
def _hash_rows(keyed, bounds, texts, hashes):
    """Hash the rows of some texts, beginning with what the block of the key left behind."""
    block, words = np.empty(BLOCK, dtype=np.uint8), np.empty(32, dtype=np.uint64)
    state = np.empty(8, dtype=np.uint64)
    for row in range(bounds.shape[1] - 1):
        state[:] = keyed
        held, done = 0, BLOCK
        for column in range(bounds.shape[0]):
            begin, end = bounds[column, row], bounds[column, row + 1]
            length = np.uint64(end - begin)
            for i in range(begin - 8, end):
                if held == BLOCK:  # only the last block is told that it is the last
                    done += BLOCK
                    _compress(state, block, done, False, words)
                    held = 0
                if i < begin:
                    block[held] = length & np.uint64(255)
                    length >>= np.uint64(8)
                else:
                    block[held] = texts[i]
                held += 1
        block[held:] = 0
        _compress(state, block, done + held, True, words)
        hashes[row] = state[0]


@njit(cache=True, nogil=True)
def _compress(state, block, done, last, words):
    """Mix a block into a state, after ``done`` bytes in all; ``words`` is room for 32."""
    for i in range(16):
        word = np.uint64(0)
        for byte in range(7, -1, -1):
            word = (word << np.uint64(8)) | np.uint64(block[8 * i + byte])
        words[16 + i] = word
    for i in range(8):
        words[i], words[8 + i] = state[i], START[i]
    words[12] ^= np.uint64(done)
    if last:
        words[14] = ~words[14]
    for turn in range(12):
        for mixing in range(8):
            a, b, c, d = COLUMNS[mixing]
            one = words[16 + SIGMA[turn, 2 * mixing]]
            other = words[16 + SIGMA[turn, 2 * mixing + 1]]
            va, vb, vc, vd = words[a], words[b], words[c], words[d]
            va = va + vb + one
            vd = _turned(vd ^ va, np.uint64(32), np.uint64(32))
            vc = vc + vd
            vb = _turned(vb ^ vc, np.uint64(24), np.uint64(40))
            va = va + vb + other
            vd = _turned(vd ^ va, np.uint64(16), np.uint64(48))
            vc = vc + vd
            vb = _turned(vb ^ vc, np.uint64(63), np.uint64(1))
            words[a], words[b], words[c], words[d] = va, vb, vc, vd
    for i in range(8):
        state[i] ^= words[i] ^ words[8 + i]


@njit(cache=True, nogil=True, counted=False)
def _turned(word, right, left):
    return (word >> right) | (word << left)
