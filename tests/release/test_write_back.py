"""Write-back into SQLite and DuckDB: a table that was counted in the database, or none."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from datetime import date, timedelta
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import adbc_driver_sqlite.dbapi as adbc
import duckdb
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal import Anonymizer, Generalize, KAnonymity, TCloseness
from shoal._progress import Silent
from shoal.anonymizer import anonymize
from shoal.cli import run
from shoal.exceptions import InvalidParameterError, OutputError, ReleaseRefusedError
from shoal.ledger import Ledger
from shoal.release import Release
from shoal.release.targets import TARGETS, TargetTable, open_target
from shoal.release.targets._recount import CountingQueries
from shoal.table import Roles, read_table
from shoal.verifier import Claim, verify
from shoal.verifier._claims import MEASURES

PEOPLE = pl.DataFrame(
    {
        "age": [20 + i % 30 for i in range(60)],
        "sex": ["fm"[i // 30] for i in range(60)],
        'odd "name"; --': [i * 1.5 if i % 7 else None for i in range(60)],
        "seen": [date(2020, 1, 1) + timedelta(days=i) for i in range(60)],
        "ill": ["flu", "cold", "gout"] * 20,
        "alive": [True, False, True] * 20,
    }
)
KINDS = ["sqlite", "duckdb"]


def made(k: int = 5) -> Release:
    quasi = ["age", "sex"]
    return anonymize(PEOPLE, quasi_identifiers=quasi, sensitive="ill", k=k, l=2, bound=False)


def address(kind: str, folder: Path) -> str:
    return f"{kind}:///{folder}/out.{kind}"


def tables(kind: str, folder: Path) -> list[str]:
    file = folder / f"out.{kind}"
    if not file.exists():
        return []
    if kind == "duckdb":
        with duckdb.connect(str(file)) as connection:
            return sorted(str(t) for (t,) in connection.execute("SHOW TABLES").fetchall())
    connection = sqlite3.connect(file)
    found = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    connection.close()
    return sorted(str(t) for (t,) in found)


@pytest.mark.parametrize("kind", KINDS)
def test_no_page_of_the_file_knows_who_is_left_out(kind: str, tmp_path: Path) -> None:
    """The order of a column was a table for a moment, and its values stayed in free pages."""
    secret = "Kanarie7731"
    odd = {"age": 900, "sex": "f", "ill": secret}
    frame = pl.concat([PEOPLE.select(odd.keys()), pl.DataFrame([odd])])
    order = ("cold", "flu", "gout", secret)
    roles = Roles(quasi_identifiers=("age", "sex"), sensitive="ill")
    table = read_table(frame, roles=roles, kinds={"ill": "ordinal"}, orders={"ill": order})
    models = [KAnonymity(5), TCloseness(0.9, "ill", distance="ordered")]
    fitted = Anonymizer("auto", Generalize(limits={"age": 40}), models, 0.1).fit(table)
    where, papers = address(kind, tmp_path), tmp_path / "papers"
    fitted.release_.write_back(where, "t", papers=papers, ledger="off")
    file = tmp_path / f"out.{kind}"
    assert fitted.release_.frame.height == 60
    assert secret.encode() not in file.read_bytes()
    assert "t_ordered" in (papers / "manifest.json").read_text("utf-8")


@pytest.mark.parametrize("kind", KINDS)
def test_no_page_of_the_file_keeps_a_release_that_gave_way(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a control: where nothing is written over, DuckDB keeps every word."""
    where, file = address(kind, tmp_path), tmp_path / f"out.{kind}"
    old = PEOPLE.with_columns(ill=pl.Series([f"Kanarie{i}" for i in range(60)]))
    roles: Any = {"quasi_identifiers": ["age", "sex"], "k": 5, "bound": False}
    for into, wiped in (("a", False), ("b", True)):
        with monkeypatch.context() as patch:
            if not wiped:
                patch.setattr(TargetTable, "overwrite", lambda _: None)
            for frame in (old, PEOPLE):
                anonymize(frame, **roles).write_back(
                    where, into, papers=tmp_path / into, ledger="off", force=frame is PEOPLE
                )
                if frame is old and kind == "sqlite":  # which packs nothing
                    assert b"Kanarie59" in file.read_bytes()
        assert (b"Kanarie" in file.read_bytes()) == (kind == "duckdb" and not wiped)
    assert tables(kind, tmp_path) == ["a", "b"]


