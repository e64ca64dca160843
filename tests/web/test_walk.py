"""What somebody new has to open to follow one CSV, and one answer on the Teach page."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

MOST_FILES = 20
#: Of ``shoal anonymize``; these fall and never rise (goals: CONTRIBUTING).
ANONYMIZE = {"files": 80, "functions": 420, "crossings": 154}


@pytest.fixture
def walk(monkeypatch, shoal_home):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "benchmarks"))
    monkeypatch.delitem(sys.modules, "walk", raising=False)
    import walk

    return walk


def test_one_answer_runs_through_few_files(walk):
    found = walk.count_answer()
    assert len(found.files) <= MOST_FILES, sorted(found.files)
    files = {file.replace("\\", "/") for file in found.files}
    assert {"web/_guard.py", "web/pages/_teach.py", "session/_session.py"} <= files


def test_one_csv_runs_through_no_more_than_it_did(walk):
    found = walk.count_anonymize()
    counted = (len(found.files), len(found.functions), found.crossings)
    assert all(now <= most for now, most in zip(counted, ANONYMIZE.values(), strict=True)), counted
    files = {file.replace("\\", "/") for file in found.files}
    assert {"recipe.py", "anonymizer.py", "verifier/_recount.py", "ledger/_ledger.py"} <= files
