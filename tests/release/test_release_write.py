from __future__ import annotations

import csv
import json
import random
import stat
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from releases import make_release, people, published

from shoal._progress import SILENT
from shoal.exceptions import (
    InvalidParameterError,
    LedgerWarning,
    OutputError,
    ReleaseRefusedError,
)
from shoal.ledger import Ledger
from shoal.privacy import DistinctLDiversity, KAnonymity, Verdict, claims_of
from shoal.release import RELEASE_FILES, Release, _files, _release
from shoal.release._files import write_data
from shoal.report import summarize
from shoal.spaces import build_spaces
from shoal.table import Grouping, Roles, read_table
from shoal.verifier import Claim, recount
from thorough import times

FILES = {"manifest.json", "report.html", "verify.py"}


def names(folder):
    return {path.name for path in folder.iterdir()}


@pytest.mark.parametrize("format", ["csv", "parquet"])
def test_a_folder_holds_data_manifest_report_and_script(tmp_path, format):
    written = make_release().write(tmp_path / "out", format=format)
    assert written.folder == tmp_path / "out"
    assert names(tmp_path) == {"out"}
    assert names(written.folder) == FILES | {f"data.{format}"}
    assert written.verification.holds
    assert written.manifest == json.loads((written.folder / "manifest.json").read_text("utf-8"))


def test_the_manifest_says_what_was_recounted(tmp_path):
    manifest = make_release().write(tmp_path / "out").manifest
    assert (manifest["rows"], manifest["groups"], manifest["suppressed"]) == (24, 8, 0)
    assert manifest["quasi_identifiers"] == ["age", "zip"]
    assert [(h["measure"], h["asked"], h["recounted"], h["holds"]) for h in manifest["holds"]] == [
        ("k", 3, 3, True),
        ("distinct_l", 2, 3, True),
    ]
    roles = {column["name"]: column["role"] for column in manifest["columns"]}
    assert roles == dict.fromkeys(["age", "zip"], "quasi-identifier") | {
        "disease": "sensitive",
        "note": "other",
    }
    assert set(manifest["files"]) == {"data.csv", "report.html", "verify.py"}
    assert manifest["not_promised"]


def test_of_a_model_that_the_file_cannot_prove_only_that_it_holds_is_said(tmp_path):
    release = make_release()
    release = replace(release, claims=())
    before = release.manifest["holds"]
    assert [(h["model"], h["recounted"]) for h in before] == [
        ("3-anonymity", None),
        ("distinct 2-diversity of 'disease'", None),
    ]
    first, second = release.write(tmp_path / "out").manifest["holds"]
    assert (first["recounted"], second["recounted"], second["measured"]) == (3, None, None)
    assert second["holds"]


def test_no_cell_value_in_manifest_and_no_settings_without_asking(tmp_path):
    frame = people().with_columns(disease=pl.Series(["CANARY-A", "CANARY-B", "CANARY-C"] * 8))
    release = make_release(frame=frame)
    folder = release.write(tmp_path / "out").folder
    manifest = (folder / "manifest.json").read_text("utf-8")
    assert "CANARY" not in manifest
    assert "Person" not in manifest
    assert "weights" not in manifest
    assert "CANARY" not in repr(release)
    assert not (folder / "provenance.json").exists()


def test_provenance_is_written_where_asked_and_stays_private(tmp_path):
    folder = make_release().write(tmp_path / "out", provenance=True).folder
    path = folder / "provenance.json"
    assert json.loads(path.read_text())["seed"] == 7
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_rows_are_sorted_by_what_they_show_whatever_came_in(tmp_path):
    frame = people()
    bytes_ = make_release(frame=frame).write(tmp_path / "a").folder / "data.csv"
    rows = list(range(24))
    random.Random(1).shuffle(rows)
    crowds = [rows[i : i + 3] for i in range(0, 24, 3)]
    shuffled = sorted(range(24), key=lambda i: (crowds_place(i, crowds), -i))
    released = published(frame)[shuffled]
    again = make_release(frame=frame, released=released).write(tmp_path / "b").folder / "data.csv"
    assert again.read_bytes() == bytes_.read_bytes()
    body = bytes_.read_text("utf-8").splitlines()[1:]
    assert body == sorted(body)


def crowds_place(i, crowds):
    return next(place for place, crowd in enumerate(crowds) if i in crowd)


def test_the_whole_folder_is_the_same_bytes_every_time(tmp_path):
    one, two = (make_release().write(tmp_path / name).folder for name in "ab")
    for name in names(one):
        assert (one / name).read_bytes() == (two / name).read_bytes(), name


def test_gives_back_the_type_it_was_given():
    pandas = pytest.importorskip("pandas")
    table = read_table(people().to_pandas())
    release = replace(make_release(), give_back=table.give_back)
    assert isinstance(release.data, pandas.DataFrame)
    assert isinstance(make_release().data, pl.DataFrame)
    assert list(release.data.columns) == release.frame.columns


