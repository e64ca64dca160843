"""What every grouper is, and how cells become rows again."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple, Protocol, Self

import numpy as np

from shoal._estimator import Estimator
from shoal._progress import SILENT, Progress
from shoal.exceptions import ImpossibleError
from shoal.grouping._merging import settle
from shoal.grouping._problem import Problem
from shoal.hierarchies import Hierarchy
from shoal.privacy import PrivacyModel
from shoal.spaces import WeightedSpaces
from shoal.table import Grouping, Table
from shoal.typing import IntArray


class SpaceMaker(Protocol):
    """What a grouper needs of a recoder: the spaces in which it publishes."""

    hierarchies: Any

    def spaces(self, table: Table, weights: Mapping[str, float] | None = None) -> WeightedSpaces:
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

    weights: Mapping[str, float] | None
    grouping_: Grouping
    method_: str = "one group of all rows"

    def chosen(self, n_rows: int) -> Choice:
        """Say which grouper a table of ``n_rows`` rows gets, and why; mostly this one."""
        return Choice(self, "asked for")

    def asks(self, models: tuple[PrivacyModel, ...]) -> tuple[PrivacyModel, ...]:
        """Say what must hold in every group where these models are promised."""
        return models

    def spaces_for(self, table: Table, recoder: SpaceMaker) -> WeightedSpaces:
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
        grouping = settle(problem, Grouping(_without_gaps(labels)))
        self._check_suppressed(problem, grouping)
        self.grouping_ = grouping
        return self

    def _check_suppressed(self, problem: Problem, grouping: Grouping) -> None:
        if grouping.n_suppressed > problem.budget:
            raise ImpossibleError(
                f"{grouping.n_suppressed} of {problem.table.n_rows} rows fit into no group under "
                f"these limits, and at most {problem.budget} may be left out.",
                hint="Widen a limit, lower k, or raise the suppression limit.",
            )


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


def _without_gaps(labels: IntArray) -> IntArray:
    used, packed = np.unique(labels, return_inverse=True)
    return packed - 1 if used.size and used[0] < 0 else packed
