"""The first run on a machine compiles kernels; a second process does its share of that.

Numba compiles on one core however many there are. Kernels that the work needs late (growing groups
again, the lower bound) are compiled here beside those it needs first; both find them in the same
cache.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from shoal.cli._output import say

if TYPE_CHECKING:
    from shoal.grouping import Problem

Spans = Sequence[tuple[float, float]]  # begins and ends, as `time.perf_counter` tells time
LAST_NEEDED = "bounds.*.nbi"  # numba's index of the kernels that a run compiles last


def is_cold() -> bool:
    """Tell whether the kernels were never compiled on this machine."""
    from shoal.kernels.compiling import cache_folder

    folder = os.environ.get("NUMBA_CACHE_DIR") or cache_folder()
    return not any(Path(folder).rglob(LAST_NEEDED))


@contextmanager
def helping() -> Iterator[Spans]:
    """Let a second process compile beside this one, if there is anything to compile.

    Gives the moments that this process spent compiling, as they are noted.
    """
    if not is_cold():
        yield []
        return
    from shoal.kernels.compiling import watch_compiling

    if sys.stderr.isatty():
        say("The first run compiles its kernels for this machine: a minute or so, this once.")
    quiet = subprocess.DEVNULL
    helper = subprocess.Popen(
        [sys.executable, "-m", "shoal.cli._warmup"], stdin=quiet, stdout=quiet, stderr=quiet
    )
    try:
        with watch_compiling() as spans:
            yield spans
    finally:
        helper.terminate()
        helper.wait()


def without_compiling(seconds: Mapping[str, float], began: float, spans: Spans) -> dict[str, float]:
    """Take the time that was spent compiling out of phases that followed each other.

    >>> without_compiling({"reading": 2.0, "grouping": 40.0}, 100.0, [(101.5, 141.0)])
    {'reading': 1.5, 'grouping': 1.0, 'compiling': 39.5}
    """
    left, end = {}, began
    for phase, spent in seconds.items():
        begin, end = end, end + spent
        left[phase] = spent - sum(max(0.0, min(b, end) - max(a, begin)) for a, b in spans)
    compiled = sum(seconds.values()) - sum(left.values())
    return left | ({"compiling": compiled} if compiled else {})


def compile_late_kernels() -> None:
    """Do once, on a table too small to matter, what a run does late."""
    from shoal.datasets import people
    from shoal.grouping import Problem, lower_bound
    from shoal.privacy import KAnonymity
    from shoal.recoding import Generalize

    few = people(40)
    table = few.table()
    problem = Problem(table, Generalize(few.hierarchies).spaces(table), (KAnonymity(3),))
    _grow_again(problem)
    lower_bound(problem)


def _grow_again(problem: Problem) -> None:
    """Refine groups of neighbours in the list of distinct rows, without forming any."""
    import numpy as np

    from shoal._progress import SILENT
    from shoal.grouping import refine_by_search

    copies = problem.cells.copies
    pieces = np.column_stack([np.arange(copies.size), copies, np.arange(copies.size) // problem.k])
    refine_by_search(problem, pieces, SILENT)


def _leave_with(parent: int) -> None:
    """End as soon as nobody waits for the result."""
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)


if __name__ == "__main__":
    threading.Thread(target=_leave_with, args=(os.getppid(),), daemon=True).start()
    compile_late_kernels()
