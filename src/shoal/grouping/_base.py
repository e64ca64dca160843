"""Groupers: what each is, how distinct rows become rows again, how groups merge."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple, Protocol, Self

import numpy as np

from shoal._estimator import Estimator
from shoal._progress import SILENT, Progress
from shoal.exceptions import ImpossibleError
from shoal.grouping._problem import Problem
from shoal.hierarchies import Hierarchy
from shoal.kernels.merging import cheapest_partner
from shoal.privacy import PrivacyModel
from shoal.spaces import WeightedSpaces, group_boxes
from shoal.table import Grouping
from shoal.typing import BoolArray, IntArray


class SpaceMaker(Protocol):
    """What a grouper needs of a recoder: the spaces in which it publishes."""

    hierarchies: Any

    def spaces(self, table: Any, weights: Mapping[str, float] | None = None) -> WeightedSpaces:
        """Describe the quasi-identifiers of a table."""


class Choice(NamedTuple):
    """A grouper and the reason for it."""

    grouper: Grouper
    why: str


class Grouper(Estimator, ABC):
    """Divides the rows of a problem into groups that satisfy all its models.

    After `fit`: ``grouping_`` (a `Grouping`), ``method_`` (what ran, in words).
    """

    #: The name in plans, options and results.
    name: ClassVar[str] = ""
    #: Whether part of a table can be grouped by itself, as machines of a cluster do.
    works_in_parts: ClassVar[bool] = False
    #: Whether a k must be asked for; False for one that finds out how small its groups are.
    needs_models: ClassVar[bool] = True
    #: Whether there is nothing to group by without quasi-identifiers; a network has its edges.
    needs_attributes: ClassVar[bool] = True

    weights: Mapping[str, float] | None
    grouping_: Grouping
    method_: str = "one group of all rows"

    def chosen(self, n_rows: int) -> Choice:
        """Say which grouper a table of ``n_rows`` rows gets, and why; mostly this one."""
        return Choice(self, "asked for")

    def asks(self, models: tuple[PrivacyModel, ...]) -> tuple[PrivacyModel, ...]:
        """Say what must hold in every group where these models are promised."""
        return models

    def spaces_for(self, table: Any, recoder: SpaceMaker) -> WeightedSpaces:
        """Make the spaces in which groups are formed: mostly those that are published."""
        return recoder.spaces(table, self.weights)

    def meeting(self, models: tuple[PrivacyModel, ...]) -> tuple[Self, tuple[PrivacyModel, ...]]:
        """Return this grouper made ready for models, and what can be promised of a release."""
        return self, models

    def default_recoder(self, hierarchies: Mapping[str, Hierarchy] | None = None) -> Any:
        """Return the recoder that goes with this grouper; None for ranges."""
        return None

    @abstractmethod
    def _group(self, problem: Problem, progress: Progress) -> IntArray:
        """Return (cell, copies, group) pieces; group -1 leaves copies out of the release."""

    def fit(self, problem: Problem, progress: Progress = SILENT) -> Self:
        """Group the rows of a problem."""
        for model in problem.models:
            model.check_possible(problem.table)
        labels: IntArray = np.zeros(problem.table.n_rows, dtype=np.int64)
        if problem.spaces.spaces:
            labels = deal_out(problem, self._group(problem, progress))
        used, packed = np.unique(labels, return_inverse=True)  # numbers of groups have no gaps
        packed -= used.size > 0 and used[0] < 0
        grouping = settle(problem, Grouping(packed))
        if grouping.n_suppressed > problem.budget:
            raise ImpossibleError(
                f"{grouping.n_suppressed} of {problem.table.n_rows} rows fit into no group under "
                f"these limits, and at most {problem.budget} may be left out.",
                hint="Widen a limit, lower k, or raise the suppression limit.",
            )
        self.grouping_ = grouping
        return self


def deal_out(problem: Problem, pieces: IntArray) -> IntArray:
    """Hand the copies of every cell to its groups, in the order of their rows' hashes.

    Rows that are equal on all quasi-identifiers are told apart by nothing but a hash of all
    their columns, so that no group becomes homogeneous because something was sorted.
    """
    cells = problem.cells
    rows = np.lexsort((problem.table.row_hash(), cells.of_row))
    order = np.lexsort((pieces[:, 2], pieces[:, 0]))
    labels = np.empty(problem.table.n_rows, dtype=np.int64)
    labels[rows] = np.repeat(pieces[order, 2], pieces[order, 1])
    return labels


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
    limited = [j for j, space in enumerate(problem.spaces.spaces) if space.limit is not None]
    if grouping.n_groups and limited:
        lo, hi = group_boxes(problem.spaces.codes, grouping)
        for j in limited:
            if (reach := problem.spaces.spaces[j].reach()) is not None:
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
