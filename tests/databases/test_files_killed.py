"""A process that is killed while it writes into a database of one file: as before, or all new."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb
import moments
import pytest

import shoal
from shoal.table import read_table

KILLED = ("creating the staging table", "counting in the database", "renaming", "committing")
PEOPLE = """CREATE TABLE patients AS WITH RECURSIVE r(i) AS
    (SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < 200)
    SELECT i AS id, 'Name ' || i AS name, 20 + i * 7 % 60 AS age,
    CASE WHEN i % 2 = 0 THEN 'f' ELSE 'm' END AS sex, '0' || (1000 + i % 5) AS zip,
    'ill ' || i % 4 AS disease, '2020-01-01' AS seen FROM r"""


@pytest.mark.parametrize("kind", ["sqlite", "duckdb"])
def test_a_client_killed_at_any_moment_leaves_the_file_as_it_was(kind: str, tmp_path: Path) -> None:
    connect: Any = {"sqlite": sqlite3.connect, "duckdb": duckdb.connect}[kind]
    with closing(connect(str(tmp_path / "clinic"))) as connection:
        connection.execute(PEOPLE)
        connection.commit()
    where, papers = f"{kind}:///{tmp_path}/clinic", tmp_path / "p"
    moments.release_into(where, papers)
    earlier = read_table(where, table="t").frame
    environment = {**os.environ, "PYTHONPATH": str(Path(shoal.__file__).parents[1])}
    command = [sys.executable, moments.__file__, where, str(papers)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, text=True
    ) as child:
        for moment in (*KILLED, "committed"):
            child.stdin.write(f"{moment}\n")  # type: ignore[union-attr]
            child.stdin.flush()  # type: ignore[union-attr]
            ended = child.stdout.readline()  # type: ignore[union-attr]
            assert ended == f"{-signal.SIGKILL}\n", moment
            assert read_table(where, table="t").frame.equals(earlier), moment
            with closing(connect(str(tmp_path / "clinic"))) as connection:
                tables = {"sqlite": "SELECT name FROM sqlite_master", "duckdb": "SHOW TABLES"}
                found = connection.execute(tables[kind]).fetchall()
            assert sorted(name for (name,) in found) == ["patients", "t"], moment
        child.stdin.close()  # type: ignore[union-attr]
    moments.release_into(where, papers)