@pytest.mark.parametrize("kind", KINDS)
def test_papers_beside_a_table_tell_what_anybody_counts_in_it(kind: str, tmp_path: Path) -> None:
    """Rows, groups, k, l and losses from the table alone; nothing tells the order of the input."""
    found = []
    for name, frame in (("a", PEOPLE), ("b", PEOPLE.sample(fraction=1, shuffle=True, seed=3))):
        (tmp_path / name).mkdir()
        where = address(kind, tmp_path / name)
        quasi = ["age", "sex"]
        release = anonymize(frame, quasi_identifiers=quasi, sensitive="ill", k=5, l=2, bound=False)
        release.write_back(where, "t", papers=tmp_path / name / "papers", ledger="off")
        back = read_table(where, table="t").frame
        manifest = json.loads((tmp_path / name / "papers" / "manifest.json").read_text("utf-8"))
        groups = back.group_by(quasi).agg(pl.len(), l=pl.col("ill").n_unique())
        assert (manifest["rows"], manifest["groups"]) == (back.height, groups.height)
        counted = {"k": groups["len"].min(), "distinct_l": groups["l"].min()}
        assert {claim["measure"]: claim["recounted"] for claim in manifest["holds"]} == counted
        ends = [[float(n) for n in cell.strip("[]").split(", ")] for cell in back["age"]]
        reach = max(map(max, ends)) - min(map(min, ends))
        lost = sum(max(e) - min(e) for e in ends) / reach / back.height
        assert manifest["loss_by_attribute"]["age"] == pytest.approx(lost, abs=1e-6)
        lines = (tmp_path / name / "papers" / "recount.sql").read_text("utf-8").splitlines()
        told = f"{back.height}, {groups.height}, {counted['k']}."
        assert lines[1] == f"-- Rows, groups, smallest group: {told}"
        files = sorted((tmp_path / name / "papers").iterdir())
        found.append((back.rows(), [path.read_bytes() for path in files]))
    assert found[0] == found[1]


@pytest.mark.parametrize("kind", KINDS)
def test_a_table_is_written_counted_and_named(kind: str, tmp_path: Path) -> None:
    release = made()
    where = address(kind, tmp_path)
    written = release.write_back(where, "patients_k5", papers=tmp_path / "papers")
    back = read_table(where, table="patients_k5")
    assert back.column_names == tuple(PEOPLE.columns)
    assert back.n_rows == 60
    for name in PEOPLE.columns:
        told = read_table(release.frame).text(name).sort().to_list()
        assert back.text(name).sort().to_list() == told
    assert tables(kind, tmp_path) == ["patients_k5"]
    assert written.table["rows"] == 60
    told = dict(written.manifest["table"])
    assert len(told.pop("sha256")) == 64
    assert told == {"kind": kind, "name": "patients_k5"}
    papers = {path.name for path in (tmp_path / "papers").iterdir()}
    assert papers == {"manifest.json", "report.html", "verify.py", "recount.sql"}
    with Ledger.open() as ledger:
        assert [entry.folder for entry in ledger.releases()] == ["papers"]


@pytest.mark.parametrize("kind", KINDS)
def test_the_queries_in_the_papers_count_the_same(kind: str, tmp_path: Path) -> None:
    made().write_back(address(kind, tmp_path), "t", papers=tmp_path / "p", ledger="off")
    lines = (tmp_path / "p" / "recount.sql").read_text().splitlines()
    kept = "\n".join(line for line in lines if not line.startswith("--"))
    queries = [query for query in kept.split(";") if query.strip()]
    if kind == "duckdb":
        with duckdb.connect(str(tmp_path / "out.duckdb")) as connection:
            counts = [connection.execute(query).fetchall()[0] for query in queries]
    else:
        plain = sqlite3.connect(tmp_path / "out.sqlite")
        counts = [plain.execute(query).fetchall()[0] for query in queries]
        plain.close()
    rows, groups, k = map(int, counts[0])
    assert f"{rows}, {groups}, {k}." in lines[1]
    assert (rows, k >= 5, int(counts[1][0]) >= 2) == (60, True, True)
    done = subprocess.run(
        [sys.executable, str(tmp_path / "p" / "verify.py")], capture_output=True, check=False
    )
    assert (done.returncode, b"recount.sql" in done.stdout) == (2, True)


