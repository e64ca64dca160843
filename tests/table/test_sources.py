"""Sources: the same table from every place it can lie in, and sentences where it cannot be read."""

from __future__ import annotations

import gzip
import sqlite3
import zipfile
from pathlib import Path

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pytest
import sqlalchemy

from shoal.exceptions import InputError, InvalidParameterError, ShoalError, ValueKindError
from shoal.plan import Plan
from shoal.table import Address, Roles, read_table
from shoal.table.sources import SOURCES, Place, TableSource, open_source, split_name
from shoal.testing import check_source

CANARY = "Kanarie7731"
PEOPLE = pl.DataFrame(
    {
        "id": [1, 2, 3],
        "zip": ["01234", "1234", None],
        "pay": [1.5, None, 1e300],
        'odd "name", ;': ["a", "b", "c"],
    }
)


def csv_bytes(frame: pl.DataFrame = PEOPLE) -> bytes:
    return frame.write_csv().encode()


def write_csv(path: Path) -> str:
    path.write_bytes(csv_bytes())
    return str(path)


def write_gzip(path: Path) -> str:
    path.write_bytes(gzip.compress(csv_bytes()))
    return str(path)


def write_zstd(path: Path) -> str:
    with pa.CompressedOutputStream(str(path), "zstd") as stream:
        stream.write(csv_bytes())
    return str(path)


def write_zip(path: Path) -> str:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("inside/people.csv", csv_bytes())
        archive.writestr("__MACOSX/._people.csv", b"x")
    return str(path)


def write_packed_lines(path: Path) -> str:
    path.write_bytes(gzip.compress(PEOPLE.write_ndjson().encode()))
    return str(path)


def write_parts(path: Path) -> str:
    path.mkdir()
    PEOPLE[:2].write_parquet(path / "part-0.parquet")
    PEOPLE[2:].write_parquet(path / "part-1.parquet")
    (path / "_SUCCESS").touch()
    return str(path)


def write_sqlite(path: Path) -> str:
    with sqlite3.connect(path) as connection:
        connection.execute('CREATE TABLE people (id, zip TEXT, pay REAL, "odd ""name"", ;" TEXT)')
        connection.executemany("INSERT INTO people VALUES (?, ?, ?, ?)", PEOPLE.rows())
    connection.close()
    return f"sqlite:///{path}"


def write_duckdb(path: Path) -> str:
    with duckdb.connect(str(path)) as connection:
        connection.register("given", PEOPLE.to_arrow())
        connection.execute("CREATE TABLE people AS SELECT * FROM given")
    return f"duckdb:///{path}"


FILES = {
    "people.csv": (write_csv, "csv"),
    "people": (write_csv, "csv"),
    "people.csv.gz": (write_gzip, "packed"),
    "people.csv.zst": (write_zstd, "packed"),
    "people.zip": (write_zip, "packed"),
    "people.jsonl.gz": (write_packed_lines, "packed"),
    "people.parquet": (lambda path: PEOPLE.write_parquet(path) or str(path), "parquet"),
    "people.arrow": (lambda path: PEOPLE.write_ipc(path) or str(path), "arrow"),
    "people.ndjson": (lambda path: PEOPLE.write_ndjson(path) or str(path), "ndjson"),
    "parts": (write_parts, "parts"),
}
DATABASES = {
    "people.db": (write_sqlite, "sqlite"),
    "people.duckdb": (write_duckdb, "duckdb"),
}


@pytest.mark.parametrize("name", [*FILES, *DATABASES])
def test_every_source_passes_the_battery(name: str, tmp_path: Path) -> None:
    write, kind = {**FILES, **DATABASES}[name]
    where = write(tmp_path / name)
    source = open_source(Place(where, table="people" if name in DATABASES else None))
    assert source.kind == kind
    check_source(source, PEOPLE)


def test_any_other_database_is_read_row_by_row_with_a_note(tmp_path: Path) -> None:
    file = write_sqlite(tmp_path / "people.db").removeprefix("sqlite:///")
    source = open_source(Place(f"sqlite+pysqlite:///{file}", table="people"))
    assert source.kind == "sqlalchemy"
    check_source(source, PEOPLE)
    assert "slower" in source.read().notes[0]


def test_the_family_is_asked_in_order_and_each_has_one_kind() -> None:
    made = [TableSource]
    for source in made:  # grows while it is read
        made += source.__subclasses__()
    ours = {s for s in made if s.__module__.startswith("shoal.") and hasattr(s, "kind")}
    assert ours == {*SOURCES.values()}
    assert [*SOURCES][-1] == "csv"  # which takes any file


