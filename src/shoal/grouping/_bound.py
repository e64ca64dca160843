"""A proven lower bound on the loss of any grouping."""

from __future__ import annotations

import numpy as np

from shoal._progress import SILENT, Progress
from shoal.grouping._base import in_chunks
from shoal.grouping._problem import Problem, collapse
from shoal.kernels.bounds import Finder, cheapest_costs, new_finder
from shoal.kernels.cheapest_box import costs_by_level
from shoal.kernels.kdtree import build_tree
from shoal.kernels.slots import COPIES

STEPS = 5_000
WORK = 2_000_000_000  # some ten seconds of a core, where a table is hard to prove anything of


def lower_bound(problem: Problem, progress: Progress = SILENT) -> float:
    """Loss per attribute and row that no grouping of the table with this k can go below.

    The group of a row is a box that holds k rows, so it costs at least as much as the cheapest
    such box around the row. The mean of that over all rows bounds every grouping from below
    (the argument is ours). The loss is that of the problem's spaces: NGIL (Malle et al. 2017),
    where trees lose their height. Weights play no part: a loss speaks of what is published.
    """
    spaces = problem.spaces.with_weights(None)
    if not spaces.spaces:
        return 0.0
    cells = collapse(spaces.codes, [], problem.table.n_rows)
    tree = build_tree(cells.codes, cells.copies, spaces.losses)
    by_level = costs_by_level(spaces.losses)
    costs = np.zeros(cells.copies.size, dtype=np.int64)
    progress.phase("bounding the loss", cells.copies.size)
    share = WORK // max(1, cells.copies.size)

    def bound(begin: int, end: int, finder: Finder) -> None:
        cheapest_costs(tree, spaces.losses, by_level, problem.k, begin, end, share, finder, costs)

    in_chunks(cells.copies.size, STEPS, lambda: new_finder(tree, problem.k), bound, progress)
    rounding = len(spaces.spaces)  # fixed-point losses may each be half a unit too high
    floor = np.maximum(costs - rounding, 0) * tree.cells[:, COPIES]
    return float(floor.sum() / (problem.table.n_rows * len(spaces.spaces) * spaces.unit))
