"""A pytest session that tries mutants: each in a fork, with only the tests that run its lines.

All tests are collected once, and every library is imported once. The first fork runs all tests
without a fault, says whether they pass, and writes down which lines each of them runs. A fork
for a mutant puts the changed code in the place of the old and runs the tests that reach it, those
that noticed most so far and the fastest first, until one fails. What runs on import cannot be put
in place: a new process tries it.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any, TypeAlias

import pytest
from _pytest.runner import runtestprotocol

from mutants import Mutant

PATIENCE = 60.0  # seconds beyond ten times what the tests take; who needs more runs forever
QUICK = 1.0  # seconds of one test
MOST = 25.0  # seconds of tests for one mutant; later ones are not asked, to its advantage

NOT_IN_PLACE = 3
HARMLESS = ("python", "pytest", "jemalloc", "polars-ooc")  # threads that nobody waits for

Lines: TypeAlias = dict[str, set[int]]


def try_all(
    mutants: Sequence[Mutant], copy: Path, tests: Sequence[str], noticed: Callable[[Mutant], None]
) -> tuple[list[Mutant], float]:
    """Try mutants in a copy of the repository.

    Returns
    -------
    tuple
        Those that no test noticed, and the seconds that all took, without the run before.
    """
    lab = Lab(copy, mutants, noticed)
    os.chdir(copy)
    code = pytest.main(["-q", "-s", "-p", "no:cacheprovider", *tests], plugins=[lab])
    if not lab.is_done:
        raise SystemExit(f"The session ended early ({code}).")
    return lab.unnoticed, lab.seconds


class Lab:
    """A pytest plugin that tries mutants in the place of running the tests.

    Parameters
    ----------
    copy : Path
        A copy of the repository; the session runs in it.
    mutants : sequence of Mutant
        What to try.
    noticed : callable
        Is told of each mutant that a test noticed.
    """

    def __init__(
        self, copy: Path, mutants: Sequence[Mutant], noticed: Callable[[Mutant], None]
    ) -> None:
        self.copy, self.mutants, self.noticed = copy, mutants, noticed
        self.unnoticed: list[Mutant] = []
        self.seconds, self.is_done = 0.0, False
        self.source = copy / "src" / "shoal"
        self.functions: list[FunctionType] = []
        self.kills: Counter[tuple[str, str]] = Counter()  # by file and test
        self.killer = copy / "killer"
        files = {mutant.file for mutant in mutants}
        self.tracer = _Tracer({str(self.source / file): file for file in files})

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Try all mutants."""
        if workers := [name for name in _threads() if not name.startswith(HARMLESS)]:
            raise SystemExit(f"A test file began threads, which no fork inherits: {workers}.")
        facts = self.copy / "reached.json"
        if _forked(lambda: self._without_fault(session.items, facts), PATIENCE * 30):
            raise SystemExit("Without any fault these fail:\n" + facts.read_text())
        seconds, reached = _by_line(json.loads(facts.read_text()))
        items = {item.nodeid: item for item in session.items}
        self.functions = [f for f in gc.get_objects() if type(f) is FunctionType]
        gc.freeze()
        begun = time.perf_counter()
        for number, mutant in enumerate(self.mutants, 1):
            names = self._tests_of(mutant, reached, seconds)
            self.killer.unlink(missing_ok=True)
            if names and self._is_noticed(mutant, [items[n] for n in names], seconds):
                self.noticed(mutant)
                if self.killer.exists():
                    self.kills[mutant.file, self.killer.read_text()] += 1
            else:
                self.unnoticed.append(mutant)
                print(f"  unnoticed by {len(names)} tests: {mutant}", flush=True)
            if number % 10 == 0:
                print(
                    f"  {number} of {len(self.mutants)}, {time.perf_counter() - begun:.0f} s",
                    flush=True,
                )
        self.seconds, self.is_done = time.perf_counter() - begun, True
        return True

    def _tests_of(
        self, mutant: Mutant, reached: dict[str, dict[int, set[str]]], seconds: dict[str, float]
    ) -> list[str]:
        """Name the tests that reach a mutant: of its own package first, quick files before slow."""
        by_line = reached.get(mutant.file, {})
        lines = mutant.lines or by_line
        names = {name for line in lines for name in by_line.get(line, ())}
        package, of_file = mutant.file.partition("/")[0], Counter[str]()
        for name in names:
            of_file[name.partition("::")[0]] += seconds[name]  # type: ignore[assignment]

        def turn(name: str) -> tuple[Any, ...]:
            spent, file = seconds[name], name.partition("::")[0]
            proven = -self.kills[mutant.file, name] if spent < QUICK else 0
            elsewhere = f"/{package}/" not in name
            return proven, elsewhere, spent > QUICK, of_file[file], file, spent, name

        spent, few = 0.0, []
        for name in sorted(names, key=turn):
            spent += seconds[name]
            if few and spent > MOST:
                break
            few.append(name)
        return few

    def _is_noticed(
        self, mutant: Mutant, items: list[pytest.Item], seconds: dict[str, float]
    ) -> bool:
        path = self.source / mutant.file
        before, times = path.read_bytes(), path.stat()
        patience = PATIENCE + 10 * sum(seconds[item.nodeid] for item in items)
        path.write_text(mutant.text, encoding="utf-8")  # for those who read or start it anew
        try:
            if mutant.lines:
                code = _forked(lambda: self._with_fault(path, before, mutant, items), patience)
                if code != NOT_IN_PLACE:
                    return code != 0
            return _anew([item.nodeid for item in items], patience)
        finally:
            path.write_bytes(before)
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))

    def _with_fault(
        self, path: Path, before: bytes, mutant: Mutant, items: list[pytest.Item]
    ) -> int:
        try:
            self._put_in_place(path, before.decode(), mutant.text)
        except (LookupError, ValueError):
            return NOT_IN_PLACE
        try:
            for item, following in zip(items, [*items[1:], None], strict=True):
                reports = runtestprotocol(item, log=False, nextitem=following)
                if any(report.failed for report in reports):
                    self.killer.write_text(item.nodeid)
                    return 1
        except BaseException:
            return 1
        return 0

    def _put_in_place(self, path: Path, before: str, after: str) -> None:
        """Give every function of a file the code it has after a change."""
        if path not in {Path(getattr(m, "__file__", None) or "") for m in sys.modules.values()}:
            return  # not imported yet: who imports it reads the change
        old, new = ([*_functions(_compiled(text, path))] for text in (before, after))
        changed = {a: b for a, b in zip(old, new, strict=True) if a != b}
        found = [function for function in self.functions if function.__code__ in changed]
        for function in found:
            function.__code__ = changed[function.__code__]
        if not found:
            raise LookupError(f"Nothing in {path.name} has the code that was changed.")

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_call(self) -> None:
        """Tell what prepares a test from what it does."""
        self.tracer.prepared = {file: {*lines} for file, lines in self.tracer.lines.items()}

    def _without_fault(self, items: list[pytest.Item], facts: Path) -> int:
        """Run all tests and write down what they reach, or which of them fail."""
        failed, found = [], {}
        for item, following in zip(items, [*items[1:], None], strict=True):
            self.tracer.begin()
            begun = time.process_time()
            with self.tracer:
                reports = runtestprotocol(item, log=False, nextitem=following)
            spent = time.process_time() - begun
            failed += [f"{item.nodeid}\n{r.longreprtext}" for r in reports if r.failed]
            prepared, lines = map(_sorted, (self.tracer.prepared, self.tracer.lines))
            found[item.nodeid] = {"seconds": spent, "prepared": prepared, "lines": lines}
        facts.write_text("\n".join(failed) if failed else json.dumps(found))
        return 1 if failed else 0