def test_a_connection_that_is_open_is_read_through(tmp_path: Path) -> None:
    file = write_sqlite(tmp_path / "people.db").removeprefix("sqlite:///")
    engine = sqlalchemy.create_engine(f"sqlite+pysqlite:///{file}")
    plain = sqlite3.connect(file)
    own = duckdb.connect()
    own.register("people", PEOPLE.to_arrow())
    with engine.connect() as connection:
        for where in (plain, connection, engine, own):
            table = read_table(where, table="people")
            assert table.origin.kind == "connection"
            assert table.text("zip").to_list() == ["01234", "1234", None]
            with pytest.raises(InvalidParameterError, match="What of the connection"):
                read_table(where, sheet=None, table=None)
    some = read_table(plain, query="SELECT id FROM people WHERE id > 1;")
    assert some.n_rows == 2
    plain.close()
    own.close()
    engine.dispose()


def test_partitions_become_columns_of_text(tmp_path: Path) -> None:
    for year, name in ((2020, "a"), (2021, "b")):
        folder = tmp_path / "t" / f"year={year}" / "place=Graz%2FWest"
        folder.mkdir(parents=True)
        pl.DataFrame({"name": [name]}).write_csv(folder / "part.csv")
    frame = read_table(tmp_path / "t").frame
    assert frame.rows() == [("a", "2020", "Graz/West"), ("b", "2021", "Graz/West")]


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({}, "holds no parts"),
        ({"a.csv": "x\n1\n", "b.parquet": ""}, "more than one kind"),
        ({"a.csv": "x\n1\n", "b.csv": "y\n1\n"}, "columns of 'b.csv'"),
        ({"sub/a.csv": "x\n1\n"}, "no partition"),
    ],
)
def test_a_folder_that_is_no_table_is_refused(
    parts: dict[str, str], message: str, tmp_path: Path
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    for name, text in parts.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    with pytest.raises(InputError, match=message):
        read_table(folder)


def test_parts_with_other_types_are_not_mixed(tmp_path: Path) -> None:
    pl.DataFrame({"n": [2**60 + 1]}).write_parquet(tmp_path / "a.parquet")
    pl.DataFrame({"n": [0.5]}).write_parquet(tmp_path / "b.parquet")
    with pytest.raises(InputError, match="one type in some parts"):
        read_table(tmp_path)


def test_an_archive_must_hold_one_table(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "two.zip", "w") as archive:
        archive.writestr("a.csv", "x\n1\n")
        archive.writestr("b.csv", "x\n1\n")
    with pytest.raises(InputError, match="holds 2 files"):
        read_table(tmp_path / "two.zip")
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.csv", "x\n" + "1\n" * 20_000_000)
    with pytest.raises(InputError, match="unpacks to more"):
        read_table(tmp_path / "bomb.zip")
    (tmp_path / "bad.zst").write_bytes(b"\x28\xb5\x2f\xfd rubbish")
    with pytest.raises(InputError, match="damaged"):
        read_table(tmp_path / "bad.zst")


def test_json_lines_of_mixed_types_or_nested_are_refused_without_a_cell(tmp_path: Path) -> None:
    file = tmp_path / "x.ndjson"
    file.write_text(f'{{"a": {{"b": "{CANARY}"}}}}\n')
    with pytest.raises(InputError) as nested:
        read_table(file)
    file.write_text(f'{{"a": 1}}\nnot json {CANARY}\n')
    with pytest.raises(InputError) as broken:
        read_table(file)
    assert CANARY not in f"{nested.value}{broken.value}"


def test_a_column_of_several_types_in_sqlite_keeps_every_cell(tmp_path: Path) -> None:
    rows = [(None, 1, 1, "x", 2**60), (None, 2.5, 2**60, 3, -5), ("late", None, 0.5, 0.1, 0)]
    with sqlite3.connect(tmp_path / "m.db") as connection:
        connection.execute("CREATE TABLE m (a, b, c, d, e)")
        connection.executemany("INSERT INTO m VALUES (?, ?, ?, ?, ?)", rows * 1500)
        connection.execute("CREATE VIEW seen AS SELECT d FROM m WHERE a IS NOT NULL")
    connection.close()
    table = read_table(f"sqlite:///{tmp_path}/m.db", table="m")
    texts = {name: table.text(name).to_list()[:3] for name in "abcde"}
    assert texts["a"] == [None, None, "late"]
    assert texts["b"] == ["1", "2.5", None]
    assert texts["c"] == ["1", str(2**60), "0.5"]
    assert texts["d"] == ["x", "3", "0.1"]
    assert texts["e"] == [str(2**60), "-5", "0"]
    assert read_table(f"sqlite:///{tmp_path}/m.db", table="main.seen").n_rows == 1500


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("CREATE TABLE t (b); INSERT INTO t VALUES (x'00')", "type blob"),
        ("CREATE TABLE t (a)", "no rows"),
    ],
)
def test_what_sqlite_holds_and_a_table_does_not_is_said(
    sql: str, message: str, tmp_path: Path
) -> None:
    with sqlite3.connect(tmp_path / "t.db") as connection:
        connection.executescript(sql)
    connection.close()
    with pytest.raises(InputError, match=message):
        read_table(f"sqlite:///{tmp_path}/t.db", table="t")


