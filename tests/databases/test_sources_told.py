"""The page about sources is walked: every command in it runs, on files and servers of its names.

Each block is typed in a folder of its own that holds the files which the page names. Its hosts are
true: libpq is told where they are, and the addresses stay as they are printed. The block of Spark
is run where Spark is (``tests/spark``); Python and plans by ``tests/docs``.
"""

from __future__ import annotations

import gzip
import os
import re
import shlex
import shutil
import socket
import sqlite3
import subprocess
import zipfile
from collections.abc import Iterator
from pathlib import Path

import duckdb
import polars as pl
import pyarrow as pa
import pyreadstat
import pytest
import xlsxwriter
from postgres_server import INSTALLED, NOBODY, PostgresServer

from shoal.cli import run
from shoal.exceptions import InputError
from shoal.table import read_table
from shoal.table.sources import SOURCES, Place, open_source

PAGE = (Path(__file__).parents[2] / "docs" / "sources.md").read_text("utf-8")
SECTIONS = {part.partition("\n")[0]: part for part in PAGE.split("\n## ")[1:]}
FENCE = re.compile(r"^```(sh|toml)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCKS = {
    name: [source for language, source in FENCE.findall(text) if language == "sh"]
    for name, text in SECTIONS.items()
}
WALKED = [name for name, blocks in BLOCKS.items() if blocks and name != "Spark"]
SAS = Path(os.environ.get("SHOAL_STATISTICS_FILES", "/var/cache/shoal-tests"), "iris.sas7bdat")
PEOPLE = pl.DataFrame(
    {
        "age": [20 + i * 7 % 60 for i in range(200)],
        "sex": ["fm"[i % 2] for i in range(200)],
        "zip": [f"0{1000 + i % 5}" for i in range(200)],
    }
)
COLUMNS = "age INT, sex TEXT, zip TEXT"
HOST = "db.example.org"
QUERY = "SELECT * FROM patients WHERE age > 30;\n"


@pytest.fixture(scope="module")
def server() -> Iterator[PostgresServer]:
    if not INSTALLED:
        assert os.environ.get("CI") != "true", "PostgreSQL is not installed (see .ci/run)."
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    running = PostgresServer(port)
    certify(running)
    running.psql("CREATE ROLE ann LOGIN SUPERUSER", "CREATE DATABASE clinic")
    rows = ", ".join(map(str, PEOPLE.rows()))
    made = ["CREATE SCHEMA ward", "CREATE SCHEMA release", f"CREATE TABLE patients ({COLUMNS})"]
    made += [f"INSERT INTO patients VALUES {rows}"]
    made += ["CREATE TABLE ward.patients AS SELECT age + 1 AS age, sex, zip FROM patients"]
    running.psql(*made, database="clinic")
    yield running
    running.stop()


def certify(server: PostgresServer) -> None:
    """Give the server a certificate for the host that the page names."""
    key, certificate = server.data / "server.key", server.data / "server.crt"
    how = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
    whose = ["-subj", f"/CN={HOST}", "-addext", f"subjectAltName=DNS:{HOST}"]
    made = ["-keyout", str(key), "-out", str(certificate)]
    subprocess.run(["openssl", *how.split(), *whose, *made], check=True, capture_output=True)
    key.chmod(0o600)
    if os.geteuid() == 0:
        shutil.chown(key, NOBODY)
    server.psql("ALTER SYSTEM SET ssl = on", "SELECT pg_reload_conf()")