def _by_line(found: dict[str, Any]) -> tuple[dict[str, float], dict[str, dict[int, set[str]]]]:
    """Turn what each test reaches into who reaches each line.

    What prepares one test of a file may be kept for its others: they reach it too.
    """
    reached: dict[str, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
    neighbours = defaultdict(set)
    for name in found:
        neighbours[name.partition("::")[0]].add(name)
    for name, facts in found.items():
        for file, lines in facts["lines"].items():
            for line in lines:
                reached[file][line].add(name)
        for file, lines in facts["prepared"].items():
            for line in lines:
                reached[file][line] |= neighbours[name.partition("::")[0]]
    return {name: facts["seconds"] for name, facts in found.items()}, reached


def _compiled(text: str, path: Path) -> CodeType:
    """Compile a file as Python would: what this file imports from the future is its own."""
    return compile(text, str(path), "exec", dont_inherit=True)


def _threads() -> list[str]:
    tasks = Path("/proc/self/task")
    return [(task / "comm").read_text().strip() for task in tasks.iterdir()]


def _functions(code: CodeType) -> Iterator[CodeType]:
    """All functions that a module or a class makes when it runs."""
    for part in code.co_consts:
        if isinstance(part, CodeType):
            if part.co_flags & 2:  # it has locals of its own: a function, not a class
                yield part
            else:
                yield from _functions(part)


def _forked(work: Callable[[], int], patience: float) -> int:
    """Do something in a fork and return its number; what runs forever or dies gives another."""
    child = os.fork()
    if not child:
        code = 1
        try:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.alarm(int(patience))
            nothing = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nothing, 1)
            os.dup2(nothing, 2)
            code = work()
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _anew(names: list[str], patience: float) -> bool:
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *names]
    try:
        done = subprocess.run(command, capture_output=True, timeout=patience + 60, check=False)
    except subprocess.TimeoutExpired:
        return True
    return done.returncode != 0


def _sorted(lines: Lines) -> dict[str, list[int]]:
    return {file: sorted(numbers) for file, numbers in lines.items()}


class _Tracer:
    """Collects the lines that run of some files."""

    def __init__(self, files: dict[str, str]) -> None:
        self.files = files
        self.begin()

    def begin(self) -> None:
        """Forget the lines so far."""
        self.lines: Lines = defaultdict(set)
        self.prepared: Lines = {}

    def __enter__(self) -> None:
        threading.settrace(self._call)
        sys.settrace(self._call)

    def __exit__(self, *_: object) -> None:
        sys.settrace(None)
        threading.settrace(None)  # type: ignore[arg-type]

    def _call(self, frame: FrameType, event: str, _: object) -> Any:
        file = self.files.get(frame.f_code.co_filename)
        if file is None:
            return None
        lines = self.lines[file]

        def note(frame: FrameType, event: str, _: object) -> Any:
            if event == "line":
                lines.add(frame.f_lineno)
            return note

        return note