def test_text_that_is_not_utf8_is_refused_before_anything_reads_on(tmp_path: Path) -> None:
    """Whoever trusts Arrow's text reads memory of others where it is broken."""
    with sqlite3.connect(tmp_path / "t.db") as connection:
        connection.executescript("CREATE TABLE t (a); INSERT INTO t VALUES (CAST(x'ff' AS TEXT))")
    connection.close()
    with pytest.raises(ValueKindError, match="'a' holds text that is not UTF-8"):
        read_table(f"sqlite:///{tmp_path}/t.db", table="t")
    starts = pa.py_buffer(np.array([0, 1], dtype=np.int32))
    broken = pa.Array.from_buffers(pa.string(), 1, [None, starts, pa.py_buffer(b"\xff")])
    with pytest.raises(ValueKindError, match="'a' holds text that is not UTF-8"):
        read_table(pa.table({"a": broken}))


PLACES = [
    ({"source": "sqlite://clinic.db", "table": "t"}, "names no file"),
    ({"source": "sqlite:///", "table": "t"}, "names no file"),
    ({"source": "https://example.org/patients.csv"}, "begins with 'https'"),
    ({"source": "people.json"}, "is JSON"),
    ({"source": "wards.xlsx", "sheet": "Beds!A1:ZZ9"}, "no cells in part of the range"),
    ({"source": "wards.xlsx", "sheet": "Beds!A90:B99"}, "no cells in part of the range"),
    ({"source": "wards.xlsx", "sheet": "Beds!B9:A1"}, "no rows below its first"),
]


