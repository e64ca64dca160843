"""Rows are sorted by ranks packed into numbers, and come out as polars sorts the cells."""

from __future__ import annotations

import datetime as dt

import numpy as np
import polars as pl
import pytest

from shoal.release import sort_by_content

WORDS = ["x", "ä", "", None, "Z", "\U0001d4b3", "\uffff", "x y"]
VALUES = {
    "word": (pl.String, WORDS),
    "many": (pl.String, [str(i) for i in range(300)]),
    "float": (pl.Float64, [1.5, None, float("nan"), float("inf"), -float("inf"), -1.0, 0.0]),
    "truth": (pl.Boolean, [True, False, None]),
    "day": (pl.Date, [dt.date(2020, 1, 1), None, dt.date(1999, 1, 1)]),
    "moment": (pl.Datetime("us"), [dt.datetime(2020, 1, 1), None]),
    "whole": (pl.Int64, [1, -5, None, 2**62]),
    "nothing": (pl.Null, [None]),
    "list": (pl.List(pl.Int64), [[1], [2, 3], None]),  # is no key
}


@pytest.mark.parametrize("seed", range(12))
def test_rows_are_sorted_as_polars_sorts_their_cells(seed: int) -> None:
    random = np.random.default_rng(seed)
    n = int(random.integers(1, 200))
    columns = {
        name: pl.Series(name, [values[i] for i in random.integers(0, len(values), n)], dtype=dtype)
        for name, (dtype, values) in VALUES.items()
    }
    frame = pl.DataFrame([columns[name] for name in random.permutation([*columns])])
    keys = [name for name in frame.columns if name != "list"]
    expected = frame.with_row_index("#").sort(keys, maintain_order=True)

    ordered, people = sort_by_content(frame, np.arange(n))

    assert people is not None
    assert people.tolist() == expected["#"].to_list()
    assert ordered.frame.equals(expected.drop("#"))


def test_more_values_than_one_number_holds() -> None:
    random = np.random.default_rng(1)
    frame = pl.DataFrame({f"c{i}": random.integers(0, 900, 1000).astype(str) for i in range(9)})

    assert sort_by_content(frame, None)[0].frame.equals(frame.sort(frame.columns))


def test_an_empty_table_stays_one() -> None:
    for frame in (pl.DataFrame(), pl.DataFrame({"a": pl.Series([], dtype=pl.String)})):
        assert sort_by_content(frame, None)[0].frame.equals(frame)
