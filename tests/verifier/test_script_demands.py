"""What verify.py demands of a release, one demand at a time, on a release made by hand."""

from __future__ import annotations

import csv
import hashlib
import subprocess
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from made_release import ALPHA, DATA, UNCOUNTED, K, L, Made

from shoal.verifier import _script, contradictions, script_source


@pytest.fixture
def made(tmp_path):
    return Made(tmp_path)


@pytest.fixture(autouse=True)
def limit_of_csv():
    before = csv.field_size_limit()
    yield
    csv.field_size_limit(before)


def test_an_honest_release_holds_and_says_so(made, capsys):
    made.write()
    assert _script.main(made.folder) == 0
    assert capsys.readouterr().out.splitlines() == [
        "data.csv: 5 rows in 2 groups on 1 quasi-identifiers; the smallest group has 2 rows.",
        "k: every row is one of at least 2 that look alike.",
        "l: every group shows at least 2 values of 'ill'.",
        "Not recounted by this script: alpha.",
        "Not recounted by this script: 2-map.",
        "Everything recounted here holds.",
    ]
    assert contradictions(made.folder) == ()


def test_what_does_not_hold_is_said_and_counted(made, capsys):
    made.write(rows=6)
    assert _script.main(made.folder) == 1
    assert "FAILED: the manifest speaks of 6 rows, the file has 5." in capsys.readouterr().out
    assert made.write(rows=5, groups=3).failures() == [
        "the manifest speaks of 3 groups, the file has 2."
    ]
    assert made.write(groups=3, relinkage={"by": "chance"}).failures() == []


def test_long_cells_are_read(made):
    made.files["data.csv"] = DATA.replace("cold,b", "cold," + "b" * 200_000).encode()
    made.write()
    assert _script.main(made.folder) == 0
    assert csv.field_size_limit() == 1 << 30


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ({**K, "model": "3-anonymity", "asked": 3, "recounted": 3}, "k is 2, asked was 3."),
        ({**K, "recounted": 3}, "k is 2, the manifest says 3."),
        ({**K, "model": "1-anonymity", "asked": 1}, None),
    ],
)
def test_k_is_what_was_asked_and_told(made, claim, said):
    assert made.write(holds=[claim]).failures() == ([said] if said else [])


def test_k_of_people_is_only_bounded(made):
    assert made.write(holds=[{**K, "recounted": 9}], counts="people").failures() == []
    asked = {**K, "model": "3-anonymity", "asked": 3}
    assert made.write(holds=[asked]).failures() == ["k is 2, asked was 3."]


@pytest.mark.parametrize(
    ("asked", "told", "holds"),
    [(2, 2, True), (3, 3, False), (3, 2, False), (1, 2, True), (2, 3, False)],
)
def test_l_is_what_was_asked_and_told(made, asked, told, holds):
    name = f"distinct {asked}-diversity of 'ill'"
    claim = {**L, "model": name, "asked": asked, "recounted": told}
    failures = made.write(holds=[K, claim]).failures()
    said = f"distinct l of column 'ill' is 2, asked was {asked}."
    assert failures == ([] if holds else [said])


NO_COLUMN = "the manifest names a column without a name or a known role."
TWICE = "the manifest names a column twice."
OTHERS = "the quasi-identifiers are not the columns with that role."
NOT_COUNTED = "the manifest does not say what was counted."
AGE, ILL, NOTE = Made(None).manifest["columns"]


@pytest.mark.parametrize(
    ("said", "failure"),
    [
        ({"columns": [AGE, ILL, {"name": "note", "role": "odd"}]}, NO_COLUMN),
        ({"columns": [AGE, ILL, {"name": 3, "role": "other"}]}, NO_COLUMN),
        ({"columns": [AGE, ILL, "note"]}, NO_COLUMN),
        ({"columns": [AGE, ILL, NOTE, NOTE]}, TWICE),
        ({"quasi_identifiers": ["age", "ill"]}, OTHERS),
        ({"quasi_identifiers": []}, OTHERS),
        ({"quasi_identifiers": [3]}, OTHERS),
        ({"rows": 0}, NOT_COUNTED),
        ({"groups": 0}, NOT_COUNTED),
        ({"counts": "days"}, NOT_COUNTED),
    ],
)
def test_columns_and_counts_agree(made, said, failure):
    assert made.write(**said).failures() == [failure]


def test_one_row_in_one_group_is_a_count(made):
    made.files["data.csv"] = b"age,ill,note\n*,flu,a\n"
    one = {**K, "model": "1-anonymity", "asked": 1, "recounted": 1}
    assert made.write(rows=1, groups=1, holds=[one]).failures() == []


