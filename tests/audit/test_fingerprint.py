"""The fingerprint: one for all orders of the rows, another for any other content."""

from __future__ import annotations

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
