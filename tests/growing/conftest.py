"""A house of its own for each test."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def house(tmp_path, monkeypatch):
    monkeypatch.setenv("SHOAL_HOME", str(tmp_path / "home"))
    return tmp_path
