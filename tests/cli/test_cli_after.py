"""``shoal anonymize --after`` as it is typed: month by month, and what goes wrong."""

from __future__ import annotations

import io
import json
import os
import shlex
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path

import polars as pl
import pytest

from forking import play
from shoal.datasets import people

ROLES = "--quasi age,sex,zip --sensitive diagnosis --identifier name --person person_id"
ASK = f"-k 5 --l 2 {ROLES} --drop visits"
PLAN = (
    '[table]\nsource = "february.csv"\n[roles]\nidentifiers = ["name"]\nperson = "person_id"\n'
    'quasi_identifiers = ["age", "sex", "zip"]\nsensitive = ["diagnosis"]\ndrop = ["visits"]\n'
    "[privacy]\nk = 5\nl = 2\n"
)
KILLED = """
import os, signal, sys
from shoal.release import Stage
from shoal.cli import run
Stage.place = lambda self: os.kill(os.getpid(), signal.SIGKILL)
run(sys.argv[1:])
"""


@pytest.fixture
def months(here, monkeypatch):
    monkeypatch.setenv("SHOAL_HOME", str(here / "vault"))
    frame = people(300).frame
    frame[:200].write_csv(here / "january.csv")
    frame.write_csv(here / "february.csv")
    return here


def test_a_second_delivery_fits_the_first(months, shoal):
    assert shoal(f"anonymize january.csv {ASK} -o one").code == 0
    told = shoal(f"anonymize february.csv {ASK} --after one -o two --json")
    assert told.code == 0, told.err
    after = told.json["after"]
    assert after["rows_kept"] == 200
    assert after["rows_new"] + after["waiting"] == 100
    assert told.json["ledger"]["mode"] == "refuse"
    assert told.json["ledger"]["single"] == told.json["ledger"]["single_before"]
    one, two = ((months / name / "data.csv").read_text().splitlines() for name in ("one", "two"))
    assert {*one} <= {*two}
    shown = shoal("ledger show --json").json["releases"]
    assert shown[1]["after"] == shown[0]["id"]
    assert subprocess.run([sys.executable, "two/verify.py"], capture_output=True).returncode == 0
    newcomers = pl.read_csv(months / "february.csv", infer_schema=False)[:3]
    newcomers.with_columns(person_id=pl.lit("n") + pl.col("person_id")).write_csv("few.csv")
    few = shoal(f"anonymize few.csv {ASK} --after two -o three --json").json
    assert few["rows_out"] == told.json["rows_out"]  # whoever is not in the file stays published
    assert few["suppressed"] == few["after"]["waiting"] == 3


def test_a_plan_says_which_release_and_by_which_rules(months, shoal):
    assert shoal(f"anonymize january.csv {ASK} -o one").code == 0
    (months / "plan.toml").write_text(
        f'{PLAN}[after]\nrelease = "one"\nwaiting = 0.0\ndeadline = 2\noverdue = "suppress"\n'
    )
    told = shoal("anonymize --plan plan.toml -o two")
    assert told.code == 0, told.err
    assert "newcomers founded" in told.out
    assert "waiting for others who fit" in told.out
    (months / "plan.toml").write_text("[after]\nwait = 1\n")
    assert "There is no 'wait' in [after]" in shoal("anonymize --plan plan.toml -o three").err


def test_the_script_of_the_documents_delivers_once_a_month(months, shoal):
    """As a scheduler runs it: delivered; nothing to do; an earlier release that is gone."""
    text = (Path(__file__).parents[2] / "docs" / "growing.md").read_text("utf-8")
    script = text.partition("```bash\n")[2].partition("```")[0]
    assert "cd /srv/registry" in script
    (months / "shoal").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m shoal "$@"\n')
    (months / "shoal").chmod(0o755)
    script = script.replace("/srv/registry", shlex.quote(str(months)))
    path = f"{months}:{os.environ['PATH']}"

    def run():
        return subprocess.run(
            ["sh", "-c", script], capture_output=True, env={**os.environ, "PATH": path}
        )

    assert shoal(f"anonymize january.csv {ASK} -o release-2020-01").code == 0
    (months / "plan.toml").write_text(PLAN)
    assert run().returncode == 0
    (now,) = {*months.glob("release-*")} - {months / "release-2020-01"}
    (told,) = months.glob("told-*.json")
    assert json.loads(told.read_text())["after"]["rows_kept"] == 200
    was = now.stat().st_mtime_ns
    assert run().returncode == 0
    assert now.stat().st_mtime_ns == was  # delivered already
    now.rename(months / "release-2020-02")
    (months / "release-2020-02" / "data.csv").unlink()
    lost = run()
    assert lost.returncode == 2
    assert b"are not there" in lost.stderr
    assert not now.exists()


