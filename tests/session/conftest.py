"""Sessions under test keep their keys in a folder of their own."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def private(tmp_path, monkeypatch):
    monkeypatch.setenv("SHOAL_HOME", str(tmp_path / "home"))
