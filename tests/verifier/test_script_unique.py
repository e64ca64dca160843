"""verify.py recounts who is alone on all that is published, where the manifest speaks of it."""

from __future__ import annotations

import hashlib
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from shoal.verifier import _script

ROLES = {"age": "quasi-identifier", "ill": "sensitive", "ward": "other", "shift": "publish-as-is"}
ROWS = [  # 40 rows in two crowds; alone with their ward are 3, with their shift 1
    *[("30", "flu", "A", "day")] * 8,
    *[("30", "cold", "A", "day")] * 8,
    ("30", "cold", "B", "day"),
    ("30", "cold", "", "day"),
    ("30", "cold", "A", "night"),
    ("30", "gout", "A", "day"),
    *[("*", "flu", "A", "day")] * 10,
    *[("*", "cold", "A", "day")] * 9,
    ("*", "cold", "C", "day"),
]
TOLD = {
    "share_unique": 0.12,  # 5 of 40, in two digits
    "share_unique_plain": 0.1,
    "columns": {"ward": 0.075},
    "accepted": ["shift"],
    "open": ["ward"],
    "twins": [],
    "sets": [{"columns": ["ward", "shift"], "share": 0.1}],
}
K = {"model": "20-anonymity", "measure": "k", "asked": 20, "recounted": 20, "holds": True}


def csv_of(rows):
    lines = [",".join(ROLES), *(",".join(row) for row in rows)]
    return "\n".join(lines).encode() + b"\n"


@pytest.fixture
def failures(tmp_path):
    """Write a release that says something of unique rows; return what verify.py finds."""

    def write(told=TOLD, *, rows=ROWS, parquet=None, **more):
        name = "data.parquet" if parquet is not None else "data.csv"
        if parquet is None:
            (tmp_path / name).write_bytes(csv_of(rows))
        else:
            pq.write_table(parquet, tmp_path / name)
        content = (tmp_path / name).read_bytes()
        files = {name: {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}}
        manifest = {
            "file": name,
            "rows": 40,
            "groups": 2,
            "counts": "rows",
            "holds": [K],
            "quasi_identifiers": ["age"],
            "columns": [{"name": name, "role": role} for name, role in ROLES.items()],
            "files": files,
            "singling_out": told,
            **more,
        }
        (tmp_path / "manifest.json").write_text(json.dumps(manifest), "utf-8")
        return [*_script.check(_script.read_manifest(tmp_path), tmp_path)]

    return write


def test_an_honest_share_holds_and_is_said(failures, capsys):
    assert failures() == []
    assert "unique: 0.12 of the rows are alone on all that is published." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"share_unique": 0.1}, "what the manifest says of unique rows (share_unique)"),
        ({"share_unique_plain": 0.0}, "what the manifest says of unique rows (share_unique_plain)"),
        ({"columns": {}}, "what the manifest says of unique rows (columns)"),
        ({"columns": {"ward": 0.05}}, "what the manifest says of unique rows (columns)"),
        ({"columns": {"ward": 0.075, "shift": 0.025}}, "what the manifest says of unique rows"),
        ({"sets": [{"columns": ["shift", "ward"], "share": 0.0}]}, "what the manifest says of"),
        ({"sets": [{"columns": ["ward", "ill"], "share": 0.1}]}, "what the manifest says of"),
        ({"accepted": []}, "the columns accepted by name are not those with that role."),
        ({"accepted": ["shift", "ward"]}, "the columns accepted by name are not those"),
    ],
)
def test_a_share_that_flatters_is_caught(failures, change, said):
    (failure,) = failures(TOLD | change)
    assert failure.startswith(said)


@pytest.mark.parametrize(
    "name", ["share_unique", "share_unique_plain", "columns", "accepted", "sets"]
)
@pytest.mark.parametrize("value", [None, "0.12", 0, True])
def test_what_is_told_has_its_shape(failures, name, value):
    assert failures(TOLD | {name: value}) == ["the manifest does not say who is unique."]


@pytest.mark.parametrize("told", [None, [], "nobody"])
def test_what_is_told_is_an_object(failures, told):
    assert failures(told) == ["the manifest does not say who is unique."]


def test_exactly_a_twentieth_is_not_named(failures):
    rows = [*ROWS[:17], ("30", "cold", "A", "day"), *ROWS[18:]]  # wards B and C: 2 of 40
    told = TOLD | {"share_unique": 0.1, "share_unique_plain": 0.075, "columns": {}, "sets": []}
    assert failures(told, rows=rows) == []


def test_a_row_that_stands_there_three_times_is_not_alone(failures):
    rows = [*ROWS[:16], *[("30", "cold", "B", "day")] * 3, *ROWS[19:]]
    told = TOLD | {"share_unique": 0.05, "share_unique_plain": 0.025, "columns": {}, "sets": []}
    assert failures(told, rows=rows) == []


def test_people_cannot_be_recounted_and_it_says_so(failures, capsys):
    assert failures(TOLD | {"share_unique": 0.9}, counts="people") == []
    assert "who is unique, as people cannot be told apart here" in capsys.readouterr().out


def test_where_values_were_moved_only_the_other_columns_count(failures):
    moved, rows = {"holds": [], "relinkage": {"relink_rate": 0.0}}, [*ROWS[:-1]]
    rows.append(("*", "cold", "B", "day"))  # ward B is in both crowds
    assert failures(TOLD | {"sets": []}, rows=rows) == []
    told = TOLD | {"share_unique": 0.075, "share_unique_plain": 0.05, "columns": {}, "sets": []}
    assert failures(told, rows=rows, **moved) == []
    assert failures(rows=rows, **moved) != []


def test_without_rows_nobody_is_alone(failures):
    told = {"share_unique": 0.0, "share_unique_plain": 0.0, "columns": {}, "sets": []}
    assert not any("unique" in failure for failure in failures(TOLD | told, rows=[]))
    assert len([failure for failure in failures(rows=[]) if "unique" in failure]) == 4


def test_parquet_is_counted_alike(failures):
    columns = {name: [row[i] for row in ROWS] for i, name in enumerate(ROLES)}
    columns["ward"] = [ward or None for ward in columns["ward"]]
    assert failures(parquet=pa.table(columns)) == []
    columns["ward"][8] = ""  # reads like one that is missing: neither is alone
    told = TOLD | {"share_unique": 0.1, "share_unique_plain": 0.075, "columns": {}, "sets": []}
    assert failures(told, parquet=pa.table(columns)) == []


def test_a_single_row_is_alone(tmp_path):
    (tmp_path / "one.csv").write_text("age,ward\n30,A\n")
    assert _script.alone([tmp_path / "one.csv"], [["age"], ["age", "ward"]]) == [1.0, 1.0]


@pytest.mark.parametrize(("accepted", "alone"), [([], 0.0), (["id"], 1.0)])
def test_a_pseudonym_counts_where_it_was_accepted_and_nowhere_else(tmp_path, accepted, alone):
    (tmp_path / "data.csv").write_text("age,id\n" + "".join(f"30,x{i}\n" for i in range(9)))
    columns = [{"name": "age", "role": "quasi-identifier"}, {"name": "id", "role": "pseudonym"}]
    manifest = {"file": "data.csv", "columns": columns, "singling_out": {"accepted": accepted}}
    found = _script.singling_out(manifest, tmp_path, [])
    assert (found["share_unique"], found["share_unique_plain"]) == (alone, alone)
    assert found["columns"] == dict.fromkeys(accepted, 1.0)