def test_forgetting_takes_the_crowd_along(months, shoal, monkeypatch):
    assert shoal(f"anonymize january.csv {ASK} -o one").code == 0
    key = pl.read_csv(months / "february.csv", infer_schema=False)["person_id"][0]
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{key}\n"))
    assert shoal("forget february.csv --person person_id").code == 0
    told = shoal(f"anonymize february.csv {ASK} --after one -o two --json")
    assert told.code == 0, told.err
    assert told.json["after"]["crowds_left"] == 1
    assert told.json["after"]["left_out"] >= 4


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (f"anonymize february.csv {ASK} --after nothing", "There is no release in 'nothing'"),
        (f"anonymize february.csv {ASK} --after one --hide-changes", "keeps the crowds"),
        (f"anonymize february.csv {ASK} --after one --ledger off", "must be entered"),
        (f"anonymize february.csv {ASK} --after one --k 6", "hides people among 5, and 6"),
        (f"anonymize february.csv -k 5 {ROLES} --after one", "other columns"),
        (f"anonymize february.csv {ASK} --after one --method quantize", "publishes values"),
    ],
)
def test_what_cannot_be_is_one_sentence_and_nothing_is_written(months, shoal, line, words):
    assert shoal(f"anonymize january.csv {ASK} -o one").code == 0
    told = shoal(f"{line.replace('--k 6', '-k 6')} -o two")
    assert (told.code, told.out) == (2, "")
    assert words in told.err
    assert not (months / "two").exists()


def test_spark_refuses_before_anything_is_read(months, shoal):
    pytest.importorskip("pyspark")
    told = shoal(f"anonymize missing.csv {ASK} --after one --engine spark -o two")
    assert told.code == 2
    assert "is for the local engine" in told.err


def test_a_study_makes_a_release_anew(months, shoal):
    (months / "plan.toml").write_text('[after]\nrelease = "one"\n')
    told = shoal("tune january.csv --plan plan.toml --target diagnosis --quasi age,sex -o two")
    assert told.code == 2
    assert "follows an earlier one" in told.err


def test_killed_between_two_deliveries_nothing_is_lost(months, shoal):
    assert shoal(f"anonymize january.csv {ASK} -o one").code == 0
    line = f"anonymize february.csv {ASK} --after one -o two"
    assert play(KILLED, *line.split()) == -signal.SIGKILL
    assert not (months / "two").exists()
    told = shoal(f"{line} --json")
    assert told.code == 0, told.err
    assert told.json["after"]["rows_kept"] == 200
    statuses = [release["status"] for release in shoal("ledger show --json").json["releases"]]
    assert statuses == ["released", "released"]


def test_months_in_a_database_with_a_deletion_by_law(months, shoal, monkeypatch):
    """From table to table, each delivery after the papers of the last; one person is deleted."""
    where, clinic = "sqlite:///clinic.db", months / "clinic.db"
    monkeypatch.setenv("SHOAL_RELEASE_DATABASE", where)

    def deliver(month, into, after=""):
        frame = pl.read_csv(month, infer_schema=False)
        with closing(sqlite3.connect(clinic)) as database:
            database.execute("DROP TABLE IF EXISTS people")
            database.execute(f"CREATE TABLE people ({', '.join(frame.columns)})")
            marks = ", ".join("?" * frame.width)
            database.executemany(f"INSERT INTO people VALUES ({marks})", frame.rows())
            database.commit()
        into = f"-o {where} --into {into} --papers {into}"
        told = shoal(f"anonymize {where} --table people {ASK} {after} {into} --json")
        assert told.code == 0, told.err
        return told.json

    def rows(table):
        with closing(sqlite3.connect(clinic)) as database:
            return Counter(database.execute(f"SELECT * FROM {table}").fetchall())

    deliver("january.csv", "one")
    second = deliver("february.csv", "two", "--after one")
    assert rows("one") <= rows("two")
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{people(300).frame['person_id'][7]}\n"))
    forgotten = shoal(f"forget {where} --table people --person person_id")
    assert "only read: delete their 1 row there, too" in forgotten.out
    third = deliver("february.csv", "three", "--after two")
    assert third["after"]["crowds_left"] == 1
    assert rows("three") <= rows("two")
    assert sum((rows("two") - rows("three")).values()) >= second["k"]
