"""The second process of a first run: it compiles kernels beside the one that works.

Numba compiles on one core however many there are. Kernels that the work needs late (growing groups
again, the lower bound) are compiled here beside those it needs first; both find them in the same
cache (`shoal.cli._bar.helping` starts it).
"""

from __future__ import annotations

import os
import threading
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shoal.grouping import Problem


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