def claimed(**more: Any) -> Release:
    """A release that claims every measure there is, as loosely as the measure allows."""
    loose = {"distinct_l": 1, "entropy_l": 1, "recursive_c": inf, "delta_disclosure": inf}
    named = {**dict.fromkeys(MEASURES, 99.0), **loose, "delta_disclosure_present": inf}
    names = [name for name in named if name != "t_ordered"]
    claims = [Claim(name, named[name], "ill", l=int(name == "recursive_c")) for name in names]
    claims += [Claim("recursive_c", inf, "ill", l=2)]
    claims += [Claim("t_ordered", 1, "ill", order=("cold", "flu", "gout"))]
    claims += [Claim("t_ordered", 1, 'odd "name"; --', order="numeric")]
    release = anonymize(
        PEOPLE.with_columns(seq=pl.Series([f"p{i // 2}" for i in range(60)])),
        quasi_identifiers=["age", "sex"],
        sensitive=["ill", 'odd "name"; --'],
        k=10,
        bound=False,
        **more,
    )
    return replace(release, claims=(*release.claims, *claims))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("people", [False, True])
def test_every_measure_is_counted_in_the_database(kind: str, people: bool, tmp_path: Path) -> None:
    more = {"person": "seq", "pseudonyms": {"seq": "release"}} if people else {"drop": "seq"}
    release = claimed(**more)
    release.write_back(address(kind, tmp_path), "t", papers=tmp_path / "p", ledger="off")
    told = (tmp_path / "p" / "recount.sql").read_text()
    assert told.count("WITH base") == len(MEASURES) + 2
    assert tables(kind, tmp_path) == ["t"]


@settings(max_examples=8, deadline=None)
@given(
    rows=st.lists(
        st.tuples(st.sampled_from("abc"), st.sampled_from(["x", "y", None]), st.integers(0, 4)),
        min_size=1,
        max_size=25,
    )
)
def test_a_database_counts_what_the_verifier_counts(rows: list[Any]) -> None:
    frame = pl.DataFrame(rows, schema={"q": pl.String, "s": pl.String, "n": pl.Int64}, orient="row")
    claims = [Claim(name, 1, "s", l=2) for name in MEASURES if name != "t_ordered"]
    claims += [Claim("t_ordered", 1, "n", order="numeric")]
    claims += [Claim("t_ordered", 1, "s", order=("z", "x", "y"))]
    with TemporaryDirectory() as folder:
        frame.write_parquet(Path(folder, "data.parquet"))
        told = verify(Path(folder, "data.parquet"), claims, quasi_identifiers=["q"])
    with duckdb.connect() as connection:
        connection.register("t", frame)
        places = pl.DataFrame({"value": ["z", "x", "y"], "place": [0, 1, 2]})
        connection.register("places", places)
        queries = CountingQueries("t", ["q"])
        for outcome in told.outcomes:
            ((found,),) = connection.execute(queries.measure(outcome.claim)).fetchall()
            number = inf if found is None else float(found)
            assert number == pytest.approx(float(outcome.recounted), abs=1e-9), outcome.claim


