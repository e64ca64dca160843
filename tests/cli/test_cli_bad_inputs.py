"""Every bad input ends in exit 2: one sentence, a hint, no traceback, no cell, nothing written."""

from __future__ import annotations

from pathlib import Path

import pytest
from bad_inputs import BAD, CANARY, GOOD, Bad


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
def test_is_told_in_a_sentence(bad: Bad, shoal, here: Path) -> None:
    for name, content in {"t.csv": GOOD, **bad.files}.items():
        (here / name).parent.mkdir(exist_ok=True)
        (here / name).write_bytes(content)
    before = _listing(here)
    answer = shoal(bad.line)
    assert answer.code == 2, answer
    assert answer.out == ""
    assert bad.says in answer.err
    _check_manners(answer.err)
    assert _listing(here) == before


def _check_manners(err: str) -> None:
    first, *rest = err.splitlines()
    assert first.startswith("Error: ")
    assert first.endswith((".", "?", "!"))
    assert "stumbled" not in first  # what a user does wrong is not a bug
    assert len(rest) <= 1
    assert all(line.startswith("Hint: ") for line in rest)
    assert "Traceback" not in err
    assert CANARY not in err


def _listing(folder: Path) -> dict[str, bytes]:
    return {str(p): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()} | {
        str(p): b"" for p in folder.rglob("*") if p.is_dir()
    }
