"""The command line as a user types it: in this process, with what it prints."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from shoal.cli import run
from shoal.datasets import people

CANARY = "Kanarie7731"  # a value that must never leave a cell


@dataclass(frozen=True)
class Answer:
    """What a command answered."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON object on standard output."""
        return json.loads(self.out)


Shoal = Callable[..., Answer]


@pytest.fixture
def shoal(capsys: pytest.CaptureFixture[str]) -> Shoal:
    """Run a command, given as one line or as arguments."""

    def type_it(line: str, *more: str | Path) -> Answer:
        capsys.readouterr()
        code = run([*line.split(), *map(str, more)])
        printed = capsys.readouterr()
        return Answer(code, printed.out, printed.err)

    return type_it


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="session")
def town(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the table of a small town, ``data.csv``, and its ``hierarchies``."""
    return people(300).write(tmp_path_factory.mktemp("town"))


@pytest.fixture(scope="session")
def patients(town: Path) -> Path:
    """The table of a small town."""
    return town / "data.csv"
