"""A house of its own for every test, and the table of a small hospital."""

from __future__ import annotations

from pathlib import Path

import pytest
from hospital import hospital


@pytest.fixture(autouse=True)
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A house of its own, without any key in the environment."""
    folder = tmp_path / "house"
    monkeypatch.setenv("SHOAL_HOME", str(folder))
    for name in ("SHOAL_PROJECT_KEY", "SHOAL_PROJECT_KEY_FILE"):
        monkeypatch.delenv(name, raising=False)
    return folder


@pytest.fixture
def patients(tmp_path: Path) -> Path:
    """The same as a file."""
    path = tmp_path / "patients.csv"
    hospital().write_csv(path)
    return path
