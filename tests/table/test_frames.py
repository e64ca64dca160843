"""Frames of other libraries: in without a change, out as they came."""

import datetime as dt

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from shoal.table import read_table


def test_polars_keeps_its_types():
    frame = pl.DataFrame({"i": [1, None], "f": [0.5, 1.0], "d": [dt.date(2020, 1, 1), None]})
    table = read_table(frame)
    assert table.frame.equals(frame)
    assert table.frame.schema == frame.schema
    assert table.give_back(table.frame) is table.frame
    assert table.kinds == {"i": "numeric", "f": "numeric", "d": "date"}


def test_pandas_nan_is_missing_and_the_index_stays_outside():
    frame = pd.DataFrame(
        {"n": [1.0, np.nan], "s": ["a", np.nan], "t": pd.to_datetime(["2020-01-01", None])},
        index=pd.Index(["Ann", "Bo"], name="who"),
    )
    before = frame.copy(deep=True)
    table = read_table(frame)
    pd.testing.assert_frame_equal(frame, before)
    assert table.column_names == ("n", "s", "t")
    assert [table.text(c).to_list() for c in "nst"] == [
        ["1", None],
        ["a", None],
        ["2020-01-01", None],
    ]
    assert table.warnings == ("The index of the pandas frame is not part of the table.",)
    back = table.give_back(table.frame)
    assert isinstance(back, pd.DataFrame)
    assert isinstance(back.index, pd.RangeIndex)


@pytest.mark.parametrize("duplicates", [[7, 7, 7], [0, 1, 1]])
def test_a_repeated_index_changes_nothing(duplicates):
    frame = pd.DataFrame({"a": [1, 2, 3]}, index=duplicates)
    assert read_table(frame).frame["a"].to_list() == [1, 2, 3]


def test_categories_become_text_and_unused_ones_vanish():
    frame = pd.DataFrame({"c": pd.Categorical(["b"], categories=["a", "b", "secret"])})
    table = read_table(frame)
    assert table.frame.schema["c"] == pl.String
    assert table.column("c").labels == ("b",)
    assert table.give_back(table.frame)["c"].dtype == object


def test_ordered_categories_are_ordinal():
    sizes = pd.Categorical(["L", "S"], categories=["S", "M", "L"], ordered=True)
    ranks = pd.Categorical([20, 3], categories=[3, 20], ordered=True)
    table = read_table(pd.DataFrame({"size": sizes, "rank": ranks}))
    assert table.kinds == {"size": "ordinal", "rank": "ordinal"}
    assert table.column("size").labels == ("S", "L")
    assert table.column("rank").labels == ("3", "20")
    told = read_table(pd.DataFrame({"size": sizes}), kinds={"size": "nominal"})
    assert told.column("size").labels == ("L", "S")


def test_large_integers_with_gaps_come_back_exact():
    frame = pd.DataFrame({"n": pd.array([2**60 + 1, None], dtype="Int64")})
    table = read_table(frame)
    assert table.text("n").to_list() == [str(2**60 + 1), None]
    back = table.give_back(table.frame)
    assert back["n"][0] == 2**60 + 1
    assert back["n"].isna().tolist() == [False, True]


def test_arrow_in_arrow_out():
    frame = pa.table({"d": pa.array(["a", "b"]).dictionary_encode(), "n": [1, None]})
    frame = frame.replace_schema_metadata({"pandas": "{}"})
    table = read_table(frame)
    back = table.give_back(table.frame)
    assert isinstance(back, pa.Table)
    assert back.schema.metadata is None
    assert back.to_pydict() == {"d": ["a", "b"], "n": [1, None]}
    assert not pa.types.is_dictionary(back.schema.field("d").type)


def test_an_index_stored_as_a_column_is_left_out(tmp_path):
    frame = pd.DataFrame({"a": [1, 2]}, index=["Ann", "Bo"])
    frame.to_parquet(tmp_path / "t.parquet")
    table = read_table(tmp_path / "t.parquet")
    assert table.column_names == ("a",)
    assert table.warnings == ("A pandas index stored as a column was left out.",)


@pytest.mark.parametrize("suffix", ["parquet", "arrow"])
def test_columnar_files(tmp_path, suffix):
    frame = pl.DataFrame({"a": [1, 2], "c": pl.Series(["x", "y"], dtype=pl.Categorical)})
    path = tmp_path / f"t[1]*.{suffix}"
    frame.write_parquet(path) if suffix == "parquet" else frame.write_ipc(path)
    table = read_table(path)
    assert table.frame.rows() == [(1, "x"), (2, "y")]
    assert table.frame.schema["c"] == pl.String
    assert isinstance(table.give_back(table.frame), pl.DataFrame)


FRAMES = {
    "text": pl.DataFrame({"x": ["3", "20", None, "3"]}),
    "integers": pl.DataFrame({"x": [3, 20, None, 3]}),
    "floats": pl.DataFrame({"x": [3.0, 20.0, None, 3.0]}),
    "pandas": pd.DataFrame({"x": [3.0, 20.0, np.nan, 3.0]}),
    "pandas Int64": pd.DataFrame({"x": pd.array([3, 20, None, 3], dtype="Int64")}),
    "pandas objects": pd.DataFrame({"x": ["3", "20", None, "3"]}),
    "categories": pd.DataFrame({"x": pd.Categorical(["3", "20", None, "3"])}),
    "arrow": pa.table({"x": [3, 20, None, 3]}),
    "decimals": pl.DataFrame({"x": pl.Series([3, 20, None, 3], dtype=pl.Decimal(5, 0))}),
}


@pytest.mark.parametrize("case", FRAMES)
def test_the_type_of_a_column_is_irrelevant(case):
    coded = read_table(FRAMES[case]).column("x")
    assert (coded.kind, coded.labels) == ("numeric", ("3", "20"))
    assert coded.codes.tolist() == [0, 1, 2, 0]


def test_missing_texts_hold_for_frames_too():
    frame = pd.DataFrame({"job": ["?", "Baker"], "n": [-9, 4]})
    table = read_table(frame, missing=["?", "-9"])
    assert table.codes("job").tolist() == [1, 0]
    assert table.column("n").labels == ("4",)
    assert table.frame["job"].to_list() == ["?", "Baker"]
