"""Pseudonyms and keys as typed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hospital import CANARY, hospital

from shoal.cli import run
from shoal.plan import Plan

PLAN = """
[table]
source = "patients.csv"
[clean]
patient_no = ["trim", "case"]
[roles]
quasi_identifiers = ["age", "sex"]
sensitive = ["ill"]
person = "patient_no"
publish_as_is = ["ward"]
[pseudonyms]
patient_no = { scope = "project", domain = "patient", prefix = "P-" }
[project]
name = "heart"
[privacy]
k = 4
"""


@pytest.fixture
def typed(tmp_path, monkeypatch, capsys, patients):
    monkeypatch.chdir(tmp_path)

    def type_it(line):
        capsys.readouterr()
        code = run(line.split())
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return type_it


ROLES = "--quasi age,sex --sensitive ill --publish-as-is ward --person patient_no -k 4 --no-bound"


def test_a_plan_with_pseudonyms_runs_and_reads_the_same_again(typed, tmp_path):
    Path("plan.toml").write_text(PLAN)
    code, _, err = typed("anonymize --plan plan.toml -o out --no-bound")
    assert code == 2
    assert "shoal keys new heart" in err
    assert typed("keys new heart")[0] == 0
    code, out, _ = typed("anonymize --plan plan.toml -o out --no-bound")
    assert code == 0
    assert out.startswith("PSEUDONYMOUS: PERSONAL DATA UNDER THE GDPR")
    assert (tmp_path / "out" / "data.csv").read_text().splitlines()[1].startswith("P-")
    plan = Plan.read("plan.toml")
    plan.write("again.toml")
    assert Plan.read("again.toml") == plan


def test_what_is_typed_goes_over_the_plan(typed, tmp_path):
    Path("plan.toml").write_text(PLAN)
    line = "anonymize --plan plan.toml --pseudonym patient_no=release -o out --no-bound --json"
    code, out, _ = typed(line)
    assert code == 0
    assert json.loads(out)["holds"]
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["pseudonyms"] == [{"column": "patient_no", "of": "person", "scope": "release"}]
    assert manifest["stamps"] == []


def test_anybody_recounts_people_by_their_pseudonyms(typed, tmp_path):
    assert typed(f"anonymize patients.csv {ROLES} --pseudonym patient_no=project -o out")[0] == 0
    told = subprocess.run(
        [sys.executable, str(tmp_path / "out" / "verify.py")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "Pseudonyms tell people apart: the smallest group has 4 people." in told.stdout
    code, out, _ = typed("check out -k 4")
    assert code == 0
    assert "of 60 people" in out
    assert "cannot be told apart" not in out
    assert typed("check out -k 9")[0] == 1


def test_two_releases_are_attacked_together_with_a_control(typed, tmp_path):
    quick = f"{ROLES} --pseudonym patient_no=project --ledger off --json"
    assert typed(f"anonymize patients.csv {quick} -o one")[0] == 0
    other = quick.replace("age,sex", "age,ward").replace("--publish-as-is ward", "--drop sex")
    assert typed(f"anonymize patients.csv {other} -o two")[0] == 0
    foreign = other.replace("project", "release")
    assert typed(f"anonymize patients.csv {foreign} -o foreign")[0] == 0
    only = "--original patients.csv --attacks pseudonym_linkage,known_rows --json"
    joined = json.loads(typed(f"attack one {only} --beside two")[1])["attacks"][0]
    apart = json.loads(typed(f"attack one {only} --beside foreign")[1])["attacks"][0]
    assert joined["rate"] > 2 * joined["control"]
    assert joined["exceeds"]
    assert apart["rate"] == apart["control"] <= 0.25  # k is 4, and nothing joins
    assert not apart["exceeds"]
    alone = json.loads(typed(f"attack one {only}")[1])["attacks"]
    assert not alone[0]["applies"]
    assert alone[1]["rate"] <= 0.25  # everybody has one row


def test_keys_are_made_listed_exported_rotated_and_destroyed(typed, tmp_path, house):
    code, out, _ = typed("keys new trial")
    assert code == 0
    key = (house / "keys" / "project-trial").read_bytes().hex()
    said = out
    for line in ("keys list", "keys export trial trial.key", "keys list --json"):
        code, out, err = typed(line)
        assert code == 0
        said += out + err
    assert Path("trial.key").read_text().strip() == key
    assert typed("keys rotate trial")[0] == 2
    assert typed("keys destroy trial")[0] == 2
    for line in ("keys rotate trial --yes", "keys destroy trial --yes", "keys list"):
        code, out, err = typed(line)
        assert code == 0
        said += out + err
    assert "match the" in said  # destroying says what it does not do
    assert "destroyed" in said
    assert key not in said
    assert typed("keys destroy trial --yes")[0] == 2


def test_nothing_printed_or_refused_names_a_patient(typed):
    base = f"anonymize patients.csv {ROLES}"
    lines = [
        f"{base} --pseudonym patient_no=forever -o out",
        f"{base} --pseudonym ward=project -o out",
        f"{base} --pseudonym patient=project -o out",
        f"{base} --pseudonym patient_no=project --project Heart -o out",
        f"{base} --pseudonym patient_no=project --engine spark -o out",
    ]
    for line in lines:
        code, out, err = typed(line)
        assert code == 2, line
        assert CANARY not in out + err
        assert not Path("out").exists()
    assert "local engine" in err or "pyspark" in err.lower()


def test_pseudonyms_survive_a_join_of_two_files(typed, tmp_path):
    import polars as pl

    visits = pl.concat([hospital(), hospital(seed=5)]).rename({"patient_no": "pat_id"})
    visits.write_csv("visits.csv")
    same = "--pseudonym patient_no=project --ledger off"
    assert typed(f"anonymize patients.csv {ROLES} {same} -o one")[0] == 0
    Path("visits.toml").write_text(
        PLAN.replace("patients.csv", "visits.csv")
        .replace('person = "patient_no"', 'person = "pat_id"')
        .replace("patient_no = {", "pat_id = {")
        .replace('domain = "patient", prefix = "P-"', 'domain = "patient_no"')
        .replace('name = "heart"', 'name = "default"')
        .replace('[clean]\npatient_no = ["trim", "case"]\n', "")
    )
    assert typed("anonymize --plan visits.toml -o two --no-bound --ledger off")[0] == 0
    one, two = pl.read_csv("one/data.csv"), pl.read_csv("two/data.csv")
    joined = two.join(one, left_on="pat_id", right_on="patient_no", how="left")
    assert joined["age_right"].null_count() == 0
    assert joined.height == 120
