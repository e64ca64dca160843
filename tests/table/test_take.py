"""Rows taken from a table: the table that reading those rows alone would give."""

from datetime import datetime

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.exceptions import InvalidParameterError
from shoal.table import Roles, read_table
from thorough import times

ROLES = Roles(quasi_identifiers=["age", "zip"], sensitive="pain", person="who")
READING = {
    "kinds": {"age": "numeric", "zip": "code", "when": "date", "who": "nominal"},
    "orders": {"pain": ["low", "mid", "high"]},
    "missing": ("?", ""),
}
CELLS = {
    "age": st.sampled_from(["9", "9.0", "10", "1e1", "?", None]),
    "zip": st.sampled_from(["01", "1", "", "é"]),
    "pain": st.sampled_from(["high", "low", "?"]),
    "when": st.sampled_from(["2020-01-01", "2019-12-31T12:00", "?"]),
    "who": st.sampled_from(["a", "b"]),
    "seen": st.sampled_from([datetime(2020, 1, 1), datetime(2020, 1, 1, 6), None]),
    "score": st.sampled_from([1.0, float("nan"), -0.0, None]),
}
SCHEMA = dict.fromkeys(CELLS, pl.String) | {"seen": pl.Datetime("us"), "score": pl.Float64}


@st.composite
def frames(draw):
    n = draw(st.integers(1, 12))
    cells = {name: draw(st.lists(some, min_size=n, max_size=n)) for name, some in CELLS.items()}
    return pl.DataFrame(cells, schema=SCHEMA)


def read(frame):
    return read_table(frame, roles=ROLES, **READING)


def assert_same(taken, again):
    assert taken.frame.equals(again.frame, null_equal=True)
    assert (taken.roles, taken.kinds, taken.orders) == (again.roles, again.kinds, again.orders)
    for name in again.column_names:
        one, other = taken.column(name), again.column(name)
        assert (one.name, one.kind, one.labels) == (other.name, other.kind, other.labels)
        assert one.codes.tolist() == other.codes.tolist()
        assert one.codes.dtype == other.codes.dtype
        assert one.has_missing == other.has_missing
        assert (one.numbers is None) == (other.numbers is None)
        if one.numbers is not None:
            assert one.numbers.tolist() == other.numbers.tolist()
        assert taken.text(name).to_list() == again.text(name).to_list()
    assert taken.row_hash().tolist() == again.row_hash().tolist()
    assert taken.warnings == again.warnings


@settings(max_examples=times(60))
@given(frames(), st.data(), st.booleans())
def test_taking_rows_equals_reading_them(frame, data, coded_before):
    table = read(frame)
    if coded_before:
        for name in table.column_names:
            table.column(name)
        table.row_hash()
    rows = data.draw(st.lists(st.integers(0, table.n_rows - 1), min_size=1, max_size=20))
    taken = table.take(np.array(rows))
    again = read_table(frame[rows], roles=ROLES, **{**READING, "kinds": table.kinds})
    assert_same(taken, again)


@settings(max_examples=times(40))
@given(frames(), st.data())
def test_a_truth_for_each_row_takes_the_rows_that_are_true(frame, data):
    table = read(frame)
    n = table.n_rows
    kept = np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    assert_same(table.take(kept), table.take(np.flatnonzero(kept)))


def test_a_taken_table_can_be_taken_from():
    table = read(pl.DataFrame({name: ["a"] * 5 for name in SCHEMA}).with_columns(
        age=pl.Series(["1", "2", "3", "4", "5"]), pain=pl.lit("mid"), when=pl.lit("2020-01-01")
    ))  # fmt: skip
    twice = table.take(np.array([4, 2, 0])).take(np.array([True, False, True]))
    assert twice.column("age").labels == ("1", "5")
    assert twice.codes("age").tolist() == [1, 0]


def test_no_rows_may_be_taken():
    table = read_table(pl.DataFrame({"age": ["1", "2"]}), roles=Roles(quasi_identifiers="age"))
    table.column("age")
    for none in (np.zeros(2, dtype=bool), [], np.zeros(0, dtype=np.int64)):
        empty = table.take(none)
        assert (empty.n_rows, empty.column("age").labels) == (0, ())


def test_the_way_dates_are_written_is_decided_by_all_rows():
    table = read_table(pl.DataFrame({"when": ["31/12/2003", "02/01/2003", "03/01/2003"]}))
    taken = table.take(np.array([2, 1]))  # alone, they could be days of January or months
    assert taken.column("when").labels == ("02/01/2003", "03/01/2003")
    assert taken.column("when").numbers.tolist() == table.column("when").numbers[:2].tolist()


def test_the_type_of_frame_and_what_reading_said_are_kept(tmp_path):
    path = tmp_path / "people.csv"
    path.write_text("age;sex\n30;f\n40;m\n")
    table = read_table(path)
    assert table.take([1]).notes == table.notes
    pandas = read_table(pl.DataFrame({"age": [1, 2]}).to_pandas())
    assert type(pandas.give_back(pandas.take([0]).frame)).__module__.startswith("pandas")


@pytest.mark.parametrize(
    "rows", [[-1], [2], [0.0], [[0]], np.array([True]), np.array([True] * 3), np.zeros((2, 2))]
)
def test_rows_that_are_not_there_are_refused(rows):
    table = read_table(pl.DataFrame({"age": [1, 2]}))
    with pytest.raises(InvalidParameterError, match="Rows are taken by"):
        table.take(rows)
