"""The fingerprint: one for all orders of the rows, another for any other content."""

from __future__ import annotations

import hmac

import numpy as np
import polars as pl
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from shoal.table import read_table

KEY = b"key"
CELLS = st.sampled_from(["a", "b", "ab", "", "ä", "1", "01"])
FRAMES = st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=8)


def of(rows, names=("x", "y")):
    frame = pl.DataFrame(rows, schema=dict.fromkeys(names, pl.String), orient="row")
    return read_table(frame).fingerprint(KEY)


@settings(max_examples=60, deadline=None)
@given(FRAMES, st.randoms())
def test_row_order_does_not_matter(rows, random):
    shuffled = random.sample(rows, len(rows))
    assert of(rows) == of(shuffled)


@settings(max_examples=60, deadline=None)
@given(FRAMES, FRAMES)
def test_other_rows_have_another(one, other):
    assume(sorted(one) != sorted(other))
    assert of(one) != of(other)


@settings(max_examples=30, deadline=None)
@given(FRAMES)
def test_it_is_what_plain_python_makes_of_it(rows):
    """Ledgers keep fingerprints: they must stay what they were."""
    digest = hmac.new(KEY, b"shoal table", "sha256")
    frame = pl.DataFrame(rows, schema={"x": pl.String, "y": pl.String}, orient="row")
    order = np.argsort(read_table(frame).row_hash(), kind="stable")
    for name in frame.columns:
        texts = sorted(set(frame[name]))
        for part in (name, *texts):
            digest.update(len(part.encode()).to_bytes(8, "little") + part.encode())
        digest.update(len(texts).to_bytes(8, "little"))
        ranks = [texts.index(frame[name][int(row)]) for row in order]
        digest.update(b"".join(rank.to_bytes(4, "little") for rank in ranks))
    assert of(rows) == digest.hexdigest()


def test_names_order_of_columns_and_key_matter():
    rows = [("a", "b"), ("a", "a")]
    swapped = [(y, x) for x, y in rows]
    assert len({of(rows), of(rows, ("x", "z")), of(swapped, ("y", "x")), of(swapped)}) == 4
    table = read_table(pl.DataFrame({"x": ["a"]}))
    assert table.fingerprint(b"one") != table.fingerprint(b"two")


def test_cells_do_not_run_together():
    """The same texts cut elsewhere, or in another column, are another table."""
    assert len({of([("ab", "")]), of([("a", "b")]), of([("", "ab")]), of([("", "")])}) == 4
    assert of([("a", "b"), ("b", "a")]) != of([("a", "a"), ("b", "b")])


def test_missing_is_no_empty_text():
    none = read_table(pl.DataFrame({"x": ["a", None]}))
    empty = read_table(pl.DataFrame({"x": ["a", ""]}))
    assert none.fingerprint(KEY) != empty.fingerprint(KEY)
