"""Write-back into a real PostgreSQL server, which is killed, locked and closed meanwhile."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import adbc_driver_postgresql.dbapi as driver
import pytest

import shoal
from shoal._progress import Silent
from shoal.anonymizer import anonymize
from shoal.cli import run
from shoal.exceptions import OutputError
from shoal.release import Release
from shoal.release.targets import TargetTable
from shoal.table import read_table

QUASI = ["age", "sex", "zip"]


def made(clinic: SimpleNamespace, k: int = 5) -> Release:
    table = read_table(clinic.url, table="patients")
    roles = {"sensitive": "disease", "drop": ["id", "name"], "publish_as_is": "seen"}
    return anonymize(table, quasi_identifiers=QUASI, k=k, bound=False, **roles)  # type: ignore[arg-type]


def tables(clinic: SimpleNamespace) -> list[str]:
    query = "SELECT schemaname || '.' || tablename FROM pg_tables WHERE schemaname !~ '^(pg_|info)'"
    return sorted(clinic.psql(query).split())


class When(Silent):
    """Do something when a phase begins."""

    def __init__(self, phase: str, act: Callable[[], Any]) -> None:
        self.wanted, self.act = phase, act

    def phase(self, name: str, total: int | None = None) -> None:
        if name == self.wanted:
            self.act()


def test_from_a_table_to_a_table(
    clinic: SimpleNamespace, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    clinic.psql("CREATE SCHEMA release")
    command = [
        "anonymize",
        clinic.url,
        "--table",
        "patients",
        "-k",
        "5",
        "--quasi",
        ",".join(QUASI),
    ]
    command += ["--sensitive", "disease", "--drop", "id,name", "--no-bound", "--json"]
    command += ["-o", clinic.url, "--into", "release.patients_k5", "--papers", str(tmp_path / "p")]
    assert run(command) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["source"]["kind"] == told["table"]["kind"] == "postgresql"
    assert tables(clinic) == ["public.patients", "release.patients_k5"]
    types = clinic.psql(
        "SELECT string_agg(data_type, ',' ORDER BY ordinal_position) FROM"
        " information_schema.columns WHERE table_schema = 'release'"
    )
    assert types == "text,text,text,text,date"
    query = (tmp_path / "p" / "recount.sql").read_text().splitlines()[2]
    rows, groups, k = map(int, clinic.psql(query).split("|"))
    assert (rows, groups, k) == (200, told["groups"], told["k"])
    check = ["check", clinic.url, "--table", "release.patients_k5", "--quasi", ",".join(QUASI)]
    assert run([*check, "-k", "5"]) == 0
    assert run([*command, "--force"]) == 0
    assert run(command) == 2


def test_an_earlier_release_stays_for_all_until_the_new_one_holds(
    clinic: SimpleNamespace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(clinic).write_back(clinic.url, "t", papers=tmp_path / "p", ledger="off")
    before = clinic.psql("SELECT oid, relacl FROM pg_class WHERE relname = 't'")
    seen: list[str] = []
    watching = When("naming", lambda: seen.append(clinic.psql("SELECT count(*) FROM t")))
    again = made(clinic, 8)
    again.write_back(
        clinic.url, "t", papers=tmp_path / "p", ledger="off", force=True, progress=watching
    )
    assert seen == ["200"]
    assert clinic.psql("SELECT oid, relacl FROM pg_class WHERE relname = 't'") != before
    clinic.psql("CREATE VIEW depending AS SELECT * FROM t")
    with pytest.raises(OutputError, match="not written"):
        again.write_back(clinic.url, "t", papers=tmp_path / "p", ledger="off", force=True)
    monkeypatch.setattr(
        "shoal.release.targets._postgresql.SETTINGS", ("SET LOCAL lock_timeout = '50ms'",)
    )
    clinic.psql("DROP VIEW depending")
    with driver.connect(clinic.url) as other, other.cursor() as cursor:
        cursor.execute("LOCK TABLE t IN ACCESS SHARE MODE")
        with pytest.raises(OutputError, match="locked the table"):
            again.write_back(clinic.url, "t", papers=tmp_path / "p", ledger="off", force=True)
        other.rollback()
    assert tables(clinic) == ["public.patients", "public.t"]
    assert json.loads((tmp_path / "p" / "manifest.json").read_text())["table"]["name"] == "t"


def test_a_missing_right_and_a_missing_schema_are_told_before_any_work(
    clinic: SimpleNamespace, tmp_path: Path
) -> None:
    clinic.psql(f"CREATE ROLE r{clinic.name} LOGIN")
    release = made(clinic)
    guest = clinic.server.url(clinic.name, f"r{clinic.name}")
    for where, into, message in (
        (guest, "t", "no right"),
        (clinic.url, "nowhere.t", "no schema of this name"),
        (clinic.server.url("nowhere"), "t", "no database of this name"),
    ):
        with pytest.raises(OutputError, match=message):
            release.write_back(where, into, papers=tmp_path / "p", ledger="off")
    clinic.psql(f"DROP ROLE r{clinic.name}")
    assert tables(clinic) == ["public.patients"]
    assert not (tmp_path / "p").exists()


@pytest.mark.parametrize("phase", ["filling the table", "counting in the database", "naming"])
def test_a_lost_connection_leaves_no_table(
    phase: str, clinic: SimpleNamespace, tmp_path: Path
) -> None:
    ended = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
    release = made(clinic)
    with pytest.raises(OutputError, match=r"lost|shut down"):
        release.write_back(
            clinic.url,
            "t",
            papers=tmp_path / "p",
            progress=When(phase, lambda: clinic.psql(f"{ended} AND datname = '{clinic.name}'")),
        )
    assert tables(clinic) == ["public.patients"]
    assert [path.name for path in tmp_path.iterdir()] == []


@pytest.mark.parametrize("moment", ["counting in the database", "commit"])
def test_a_server_killed_leaves_no_table(
    moment: str, clinic: SimpleNamespace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    release = made(clinic)
    if moment == "commit":
        commit = TargetTable.commit
        monkeypatch.setattr(
            TargetTable, "commit", lambda table: [clinic.server.kill(), commit(table)]
        )
    try:
        with pytest.raises(OutputError, match=r"lost|confirm|shut down"):
            release.write_back(
                clinic.url,
                "t",
                papers=tmp_path / "p",
                progress=When(moment, clinic.server.kill),
            )
    finally:
        clinic.server.start()
    assert tables(clinic) == ["public.patients"]
    assert [path.name for path in tmp_path.iterdir()] == []


KILLED = """
import os, sys
from shoal._progress import Silent
from shoal.anonymizer import anonymize
from shoal.release.targets import TargetTable
from shoal.table import read_table

