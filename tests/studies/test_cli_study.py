"""``shoal study`` as a user types it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time

import pytest
from toys import Squares

import shoal.studies
from shoal.exceptions import ShoalError
from shoal.studies import finished_work, study_names


@pytest.fixture
def squares(monkeypatch):
    """A study that is over at once, under the name of a real one."""
    monkeypatch.setattr(shoal.studies, "find_study", lambda name: Squares())


def test_without_a_name_they_are_listed(shoal):
    code, out, err = shoal("study")
    assert (code, err) == (0, "")
    assert [line.split()[0] for line in out.splitlines()] == study_names()
    code, out, _ = shoal("study --json")
    assert [*json.loads(out)["studies"]] == study_names()


@pytest.mark.usefixtures("squares")
def test_small_then_full_in_the_same_folder(shoal, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, out, _ = shoal("study squares --workers 1")
    assert code == 0
    assert "[holds] Squares grow." in out
    assert "Read study-squares/index.html" in out
    code, out, _ = shoal("study squares --full --workers 1 --json")
    facts = json.loads(out)
    assert (code, facts["items"], facts["done_now"], facts["size"]) == (0, 7, 4, "full")
    assert facts["numbers"] == {"sum": 55}
    assert (tmp_path / facts["output"] / "index.html").is_file()


@pytest.mark.usefixtures("squares")
def test_a_folder_of_something_else_is_refused(shoal, tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    code, out, err = shoal("study squares --workers 1 -o", tmp_path)
    assert (code, out) == (2, "")
    assert "holds something else" in err
    assert (tmp_path / "mine.txt").read_text() == "mine"


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("study malle2071", "malle2017"),
        ("study malle2017 --workers none", "whole number"),
        ("study malle2017 --workers 0 -o never-made", "one worker"),
    ],
)
def test_wrong_usage_is_one_sentence_and_a_hint(shoal, tmp_path, monkeypatch, line, word):
    monkeypatch.chdir(tmp_path)
    code, out, err = shoal(line)
    assert (code, out) == (2, "")
    assert word in err
    assert not any(tmp_path.iterdir())


def test_ctrl_c_keeps_what_is_done(data_dir, tmp_path):
    words = ["-m", "shoal", "study", "malle2017", "--workers", "1", "-o"]
    process = subprocess.Popen(
        [sys.executable, *words, str(tmp_path / "out")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    end = time.monotonic() + 90
    while not (tmp_path / "out").is_dir() or not len(_finished(tmp_path / "out")):
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (130, "")
    assert "finished work is kept" in err
    assert "same command" in err
    assert len(_finished(tmp_path / "out")) >= 1


def _finished(folder):
    try:
        return finished_work("malle2017", folder)
    except ShoalError:  # there is no store yet
        return []
