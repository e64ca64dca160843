"""Full-domain generalization: everybody's value on the same step, and whoever looks alike hides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from shoal._progress import Progress
from shoal.grouping import Grouper, Problem
from shoal.spaces import Space, TreeSpace
from shoal.typing import IntArray


class FullDomain(Grouper):
    """Put rows with the same bins and the same nodes together, however few they are.

    What the efforts of Augusto et al. (2019) do: nothing is asked of a group, its size is found
    out. The bins of numbers are those of the recoder's grid.

    Parameters
    ----------
    levels : mapping of str to int
        The level of its tree on which each column is published; others are left as they are.
    """

    needs_models = False

    def __init__(self, levels: Mapping[str, int]) -> None:
        self.levels = levels
        self.weights = None

    def _group(self, problem: Problem, progress: Progress) -> IntArray:
        cells = problem.cells
        steps = [
            _step(space, self.levels.get(space.name, 0))[cells.codes[:, place]]
            for place, space in enumerate(problem.spaces.spaces)
        ]
        group = np.unique(np.column_stack(steps), axis=0, return_inverse=True)[1]
        self.method_ = "full-domain generalization"
        return np.column_stack([np.arange(cells.copies.size), cells.copies, group.ravel()])


def _step(space: Space, level: int) -> IntArray:
    """Number the node on a level that each code lies under."""
    alone: IntArray = np.arange(space.n_codes)
    if not isinstance(space, TreeSpace) or level == 0:
        return alone
    last = replace(space, limit=float(level)).reach()
    return np.zeros_like(alone) if last is None else last.astype(np.int64)