@pytest.mark.parametrize("kind", KINDS)
def test_only_an_earlier_release_gives_way_and_stays_until_the_new_one_holds(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    where, papers = address(kind, tmp_path), tmp_path / "p"
    made(5).write_back(where, "t", papers=papers, ledger="off")
    with pytest.raises(OutputError, match="not empty"):
        made(6).write_back(where, "t", papers=papers, ledger="off")
    with pytest.raises(OutputError, match="There is a table 't'"):
        made(6).write_back(where, "t", papers=tmp_path / "q", ledger="off")
    with pytest.raises(OutputError, match="not the release that its papers speak of"):
        made(6).write_back(where, "t", papers=tmp_path / "q", ledger="off", force=True)
    before = (papers / "manifest.json").read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(TargetTable, "commit", _refuse)
        with pytest.raises(OutputError, match="did not confirm"):
            made(6).write_back(where, "t", papers=papers, ledger="off", force=True)
    assert (papers / "manifest.json").read_bytes() == before
    assert read_table(where, table="t").n_rows == 60
    made(10).write_back(where, "t", papers=papers, ledger="off", force=True)
    smallest = read_table(where, table="t").frame.group_by("age", "sex").len()["len"].min()
    assert smallest >= 10  # type: ignore[operator]
    assert tables(kind, tmp_path) == ["t"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_table_that_was_edited_by_hand_does_not_give_way(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One cell is another; rows, columns, groups and k are as they were."""
    where, papers = address(kind, tmp_path), tmp_path / "p"
    made(5).write_back(where, "t", papers=papers, ledger="off")
    edit = "UPDATE t SET ill = CASE ill WHEN 'flu' THEN 'cold' ELSE ill END"
    connect: Any = {"sqlite": sqlite3.connect, "duckdb": duckdb.connect}[kind]
    with closing(connect(str(tmp_path / f"out.{kind}"))) as other:
        other.execute(f"{edit} WHERE alive = 'true' AND seen = '2020-01-01'")
        other.commit()
    before = read_table(where, table="t").frame
    with pytest.raises(OutputError, match="not the release that its papers speak of"):
        made(6).write_back(where, "t", papers=papers, ledger="off", force=True)
    assert read_table(where, table="t").frame.equals(before)
    monkeypatch.setenv("SHOAL_RELEASE_DATABASE", where)
    assert run(["check", str(papers)]) == 2
    assert "the table 't' is another" in capsys.readouterr().err


@pytest.mark.parametrize("kind", KINDS)
def test_a_digest_of_what_was_verified_is_that_of_what_a_database_gives_back(
    kind: str, tmp_path: Path
) -> None:
    """Whole numbers of every width, dates, truths, missing cells, text that looks like others."""
    plain = {
        "age": [20 + i % 30 for i in range(60)],
        "low": pl.Series([-128, 127, None] * 20, dtype=pl.Int8),
        "high": [-(2**63), 2**63 - 1, None] * 20,
        "day": [date(1, 1, 1), date(9999, 12, 31), None] * 20,
        "true": [True, False, None] * 20,
        "text": ["", " 01 ", 'a"; --\n\u00fc'] * 20,
        "none": pl.Series([None] * 60, dtype=pl.String),
        "ill": ["flu", "cold", "gout"] * 20,
    }
    keep = [name for name in plain if name not in ("age", "ill")]
    release = anonymize(
        pl.DataFrame(plain), quasi_identifiers="age", sensitive="ill", publish_as_is=keep, k=5
    )
    where, papers = address(kind, tmp_path), tmp_path / "p"
    release.write_back(where, "t", papers=papers, ledger="off")
    told = json.loads((papers / "manifest.json").read_text())["table"]["sha256"]
    with open_target(where, "t").held() as table:
        assert table._digest('"t"') == told
    release.write_back(where, "t", papers=papers, ledger="off", force=True)


def _refuse(*_: Any) -> None:
    raise RuntimeError("the server is gone")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("step", ["fill", "count", "name_it", "commit"])
def test_whatever_fails_leaves_no_table_no_papers_and_no_entry(
    kind: str, step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(TargetTable, step, _refuse)
        with pytest.raises((OutputError, RuntimeError)):
            made().write_back(address(kind, tmp_path), "t", papers=tmp_path / "p")
    assert tables(kind, tmp_path) == []
    assert [path.name for path in tmp_path.iterdir()] == []
    with Ledger.open() as ledger:
        assert list(ledger.releases()) == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_database_that_changes_what_is_written_is_refused(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill = TargetTable.fill
    changes = {
        "cells of ill": pl.when(pl.arange(60) == 0).then(None).otherwise("ill").alias("ill"),
        "distinct": pl.lit("flu").alias("ill"),
        "rows and groups": pl.concat_str("age", pl.arange(60).cast(pl.String)).alias("age"),
    }
    for what, change in changes.items():
        monkeypatch.setattr(
            TargetTable, "fill", lambda table, frame, c=change: fill(table, frame.with_columns(c))
        )
        with pytest.raises(ReleaseRefusedError, match=what):
            made().write_back(address(kind, tmp_path), "t", papers=tmp_path / "p")
    assert [path.name for path in tmp_path.iterdir()] == []


def test_a_stop_while_the_table_is_filled_leaves_nothing(tmp_path: Path) -> None:
    class Stopping(Silent):
        def phase(self, name: str, total: int | None = None) -> None:
            if name == "counting in the database":
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        made().write_back(
            address("sqlite", tmp_path), "t", papers=tmp_path / "p", progress=Stopping()
        )
    assert [path.name for path in tmp_path.iterdir()] == []


def test_a_full_disk_and_a_locked_file_are_sentences(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    where, target = address("sqlite", tmp_path), TARGETS["sqlite"]
    run_sql = target.run

    def small(self: Any, connection: Any, sql: str) -> Any:
        limited = "PRAGMA max_page_count = 1" if "busy_timeout" in sql else sql
        return run_sql(self, connection, limited)

    with monkeypatch.context() as patch:
        patch.setattr(target, "run", small)
        with pytest.raises(OutputError, match="disk is full"):
            made().write_back(where, "t", papers=tmp_path / "p", ledger="off")
    with sqlite3.connect(tmp_path / "out.sqlite") as other:
        other.execute("CREATE TABLE other (a)")
    other.close()
    holder = adbc.connect(f"file:{tmp_path}/out.sqlite", autocommit=True)
    with holder.cursor() as cursor:
        cursor.execute("BEGIN EXCLUSIVE")
    monkeypatch.setattr(
        target,
        "run",
        lambda self, connection, sql: run_sql(self, connection, sql.replace("20000", "1")),
    )
    with pytest.raises(OutputError, match=r"locked 'out.sqlite'"):
        made().write_back(where, "t", papers=tmp_path / "p", ledger="off")
    holder.close()
    assert tables("sqlite", tmp_path) == ["other"]
    assert not (tmp_path / "p").exists()


@pytest.mark.parametrize(
    ("where", "into", "message"),
    [
        ("mysql+pymysql://host/db", "t", "cannot be written back to 'mysql"),
        ("release/", "t", "has an address"),
        ("sqlite:///o.db", "a.b.c", "not the name of a table"),
        ("sqlite:///o.db", "x" * 64, "longer than 63"),
        ("postgresql://ann:pw@host/db", "t", "password"),
    ],
)
def test_where_it_cannot_be_undone_it_is_not_begun(where: str, into: str, message: str) -> None:
    with pytest.raises(InvalidParameterError, match=message):
        open_target(where, into)


def test_the_command_as_typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    PEOPLE.write_csv("people.csv")
    named = [
        "people.csv",
        "--quasi",
        "age,sex",
        "--sensitive",
        "ill",
        "-k",
        "5",
        "--no-bound",
        "--ledger",
        "off",
    ]
    command = ["anonymize", *named, "-o", "sqlite:///out.db"]
    assert run([*command, "--into", "patients_k5", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["table"] == {
        "kind": "sqlite",
        "name": "patients_k5",
        "rows": 60,
        "groups": told["groups"],
    }
    assert (tmp_path / "patients_k5" / "manifest.json").exists()
    check = ["check", "sqlite:///out.db", "--table", "patients_k5", "--quasi", "age,sex", "-k", "5"]
    assert run(check) == 0
    assert run([*command, "--into", "patients_k5"]) == 2
    assert "not empty" in capsys.readouterr().err
    assert run([*command, "--into", "patients_k5", "--force"]) == 0
    assert "in the database" in capsys.readouterr().out
    for wrong in ([], ["--into", "t", "--format", "csv"], ["--into", "t", "--engine", "spark"]):
        assert run([*command, *wrong]) == 2
    assert run(["anonymize", *named, "-o", "out", "--into", "t"]) == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "out.db",
        "patients_k5",
        "people.csv",
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_papers_and_table_are_checked_attacked_and_documented(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    PEOPLE.write_csv("people.csv")
    where = f"{kind}:///out.{kind}"
    made().write_back(where, "t", papers="papers", ledger="off")
    attack = ["attack", "papers", "--original", "people.csv", "--attacks", "exact_linkage"]
    dossier = ["dossier", "papers", "--as", "dpia", "-o", "dpia.md"]
    for command in (["check", "papers"], attack, dossier):
        assert run(command) == 2
        assert f"SHOAL_RELEASE_DATABASE={kind}://" in capsys.readouterr().err
    monkeypatch.setenv("SHOAL_RELEASE_DATABASE", where)
    assert run(["check", "papers"]) == 0
    assert run(["check", "papers", "-k", "50"]) == 1
    assert run(attack) == 0
    assert run(dossier) == 0
    assert (tmp_path / "dpia.md").exists()
    if kind == "sqlite":
        with closing(sqlite3.connect("out.sqlite")) as other:
            other.execute("DELETE FROM t WHERE rowid = 1")
            other.commit()
        assert run(["check", "papers"]) == 2
        assert "the table 't' is another" in capsys.readouterr().err