@pytest.mark.parametrize("name", _script.SHAPES)
def test_every_part_of_the_manifest_has_its_shape(made, name):
    made.write(**{name: None})
    assert made.failures() == [f"the manifest has no proper {name!r}."]
    assert contradictions(made.folder) == (f"the manifest has no proper {name!r}.",)


def test_true_is_no_number(made):
    assert made.write(rows=True).failures() == ["the manifest has no proper 'rows'."]


def test_files_are_there_as_they_were(made):
    report = made.folder / "report.html"
    made.write()
    report.write_bytes(b"A REPORT.")
    said = "report.html is not the file that was released (its SHA-256 differs)."
    assert made.failures() == [said]
    report.unlink()
    assert made.failures() == ["report.html is not there."]


def test_files_are_as_long_as_told_and_nothing_else(made):
    made.write().manifest["files"]["report.html"]["bytes"] += 1
    assert made.write().failures() == ["report.html is not as long as the manifest says."]
    for strange in ("../secret.csv", "a/b.html", "Report.html", "hierarchies/a/b.csv"):
        files = {**made.manifest["files"]}
        files["report.html"]["bytes"] = len(b"A report.")
        said = "the manifest lists something that is no file of a release."
        assert made.write(files={**files, strange: {}}).failures() == [said]
        made.manifest["files"] = files
    assert made.write(files={**files, "report.html": "odd"}).failures() == [said]


def test_hierarchies_may_lie_beside_the_data(made):
    made.files["hierarchies/age.csv"] = b"30;*\n"
    assert made.write().failures() == []


@pytest.mark.parametrize("file", ["report.html", "data.parquet", "other.csv"])
def test_the_data_is_listed(made, file):
    assert made.write(file=file).failures() == ["the manifest does not list its data."]


PART_OF_IT = "the parts of the data are not those that the manifest lists."


def parts_of(made):
    head, *rows = DATA.splitlines(keepends=True)
    del made.files["data.csv"]
    made.files["data/part-0.csv"] = (head + "".join(rows[:2])).encode()
    made.files["data/part-1.csv"] = (head + "".join(rows[2:])).encode()
    made.manifest["file"] = "data"
    return made


def test_parts_are_counted_together(made):
    assert parts_of(made).write().failures() == []
    (made.folder / "data" / "part-2.csv").write_text("age,ill,note\n")
    assert made.failures() == [PART_OF_IT]


def test_no_parts_are_no_data(made):
    parts_of(made).files = {}
    (made.folder / "data").mkdir()
    assert made.write().failures() == [PART_OF_IT]


def test_parts_are_of_one_kind(made):
    parts_of(made)
    table = pa.table({"age": ["*"] * 3, "ill": ["flu", "gout", None], "note": ["c", "d", "e"]})
    pq.write_table(table, made.folder / "part.parquet")
    del made.files["data/part-1.csv"]
    made.files["data/part-1.parquet"] = (made.folder / "part.parquet").read_bytes()
    assert made.write().failures() == [PART_OF_IT]


def test_parquet_is_counted_alike(made):
    table = pa.table(
        {
            "age": ["30-39", "30-39", None, None, None],
            "ill": ["flu", "cold", "flu", "gout", None],
            "note": [1, 2, 3, 4, 5],
        }
    )
    pq.write_table(table, made.folder / "data.parquet")
    del made.files["data.csv"]
    made.files["data.parquet"] = (made.folder / "data.parquet").read_bytes()
    assert made.write(file="data.parquet").failures() == []
    assert [*_script.read(made.folder / "data.parquet", ["note", "age"])][1:3] == [
        ("2", "30-39"),
        ("3", None),
    ]
    assert [*_script.read(made.folder / "data.parquet", [])] == [()] * 5
    pq.write_table(table.select(["ill", "age", "note"]), made.folder / "data.parquet")
    made.files["data.parquet"] = (made.folder / "data.parquet").read_bytes()
    del made.manifest["files"]
    said = "the columns of data.parquet are not those of the manifest."
    assert made.write().failures() == [said]


@pytest.mark.parametrize("header", ["age,note,ill", "age,ill", "age,ill,note,more", ""])
def test_the_header_is_that_of_the_manifest(made, header):
    made.files["data.csv"] = DATA.replace("age,ill,note", header).encode()
    said = "the columns of data.csv are not those of the manifest."
    assert made.write().failures() == [said]


ODD = "the claim {!r} does not agree with itself."
NO_MODEL, CLAIMED_TWICE, NO_K = (
    "a claim of the manifest names no model.",
    "the manifest makes a claim twice.",
    "the manifest claims no k.",
)


