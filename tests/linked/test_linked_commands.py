"""Linked tables as typed."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import polars as pl
import pytest

from shoal.cli import run
from shoal.datasets import hospital
from shoal.linked import LinkedPlan, is_linked

PLAN = """
[tables.patients]
source = "patients.csv"
person = "patient_no"
quasi_identifiers = ["age", "sex", "zip"]
hierarchies = { zip = "mask" }

[tables.stays]
source = "stays.csv"
person = "patient_no"
quasi_identifiers = ["admitted", "ward"]
sensitive = ["diagnosis"]
drop = ["discharged"]

[privacy]
k = 4
"""


@pytest.fixture
def typed(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name, frame in hospital(120).items():
        frame.write_csv(f"{name}.csv")
    Path("plan.toml").write_text(PLAN)

    def type_it(line):
        capsys.readouterr()
        code = run(line.split())
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return type_it


def test_tables_are_released_checked_and_attacked_together(typed):
    code, out, err = typed("anonymize --plan plan.toml -o out")
    assert code == 0, err
    assert out.startswith("Whatever one row tells of a person, joined, is shared by at least 4")
    code, out, _ = typed("check out --json")
    assert code == 0
    assert json.loads(out)["k"] >= 4
    assert typed("check out -k 40")[0] == 1
    code, out, _ = typed("check --plan plan.toml -k 2")
    assert code == 1
    assert "by a join alone" in out
    code, out, _ = typed("attack out --json")
    assert code == 1
    assert json.loads(out)["rates"]["m1"] <= 0.25
    assert json.loads(out)["exceeding"] == ["how many rows there are"]
    code, out, _ = typed("attack out")
    assert code == 1  # an attacker gains more than is accepted, as for any other release
    assert "TOO MUCH" in out
    assert typed("anonymize --plan plan.toml -o out")[0] == 2  # it is not empty
    code, out, _ = typed("anonymize --plan plan.toml -o out --force -k 5 --draft --json")
    assert code == 0
    assert json.loads(out)["k"] >= 5
    assert json.loads(Path("out/manifest.json").read_text())["draft"]


def test_a_plan_of_tables_reads_what_each_says():
    Path("plan.toml").write_text(PLAN + "km = 2\ncrowd = 20\n[release]\nmax_rows = 3\n")
    plan = LinkedPlan.read("plan.toml")
    assert (plan.k, plan.km, plan.crowd, plan.max_rows, plan.max_suppression) == (4, 2, 20, 3, 0.1)
    assert plan.tables["patients"].hierarchies == {"zip": "mask"}
    assert plan.keys == {"patients": "patient_no", "stays": "patient_no"}
    assert is_linked("plan.toml")
    Path("plan.toml").unlink()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (("[privacy]", "[privat]"), "Linked tables have no section [privat]"),
        (("k = 4", "kk = 4"), "There is no 'kk' in [privacy]"),
        (("sensitive = [", "secret = ["), "There is no 'secret' in [tables.stays]"),
        (
            ('person = "patient_no"\nquasi_identifiers = ["admitted"', 'quasi_identifiers = ["ad"'),
            "does not say which column tells people apart",
        ),
        (("[privacy]", '[pseudonyms]\nward = "project"\n[privacy]'), "only the key gets"),
        (("k = 4", "k = 4\ncrowd = 3"), "smaller than k"),
    ],
)
def test_what_is_wrong_in_a_plan_is_told(typed, change, sentence):
    Path("plan.toml").write_text(PLAN.replace(*change, 1))
    code, _, err = typed("anonymize --plan plan.toml -o out")
    assert code == 2
    assert sentence in err
    assert not Path("out").exists()


def test_options_that_the_plan_must_say_and_a_cluster_are_refused(typed):
    code, _, err = typed("anonymize --plan plan.toml --quasi age -o out")
    assert code == 2
    assert "--quasi" in err
    code, _, err = typed("anonymize --plan plan.toml --engine spark -o out")
    assert code == 2
    assert "local engine alone" in err
    for more, sentence in (
        ("-o out --after earlier", "--after goes with one table"),
        ("-o out --hide-changes", "--hide-changes goes with one table"),
        ("-o sqlite:///out.db --into t", "written to files, not into a database"),
    ):
        code, _, err = typed(f"anonymize --plan plan.toml {more}")
        assert (code, sentence in err) == (2, True), err
    Path("plan.toml").write_text(f'{PLAN}[after]\nrelease = "earlier"\n')
    assert "A later delivery is one of a single table" in typed("anonymize --plan plan.toml")[2]
    assert not Path("out").exists()
    assert not Path("out.db").exists()


def test_a_plan_of_several_tables_reads_the_same_again(typed):
    """Sources of any kind, models, pseudonyms and all settings survive being written."""
    Path("sub").mkdir()
    Path("long.toml").write_text(
        PLAN.replace(
            'drop = ["discharged"]',
            'drop = ["discharged"]\nl = 2\nt = { diagnosis = 0.5 }\nweights = { ward = 2.0 }',
        )
        + 'km = 2\ncrowd = 8\n[release]\nmax_rows = 3\nformat = "parquet"\n[tables.labs]\n'
        + 'source = "sqlite:///clinic.db"\ntable = "labs"\nperson = "patient_no"\n'
        + '[pseudonyms]\npatient_no = { scope = "project", prefix = "P-" }\n[dates]\n'
        + 'admitted = "shift"\n[project]\nname = "heart"\nshift_days = 30\n'
    )
    plan = LinkedPlan.read("long.toml")
    plan.write("again.toml")
    assert LinkedPlan.read("again.toml") == plan
    plan.write("sub/below.toml")
    assert LinkedPlan.read("sub/below.toml").k == plan.k
    assert 'source = "../stays.csv"' in Path("sub/below.toml").read_text()


def test_linked_tables_come_from_databases(typed):
    with closing(sqlite3.connect("clinic.db")) as database:
        for name, frame in hospital(120).items():
            frame = frame.with_columns(pl.all().cast(pl.String))
            marks = ", ".join("?" * frame.width)
            database.execute(f"CREATE TABLE {name} ({', '.join(frame.columns)})")
            database.executemany(f"INSERT INTO {name} VALUES ({marks})", frame.rows())
        database.commit()
    there = PLAN.replace('"patients.csv"', '"sqlite:///clinic.db"\ntable = "patients"')
    there = there.replace('"stays.csv"', '"sqlite:///clinic.db"\ntable = "stays"')
    Path("there.toml").write_text(there)
    assert typed("anonymize --plan there.toml -o out")[0] == 0
    assert typed("check out")[0] == 0
