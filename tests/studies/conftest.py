"""The command line as a user types it, for studies."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from shoal.cli import run


@pytest.fixture
def shoal(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Run a command; return its exit code and what it printed."""

    def type_it(line: str, *more: str | Path) -> tuple[int, str, str]:
        capsys.readouterr()
        code = run([*line.split(), *map(str, more)])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return type_it
