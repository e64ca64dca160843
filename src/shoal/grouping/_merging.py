"""Merging groups until every model holds: for models that kernels cannot check by counting.

Whoever is then in a group that a limit rules out is left out of the release.
"""

from __future__ import annotations

import numpy as np

from shoal.exceptions import ImpossibleError
from shoal.grouping._boxes import group_boxes
from shoal.grouping._problem import Problem
from shoal.kernels.merging import cheapest_partner
from shoal.table import Grouping
from shoal.typing import BoolArray


def settle(problem: Problem, grouping: Grouping) -> Grouping:
    """Merge until every model holds, and leave out groups that are wider than a limit."""
    while True:
        grouping = merge_until_met(problem, grouping)
        wide = groups_over_limit(problem, grouping)
        if not wide.any():
            return grouping
        number = np.where(wide, -1, np.cumsum(~wide) - 1)
        grouping = Grouping(np.where(grouping.labels < 0, -1, number[grouping.labels]))


def groups_over_limit(problem: Problem, grouping: Grouping) -> BoolArray:
    """Groups that a limit of some quasi-identifier rules out."""
    wide = np.zeros(grouping.n_groups, dtype=np.bool_)
    reaches = [space.reach() for space in problem.spaces.spaces]
    if grouping.n_groups and any(reach is not None for reach in reaches):
        lo, hi = group_boxes(problem.spaces.codes, grouping)
        for j, reach in enumerate(reaches):
            if reach is not None:
                wide |= hi[:, j] > reach[lo[:, j]]
    return wide


def merge_until_met(problem: Problem, grouping: Grouping) -> Grouping:
    """Merge each group that fails a model with the group where that costs least, in rounds."""
    while grouping.n_groups:
        failing = failing_groups(problem, grouping)
        if not failing.any():
            break
        if grouping.n_groups == 1:
            broken = [str(m) for m in problem.models if not m.judge(problem.table, grouping).holds]
            raise ImpossibleError(
                f"Even all rows together do not satisfy {broken[0]}.",
                hint="Ask for less, or choose another model.",
            )
        grouping = _merge_once(problem, grouping, failing)
    return grouping


def failing_groups(problem: Problem, grouping: Grouping) -> BoolArray:
    """Groups that at least one model refuses."""
    failing = np.zeros(grouping.n_groups, dtype=np.bool_)
    for model in problem.models:
        failing |= ~model.accepts(model.measure(problem.table, grouping))
    return failing


def _merge_once(problem: Problem, grouping: Grouping, failing: BoolArray) -> Grouping:
    codes = problem.spaces.codes
    lo, hi = group_boxes(codes, grouping)
    into = np.arange(grouping.n_groups)
    for g in np.flatnonzero(failing):
        if into[g] == g and (into == g).sum() == 1:  # still on its own in this round
            partner = int(cheapest_partner(problem.spaces.losses, lo, hi, into, int(g)))
            lo[partner] = np.minimum(lo[partner], lo[g])
            hi[partner] = np.maximum(hi[partner], hi[g])
            into[g] = partner
    _, merged = np.unique(into, return_inverse=True)
    return Grouping(np.where(grouping.labels < 0, -1, merged[grouping.labels]))
