"""Drafts stay out of the ledger and say so; time is told in its parts."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest

import shoal as package
from shoal.ledger import Ledger


@pytest.fixture
def table(here, monkeypatch):
    monkeypatch.setenv("SHOAL_HOME", str(here / "home"))
    lines = [f"{30 + i % 7},{'fm'[i % 2]}" for i in range(40)]
    (here / "t.csv").write_text("age,sex\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return "anonymize t.csv -k 5 --quasi age,sex"


def releases() -> list[str]:
    with Ledger.open() as book:
        return [entry.folder for entry in book.releases()]


def test_a_draft_is_stamped_and_not_in_the_ledger(shoal, here, table) -> None:
    answer = shoal(f"{table} --draft -o out")
    assert answer.code == 0
    assert answer.out.startswith("DRAFT: NOT A RELEASE")
    assert "Draft: Every row hides" in answer.out
    assert releases() == []
    manifest = json.loads((here / "out" / "manifest.json").read_text("utf-8"))
    assert manifest["draft"] is True
    assert manifest["stamps"][0].startswith("draft")
    report = (here / "out" / "report.html").read_text("utf-8")
    assert "<title>Draft: " in report
    said = subprocess.run(
        [sys.executable, "verify.py"], cwd=here / "out", capture_output=True, text=True, check=True
    ).stdout
    assert "This is a DRAFT" in said
    assert shoal(f"{table} --draft -o again --json").json["draft"] is True


def test_what_is_no_draft_is_entered_and_shown_by_table_folder_and_time(shoal, here, table) -> None:
    assert shoal(f"{table} -o out --json").json["draft"] is False
    assert releases() == ["out"]
    shown = shoal("ledger show").out
    assert "t.csv" in shown
    assert " out " in shown
    assert re.search(r"20\d\d-\d\d-\d\dT\d\d:\d\d", shown)
    assert json.loads((here / "out" / "manifest.json").read_text("utf-8"))["draft"] is False


def test_the_bound_can_be_left_out_and_that_is_said(shoal, here, table) -> None:
    answer = shoal(f"{table} --no-bound -o out")
    assert "The least possible loss was not computed" in answer.out
    assert "bounded in" not in answer.out
    found = shoal(f"{table} --no-bound -o again --json").json
    assert found["ngil_bound"] is None
    assert shoal(f"{table} -o third --json").json["ngil_bound"] is not None


def test_time_is_told_in_parts_that_add_up(shoal, here, table) -> None:
    answer = shoal(f"{table} -o out")
    line = next(line for line in answer.out.splitlines() if line.endswith("s in all."))
    for part in ("grouped", "written", "recounted", "the rest"):
        assert part in line
    seconds = shoal(f"{table} -o again --json").json["seconds"]
    assert seconds.keys() >= {"reading", "grouping", "bound", "writing", "recounting", "total"}
    parts = sum(spent for name, spent in seconds.items() if name != "total")
    assert parts == pytest.approx(seconds["total"], abs=0.02)


def test_python_writes_drafts_and_leaves_out_the_bound(here, table) -> None:
    release = package.anonymize("t.csv", quasi_identifiers=["age", "sex"], k=5, bound=False)
    assert "ngil_bound" not in release.summary.utility
    written = release.write("out", draft=True)
    assert written.manifest["draft"] is True
    assert releases() == []
