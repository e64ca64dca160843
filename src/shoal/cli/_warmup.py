"""The second process of a first run: it compiles kernels beside the one that works.

Numba compiles on one core however many there are. Kernels that the work needs late (places for
those left over, the lower bound) are compiled here, in the order of need, while the first process
compiles those that read, form groups and grow them again; both find them in the same cache
(`shoal.cli._bar.helping` starts it).
"""

from __future__ import annotations

import os
import threading
import time


def compile_late_kernels() -> None:
    """Do once, on a table too small to matter, about half of what a run does."""
    import numpy as np

    from shoal._progress import SILENT
    from shoal.datasets import people
    from shoal.grouping import Problem, lower_bound, place_pieces
    from shoal.kernels.kdtree import build_tree
    from shoal.kernels.slots import COPIES
    from shoal.privacy import KAnonymity
    from shoal.recoding import Generalize

    few = people(40)
    table = few.table()
    problem = Problem(table, Generalize(few.hierarchies).spaces(table), (KAnonymity(3),))
    tree = build_tree(problem.cells.codes, problem.cells.copies, problem.spaces.losses)
    at = np.arange(len(tree.cells))
    pieces = np.column_stack([at, tree.cells[:, COPIES], at // problem.k - 1])  # the first: in none
    place_pieces(problem, tree, problem.rules, pieces, int(pieces[-1, 2]) + 1, 1.0, SILENT)
    lower_bound(problem)


def _leave_with(parent: int) -> None:
    """End as soon as nobody waits for the result."""
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)


if __name__ == "__main__":
    from shoal.kernels.compiling import watch_compiling

    threading.Thread(target=_leave_with, args=(os.getppid(),), daemon=True).start()
    with watch_compiling():
        compile_late_kernels()