@pytest.mark.parametrize(
    "claim",
    [
        {**ALPHA, "model": "5-anonymity"},
        {**ALPHA, "model": "distinct 2-diversity of 'ill'"},
        {**L, "model": "alpha"},
        {**L, "asked": 2.0},
        {**L, "asked": 3},
        {**L, "asked": 0, "model": "distinct 0-diversity of 'ill'"},
        {**L, "column": "age"},
        {**L, "recounted": None},
        {**L, "holds": 1},
        {**L, "holds": False},
        {name: value for name, value in L.items() if name != "recounted"},
        {**ALPHA, "measure": "odd"},
        {**ALPHA, "column": "height"},
        {**ALPHA, "asked": "0.5"},
        {**ALPHA, "recounted": None},
        {**UNCOUNTED, "recounted": 2},
    ],
)
def test_every_claim_agrees_with_itself(made, claim):
    assert made.write(holds=[K, claim]).failures() == [ODD.format(claim["model"])]


@pytest.mark.parametrize(
    "claim",
    [{**K, "column": "ill"}, {**K, "recounted": 2.0}, {**K, "recounted": None}, {**K, "asked": 3}],
)
def test_k_agrees_with_itself(made, claim):
    assert made.write(holds=[claim]).failures() == [ODD.format("2-anonymity")]


@pytest.mark.parametrize(
    ("holds", "said"),
    [
        ([K, "odd"], [NO_MODEL]),
        ([K, {**L, "model": 2}], [NO_MODEL]),
        ([K, K], [CLAIMED_TWICE]),
        ([L], [NO_K]),
        ([], [NO_K]),
    ],
)
def test_there_is_one_claim_of_each_kind_and_a_k(made, holds, said):
    assert made.write(holds=holds).failures() == said


def test_without_k_values_must_have_been_moved(made):
    assert made.write(holds=[L], relinkage={"by": "chance"}).failures() == []
    for empty in ({}, "moved", None):
        assert made.write(relinkage=empty).failures() == [NO_K]


@pytest.mark.parametrize(
    "text", ['{"rows": NaN}', '{"rows": 1e999}', '{"a": 1, "a": 1}', "[]", "{"]
)
def test_a_manifest_is_one_object_of_finite_numbers(made, text, capsys):
    (made.folder / "manifest.json").write_text(text)
    assert _script.main(made.folder) == 2
    assert "does not hold a readable release" in capsys.readouterr().out
    assert contradictions(made.folder) == ("its manifest cannot be read.",)


def test_numbers_of_a_manifest_keep_their_value():
    assert _script.finite("0.25") == 0.25
    assert _script.once([("a", 1), ("b", 2)]) == {"a": 1, "b": 2}


def test_rows_have_as_many_cells_as_the_header(made, capsys):
    for row in ("*,flu\n", "*,flu,a,b\n", "\n"):
        made.files["data.csv"] = (DATA + row).encode()
        made.manifest.pop("files", None)
        made.write()
        assert _script.main(made.folder) == 2
        assert "more or fewer cells" in capsys.readouterr().out


def test_an_empty_line_of_one_column_is_a_missing_cell(tmp_path):
    (tmp_path / "data.csv").write_text("age\n30\n\n")
    assert [*_script.read(tmp_path / "data.csv", ["age"])] == [("30",), (None,)]


def test_large_files_have_one_digest(tmp_path):
    content = bytes(range(256)) * 5000
    (tmp_path / "large").write_bytes(content)
    assert _script.digest(tmp_path / "large") == hashlib.sha256(content).hexdigest()


def test_nothing_to_count_is_no_group():
    assert _script.count([], ["age"], ["ill"]) == ({}, {"ill": 0})


