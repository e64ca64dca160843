"""One answer on the Teach page can be followed by somebody new: few files have to be opened."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

MOST_FILES = 20


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
