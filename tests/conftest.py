"""What all tests share: where the public data sets are."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

_BESIDE_THE_REPOSITORY = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """Folder of the public data sets; without it tests skip, and fail under ``CI=true``."""
    folder = Path(os.environ.get("SHOAL_DATA") or _BESIDE_THE_REPOSITORY)
    if not folder.is_dir():
        message = "The public data sets are not here: set SHOAL_DATA to their folder."
        if os.environ.get("CI") == "true":
            pytest.fail(message)
        pytest.skip(message)
    return folder


@pytest.fixture(autouse=True)
def own_house(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give every test a private folder of its own: no ledger or key outlives it."""
    house = tmp_path_factory.mktemp("house")
    monkeypatch.delenv("SHOAL_HOME", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(house))
    return house
