"""What pages say about studies is what is on file."""

from __future__ import annotations

import csv
import importlib.util
import json
from pathlib import Path

import pytest

from shoal.studies import study_names
from shoal.studies._census._gains import Gain, ScoreChange, gain_of

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", study_names())
def test_every_study_has_a_page_and_is_listed(name):
    assert (ROOT / "docs" / "studies" / f"{name}.md").is_file()
    assert f"studies/{name}.md" in (ROOT / "docs" / "studies.md").read_text(encoding="utf-8")


def test_a_run_is_kept_without_what_is_large(tmp_path, monkeypatch):
    spec = importlib.util.spec_from_file_location(
        "keep_study", ROOT / "benchmarks" / "keep_study.py"
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "RESULTS", tmp_path / "kept")
    run = tmp_path / "run"
    (run / "tables").mkdir(parents=True)
    (run / "figures").mkdir()
    (run / "results.json").write_text(json.dumps({"study": "toy"}))
    (run / "tables" / "few.csv").write_text("a\n1\n")
    (run / "tables" / "many.csv").write_text("a\n" + "1\n" * 300_000)
    (run / "figures" / "curve.svg").write_text("<svg/>")
    module.keep(run)
    kept = {p.relative_to(tmp_path / "kept").as_posix() for p in (tmp_path / "kept").rglob("*.*")}
    assert kept == {"toy/results.json", "toy/tables/few.csv", "toy/figures/curve.svg"}


KEPT = ROOT / "benchmarks" / "results" / "studies" / "malle2017"


def kept(name):
    with (KEPT / "tables" / f"{name}.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def told(statement):
    """Value and ends of a statement's interval, as they are on file."""
    row = next(r for r in kept("decisions") if r["statement"] == statement)
    return [float(row[name]) for name in ("value", "low", "high")]


def ends(found):
    return pytest.approx([found.value, *found.interval()], abs=2e-4)


def test_what_weights_change_follows_from_what_is_kept():
    rows = str(json.loads((KEPT / "results.json").read_text())["numbers"]["most_rows"])
    here = [
        ScoreChange(int(r["expert"]), r["target"], int(r["k"]), float(r["proper"]), int(r["draw"]))
        for r in kept("changes")
        if (r["code"], r["rows"], r["way"]) == ("today", rows, "iml")
    ]
    assert told("iml above equal") == ends(Gain.of_changes(here))
    assert told("iml of those who know") == ends(gain_of(here, kind="knowing"))
