"""A proven lower bound on the loss of any grouping."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal._progress import SILENT, Progress, in_chunks
from shoal.grouping._base import DistinctRows, Problem, collapse
from shoal.kernels.bounds import Finder, cheapest_costs, new_finder
from shoal.kernels.cheapest_box import costs_by_level
from shoal.kernels.kdtree import KdTree, build_tree
from shoal.kernels.losses import Losses
from shoal.kernels.slots import COPIES, FULL
from shoal.table import Grouping
from shoal.typing import BoolArray, IntArray

STEPS = 5_000
WORK = 2_000_000_000  # some ten seconds of a core, where a table is hard to prove anything of
WORK_PER_CODE = 2_500  # of a cell: less than grouping takes, and hardly any table gains by more
ESTIMATED_FROM = 200_000  # rows: of more, a sample is looked at, unless a proof is asked for
SAMPLED, TOGETHER = 50_000, 250  # distinct rows of a sample, and how many neighbours at a time


class Cheapest(NamedTuple):
    """The loss of the cheapest box around every cell that holds k rows, or less."""

    cells: DistinctRows
    tree: KdTree
    losses: Losses  # unweighted: a loss speaks of what is published
    by_level: BoolArray
    costs: IntArray  # in the order of the tree


class LossBound(NamedTuple):
    """The least that any grouping loses: proven, or estimated from a sample of the rows."""

    proven: float | None = None
    estimated: float | None = None


def bound_loss(
    problem: Problem, progress: Progress = SILENT, near: Grouping | None = None
) -> LossBound:
    """Loss per attribute and row that no grouping of the table with this k can go below.

    The group of a row is a box that holds k rows, so it costs at least as much as the cheapest
    such box around the row. The mean of that over all rows bounds every grouping from below
    (the argument is ours). The loss is that of the problem's spaces: NGIL (Malle et al. 2017),
    where trees lose their height. Weights play no part: a loss speaks of what is published.

    Of a large table a sample of rows is looked at, each in the midst of all the others. What that
    comes to is no proof, and is not called one.

    A grouping that is ``near`` the best makes a better bound whatever the size, in about the time
    that grouping takes: see `prove_bound`.
    """
    spaces = problem.spaces
    if not spaces.spaces:
        return LossBound(proven=0.0)
    if near is not None:
        from shoal.grouping._proof import prove_bound

        return LossBound(proven=prove_bound(problem, near, progress).bound)
    sampled = SAMPLED if problem.table.n_rows > ESTIMATED_FROM else None
    cheapest = cheapest_boxes(problem, progress, sampled)
    seen = cheapest.costs >= 0
    copies = cheapest.tree.cells[seen, COPIES]
    rounding = len(spaces.spaces)  # fixed-point losses may each be half a unit too high
    floor = np.maximum(cheapest.costs[seen] - rounding, 0) * copies
    least = float(floor.sum() / (int(copies.sum()) * len(spaces.spaces) * spaces.unit))
    return LossBound(proven=least) if sampled is None else LossBound(estimated=least)


def cheapest_boxes(
    problem: Problem, progress: Progress = SILENT, sampled: int | None = None
) -> Cheapest:
    """Find what each cell costs at least: the cheapest box around it that holds k rows.

    With ``sampled`` only about so many cells are looked at, a few neighbours here and there, and
    the costs of the others are -1.
    """
    known = not problem.constraints  # then nothing else told rows apart
    cells = problem.cells if known else collapse(problem.spaces.codes, [], problem.table.n_rows)
    losses = problem.spaces.with_weights(None).losses
    n, d = cells.codes.shape
    tree = build_tree(cells.codes, cells.copies, losses)
    by_level = costs_by_level(losses)
    apart = 1 if sampled is None else max(1, n // sampled)
    length = STEPS if apart == 1 else TOGETHER
    begins = range(0, n, length * apart)
    costs = np.full(n, -1, dtype=np.int64)
    share = min(WORK // max(1, n), WORK_PER_CODE * d)
    suppressed = losses.meta[:, FULL].sum()

    def look(first: int, last: int, finder: Finder) -> None:
        for begin in begins[first:last]:
            upper = np.full(min(length, n - begin), suppressed)
            cheapest_costs(tree, losses, by_level, problem.k, begin, share, finder, upper, costs)

    progress.phase("bounding the loss", len(begins))
    in_chunks(len(begins), 1, lambda: new_finder(tree, problem.k), look, progress)
    return Cheapest(cells, tree, losses, by_level, costs)
