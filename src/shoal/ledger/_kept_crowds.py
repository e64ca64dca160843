"""Crowds that come back: the next release of a table keeps those of the last one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

import numpy as np

from shoal._progress import SILENT, Progress
from shoal.grouping import Choice, Grouper, Problem
from shoal.table import Grouping, Table
from shoal.typing import IntArray


class KeptCrowds(Grouper):
    """Groups that are given, row by row: those of an earlier release of the same people.

    Two releases with the same crowds tell no more than one; see `Ledger.kept_crowds`.

    Parameters
    ----------
    labels : IntArray
        The group of each row.
    weights : mapping of str to float, optional
        How much each quasi-identifier matters, for the loss that is reported.
    how : str
        Where they come from, in words.
    """

    name = "kept-crowds"

    def __init__(
        self,
        labels: IntArray,
        weights: Mapping[str, float] | None = None,
        how: str = "the crowds of an earlier release",
    ) -> None:
        self.labels = labels
        self.weights = weights
        self.how = how

    @classmethod
    def of(
        cls, table: Table, crowds: IntArray, weights: Mapping[str, float] | None = None
    ) -> tuple[Table, Self]:
        """Keep the rows that are in a crowd (not -1): a table of them, and who groups it."""
        _, labels = np.unique(crowds[crowds >= 0], return_inverse=True)
        return table.take(crowds >= 0), cls(labels, weights)

    def chosen(self, n_rows: int) -> Choice:
        """Nothing else would do."""
        return Choice(self, "asked for, so that the releases tell no more together")

    def fit(self, problem: Problem, progress: Progress = SILENT) -> Self:
        """Take the groups as they are: dealing equal rows out anew would change what they show."""
        for model in problem.models:
            model.check_possible(problem.table)
        self.method_ = self.how
        self.grouping_ = Grouping(self.labels)
        return self

    def __repr__(self) -> str:  # the default would tell who was with whom
        return f"KeptCrowds({len(self.labels):,} rows)"

    def _group(self, problem: Problem, progress: Progress) -> IntArray:
        pairs = np.stack([problem.cells.of_row, self.labels])
        pieces, copies = np.unique(pairs, axis=1, return_counts=True)
        return np.column_stack([pieces[0], copies, pieces[1]])
