"""Nothing of the original travels in the corners of a file format."""

from __future__ import annotations

import datetime as dt

import polars as pl
import pyarrow.parquet as pq
import pytest
from releases import make_release, people, published

from shoal.release import sort_by_content
from shoal.table import read_table

SECRET = [f"SECRET-{i}" for i in range(24)]


@pytest.fixture
def folder(tmp_path):
    """Write a release whose columns once held secrets."""
    frame = people()
    released = published(frame)
    note = pl.Series("note", SECRET, dtype=pl.Categorical)
    hidden = note.to_frame().with_columns(note=pl.when(note == "never").then(note).otherwise(
        pl.lit("*", dtype=pl.Categorical)))["note"]  # fmt: skip
    released = released.with_columns(hidden.alias("note"))
    return make_release(frame=frame, released=released).write(
        tmp_path / "out", format="parquet"
    ).folder  # fmt: skip


def test_no_category_no_index_no_statistics_no_notes(folder):
    path = folder / "data.parquet"
    assert b"SECRET" not in path.read_bytes()
    file = pq.ParquetFile(path)
    assert file.schema_arrow.metadata is None
    assert set(file.metadata.metadata or {}) <= {b"ARROW:schema"}
    assert file.schema_arrow.names == ["age", "zip", "disease", "note"]
    assert all(str(field.type) == "large_string" for field in file.schema_arrow)
    for i in range(file.metadata.num_columns):
        assert not file.metadata.row_group(0).column(i).is_stats_set


def test_no_secret_in_any_file(folder):
    for path in folder.iterdir():
        assert b"SECRET" not in path.read_bytes(), path.name
        assert b"Person" not in path.read_bytes(), path.name


def test_pandas_attributes_and_index_stay_behind(tmp_path):
    pytest.importorskip("pandas")
    frame = people().to_pandas().set_index("name")
    frame.attrs["owner"] = "SECRET"
    frame["disease"] = frame["disease"].astype("category")
    frame.index.name = "SECRET"
    table = read_table(frame)
    release = make_release(frame=people(), released=published(people()))
    native = table.give_back(release.frame)
    assert native.attrs == {}
    assert list(native.index) == list(range(24))
    folder = release.write(tmp_path / "out", format="parquet").folder
    assert b"pandas" not in (folder / "data.parquet").read_bytes()


def test_buffers_hold_only_what_is_shown():
    frame = pl.DataFrame({"note": [f"{text} and so much more" for text in SECRET]})
    cut = sort_by_content(frame.head(1), None)[0].frame
    buffers = [b for b in cut["note"].to_arrow().buffers() if b is not None]
    shown = b"".join(b.to_pybytes() for b in buffers)
    assert b"SECRET-0" in shown
    assert b"SECRET-1" not in shown


def test_other_types_survive_parquet(tmp_path):
    frame = people()
    moments = [dt.datetime(2024, 1, 1, i % 24, tzinfo=dt.UTC) for i in range(24)]
    released = published(frame).with_columns(
        note=pl.Series(moments).dt.convert_time_zone("Asia/Tokyo")
    )
    release = make_release(frame=frame, released=released)
    folder = release.write(tmp_path / "out", format="parquet").folder
    back = pl.read_parquet(folder / "data.parquet")
    assert back.schema["note"] == released.schema["note"]
    assert back.sort("note")["note"].to_list() == sorted(released["note"].to_list())
