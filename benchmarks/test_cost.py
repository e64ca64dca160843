"""CPU seconds of tests by folder, with all that they start: ``python benchmarks/test_cost.py``.

Counted are user and system time of pytest, its workers, and every process they leave to
others: Java, browsers, servers, Pythons. Arguments go to pytest; without any, all tests run
as ``make test`` runs them. ``--files N`` lists the N dearest files as well, ``--tests N``
the N dearest tests.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import resource
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from signal import SIGCHLD
from time import monotonic, sleep

import pytest

HERE = Path(__file__).resolve()
ROOT = HERE.parents[1]
PARALLEL = ("-n", "2", "--dist", "loadfile")
ADOPT_ORPHANS = 36  # PR_SET_CHILD_SUBREAPER: a browser's children outlive the browser
TICK = os.sysconf("SC_CLK_TCK")


def main() -> int:
    """Run pytest with this file as its plugin; print what each folder took."""
    asked = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    asked.add_argument("--files", type=int, default=0)
    asked.add_argument("--tests", type=int, default=0)
    shown, rest = asked.parse_known_args()
    ctypes.CDLL(None).prctl(ADOPT_ORPHANS, 1, 0, 0, 0)
    begun = monotonic()
    command = [sys.executable, "-m", "pytest", "-p", HERE.stem, *(rest or PARALLEL)]
    told = {"SHOAL_COST_FILES": str(shown.files), "SHOAL_COST_TESTS": str(shown.tests)}
    path = os.pathsep.join(filter(None, (str(HERE.parent), os.environ.get("PYTHONPATH"))))
    with tempfile.NamedTemporaryFile("r") as lost:
        told |= {"SHOAL_COST_LOST": lost.name, "PYTHONPATH": path}
        code = subprocess.run(command, cwd=ROOT, env={**os.environ, **told}).returncode
        _bury()
        spent = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = spent.ru_utime + spent.ru_stime + sum(map(float, lost))
    print(f"{seconds:.0f} CPU seconds, {monotonic() - begun:.0f} of wall")
    return code


def _bury(patience: float = 10.0) -> None:
    """Wait for those left behind, but not for ever: the kernel counts a child once it is buried."""
    until = monotonic() + patience
    with suppress(ChildProcessError):
        while monotonic() < until:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                sleep(0.1)


# ---------------------------------------------------------------------- inside pytest

_spent: Counter[str] = Counter()
_begun = 0.0


def pytest_sessionstart() -> None:
    """Look around twice a second, so that nobody who is never waited for is missed."""
    threading.Thread(target=_watch, daemon=True).start()


def pytest_sessionfinish() -> None:
    """Leave word of what the kernel does not count."""
    if "SHOAL_COST_LOST" in os.environ:
        with open(os.environ["SHOAL_COST_LOST"], "a") as file:
            file.write(f"{_clock.unwaited}\n")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol() -> Iterator[None]:
    """Note what was spent before a test."""
    global _begun
    _begun = _clock.read()
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(call: pytest.CallInfo[None]) -> Iterator[None]:
    """Write what a test took onto its last report, which a worker sends home."""
    report = yield
    if call.when == "teardown":
        report.cost = _clock.read() - _begun
    return report


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Add up, in the process that began the workers."""
    if hasattr(report, "cost"):
        _spent[report.nodeid] += report.cost


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print folders, dearest first, then files and tests as asked for."""
    folders, files = Counter(), Counter()
    for name, seconds in _spent.items():
        file = name.partition("::")[0]
        files[file] += seconds
        folders["/".join(Path(file).parts[:2])] += seconds
    say = terminalreporter.write_line
    for heading, sums, most in (
        ("folders", folders, None),
        ("files", files, int(os.environ.get("SHOAL_COST_FILES", 0))),
        ("tests", _spent, int(os.environ.get("SHOAL_COST_TESTS", 0))),
    ):
        if most != 0:
            say(f"CPU seconds of {heading}, {sums.total():.0f} in all")
            for name, seconds in sums.most_common(most):
                say(f"{seconds:8.1f} {name}")


@dataclass
class Clock:
    """CPU seconds of this process and of everything below it, alive or gone.

    Children that nobody waits for (Spark's Pythons) take their seconds with them, ``unwaited``;
    those that lose their parent (a browser's) are counted by whoever adopts them, ``adopted``.
    """

    last: float = 0.0
    unwaited: float = 0.0
    adopted: float = 0.0
    seen: dict[int, tuple[bool, float]] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def read(self) -> float:
        """Tell the seconds until now; never fewer than before."""
        with self.lock:
            found = {**{p: lone for p, (lone, _) in self.seen.items()}, **dict(_below(os.getpid()))}
            below = {p: (lone, s) for p, lone in found.items() if (s := _of_process(p)) is not None}
            gone = self.seen.keys() - below.keys()  # the kernel's list alone may leave out some
            self.unwaited += sum(self.seen[p][1] for p in gone if self.seen[p][0])
            self.seen = below
            now = sum(os.times()[:4]) + sum(s for _, s in below.values()) + self.unwaited
            self.adopted += max(self.last - now - self.adopted, 0.0)
            self.last = now + self.adopted
            return self.last


_clock = Clock()


def _watch() -> None:
    while True:
        _clock.read()
        sleep(0.5)


def _below(process: int) -> Iterator[tuple[int, bool]]:
    """Living processes that descend from one, and whether nobody waits for them."""
    try:
        threads = [path / "children" for path in Path(f"/proc/{process}/task").iterdir()]
        children = " ".join(path.read_text() for path in threads).split()
        lone = bool(children) and _ignores_children(process)
    except OSError:
        return  # gone in the meantime
    for child in map(int, children):
        yield child, lone
        yield from _below(child)


def _ignores_children(process: int) -> bool:
    ignored = Path(f"/proc/{process}/status").read_text().partition("SigIgn:")[2].split()[0]
    return bool(int(ignored, 16) >> (SIGCHLD - 1) & 1)


def _of_process(process: int) -> float | None:
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return sum(map(int, fields[11:15])) / TICK


if __name__ == "__main__":
    sys.exit(main())
