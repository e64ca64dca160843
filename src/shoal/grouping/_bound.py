"""A proven lower bound on the loss of any grouping."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal._progress import SILENT, Progress
from shoal.grouping._base import in_chunks
from shoal.grouping._problem import DistinctRows, Problem, collapse
from shoal.kernels.bounds import cheapest_costs, new_finder
from shoal.kernels.cheapest_box import costs_by_level
from shoal.kernels.kdtree import KdTree, build_tree
from shoal.kernels.losses import Losses
from shoal.kernels.slots import COPIES
from shoal.table import Grouping
from shoal.typing import BoolArray, IntArray

STEPS = 5_000
WORK = 2_000_000_000  # some ten seconds of a core, where a table is hard to prove anything of
WORK_PER_CODE = 2_500  # of a cell: less than grouping takes, and hardly any table gains by more


class Cheapest(NamedTuple):
    """The loss of the cheapest box around every cell that holds k rows, or less."""

    cells: DistinctRows
    tree: KdTree
    losses: Losses  # unweighted: a loss speaks of what is published
    by_level: BoolArray
    costs: IntArray  # in the order of the tree


def lower_bound(
    problem: Problem, progress: Progress = SILENT, near: Grouping | None = None
) -> float:
    """Loss per attribute and row that no grouping of the table with this k can go below.

    The group of a row is a box that holds k rows, so it costs at least as much as the cheapest
    such box around the row. The mean of that over all rows bounds every grouping from below
    (the argument is ours). The loss is that of the problem's spaces: NGIL (Malle et al. 2017),
    where trees lose their height. Weights play no part: a loss speaks of what is published.

    A grouping that is ``near`` the best makes a better bound, in about the time that grouping
    takes: see `prove_bound`.
    """
    if not problem.spaces.spaces:
        return 0.0
    if near is not None:
        from shoal.grouping._proof import prove_bound

        return prove_bound(problem, near, progress).bound
    cheapest = cheapest_boxes(problem, progress)
    spaces = problem.spaces
    rounding = len(spaces.spaces)  # fixed-point losses may each be half a unit too high
    floor = np.maximum(cheapest.costs - rounding, 0) * cheapest.tree.cells[:, COPIES]
    return float(floor.sum() / (problem.table.n_rows * len(spaces.spaces) * spaces.unit))


def cheapest_boxes(problem: Problem, progress: Progress = SILENT) -> Cheapest:
    """Find what each cell costs at least: the cheapest box around it that holds k rows."""
    losses = problem.spaces.with_weights(None).losses
    cells = collapse(problem.spaces.codes, [], problem.table.n_rows)
    tree = build_tree(cells.codes, cells.copies, losses)
    by_level = costs_by_level(losses)
    costs = np.zeros(cells.copies.size, dtype=np.int64)
    progress.phase("bounding the loss", cells.copies.size)
    share = min(WORK // max(1, cells.copies.size), WORK_PER_CODE * cells.codes.shape[1])
    in_chunks(
        cells.copies.size,
        STEPS,
        lambda: new_finder(tree, problem.k),
        lambda begin, end, finder: cheapest_costs(
            tree, losses, by_level, problem.k, begin, end, share, finder, costs
        ),
        progress,
    )
    return Cheapest(cells, tree, losses, by_level, costs)
