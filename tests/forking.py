"""Scripts in processes of their own that may be killed, without a new Python's second of imports.

One server of forks per worker makes the imports, and nothing else: what it forks is as young as
a Python that has just made them, with no thread of ours and no lock taken. Among them is what numba
looks up before it loads a first kernel, for a quarter of a second.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from multiprocessing import forkserver
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import TextIO

ROOMS = ("cli._app", "ledger", "release", "report", "session", "verifier", "web._app")
_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload(
    ["numpy", "polars", "duckdb", *(f"shoal.{room}" for room in ROOMS), "numba_ready"],
)


@dataclass
class Script:
    """A script that runs, and what it prints."""

    process: ForkServerProcess
    stdout: TextIO

    def wait(self, seconds: float = 120) -> int:
        """Tell how it ended, as `subprocess` would: below zero is a signal."""
        self.process.join(seconds)
        self.stdout.close()
        assert self.process.exitcode is not None, "it goes on and on"
        return self.process.exitcode

    def send_signal(self, number: int) -> None:
        """Send a signal, unless it has ended by itself."""
        assert self.process.pid is not None
        if self.process.exitcode is None:
            with suppress(ProcessLookupError):  # it ends at this moment
                os.kill(self.process.pid, number)


def begin(
    script: str,
    *words: object,
    cwd: os.PathLike[str] | str | None = None,
    env: dict[str, str] | None = None,
    errors: os.PathLike[str] | str | None = None,
) -> Script:
    """Start a script as ``python -c`` would: words as arguments, an environment, a folder.

    What it prints comes back through a pipe, its errors are added to a file if one is named.
    """
    hears, tells = _FORKS.Pipe(duplex=False)
    told = (dict(os.environ if env is None else env), os.fspath(cwd or os.getcwd()), errors, tells)
    _serve_forks()
    process = _FORKS.Process(target=_play, args=(script, [*map(str, words)], *told))
    process.start()
    tells.close()
    heard = os.fdopen(os.dup(hears.fileno()), encoding="utf-8")
    hears.close()
    return Script(process, heard)


def play(script: str, *words: object, cwd: os.PathLike[str] | str | None = None) -> int:
    """Run a script to its end, and tell how it ended."""
    return begin(script, *words, cwd=cwd).wait()


@cache
def _serve_forks() -> None:
    """Start the server where it finds `numba_ready`: it is not told where this process looks."""
    before = os.environ.get("PYTHONPATH")
    here = str(Path(__file__).parent)
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (here, before)))
    try:
        forkserver.ensure_running()
    finally:
        os.environ.pop("PYTHONPATH")
        if before is not None:
            os.environ["PYTHONPATH"] = before


def _play(script, words, environment, where, errors, tells):
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(where)
    sys.argv = ["-c", *words]
    sys.stdout = os.fdopen(os.dup(tells.fileno()), "w", encoding="utf-8")
    tells.close()
    if errors is not None:
        os.dup2(os.open(errors, os.O_WRONLY | os.O_CREAT | os.O_APPEND), 2)
    exec(compile(script, "<script>", "exec", dont_inherit=True), {"__name__": "__main__"})
    sys.stdout.flush()