@pytest.mark.parametrize("flags", [(), ("-S",), ("-I",), ("-P",)], ids=" ".join)
def test_nothing_beside_it_passes_for_a_part_of_python(made, flags):
    made.write()
    for name in ("os", "csv", "json", "pathlib", "typing"):
        (made.folder / f"{name}.py").write_text("raise SystemExit(9)")
    (made.folder / "verify.py").write_text(script_source(), "utf-8")
    command = [sys.executable, *flags, made.folder / "verify.py"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_without_pyarrow_a_parquet_release_cannot_be_told(made, monkeypatch, capsys):
    del made.files["data.csv"]
    made.files["data.parquet"] = b"PAR1"
    made.write(file="data.parquet")
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    assert _script.main(made.folder) == 2
    assert "needs pyarrow" in capsys.readouterr().out
    assert contradictions(made.folder) == ("its data cannot be read.",)


@pytest.mark.parametrize("value", ["flu", ""])  # a missing value is none
def test_the_group_that_shows_fewest_values_counts(made, value):
    made.files["data.csv"] = DATA.replace("*,gout,d", f"*,{value},d").encode()
    assert made.write().failures() == ["distinct l of column 'ill' is 1, asked was 2."]


def test_a_draft_says_what_it_is(made, capsys):
    made.write(draft=True)
    assert _script.main(made.folder) == 0
    assert "This is a DRAFT, not a release: do not pass it on." in capsys.readouterr().out
    made.write(draft=False)
    assert _script.main(made.folder) == 0
    assert "DRAFT" not in capsys.readouterr().out


@pytest.mark.parametrize("told", [["age", 7], [7, "age"], [7], []])
def test_quasi_identifiers_that_are_no_names_are_a_contradiction(made, told):
    assert made.write(quasi_identifiers=told).failures() != []


def test_without_rows_no_k_holds(made):
    made.files["data.csv"] = b"age,ill,note\n"
    claim = {**K, "model": "1-anonymity", "asked": 1, "recounted": 1}
    assert "k is 0, asked was 1." in made.write(holds=[claim]).failures()


NAMED = """age,ill,who
30-39,flu,P1
30-39,cold,P1
30-39,gout,P2
40-49,flu,P3
40-49,cold,
40-49,gout,
"""


def named(made, rows=NAMED, **said):
    """Pseudonyms tell people apart: two in the first group, one in the second."""
    made.files["data.csv"] = rows.encode()
    columns = [AGE, ILL, {"name": "who", "role": "pseudonym"}]
    told = [{"column": "who", "of": "person"}]
    claim = {**K, "model": "1-anonymity", "asked": 1, "recounted": 1}
    common = {"rows": 6, "counts": "people", "columns": columns, "pseudonyms": told}
    return made.write(**{**common, "holds": [claim], **said})


def test_people_are_counted_by_their_pseudonyms(made, capsys):
    assert named(made).failures() == []
    assert "the smallest group has 1 people." in capsys.readouterr().out
    two = {**K, "model": "2-anonymity", "asked": 2, "recounted": 2}
    assert named(made, holds=[two]).failures() == ["k is 1, asked was 2."]


def test_rows_that_name_nobody_are_one_person_at_most(made):
    paths = [named(made).folder / "data.csv"]
    assert _script.fewest_people(paths, ["age"], "who") == 1
    nobody = NAMED.replace("P3", "")
    paths = [named(made, nobody).folder / "data.csv"]
    assert _script.fewest_people(paths, ["age"], "who") == 1
    many = NAMED.replace("cold,\n", "cold,P4\n").replace("gout,\n", "gout,P5\n")
    paths = [named(made, many).folder / "data.csv"]
    assert _script.fewest_people(paths, ["age"], "who") == 2
    assert _script.fewest_people(paths[:0], ["age"], "who") == 0


@pytest.mark.parametrize(
    ("told", "role", "person"),
    [
        ([{"column": "who", "of": "person"}], "pseudonym", "who"),
        ([{"column": "who", "of": "doctor"}], "pseudonym", None),
        ([{"column": "who", "of": "person"}], "other", None),
        ([{"column": "else", "of": "person"}], "pseudonym", None),
        ([], "pseudonym", None),
    ],
)
def test_the_column_of_people_is_the_pseudonym_that_says_so(told, role, person):
    manifest = {"pseudonyms": told, "columns": [{"name": "who", "role": role}]}
    assert _script.person_column(manifest) == person


def test_rows_in_a_database_are_counted_there(made, capsys):
    made.write(file="", table={"name": "people_released"})
    assert _script.main(made.folder) == 2
    said = capsys.readouterr().out
    assert "table people_released of a database: the queries in recount.sql count" in said
    assert made.write(table=3).failures() == ["the manifest does not list its data."]
    assert made.write(file="data.csv", table={"name": "t"}).failures() == []


def test_a_network_that_the_manifest_speaks_of_is_counted(made, monkeypatch):
    monkeypatch.setitem(_script.FURTHER, "network", lambda manifest, folder: iter(["odd"]))
    assert made.write().failures() == []
    assert made.write(network={}).failures() == ["odd"]


def test_pseudonyms_where_rows_are_counted_tell_nothing_of_people(made, capsys):
    three = {**K, "model": "3-anonymity", "asked": 3, "recounted": 3}
    assert named(made, counts="rows", holds=[three]).failures() == []
    assert "people" not in capsys.readouterr().out
