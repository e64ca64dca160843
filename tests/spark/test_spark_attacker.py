"""The attacker of ``make soak`` on releases that Spark made: recounted, and their papers read."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import polars as pl
import pytest

from shoal.cli import run
from shoal.plan import Plan
from shoal.table import Roles

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
SEEDS = (0, 3, 5, 8)
KINDS = (".csv", ".json", ".html")


@pytest.fixture(scope="module")
def attacker():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(BENCHMARKS)
        patch.setenv("SHOAL_HOME", "")  # the attacker sets its own
        import soak_attacker

        yield soak_attacker


@pytest.fixture(scope="module")
def attacked(spark, attacker, tmp_path_factory):
    """How each attack ended, and the folder in which the release lies if there is one."""
    found = {}
    for seed in SEEDS:
        folder = tmp_path_factory.mktemp(f"attacked-{seed}")
        found[seed] = (*attacker.attack(seed, folder, look=True, engine="spark"), folder)
    return found


def test_nothing_is_found_in_random_releases_of_spark(attacked):
    assert {seed: wrong for seed, (_, wrong, _) in attacked.items() if wrong} == {}
    assert [outcome for outcome, *_ in attacked.values()].count("released") >= 2


def test_a_release_of_spark_that_lies_is_found_out(attacker, attacked, tmp_path):
    seed, (*_, folder) = next(
        (seed, told) for seed, told in attacked.items() if told[0] == "released"
    )
    shutil.copytree(folder / "out", tmp_path / "out")
    (part,) = (tmp_path / "out" / "data").glob("*.csv")
    part.write_text(part.read_text("utf-8").replace(",flu", ",plague", 1), encoding="utf-8")
    attempt = attacker.draw_for_spark(seed)
    said = {"ngil": 1, "ngil_bound": None, "rows_out": 0, "suppressed": 0, "groups": 0, "k": 0}
    doubts = {*attacker.doubts(attempt, said, tmp_path / "out")}
    assert "a sensitive value was not in the table" in doubts


def test_when_everything_would_be_left_out_spark_refuses(spark, tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("SHOAL_HOME", str(tmp_path / "home"))
    people = tmp_path / "in.csv"
    people.write_text("age,ill\n" + "".join(f"{7 * i},flu\n" for i in range(12)), encoding="utf-8")
    line = ["anonymize", str(people), "--quasi", "age", "-k", "3", "--limit", "age=2"]
    line += ["--max-suppression", "1", "--engine", "spark", "-o", str(tmp_path / "out"), "--json"]
    assert run(line) == 1
    assert "all 12 rows would be suppressed" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
    local = [word.replace("spark", "local") for word in line[:-1]]
    assert run(local) == 1  # as on one machine


def test_the_papers_of_a_spark_release_tell_no_exact_number_of_those_left_out(
    spark, tmp_path, monkeypatch
):
    monkeypatch.setenv("SHOAL_HOME", str(tmp_path / "home"))
    ages = [str(20 + i % 5) for i in range(40)] + ["117"]
    (tmp_path / "in.csv").write_text("age\n" + "\n".join(ages) + "\n", encoding="utf-8")
    line = ["anonymize", str(tmp_path / "in.csv"), "--quasi", "age", "-k", "4", "--limit", "age=9"]
    line += ["--max-suppression", "0.2", "--engine", "spark", "-o", str(tmp_path / "out")]
    assert run(line) == 0
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text("utf-8"))
    assert manifest["rows"] == 40
    assert str(manifest["suppressed"]).startswith("fewer than")
    papers = [path for path in (tmp_path / "out").rglob("*") if path.suffix in (".json", ".html")]
    assert not [path for path in papers if "117" in path.read_text("utf-8")]


@pytest.mark.parametrize("part", ["one fragment", "several"])
def test_how_a_value_left_out_was_written_shows_nowhere_on_spark(
    spark, tmp_path, monkeypatch, part
):
    """Somebody of 117 years was 117.25 in the other table: no end of any interval has decimals."""
    from shoal.spark import anonymize

    monkeypatch.setenv("SHOAL_HOME", str(tmp_path / "home"))
    most = 30 if part == "several" else 1_000
    found = []
    for oldest, when in (("117", "2001-02-03"), ("117.25", "2001-02-03T04:05:06")):
        rows = [(str(20 + i % 7), f"2000-01-{1 + i % 9:02}", "a") for i in range(60)]
        rows.insert(7, (oldest, when, "a"))
        cells = pl.DataFrame(rows, schema=["age", "born", "ill"], orient="row")
        plan = Plan(
            roles=Roles(quasi_identifiers=("age", "born"), sensitive="ill"),
            kinds={"age": "numeric", "born": "date"},
            k=4,
            limits={"age": 9},
            grid={"age": 2.5},
            max_suppression=0.2,
            order="common",
            refine=False,
        )
        frame = spark.createDataFrame(cells.to_arrow())
        with anonymize(frame, plan, rows_per_fragment=most) as release:
            assert release.spans.suppressed == 1
            release.write(tmp_path / oldest, ledger="off")
        folder = tmp_path / oldest
        found.append({p.name: p.read_bytes() for p in folder.rglob("*") if p.suffix in KINDS})
    assert {*found[0]} == {*found[1]}
    assert [name for name in found[0] if found[0][name] != found[1][name]] == []
    assert b"117" not in b"".join(found[0].values())