@pytest.fixture
def folder(server: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with every file that the page names; its hosts are the server of the tests."""
    services = tmp_path / "services.conf"
    services.write_text(f"[clinic]\nhost={HOST}\nuser=ann\n")
    for name, value in (
        ("PGHOSTADDR", "127.0.0.1"),
        ("PGPORT", str(server.port)),
        ("PGUSER", "ann"),
        ("PGSERVICEFILE", str(services)),
        ("PGSSLROOTCERT", str(server.data / "server.crt")),
    ):
        monkeypatch.setenv(name, value)
    made = tmp_path / "folder"
    made.mkdir()
    write_files(made)
    write_databases(made)
    (made / "adults.sql").write_text(QUERY)
    plan = dict(FENCE.findall(SECTIONS["PostgreSQL"]))["toml"]
    (made / "clinic.toml").write_text(plan)
    monkeypatch.chdir(made)
    return made


def write_files(folder: Path) -> None:
    text = PEOPLE.write_csv().encode()
    PEOPLE.write_csv(folder / "patients.csv")
    (folder / "patients.csv.gz").write_bytes(gzip.compress(text))
    with pa.CompressedOutputStream(str(folder / "patients.csv.zst"), "zstd") as stream:
        stream.write(text)
    with zipfile.ZipFile(folder / "patients.zip", "w") as archive:
        archive.writestr("patients.csv", text)
    for year in (2020, 2021):
        part = folder / "visits" / f"year={year}"
        part.mkdir(parents=True)
        PEOPLE.write_csv(part / "part-0.csv")
    PEOPLE.write_ndjson(folder / "patients.ndjson")
    PEOPLE.write_ipc(folder / "patients.arrow")
    PEOPLE.write_parquet(folder / "patients.parquet")
    write_workbook(folder / "wards.xlsx")
    pyreadstat.write_sav(PEOPLE, str(folder / "survey.sav"))
    pyreadstat.write_dta(PEOPLE, str(folder / "survey.dta"))
    pyreadstat.write_xport(PEOPLE, str(folder / "survey.xpt"), file_format_version=8)
    if SAS.is_file():
        shutil.copy(SAS, folder / "survey.sas7bdat")


def write_workbook(path: Path) -> None:
    """A sheet whose table begins at B3, the same at A1 on another, and a range with a name."""
    with xlsxwriter.Workbook(str(path)) as book:
        for sheet, row, column in (("Wards 2020", 0, 0), ("Beds", 2, 1)):
            page = book.add_worksheet(sheet)
            page.write_row(row, column, PEOPLE.columns)
            for i, cells in enumerate(PEOPLE.rows(), row + 1):
                page.write_row(i, column, cells)
        book.define_name("patients", "=Beds!$B$3:$D$203")


def write_databases(folder: Path) -> None:
    with sqlite3.connect(folder / "clinic.db") as small:
        small.execute(f"CREATE TABLE patients ({COLUMNS})")
        small.executemany("INSERT INTO patients VALUES (?, ?, ?)", PEOPLE.rows())
    small.close()
    with duckdb.connect(str(folder / "clinic.duckdb")) as connection:
        connection.register("given", PEOPLE.to_arrow())
        connection.execute("CREATE TABLE patients AS SELECT * FROM given")


@pytest.mark.parametrize("section", WALKED)
def test_every_command_of_the_page_runs(
    section: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for line in "".join(BLOCKS[section]).splitlines():
        words = shlex.split(line)
        assert words[0] == "shoal"
        if "survey.sas7bdat" in words and not SAS.is_file():
            assert os.environ.get("CI") != "true", "There is no file of SAS (see .ci/run)."
            continue
        assert run(words[1:]) == 0, f"{line}\n{capsys.readouterr().err}"


@pytest.mark.parametrize(
    ("address", "told"),
    [
        (f"postgresql://{HOST}/clinic?sslmode=verify-full", r"Read over TLSv1\.\d\."),
        (f"postgresql://{HOST}/clinic?sslmode=disable", r"Read without TLS \(sslmode=require\)\."),
        ("postgresql://another.example.org/clinic?sslmode=verify-full", None),
    ],
)
def test_what_is_used_of_tls_is_said(address: str, told: str | None, folder: Path) -> None:
    if told is None:
        with pytest.raises(InputError, match="certificate"):
            read_table(address, table="patients")
    else:
        assert re.fullmatch(told, read_table(address, table="patients").notes[0])


def test_every_source_is_typed_on_the_page() -> None:
    """Of each kind there is a command; an open connection is for Python alone."""
    lines = [line for blocks in BLOCKS.values() for line in "".join(blocks).splitlines()]
    wheres = {shlex.split(line)[2] for line in lines} - {"release/", "--plan"}
    kinds = {open_source(Place(where)).kind for where in wheres if not where.endswith("/")}
    assert kinds | {"parts"} == {*SOURCES} - {"connection"}
    assert "visits/" in wheres
    assert any("--engine spark" in line for line in lines)
