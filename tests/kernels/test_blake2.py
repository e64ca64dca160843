"""BLAKE2b in a kernel: the numbers of the standard library, whatever the texts and the key."""

from __future__ import annotations

import random

import numpy as np
import pytest
import twins

from shoal.kernels import blake2


def hashed(rows, key):
    return blake2.hash_framed([as_arrow(c) for c in zip(*rows, strict=True)], key, b"person")


def as_arrow(texts):
    bounds = np.cumsum([0, *(len(text) for text in texts)])
    return bounds, np.frombuffer(b"".join(texts), dtype=np.uint8)


@pytest.mark.parametrize("longest", [0, 7, 112, 120, 130, 500])  # blocks hold 128 bytes
@pytest.mark.parametrize("width", [1, 3])
def test_rows_hash_as_the_standard_library_hashes_them(longest, width):
    rng = random.Random(f"{longest} {width}")
    rows = [[rng.randbytes(rng.randint(0, longest)) for _ in range(width)] for _ in range(60)]
    key = rng.randbytes(rng.randint(1, 64))
    assert hashed(rows, key).tolist() == twins.hash_framed(rows, key, b"person")


@pytest.mark.parametrize("size", range(100, 140))
def test_a_block_that_is_just_full_is_the_last(size):
    rows = [[bytes(size)]]
    assert hashed(rows, b"key").tolist() == twins.hash_framed(rows, b"key", b"person")


def test_rows_of_several_jobs_are_hashed_alike(monkeypatch):
    monkeypatch.setattr(blake2, "AT_ONCE", 7)
    rows = [[str(i).encode(), b"x" * (i % 5)] for i in range(50)]
    assert hashed(rows, b"key").tolist() == twins.hash_framed(rows, b"key", b"person")
