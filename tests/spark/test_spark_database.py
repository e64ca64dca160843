"""Spark reads a real PostgreSQL server by JDBC: as the local engine does, and one snapshot."""

from __future__ import annotations

import json
import os
import re
import shlex
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.append(str(Path(__file__).parents[1] / "databases"))

from postgres_server import INSTALLED, PostgresServer

from shoal.cli import run
from shoal.exceptions import InputError
from shoal.plan import Plan
from shoal.spark import jdbc_driver, plan_source
from shoal.table import read_table

CANARY = "Kanarie9917"
PEOPLE = """CREATE TABLE patients AS SELECT 20 + i * 7 % 60 AS age, (i % 5)::numeric(38, 10) AS n,
    CASE WHEN i % 2 = 0 THEN 'f' ELSE 'm' END AS sex, '{"a": 1}'::json AS "from",
    TIMESTAMPTZ '2020-01-01 12:00+02' AS seen, DATE '2020-01-01' + i AS born
    FROM generate_series(1, 200) AS i"""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    if not INSTALLED or not Path("/usr/share/java/postgresql.jar").is_file():
        assert os.environ.get("CI") != "true", "PostgreSQL or its driver is missing (see .ci/run)."
        pytest.skip("apt-get install postgresql libpostgresql-jdbc-java")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = PostgresServer(port)
    server.psql(PEOPLE)
    with (server.data / "pg_hba.conf").open("a") as rules:
        rules.write("host all all 127.0.0.1/32 trust\n")
    server.psql("SELECT pg_reload_conf()")
    yield f"postgresql://steward@127.0.0.1:{port}/postgres"
    server.stop()


def test_spark_reads_what_the_local_engine_reads(spark: Any, address: str) -> None:
    plan = Plan(source=address, source_table="patients")
    local = read_table(address, table="patients")
    with plan_source(spark, plan) as source:
        assert source.names == local.column_names
        for name in ("age", "n", "sex", "from", "born"):
            rows = source.frame.select(source.place(name)).collect()
            assert sorted(str(row[0]) for row in rows) == local.text(name).sort().to_list(), name


def test_a_table_that_changes_is_read_as_it_was(spark: Any, address: str) -> None:
    import adbc_driver_postgresql.dbapi as driver

    with plan_source(spark, Plan(source=address, source_table="patients")) as source:
        assert source.frame.count() == 200
        with driver.connect(address) as other, other.cursor() as cursor:
            cursor.execute("DELETE FROM patients WHERE age > 40")
            other.commit()
        assert source.frame.count() == 200
    with plan_source(spark, Plan(source=address, source_table="patients")) as source:
        assert source.frame.count() < 200


def test_a_release_from_a_database_on_spark(
    spark: Any, address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    query = tmp_path / "people.sql"
    query.write_text("SELECT age, sex FROM patients;\n")
    line = ["anonymize", address, "--query", str(query), "-k", "5", "--quasi", "age,sex"]
    line += ["--engine", "spark", "--method", "mondrian", "--ledger", "off"]
    assert run([*line, "-o", str(tmp_path / "out"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["source"]["kind"] == "postgresql"
    assert told["k"] >= 5
    assert run(["check", str(tmp_path / "out"), "-k", "5"]) == 0
    assert jdbc_driver().suffix == ".jar"


def test_what_is_wrong_is_told_before_spark_reads(spark: Any, address: str) -> None:
    wrong = address.replace("steward", CANARY)
    for plan, message in (
        (Plan(source=address, source_table="nobody"), "no table 'nobody'"),
        (Plan(source=wrong, source_table="patients"), "does not know this user"),
    ):
        with pytest.raises(InputError, match=message) as error, plan_source(spark, plan):
            pass
        assert CANARY not in str(error.value)


def test_the_command_of_the_page_runs(
    spark: Any, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The host of the page is this machine; where the server listens is told as libpq is told."""
    import adbc_driver_postgresql.dbapi as driver

    page = (Path(__file__).parents[2] / "docs" / "sources.md").read_text("utf-8")
    (line,) = re.findall(r"^shoal .*--engine spark.*$", page, re.MULTILINE)
    with driver.connect(address, autocommit=True) as other, other.cursor() as cursor:
        cursor.execute("CREATE DATABASE clinic")
    with driver.connect(address.replace("/postgres", "/clinic")) as other, other.cursor() as cursor:
        cursor.execute(f"{PEOPLE.replace('AS born', 'AS born, i % 3 AS zip')}")
        other.commit()
    monkeypatch.setenv("PGPORT", address.rpartition(":")[2].partition("/")[0])
    monkeypatch.setenv("PGUSER", "steward")
    monkeypatch.chdir(tmp_path)
    drop = ["--drop", "n,from,seen,born", "--method", "mondrian"]
    assert run([*shlex.split(line)[1:], *drop]) == 0
    assert run(["check", "release/", "-k", "10"]) == 0
