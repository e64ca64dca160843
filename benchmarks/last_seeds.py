"""How many random towns a test of kernels needs: ``python benchmarks/last_seeds.py tests/kernels``.

A test that goes through seeds shows most of a kernel in the first few. Kernels run as Python here,
and for each test the last seeds are printed that went from one line to another as no seed before
had: those after them repeat what was seen. Arguments go to pytest; it takes a minute a file.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

HERE = Path(__file__).resolve()
KERNELS = str(HERE.parents[1] / "src" / "shoal" / "kernels")
SHOWN = 4


def main() -> int:
    """Run pytest with this file as its plugin, kernels uncompiled."""
    path = os.pathsep.join(filter(None, (str(HERE.parent), os.environ.get("PYTHONPATH"))))
    alone = ["-p", HERE.stem, "-W", "ignore::RuntimeWarning"]  # numbers go round, as compiled ones
    command = [sys.executable, "-m", "pytest", "-q", *alone, *sys.argv[1:]]
    told = {"PYTHONPATH": path, "NUMBA_DISABLE_JIT": "1"}
    return subprocess.run(command, cwd=HERE.parents[1], env={**os.environ, **told}).returncode


# ---------------------------------------------------------------------- inside pytest

_found: dict[str, dict[int, int]] = {}


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Watch the kernels while a test runs."""
    watched = Watched()
    sys.settrace(watched.begin)
    try:
        return (yield)
    finally:
        sys.settrace(None)
        _found[item.nodeid] = dict(watched.new)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print how much each of the last seeds showed that were of any use."""
    for test, new in _found.items():
        last = ", ".join(f"{seed} ({new[seed]})" for seed in sorted(new)[-SHOWN:])
        terminalreporter.write_line(f"{test}: {last or 'no kernel'}")


class Watched:
    """Steps from line to line that a test was the first to take, counted by its seed."""

    def __init__(self) -> None:
        self.new: dict[int, int] = defaultdict(int)
        self.seen: set[tuple[CodeType, int, int]] = set()

    def begin(self, frame: FrameType, event: str, _: Any) -> Callable[..., Any] | None:
        """Follow a call if it is one of a kernel."""
        return self._follow() if frame.f_code.co_filename.startswith(KERNELS) else None

    def _follow(self) -> Callable[..., Any]:
        before = 0

        def step(frame: FrameType, event: str, _: Any) -> Callable[..., Any]:
            nonlocal before
            if event == "line":
                taken = (frame.f_code, before, before := frame.f_lineno)
                if taken not in self.seen:
                    self.seen.add(taken)
                    self.new[_seed(frame)] += 1
            return step

        return step


def _seed(frame: FrameType | None) -> int:
    """Tell the seed that the test is at, -1 if it has none."""
    while frame is not None and not frame.f_code.co_name.startswith("test_"):
        frame = frame.f_back
    return -1 if frame is None else int(frame.f_locals.get("seed", -1))


if __name__ == "__main__":
    sys.exit(main())
