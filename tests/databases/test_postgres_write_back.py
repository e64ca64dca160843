"""Write-back into a real PostgreSQL server, which is killed, locked and closed meanwhile."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from math import inf
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import adbc_driver_postgresql.dbapi as driver
import moments
import pytest
from moments import release_into

import shoal
from shoal._progress import Silent
from shoal.anonymizer import anonymize
from shoal.cli import run
from shoal.exceptions import InputError, OutputError
from shoal.release import Release
from shoal.table import read_table
from shoal.verifier import Claim
from shoal.verifier._claims import MEASURES

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


def test_exact_types_zones_and_odd_names_come_back_as_they_were(
    clinic: SimpleNamespace, tmp_path: Path
) -> None:
    """Into a quoted name in another schema; replaced once, so the digest of all types agrees."""
    clinic.psql(
        'CREATE SCHEMA "Odd.Place"',
        """CREATE TABLE odd AS SELECT age, sex, '{"a": 1}'::json AS "from", true AS "a""; --",
        1234567890123456789012345678.0123456789::numeric(38, 10) AS n, 0.1::real AS r,
        '2020-01-01 12:00+02'::timestamptz AS z, seen, 1.5::float8 AS f, 7::smallint AS s
        FROM patients""",
    )
    table = read_table(clinic.url, table="odd")
    keep = [name for name in table.column_names if name not in ("age", "sex")]
    release = anonymize(
        table, quasi_identifiers=["age", "sex"], publish_as_is=keep, k=5, bound=False
    )
    into = '"Odd.Place"."select"'
    for force in (False, True):
        release.write_back(clinic.url, into, papers=tmp_path / "p", ledger="off", force=force)
    back = read_table(clinic.url, table=into)
    for name in keep:
        assert back.text(name).sort().to_list() == table.text(name).sort().to_list(), name
    clinic.psql(f"UPDATE {into} SET n = '0' WHERE ctid = (SELECT min(ctid) FROM {into})")
    with pytest.raises(OutputError, match="not the release that its papers speak of"):
        release.write_back(clinic.url, into, papers=tmp_path / "p", ledger="off", force=True)


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


RIGHTS = """SELECT c.oid, relname, relowner, relacl, nspacl FROM pg_class c JOIN pg_namespace n
    ON n.oid = relnamespace WHERE nspname = 'public' ORDER BY relname"""


@pytest.fixture
def released(clinic: SimpleNamespace, tmp_path: Path) -> SimpleNamespace:
    """A database with an earlier release, which others may read."""
    release_into(clinic.url, tmp_path / "p")
    reader = f"reader{clinic.name}"
    clinic.psql(f"CREATE ROLE {reader}", f"GRANT SELECT, UPDATE ON t TO {reader}")
    clinic.psql("GRANT SELECT ON t TO PUBLIC")
    clinic.state = lambda: (clinic.psql(RIGHTS), clinic.psql("SELECT * FROM t ORDER BY t"))
    clinic.papers = tmp_path / "p"
    yield clinic
    clinic.psql(f"DROP OWNED BY {reader}", f"DROP ROLE {reader}")


def test_a_client_killed_at_any_moment_leaves_what_was_there(released: SimpleNamespace) -> None:
    """No table, no right and no row is other than before, until all of it is."""
    acl = "SELECT relacl FROM pg_class WHERE oid = 't'::regclass"
    before, rights = released.state(), released.psql(acl)
    environment = {**os.environ, "PYTHONPATH": str(Path(shoal.__file__).parents[1])}
    command = [sys.executable, moments.__file__, released.url, str(released.papers)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, text=True
    ) as child:
        for moment in [*moments.BEFORE, *moments.AFTER]:
            child.stdin.write(f"{moment}\n")  # type: ignore[union-attr]
            child.stdin.flush()  # type: ignore[union-attr]
            ended = child.stdout.readline()  # type: ignore[union-attr]
            assert ended == f"{-signal.SIGKILL}\n", moment
            assert (released.state() == before) == (moment != "committed"), moment
            assert (released.papers / "manifest.json").exists(), moment
        child.stdin.close()  # type: ignore[union-attr]
    assert tables(released) == ["public.patients", "public.t"]
    assert released.psql(acl) == rights  # who could read the old one can read the new one
    release_into(released.url, released.papers)
    assert [path.name for path in released.papers.parent.iterdir()] == ["p"]


@pytest.mark.parametrize("moment", [*moments.BEFORE, *moments.AFTER])
def test_a_server_killed_at_any_moment_leaves_what_was_there(
    moment: str, released: SimpleNamespace
) -> None:
    before = released.state()
    manifest = (released.papers / "manifest.json").read_bytes()
    try:
        with moments.armed(moment, released.server.kill):
            if moment == "committed":
                release_into(released.url, released.papers)
            else:
                with pytest.raises((InputError, OutputError)) as error:
                    release_into(released.url, released.papers)
                assert re.search("lost|confirm|shut down|No server answers", str(error.value))
    finally:
        released.server.start()
    assert (released.state() == before) == (moment != "committed")
    assert (released.papers / "manifest.json").read_bytes() == manifest
    assert [path.name for path in released.papers.parent.iterdir()] == ["p"]


def test_a_full_disk_is_a_sentence_and_leaves_no_table(
    clinic: SimpleNamespace, tmp_path: Path
) -> None:
    """A disk of some kilobytes, mounted for the test, is where the database puts new tables."""
    disk = clinic.server.folder / f"disk{clinic.name}"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=16k,mode=777", "tmpfs", str(disk)],
        capture_output=True,
        check=False,
    )
    if mounted.returncode:
        assert os.environ.get("CI") != "true", mounted.stderr
        pytest.skip("a small disk cannot be mounted here: that needs root")
    small = f"small{clinic.name}"
    try:
        if os.geteuid() == 0:
            shutil.chown(disk, "nobody")
        clinic.psql(f"CREATE TABLESPACE {small} LOCATION '{disk}'")
        clinic.psql(f"ALTER DATABASE {clinic.name} SET default_tablespace = '{small}'")
        with pytest.raises(OutputError, match="disk of the database is full"):
            made(clinic).write_back(clinic.url, "t", papers=tmp_path / "p")
        assert tables(clinic) == ["public.patients"]
        assert [path.name for path in tmp_path.iterdir()] == []
        clinic.psql(f"ALTER DATABASE {clinic.name} RESET default_tablespace")
        made(clinic).write_back(clinic.url, "t", papers=tmp_path / "p")
        clinic.psql(f"DROP TABLESPACE {small}")
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def test_row_security_is_not_lost_silently(released: SimpleNamespace) -> None:
    released.psql("ALTER TABLE t ENABLE ROW LEVEL SECURITY")
    before = released.state()
    with pytest.raises(OutputError, match="row security"):
        release_into(released.url, released.papers)
    assert released.state() == before


@pytest.mark.parametrize("people", [False, True])
def test_every_measure_is_counted_in_the_database(
    people: bool, clinic: SimpleNamespace, tmp_path: Path
) -> None:
    sick = "(ARRAY['flu', 'cold', 'gout', 'ache'])[1 + id / 3 % 4] AS disease"
    query = f"SELECT id, name, seen, age, sex, zip, {sick}, 'p' || id / 2 AS who FROM patients"
    table = read_table(clinic.url, query=query)
    release = anonymize(
        table,
        quasi_identifiers=QUASI,
        sensitive=["disease", "id"],
        k=60,
        bound=False,
        drop=["name", "seen"] if people else ["name", "seen", "who"],
        **({"person": "who", "pseudonyms": {"who": "release"}} if people else {}),
    )
    loose = {"distinct_l": 1, "entropy_l": 1, "recursive_c": inf, "delta_disclosure": inf}
    named = {**dict.fromkeys(MEASURES, 99.0), **loose, "delta_disclosure_present": inf}
    claims = [Claim(n, named[n], "disease", l=2) for n in named if n != "t_ordered"]
    claims += [Claim("t_ordered", 1, "disease", order=("cold", "flu", "ache", "gout"))]
    claims += [Claim("t_ordered", 1, "id", order="numeric")]
    replace(release, claims=(*release.claims, *claims)).write_back(
        clinic.url, "t", papers=tmp_path / "p", ledger="off"
    )
    told = (tmp_path / "p" / "recount.sql").read_text()
    assert told.count("WITH base") == len(MEASURES) + 1
    assert tables(clinic) == ["public.patients", "public.t"]
