"""What was not changed keeps its type, in Parquet and for whoever reads a release back."""

import datetime as dt
import subprocess
import sys

import pandas as pd
import polars as pl
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

import shoal
from shoal.hierarchies import Taxonomy, ladder_text
from shoal.release._types import give_types
from shoal.table import read_table

N = 40
TYPES = {
    "age": pl.String,  # generalized
    "job": pl.String,
    "visits": pl.Int64,
    "pay": pl.Float64,
    "seen": pl.Date,
    "at": pl.Datetime("us"),
    "zip": pl.String,  # a code
    "ward": pl.String,
    "ill": pl.String,
}
TREE = Taxonomy.from_json({"*": {"hands": ["cook", "smith"], "head": ["clerk"]}})


@pytest.fixture
def clinic(tmp_path):
    path = tmp_path / "clinic.csv"
    pl.DataFrame(
        {
            "age": [20 + i for i in range(N)],
            "job": [("cook", "smith", "clerk")[i % 3] for i in range(N)],
            "visits": [i % 4 if i else None for i in range(N)],
            "pay": [1000 + i / 4 for i in range(N)],
            "seen": [dt.date(2020, 1, 1) + dt.timedelta(days=i) for i in range(N)],
            "at": [f"2020-01-01T04:{i:02}:00" for i in range(N)],
            "zip": [f"0{1000 + i % 3}" for i in range(N)],
            "ward": ["A", "B"] * (N // 2),
            "ill": ["yes", "no", "no", "yes"] * (N // 4),
        }
    ).write_csv(path)
    return path


@pytest.fixture
def release(clinic):
    return shoal.anonymize(
        clinic,
        quasi_identifiers=["age", "job"],
        sensitive="visits",
        target="ill",
        hierarchies={"job": TREE},
        k=4,
        l=2,
        t=0.9,
    )


def test_parquet_from_csv_has_the_types_of_what_was_not_changed(release, clinic, tmp_path):
    folder = release.write(tmp_path / "out", format="parquet", ledger="off").folder
    frame = pl.read_parquet(folder / "data.parquet")
    assert dict(frame.schema) == TYPES
    original = give_types(read_table(clinic).frame, read_table(clinic).kinds, TYPES)
    for name in ("visits", "pay", "seen", "at", "zip"):
        assert sorted(frame[name].drop_nulls()) == sorted(original[name].drop_nulls())
    done = subprocess.run([sys.executable, folder / "verify.py"], capture_output=True, check=False)
    assert done.returncode == 0, done.stdout


def test_a_release_of_a_typed_file_keeps_its_types(clinic, tmp_path):
    frame = pl.read_csv(clinic, try_parse_dates=True).with_columns(pl.col("visits").cast(pl.Int16))
    for suffix, write in (("parquet", "write_parquet"), ("feather", "write_ipc")):
        getattr(frame, write)(tmp_path / f"t.{suffix}")
        made = shoal.anonymize(tmp_path / f"t.{suffix}", quasi_identifiers=["age"], k=4)
        out = made.write(tmp_path / suffix, format="parquet", ledger="off").folder
        back = pl.read_parquet(out / "data.parquet")
        kept = {n: t for n, t in frame.schema.items() if n != "age"}
        assert {name: back.schema[name] for name in kept} == kept
        assert back.schema["age"] == pl.String


@pytest.mark.parametrize("format", ["csv", "parquet"])
def test_a_release_is_read_back_with_types_roles_and_trees(release, tmp_path, format):
    papers = {"hierarchies/job.csv": ladder_text(TREE)}
    release.write(tmp_path / "out", format=format, ledger="off", papers=papers)
    back = shoal.read_release(tmp_path / "out")
    assert dict(back.frame.schema) == TYPES
    assert back.roles.quasi_identifiers == ("age", "job")
    assert (back.roles.sensitive, back.roles.target) == (("visits",), "ill")
    assert list(back.hierarchies) == ["job"]
    plain = back.to_pandas()
    assert isinstance(plain, pd.DataFrame)
    assert plain["visits"].dtype == "Int64"
    model = make_pipeline(back.encoder(), LogisticRegression())
    model.fit(back.frame, back.frame["ill"].to_list())
    assert len(model.predict(plain)) == N  # learned from polars, asked in pandas
    raw = pl.DataFrame({"age": [23], "job": ["cook"]})
    assert model.predict(raw)[0] in ("yes", "no")


def test_trees_can_be_given_and_plain_files_be_read(release, tmp_path):
    folder = release.write(tmp_path / "out", ledger="off").folder
    assert shoal.read_release(folder).hierarchies == {}
    assert shoal.read_release(folder, hierarchies={"job": TREE}).hierarchies == {"job": TREE}
    (tmp_path / "trees").mkdir()
    (tmp_path / "trees" / "job.csv").write_text(ladder_text(TREE))
    told = {"quasi_identifiers": ["age", "job"], "hierarchies": tmp_path / "trees"}
    file = shoal.read_release(folder / "data.csv", **told)
    assert file.encoder().fit(file.frame).n_features_in_ == 2


def test_what_pandas_makes_of_spans_is_encoded(release, tmp_path):
    release.write(tmp_path / "out", ledger="off")
    naive = pd.read_csv(tmp_path / "out" / "data.csv")
    names = ["age", "job"]
    ours = shoal.read_release(tmp_path / "out").frame
    encoder = shoal.GeneralizedEncoder({"job": TREE}, quasi_identifiers=names).fit(ours)
    assert (encoder.transform(naive) == encoder.transform(ours)).all()
    mixed = pd.DataFrame({"age": [17, "[20, 25]", 18.0, None], "job": ["cook"] * 4})
    told = encoder.transform(mixed)
    assert told[:3, 0].tolist() == [17, 22.5, 18]
    assert told[:, 1].tolist() == [0, 0, 0, 1]  # the last one is missing


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        (["01", "2"], "numeric"),
        (["+1", "2"], "numeric"),
        (["1e5", "2"], "numeric"),
        (["0.12345678901234567", "2"], "numeric"),
        (["2", "2.0"], "numeric"),  # two cells that a reader of a CSV tells apart
        (["0.5", "-0.0", "0"], "numeric"),
        (["31.12.1999"], "date"),
        (["2020-01-01", "2020-01-01T00:00:00"], "date"),
        (["8010"], "code"),
        ([None], "numeric"),
    ],
)
def test_what_would_not_keep_its_value_stays_text(cells, kind):
    frame = pl.DataFrame({"x": pl.Series(cells, dtype=pl.String)})
    assert give_types(frame, {"x": kind}, ["x"]).schema["x"] == pl.String
