"""The attacker of ``make soak``: finds nothing in honest releases, and something in others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture
def attacker(monkeypatch):
    monkeypatch.syspath_prepend(BENCHMARKS)
    import soak_attacker

    monkeypatch.setenv("SHOAL_HOME", "")  # the attacker sets its own
    return soak_attacker


def released(attacker, folder, seed=3):
    outcome, wrong = attacker.attack(seed, folder, look=True)
    assert (outcome, wrong) == ("released", [])
    manifest = json.loads((folder / "out" / "manifest.json").read_text("utf-8"))
    said = {"ngil": 0.5, "ngil_bound": 0.4, "groups": manifest["groups"], "suppressed": 0}
    return attacker.draw(seed), said | {"rows_out": manifest["rows"], "k": 6}


def test_an_honest_release_is_not_doubted(attacker, tmp_path):
    attempt, said = released(attacker, tmp_path)
    said["suppressed"] = len(attempt.rows) - said["rows_out"]
    told = set(attacker.doubts(attempt, said, tmp_path / "out"))
    assert told <= {"k is told otherwise than it is"}


@pytest.mark.parametrize(
    ("change", "finding"),
    [
        (lambda text, said: (text.rsplit("\n", 2)[0] + "\n", said), "counted otherwise"),
        (lambda text, said: (text, said | {"ngil_bound": 0.6}), "the bound is above the loss"),
        (lambda text, said: (text.replace(",flu", ",plague", 1), said), "was not in the table"),
        (lambda text, said: (text.replace("[", "[-", 1), said), "smaller than k"),
    ],
)
def test_a_release_that_lies_is_found_out(attacker, tmp_path, change, finding):
    attempt, said = released(attacker, tmp_path)
    data = tmp_path / "out" / "data.csv"
    text, said = change(data.read_text("utf-8"), said)
    data.write_text(text, encoding="utf-8")
    assert any(finding in doubt for doubt in attacker.doubts(attempt, said, tmp_path / "out"))
