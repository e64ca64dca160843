"""The other processes of a first run: they compile kernels beside the one that works.

Numba compiles on one core however many there are. Kernels that the work needs late (places for
those left over, the search, the lower bound) are compiled here, while the first process compiles
those that read and form groups; all find them in the same cache, and nobody compiles what another
has begun (`shoal.kernels.shared_cache`). `shoal.cli._bar.helping` starts as many as there are
cores, and each begins with another task.
"""

from __future__ import annotations

import os
import sys
import threading
import time


def compile_late_kernels(first: int = 0) -> None:
    """Do once, on a table too small to matter, what a run does late; begin with a certain task."""
    import numpy as np

    from shoal._progress import SILENT
    from shoal.datasets import people
    from shoal.grouping import Problem, bound_loss, place_pieces, refine_by_search
    from shoal.kernels.groups import build_index, make_groups
    from shoal.kernels.kdtree import build_tree
    from shoal.kernels.refining import dissolve_some, move_some, new_workbench
    from shoal.kernels.slots import COPIES
    from shoal.privacy import KAnonymity
    from shoal.recoding import Generalize

    few = people(40)
    table = few.table()
    problem = Problem(table, Generalize(few.hierarchies).spaces(table), (KAnonymity(3),))
    cells, losses, rules = problem.cells, problem.spaces.losses, problem.rules
    at = np.arange(len(cells.copies))
    pieces = np.column_stack([at, cells.copies, at // problem.k - 1])  # the first: in none
    n_groups = int(pieces[-1, 2]) + 1

    def refine() -> None:
        """What is needed last comes first: halfway the first process has compiled the rest."""
        groups = make_groups(cells.codes, pieces, n_groups, losses)
        index = build_index(groups, losses)
        bench, one = new_workbench(groups, index, rules), np.zeros(1, np.int64)
        move_some(groups, index, losses, rules, problem.k, one, 1, bench)
        dissolve_some(groups, index, losses, rules, one, 1, bench)
        tree = build_tree(cells.codes, cells.copies, losses)
        placed = np.column_stack([at, tree.cells[:, COPIES], pieces[:, 2]])
        place_pieces(problem, tree, rules, placed, n_groups, 1.0, SILENT)

    tasks = (
        lambda: bound_loss(problem),
        lambda: refine_by_search(problem, pieces, SILENT),
        refine,
    )
    for turn in range(len(tasks)):
        tasks[(first + turn) % len(tasks)]()


def _leave_with(parent: int) -> None:
    """End as soon as nobody waits for the result."""
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)


if __name__ == "__main__":
    from shoal.kernels.compiling import watch_compiling

    threading.Thread(target=_leave_with, args=(os.getppid(),), daemon=True).start()
    with watch_compiling():
        compile_late_kernels(int(sys.argv[1]))
