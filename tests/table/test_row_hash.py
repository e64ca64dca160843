"""The hash of rows: stable, spread, and blind to row order and column types."""

import hashlib

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.kernels import hashing
from shoal.table import read_table

MASK = (1 << 64) - 1


def finish(x):
    """The finalizer of SplitMix64, in plain integers."""
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB & MASK
    return x ^ (x >> 31)


def hash_cell(text):
    """Plain FNV-1a of one text, as the kernel should do it."""
    if text is None:
        return 0x6D697373696E6721
    x = 0xCBF29CE484222325
    for byte in text.encode():
        x = (x ^ byte) * 0x100000001B3 & MASK
    return finish(x)


def slow_row_hash(rows):
    """The slow twin: one row at a time, in plain Python."""
    seen, hashes = {}, []
    for row in rows:
        x = 0
        for cell in row:
            x = finish((x * 0x100000001B3 + hash_cell(cell) + 0x9E3779B97F4A7C15) & MASK)
        repeat = seen[x] = seen.get(x, -1) + 1
        hashes.append(finish((x + repeat * 0x9E3779B97F4A7C15) & MASK))
    return hashes


cells = (
    st.none() | st.sampled_from(["", "a", "b", "é", "ab", "0", "1"]) | st.text("xyzé", max_size=4)
)
tables = st.lists(st.tuples(cells, cells), min_size=1, max_size=40)


def frame_of(rows):
    return pl.DataFrame(rows, schema={"x": pl.String, "y": pl.String}, orient="row")


@settings(max_examples=100, deadline=None)
@given(tables)
def test_the_kernel_agrees_with_its_slow_twin(rows):
    assert read_table(frame_of(rows), missing=()).row_hash().tolist() == slow_row_hash(rows)


@settings(max_examples=50, deadline=None)
@given(tables, st.randoms(use_true_random=False))
def test_row_order_does_not_matter(rows, random):
    shuffled = list(rows)
    random.shuffle(shuffled)
    one = read_table(frame_of(rows), missing=["", "a"]).row_hash()
    other = read_table(frame_of(shuffled), missing=["", "a"]).row_hash()
    assert sorted(one.tolist()) == sorted(other.tolist())
    assert len(set(one.tolist())) == len(rows)
    alone = [row for row in rows if rows.count(row) == 1]
    by_row = dict(zip(rows, one.tolist(), strict=True))
    by_shuffled_row = dict(zip(shuffled, other.tolist(), strict=True))
    assert all(by_row[row] == by_shuffled_row[row] for row in alone)


def test_the_hash_is_pinned():
    """The same on every machine and in every version: change it and this test must say so."""
    frame = pl.DataFrame({"age": [17, 25, 17, None], "city": ["Graz", "Öblarn", "Graz", None]})
    hashes = read_table(frame).row_hash()
    digest = hashlib.sha256(hashes.astype("<u8").tobytes()).hexdigest()
    assert digest[:16] == "9adeeff018bd57e1"


def test_columns_and_their_borders_count():
    def first(x, y):
        return read_table(pl.DataFrame({"x": [x], "y": [y]})).row_hash()[0]

    assert len({first("ab", "c"), first("a", "bc"), first("c", "ab"), first("ab", None)}) == 4


def test_types_do_not_count():
    text = read_table(pl.DataFrame({"x": ["1", None], "y": ["0.5", "2"]}))
    typed = read_table(pd.DataFrame({"x": [1.0, np.nan], "y": [0.5, 2.0]}))
    assert text.row_hash().tolist() == typed.row_hash().tolist()


def test_a_hash_is_spread_over_all_bits():
    hashes = read_table(pl.DataFrame({"x": np.arange(20_000)})).row_hash()
    for bit in range(64):
        share = ((hashes >> np.uint64(bit)) & np.uint64(1)).mean()
        assert share == pytest.approx(0.5, abs=0.02)


def test_the_kernels_run_as_plain_python():
    bounds, data = np.array([0, 1, 3]), np.frombuffer("aé".encode(), dtype=np.uint8)
    with np.errstate(over="ignore"):
        plain = hashing.hash_texts.py_func(bounds, data)
    assert plain.tolist() == [hash_cell("a"), hash_cell("é"), hash_cell(None)]