@pytest.mark.parametrize(("place", "message"), PLACES, ids=lambda one: str(one)[:40])
def test_a_place_that_is_none_is_told_as_what_it_is(
    place: dict[str, str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("people.json").write_text('[{"age": 1}]')
    beds = pl.DataFrame({"age": range(9), "bed": range(9)})
    beds.write_excel("wards.xlsx", worksheet="Beds")
    with pytest.raises(ShoalError, match=message):
        read_table(**place)  # type: ignore[arg-type]
    assert read_table("wards.xlsx", sheet="Beds!A1:B10").n_rows == 9


def test_json_lines_of_windows_and_names_of_another_case(tmp_path: Path) -> None:
    (tmp_path / "a.ndjson").write_bytes(b'\xef\xbb\xbf{"age": 1}\n{"age": 2}\n')
    assert read_table(tmp_path / "a.ndjson").column_names == ("age",)
    with sqlite3.connect(tmp_path / "t.db") as connection:
        connection.execute("CREATE TABLE t (a)")
    connection.close()
    with pytest.raises(InputError) as error:
        read_table(f"sqlite:///{tmp_path}/t.db", table="T")
    assert error.value.hint == "Did you mean t?"


QUERIES = [
    ("SELECT hat FROM people", "column that is not there"),
    ("SELECT * FROM nowhere", "table that is not there"),
    ("SELEC 1", "not SQL"),
    ("", "empty"),
    ("DELETE FROM people", "not SQL"),
    ("SELECT 1; DROP TABLE people", "not SQL"),
]


@pytest.mark.parametrize("query", QUERIES, ids=lambda query: query[0][:20])
@pytest.mark.parametrize("name", [*DATABASES])
def test_a_query_that_cannot_be_answered_is_a_sentence(
    name: str, query: tuple[str, str], tmp_path: Path
) -> None:
    where = DATABASES[name][0](tmp_path / name)
    with pytest.raises(ShoalError, match=query[1]):
        read_table(where, query=query[0])
    assert read_table(where, table="people").n_rows == 3


def test_names_made_to_break_out_are_names(tmp_path: Path) -> None:
    bad = 'x"; DROP TABLE people; --'
    with duckdb.connect(str(tmp_path / "d.duckdb")) as connection:
        quoted = bad.replace('"', '""')
        connection.execute(f'CREATE TABLE "{quoted}" ("{quoted}" VARCHAR)')
        connection.execute(f"INSERT INTO \"{quoted}\" VALUES ('a')")
    with sqlite3.connect(tmp_path / "s.db") as plain:
        plain.execute(f'CREATE TABLE "{quoted}" ("{quoted}" TEXT)')
        plain.execute(f"INSERT INTO \"{quoted}\" VALUES ('a')")
    plain.close()
    for where in (f"duckdb:///{tmp_path}/d.duckdb", f"sqlite:///{tmp_path}/s.db"):
        assert read_table(where, table=f'"{quoted}"').column_names == (bad,)
        with pytest.raises(InvalidParameterError, match="not the name of a table"):
            read_table(where, table=bad)


def test_exact_types_of_duckdb_are_not_rounded(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "d.duckdb")) as connection:
        connection.execute(
            "CREATE TABLE t AS SELECT 170141183460469231731687303715884105727::HUGEINT AS h,"
            " 1.50::DECIMAL(38, 10) AS d, INTERVAL 1 DAY AS i,"
            " TIMESTAMPTZ '2020-01-01 12:00+02' AS z"
        )
    table = read_table(f"duckdb:///{tmp_path}/d.duckdb", table="t")
    assert table.text("h").to_list() == ["170141183460469231731687303715884105727"]
    assert table.text("d").to_list() == ["1.5000000000"]
    assert table.text("z").to_list() == ["2020-01-01T10:00:00+00:00"]
    with pytest.raises(InputError, match="something else than this file"):
        read_table(f"duckdb:///{tmp_path}/d.duckdb", query="SELECT * FROM read_csv('/etc/passwd')")


@pytest.mark.parametrize(
    "address",
    [
        f"postgresql://ann:{CANARY}@host/db",
        f"postgresql://host/db?password={CANARY}",
        f"mysql+pymysql://ann:{CANARY}@host/db",
        f"postgresql://host/db?sslpassword={CANARY}",
        f"jdbc:postgresql://host/db?user=ann&password={CANARY}",
    ],
)
def test_an_address_with_a_password_is_refused_and_not_quoted(address: str, tmp_path: Path) -> None:
    told = []
    with pytest.raises(InvalidParameterError) as typed:
        read_table(address, table="t")
    with pytest.raises(InvalidParameterError) as bare:
        read_table(address)
    with pytest.raises(InvalidParameterError) as planned:
        Plan(source=address, roles=Roles(quasi_identifiers="a"))
    (tmp_path / "plan.toml").write_text(f'[table]\nsource = "{address}"\n')
    with pytest.raises(InvalidParameterError) as read:
        Plan.read(tmp_path / "plan.toml")
    for error in (typed, bare, planned, read):
        told += [str(error.value), str(error.value.hint)]
    assert CANARY not in "".join(told)


def test_three_slashes_are_relative_and_four_absolute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_sqlite(tmp_path / "people.db")
    monkeypatch.chdir(tmp_path)
    assert read_table("sqlite:///people.db", table="people").source == tmp_path / "people.db"
    assert read_table(f"sqlite:///{tmp_path}/people.db", table="people").n_rows == 3
    assert f"sqlite:///{tmp_path}/people.db".startswith("sqlite:////")
    with pytest.raises(InputError, match="no file"):
        read_table("sqlite:////people.db", table="people")
    assert not Path("/people.db").exists()


def test_a_plan_reads_a_database_beside_it_from_anywhere(tmp_path: Path) -> None:
    folder = tmp_path / "clinic"
    folder.mkdir()
    write_sqlite(folder / "people.db")
    (folder / "some.sql").write_text("SELECT * FROM people WHERE id < 3")
    plan = Plan(
        source=f"sqlite:///{folder}/people.db",
        query=str(folder / "some.sql"),
        roles=Roles(quasi_identifiers="id"),
    )
    plan.write(folder / "plan.toml")
    assert 'query = "some.sql"' in (folder / "plan.toml").read_text()
    assert Plan.read(folder / "plan.toml").table().n_rows == 2
    (folder / "plan.toml").write_text(
        '[table]\nsource = "sqlite:///people.db"\ntable = "people"\n'
        '[roles]\nquasi_identifiers = ["id"]\n'
    )
    again = Plan.read(folder / "plan.toml")
    assert again.table().n_rows == 3
    again.write(folder / "again.toml")
    assert Plan.read(folder / "again.toml").source == again.source


@pytest.mark.parametrize("name", ['a"b', '"a', "a.b.c", "", ".", "a..b"])
def test_odd_names_of_tables_are_refused(name: str) -> None:
    with pytest.raises(InvalidParameterError):
        split_name(name)


def test_an_address_shows_no_user_and_no_settings() -> None:
    shown = str(Address.of("postgresql://ann@host:5433/clinic?sslmode=require&application_name=x"))
    assert shown == "postgresql://host:5433/clinic"
