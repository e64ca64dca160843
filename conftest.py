"""What all tests and all examples in documents share: a house of their own."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("shoal", deadline=None)  # a test never times a thing
settings.load_profile("shoal")


@pytest.fixture(autouse=True)
def own_house(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give every test a private folder of its own: no ledger or key outlives it."""
    house = tmp_path_factory.mktemp("house")
    monkeypatch.delenv("SHOAL_HOME", raising=False)
    for name in ("XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(house))
    return house
