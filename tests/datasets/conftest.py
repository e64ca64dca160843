"""Public data is looked for on this machine only: tests never download."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest

from shoal.datasets._store import PublicFile, find


@pytest.fixture
def need() -> Callable[..., None]:
    """Skip, or fail where CI is true, unless these public files are on this machine."""

    def check(*files: PublicFile) -> None:
        lacking = [file.path for file in files if find(file) is None]
        if not lacking:
            return
        message = f"not found through SHOAL_DATA or ../shared/data: {', '.join(lacking)}"
        if os.environ.get("CI") == "true":
            pytest.fail(message)
        pytest.skip(message)

    return check
