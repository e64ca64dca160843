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
