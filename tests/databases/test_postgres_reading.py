"""PostgreSQL as a source: a real server, and each thing that can go wrong with one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import adbc_driver_postgresql.dbapi as driver
import polars as pl
import pytest

import shoal
from shoal.cli import run
from shoal.exceptions import InputError
from shoal.table import read_table
from shoal.table.sources import Place, _postgresql, ask_with, open_source
from shoal.testing import check_source

CANARY = "Kanarie7731"


def test_it_passes_the_battery(clinic: SimpleNamespace) -> None:
    clinic.psql(
        "CREATE TABLE t AS SELECT * FROM (VALUES (1, '01', 1.50), (2, NULL, NULL)) AS t(a, b, c)"
    )
    expected = pl.DataFrame({"a": [1, 2], "b": ["01", None], "c": ["1.50", None]})
    check_source(open_source(Place(clinic.url, table="t")), expected, secrets=["steward"])
    check_source(open_source(Place(clinic.url, table="public.t")), expected)
    with driver.connect(clinic.url) as connection:
        check_source(open_source(Place(connection, table="t")), expected)
        connection.rollback()


def test_exact_types_come_back_exactly(clinic: SimpleNamespace) -> None:
    clinic.psql(
        "SET TIME ZONE 'Asia/Tokyo'",
        "CREATE TYPE mood AS ENUM ('low', 'high')",
        """CREATE TABLE odd AS SELECT 1234567890123456789012345678.0123456789::numeric(38, 10) AS n,
        '2020-01-01 12:00+02'::timestamptz AS z, '2020-01-01 12:00:00.25'::timestamp AS s,
        'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid AS u, '12.34'::money AS m, 0.1::real AS r,
        '{"a": 1}'::json AS j, 'high'::mood AS e, '10.0.0.1'::inet AS i, true AS b,
        interval '1 day 2 hours' AS v, '12:30'::time AS t, 9223372036854775807 AS l""",
    )
    table = read_table(clinic.url, table="odd")
    texts = {name: table.text(name).to_list()[0] for name in table.column_names}
    assert texts == {
        "n": "1234567890123456789012345678.0123456789",
        "z": "2020-01-01T10:00:00+00:00",
        "s": "2020-01-01T12:00:00.250",
        "u": "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
        "m": "$12.34",
        "r": "0.1",
        "j": '{"a": 1}',
        "e": "high",
        "i": "10.0.0.1/32",
        "b": "true",
        "v": "P1DT2H",
        "t": "12:30:00",
        "l": "9223372036854775807",
    }


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("SELECT '\\x00'::bytea AS photo", "'photo' is of type bytea"),
        ("SELECT ARRAY[1, 2] AS list", r"'list' is of type int4\[\]"),
        ("SELECT ROW(1, 2) AS pair", "'pair' is of type record"),
        ("SELECT 'infinity'::timestamptz AS d", "'d' holds dates without end"),
        ("SELECT '-infinity'::date AS d", "'d' holds dates without end"),
        ("SELECT 1 AS a, 2 AS a", "the same name"),
        (f"SELECT '{CANARY}'::int", "does not fit its type"),
        (f"SELECT ('{CANARY}' || age)::int FROM patients", "does not fit its type"),
        ("SELECT nothing FROM patients", "column that is not there"),
        ("SELECT * FROM nowhere", "no table of this name"),
        ("INSERT INTO patients (id) VALUES (1) RETURNING id", "not SQL"),
        ("SELECT nextval('numbers')", "would change something"),
        ("WITH x AS (DELETE FROM patients RETURNING *) SELECT * FROM x", "only read"),
        ("SELECT 1) AS a; COMMIT; DROP TABLE patients; SELECT * FROM (SELECT 1", "not SQL"),
        ("SELECT '0044-03-15 BC'::date AS d", "before the year 1: 1 row"),
        ("SELECT 1 AS a WHERE false", "no rows"),
    ],
)
def test_what_cannot_be_read_is_a_sentence_without_a_cell(
    query: str, message: str, clinic: SimpleNamespace
) -> None:
    clinic.psql("CREATE SEQUENCE numbers")
    with pytest.raises(InputError, match=message) as error:
        read_table(clinic.url, query=query)
    assert CANARY not in f"{error.value} {error.value.hint}"


def test_names_wide_tables_and_views(clinic: SimpleNamespace) -> None:
    columns = ", ".join(f"{i} AS c{i}" for i in range(1600))
    clinic.psql(
        f"CREATE TABLE wide AS SELECT {columns}",
        'CREATE TABLE "select" AS SELECT 1 AS "from", 2 AS "a""; DROP TABLE patients; --"',
        "CREATE VIEW grown AS SELECT age FROM patients WHERE age > 40",
        "CREATE SCHEMA ward",
        "CREATE TABLE ward.beds AS SELECT 1 AS bed",
    )
    assert len(read_table(clinic.url, table="wide").column_names) == 1600
    odd = read_table(clinic.url, table="select")
    assert odd.column_names == ("from", 'a"; DROP TABLE patients; --')
    assert read_table(clinic.url, table="grown").n_rows == 129
    assert read_table(clinic.url, table="ward.beds").n_rows == 1
    assert read_table(clinic.url, table="patients").n_rows == 200
    with pytest.raises(InputError, match="no table 'beds'"):
        read_table(clinic.url, table="beds")
    with pytest.raises(InputError) as error:
        read_table(clinic.url, table="patient")
    assert "patients" in str(error.value.hint)


def test_an_empty_table_has_columns_and_no_rows(clinic: SimpleNamespace) -> None:
    clinic.psql("CREATE TABLE nobody (id int, photo bytea)")
    with pytest.raises(InputError, match="'photo' is of type bytea"):
        read_table(clinic.url, table="nobody")
    with pytest.raises(InputError, match="no rows"):
        read_table(clinic.url, query="SELECT id FROM nobody")


def test_a_table_that_changes_while_it_is_read_is_read_as_it_was(
    clinic: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """People arrive after the first look at the database, before the table itself is read."""
    look, arrived = _postgresql.rows_of, []

    def looked(cursor: Any, query: str) -> Any:
        found = look(cursor, query)
        if not arrived:
            arrived.append(clinic.psql("INSERT INTO patients (id) VALUES (0)"))
        return found

    monkeypatch.setattr(_postgresql, "rows_of", looked)
    assert read_table(clinic.url, table="patients").n_rows == 200
    assert clinic.psql("SELECT count(*) FROM patients") == "201"


def test_a_locked_table_a_missing_right_and_a_lost_server(
    clinic: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "shoal.table.sources._postgresql.PRINT_ALIKE", ("SET LOCAL lock_timeout = '50ms'",)
    )
    with driver.connect(clinic.url) as other, other.cursor() as cursor:
        cursor.execute("LOCK TABLE patients IN ACCESS EXCLUSIVE MODE")
        with pytest.raises(InputError, match="locked the table"):
            read_table(clinic.url, table="patients")
        other.rollback()
    clinic.psql(f"DROP ROLE IF EXISTS guest{clinic.name}", f"CREATE ROLE guest{clinic.name} LOGIN")
    with pytest.raises(InputError, match="no right"):
        read_table(clinic.server.url(clinic.name, f"guest{clinic.name}"), table="patients")
    clinic.psql(f"DROP ROLE guest{clinic.name}")
    with pytest.raises(InputError, match=r"shut down|lost"):
        read_table(clinic.url, query="SELECT pg_terminate_backend(pg_backend_pid())")
    for address, message in (
        (clinic.server.url("nowhere"), "no database of this name"),
        (clinic.server.url(clinic.name, "stranger"), "does not know this user"),
        ("postgresql:///clinic?host=/no/such/folder", "No server answers on this socket"),
        ("postgresql://127.0.0.1:1/clinic", "No server answers at this address"),
        (f"{clinic.url}&service=none", "no pg service"),
        (f"{clinic.url}&nonsense=1", "setting that PostgreSQL does not know"),
        (f"{clinic.url}&options=-c%20nonsense%3D1", "option that the server does not know"),
    ):
        with pytest.raises(InputError, match=message):
            read_table(address, table="patients")


@pytest.fixture
def guarded(clinic: SimpleNamespace, monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A database that lets nobody in without a password."""
    user = f"ann{clinic.name}"
    clinic.psql(
        f"CREATE ROLE {user} LOGIN PASSWORD '{CANARY}'", f"GRANT SELECT ON patients TO {user}"
    )
    hba = clinic.server.data / "pg_hba.conf"
    before = hba.read_text()
    hba.write_text(f"local all {user} scram-sha-256\n{before}")
    clinic.psql("SELECT pg_reload_conf()")
    for name in ("PGPASSWORD", "PGPASSFILE", "PGSERVICEFILE", "SHOAL_DATABASE_PASSWORD"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PGPASSFILE", os.devnull)
    clinic.user, clinic.url = user, clinic.server.url(clinic.name, user)
    yield clinic
    hba.write_text(before)
    clinic.psql("SELECT pg_reload_conf()", f"DROP OWNED BY {user}", f"DROP ROLE {user}")


def test_a_password_comes_from_the_environment_a_file_or_a_prompt(
    guarded: SimpleNamespace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InputError, match="wants a password"):
        read_table(guarded.url, table="patients")
    asked: list[str] = []
    ask_with(lambda whose: asked.append(whose) or CANARY)
    try:
        assert read_table(guarded.url, table="patients").n_rows == 200
    finally:
        ask_with(None)
    assert asked == [f"postgresql:///{guarded.name}"]
    for name in ("PGPASSWORD", "SHOAL_DATABASE_PASSWORD"):
        monkeypatch.setenv(name, CANARY)
        assert read_table(guarded.url, table="patients").n_rows == 200
        monkeypatch.setenv(name, "wrong")
        with pytest.raises(InputError, match="did not accept the password") as error:
            read_table(guarded.url, table="patients")
        assert "wrong" not in str(error.value)
        monkeypatch.delenv(name)
    passfile = tmp_path / "pgpass"
    passfile.write_text(f"*:*:*:{guarded.user}:{CANARY}\n")
    passfile.chmod(0o600)
    monkeypatch.setenv("PGPASSFILE", str(passfile))
    assert read_table(guarded.url, table="patients").n_rows == 200


def test_the_password_is_in_nothing_that_is_left_or_told(
    guarded: SimpleNamespace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A canary for a password: release, ledger, provenance, plan, output and process list."""
    house = tmp_path / "house"
    environment = {
        **os.environ,
        "PGPASSWORD": CANARY,
        "SHOAL_HOME": str(house),
        "PYTHONPATH": str(Path(shoal.__file__).parents[1]),
    }
    watch = "import json, sys, shoal.cli\n"
    watch += "for words in json.loads(sys.argv[1]):\n"
    watch += "    assert shoal.cli.run(words) == 0\n"
    watch += "    print('and then', flush=True)\n"
    watch += "    sys.stderr.write(open('/proc/self/cmdline').read())"
    guarded.psql(f"GRANT CREATE ON SCHEMA public TO {guarded.user}")
    source = [guarded.url, "--table", "patients"]
    anonymize = ["anonymize", *source, "-k", "5", "--quasi", "age,sex,zip", "--json"]
    anonymize += ["--drop", "id,name,seen", "--sensitive", "disease"]
    lines = [
        ["init", *source, "--json"],
        [*anonymize, "-o", "out", "--provenance"],
        [*anonymize, "-o", guarded.url, "--into", "t", "--ledger", "warn"],
    ]
    typed = subprocess.run(
        [sys.executable, "-c", watch, json.dumps(lines)],
        capture_output=True, text=True, env=environment, cwd=tmp_path, timeout=120,
    )  # fmt: skip
    assert typed.returncode == 0, typed.stderr
    _, made, *_ = typed.stdout.split("and then\n")
    assert '"kind": "postgresql"' in made
    assert "steward" not in made
    everything = typed.stdout + typed.stderr
    for file in [*tmp_path.rglob("*")]:
        if file.is_file():
            everything += file.read_bytes().decode("latin-1")
    assert "verify.py" in made
    assert CANARY not in everything


def test_every_command_reads_a_database(
    clinic: SimpleNamespace, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    query = tmp_path / "people.sql"
    query.write_text("SELECT age, sex, zip, disease FROM patients;\n")
    named = ["--quasi", "age,sex,zip", "--sensitive", "disease"]
    asked = [clinic.url, "--query", str(query)]
    assert run(["anonymize", *asked, "-k", "5", *named, "-o", str(out)]) == 0
    assert run(["check", *asked, *named]) == 0
    attacked = ["attack", str(out), "--original", clinic.url, "--query", str(query)]
    assert run([*attacked, "--attacks", "homogeneity", "--json"]) in (0, 1)
    assert run(["init", *asked, "-o", str(tmp_path / "plan.toml")]) == 0
    assert 'query = "people.sql"' in (tmp_path / "plan.toml").read_text()
    assert run(["check", "--plan", str(tmp_path / "plan.toml")]) in (0, 1)
    tune = ["tune", *asked, "--quasi", "age,zip", "--target", "sex", "--drop", "disease"]
    tune += ["--trials", "2", "--workers", "1", "--method", "mondrian", "--no-weights"]
    tune += ["--model", "logistic_regression", "--ledger", "off"]
    assert run([*tune, "-o", str(tmp_path / "tuned")]) in (0, 1)
    assert (tmp_path / "tuned" / "manifest.json").exists()
    assert run(["anonymize", clinic.url, *named, "-o", str(tmp_path / "none")]) == 2
    assert "Which table of the database" in capsys.readouterr().err