# --- refusals: nothing wrong ever leaves the house


def corrupt_one_cell(frame):
    return frame.with_columns(
        age=pl.when(pl.int_range(pl.len()) == 5).then(pl.lit("25")).otherwise("age")
    )


def split_the_last_crowd(frame):
    last = pl.int_range(pl.len()) >= frame.height - 1
    return frame.with_columns(zip=pl.when(last).then(pl.lit("9999")).otherwise("zip"))


def lose_a_missing_value(frame):
    return frame.with_columns(zip=pl.when(pl.int_range(pl.len()) == 0).then(None).otherwise("zip"))


def make_a_crowd_alike(frame):
    crowd = pl.int_range(pl.len()) < 3
    return frame.with_columns(disease=pl.when(crowd).then(pl.lit("flu")).otherwise("disease"))


@pytest.mark.parametrize("format", ["csv", "parquet"])
@pytest.mark.parametrize(
    "corrupt", [corrupt_one_cell, split_the_last_crowd, lose_a_missing_value, make_a_crowd_alike]
)
def test_a_corrupted_anonymizer_is_always_refused(tmp_path, corrupt, format):
    bad = make_release(released=corrupt(published(people())))
    assert bad.verdict.holds  # what the anonymizer believes
    with pytest.raises(ReleaseRefusedError):
        bad.write(tmp_path / "out", format=format)
    assert names(tmp_path) == set()