url, papers, moment = sys.argv[1:]

class Killing(Silent):
    def phase(self, name, total=None):
        if name == moment:
            os.kill(os.getpid(), 9)

if moment == "commit":
    TargetTable.commit = lambda table: os.kill(os.getpid(), 9)
table = read_table(url, query="SELECT age, sex FROM patients")
release = anonymize(table, quasi_identifiers=["age", "sex"], k=5, bound=False, method="mondrian")
release.write_back(url, "t", papers=papers, progress=Killing())
"""


@pytest.mark.parametrize("moment", ["counting in the database", "commit"])
def test_a_client_killed_leaves_no_table(
    moment: str, clinic: SimpleNamespace, tmp_path: Path
) -> None:
    """Between papers and commit it leaves papers, which the next one replaces with --force."""
    environment = {**os.environ, "PYTHONPATH": str(Path(shoal.__file__).parents[1])}
    papers = tmp_path / "p"
    done = subprocess.run(
        [sys.executable, "-c", KILLED, clinic.url, str(papers), moment],
        env=environment,
        timeout=120,
        check=False,
    )
    assert done.returncode == -signal.SIGKILL
    assert tables(clinic) == ["public.patients"]
    assert papers.exists() == (moment == "commit")
    made(clinic).write_back(clinic.url, "t", papers=papers, ledger="off", force=moment == "commit")
    assert tables(clinic) == ["public.patients", "public.t"]
    assert [path.name for path in tmp_path.iterdir()] == ["p"]