@settings(max_examples=times(10), deadline=None)
@given(st.data())
def test_any_row_in_the_wrong_crowd_is_refused(tmp_path_factory, data):
    released = published(people())
    row = data.draw(st.integers(0, 23))
    other = data.draw(st.integers(0, 23).filter(lambda i: i // 3 != row // 3))
    ages = released["age"].to_list()
    ages[row] = ages[other]
    folder = tmp_path_factory.mktemp("wrong")
    with pytest.raises(ReleaseRefusedError):
        make_release(released=released.with_columns(age=pl.Series(ages))).write(folder / "out")
    assert names(folder) == set()


def test_rows_lost_on_the_way_are_noticed(tmp_path, monkeypatch):
    def forgetful_writer(path, frame, progress):
        _files.write_data(path, frame.part(slice(0, 21)), progress)

    monkeypatch.setattr(_release, "write_data", forgetful_writer)
    with pytest.raises(ReleaseRefusedError, match="rows exactly 24"):
        make_release().write(tmp_path / "out")
    assert names(tmp_path) == set()


def test_a_file_that_cannot_be_read_back_is_refused(tmp_path, monkeypatch):
    def broken_writer(path, frame, progress):
        path.write_text('age,zip,disease,note\n"CANARY\n')

    monkeypatch.setattr(_release, "write_data", broken_writer)
    with pytest.raises(ReleaseRefusedError) as caught:
        make_release().write(tmp_path / "out")
    assert "CANARY" not in str(caught.value)
    assert names(tmp_path) == set()


def test_a_verdict_that_fails_writes_nothing(tmp_path):
    failing = make_release(l=4)
    assert not failing.verdict.holds
    with pytest.raises(ReleaseRefusedError, match="does not hold"):
        failing.write(tmp_path / "out")
    assert names(tmp_path) == set()


def test_k_cannot_be_left_out_of_the_claims():
    release = make_release()
    assert [c.name for c in replace(release, claims=()).claims] == ["rows", "k"]
    low = replace(release, claims=(Claim("k", 2),))
    assert max(c.bound for c in low.claims if c.name == "k") == 3


def test_what_does_not_fit_together_is_refused_at_birth():
    release = make_release()
    with pytest.raises(InvalidParameterError):
        replace(release, given=release.frame.head(3))
    with pytest.raises(InvalidParameterError):
        replace(release, people=range(24))
    with pytest.raises(InvalidParameterError):
        release.write("never", format="tiff")


# --- what is in the files


ODD = [
    'say "hi"',
    "two\nlines",
    "cr\rx",
    "a,b",
    " blank ",
    "NA",
    "null",
    "é\u202e",
    "=1+1",
    "",
    None,
]


@pytest.mark.parametrize("spreadsheet_safe", [False, True])
def test_csv_keeps_every_odd_cell(tmp_path, spreadsheet_safe):
    frame = people().with_columns(note=pl.Series((ODD * 3)[:24]))
    frame = frame.rename({"note": 'no"te, or\nso'})
    release = make_release(frame=frame)
    folder = release.write(tmp_path / "out", spreadsheet_safe=spreadsheet_safe).folder
    with (folder / "data.csv").open(newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file, strict=True)
    assert header == release.frame.columns
    want = [cell or "" for cell in release.frame.to_series(3)]
    if spreadsheet_safe:
        want = ["'=1+1" if cell == "=1+1" else cell for cell in want]
    assert sorted(row[3] for row in rows) == sorted(want)
    assert b"\r\n" not in (folder / "data.csv").read_bytes()


def test_empty_and_missing_cannot_be_told_apart_in_csv(tmp_path):
    frame = people().with_columns(note=pl.Series(["", None] * 12))
    text = (make_release(frame=frame).write(tmp_path / "out").folder / "data.csv").read_text()
    assert '""' not in text


def test_one_column_of_missing_cells_keeps_its_rows(tmp_path):
    write_data(tmp_path / "data.csv", pl.DataFrame({"q": ["a", None, None]}), SILENT)
    assert (tmp_path / "data.csv").read_text() == 'q\na\n""\n""\n'


def test_formulas_are_defused_in_cells_names_and_claims(tmp_path):
    frame = people().rename({"disease": "=disease"})
    frame = frame.with_columns(pl.Series("note", ["=cmd", "-5", "+x"] * 8))
    roles = Roles(identifiers="name", quasi_identifiers=["age", "zip"], sensitive="=disease")
    table, labels = read_table(frame, roles=roles), [i // 3 for i in range(24)]
    models = [KAnonymity(3), DistinctLDiversity(2, "=disease")]
    verdict = Verdict(tuple(m.judge(table, Grouping(labels)).results[0] for m in models))
    released = published(frame)
    summary = summarize(table, released, labels, k=3, verdict=verdict, spaces=build_spaces(table))
    release = Release(released, verdict, summary, claims_of(models, table))
    folder = release.write(tmp_path / "out", spreadsheet_safe=True, ledger="off").folder
    with (folder / "data.csv").open(newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    assert header == ["age", "zip", "'=disease", "note"]
    assert {row[3] for row in rows} == {"'=cmd", "-5", "'+x"}


def test_csv_refuses_what_it_cannot_hold(tmp_path):
    released = published(people()).with_columns(note=pl.Series([[1]] * 24))
    release = replace(make_release(), given=released)
    with pytest.raises(OutputError, match="'note'"):
        release.write(tmp_path / "out", ledger="off")
    assert names(tmp_path) == set()


def test_the_names_of_release_files_are_known():
    assert set(RELEASE_FILES) > FILES


CELLS = st.text(st.sampled_from("ab\",;\n\r\t #\\'=é\u2028\ufeff "), max_size=6) | st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=4
)


@settings(max_examples=times(50), deadline=None)
@given(st.lists(st.tuples(CELLS, CELLS | st.none()), min_size=1, max_size=12))
def test_any_text_comes_back_from_csv_by_three_readers(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("round") / "data.csv"
    frame = pl.DataFrame(rows, orient="row", schema={"q": pl.String, "s": pl.String})
    write_data(path, frame, SILENT)
    want = [(q, s or "") for q, s in rows]
    with path.open(newline="", encoding="utf-8") as file:
        assert [tuple(row) for row in csv.reader(file, strict=True)][1:] == want
    counted = recount(path, quasi_identifiers=["q", "s"])
    assert (counted.rows, counted.groups) == (len(rows), len(set(want)))
    back = pl.read_csv(path, infer_schema=False).with_columns(pl.all().fill_null(""))
    assert back.rows() == want


def test_every_release_enters_the_ledger_unless_it_is_told_not_to(tmp_path):
    assert make_release().write(tmp_path / "off", ledger="off").ledger.to_dict() == {
        "mode": "off",
        "recorded": False,
    }
    written = make_release().write(tmp_path / "out")
    assert (written.ledger.mode, written.ledger.composition.compared) == ("warn", 0)
    with Ledger.open() as ledger:
        (release,) = ledger.releases()
    assert (release.rows, release.k, release.status, release.engine) == (24, 3, "released", "local")


def regrouped():
    """The same people in other crowds, which leave one value for some."""
    labels = np.argsort(np.random.default_rng(3).permutation(24), kind="stable") // 3
    release = make_release()
    return replace(release, lineage=replace(release.lineage, grouping=Grouping(labels)))


def test_who_writes_from_python_is_warned_of_earlier_releases(tmp_path):
    make_release().write(tmp_path / "one")
    with pytest.warns(LedgerWarning, match="one possible sensitive value"):
        written = regrouped().write(tmp_path / "two")
    assert not written.ledger.composition.holds
    assert regrouped().write(tmp_path / "three", ledger="warn").ledger.warnings  # read, not heard


def test_it_refuses_from_python_where_that_is_said(tmp_path):
    make_release().write(tmp_path / "one")
    with pytest.raises(ReleaseRefusedError, match="one possible sensitive value"):
        regrouped().write(tmp_path / "two", ledger="refuse")
    planned = replace(regrouped(), ledger="refuse")
    with pytest.raises(ReleaseRefusedError, match="one possible sensitive value"):
        planned.write(tmp_path / "two")
    assert not (tmp_path / "two").exists()


def test_a_preset_for_others_refuses_anywhere(tmp_path):
    make_release().write(tmp_path / "one")
    public = regrouped()
    public = replace(public, summary=replace(public.summary, preset="public"))
    with pytest.raises(ReleaseRefusedError):
        public.write(tmp_path / "two")
