"""The table on the workbench: coded once, grouped again and again, sampled for questions."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import numpy as np

from shoal._progress import SILENT, Progress
from shoal._random import spawn
from shoal.session import _stopping as stopping
from shoal.session._grouped import Grouped, group_fast
from shoal.session._limits import refuse_impossible
from shoal.session._pool import Pool, draw_pool
from shoal.session._recipe import SessionRecipe
from shoal.session.learners import Belief
from shoal.spaces import WeightedSpaces
from shoal.table import Table
from shoal.typing import IntArray

SMALL = 5_000  # rows


class GroupingBench:
    """A table with its recipe, and the grouping that questions are about."""

    def __init__(self, table: Table, recipe: SessionRecipe, seed: int) -> None:
        self.table = table
        self.recipe = recipe
        self.spaces = recipe.spaces(table, {})
        self._seed = seed
        self._grouped: Grouped | None = None
        self._yardstick: Pool | None = None
        self._regrets: dict[Belief, float] = {}
        self._limited: tuple[dict[str, float], WeightedSpaces] = ({}, self.spaces)

    def check(self, limits: Mapping[str, float]) -> None:
        """Refuse limits that no release can hold."""
        spaces = self._under(limits)
        refuse_impossible(self.recipe.problem(self.table, spaces))

    def group(
        self,
        weights: Mapping[str, float],
        limits: Mapping[str, float],
        progress: Progress = SILENT,
    ) -> Grouped:
        """Group the whole table by the fast method; changes nothing here."""
        spaces = self._under(limits)
        return group_fast(self.recipe, self.table, spaces, weights, limits, progress)

    def rehearse(self, weights: Mapping[str, float], limits: Mapping[str, float]) -> None:
        """Group a small table by the recipe's own method too.

        It may fail under limits where the fast one does not; on a large table that is rare, and
        finding out would take too long.
        """
        if self.table.n_rows <= SMALL and not self.recipe.recipe.recoder.moves_values:
            spaces = self._under(limits).with_weights(weights)
            grouper = self.recipe.recipe.grouper.clone(weights=dict(weights))
            grouper.fit(self.recipe.problem(self.table, spaces))

    @property
    def grouped(self) -> Grouped | None:
        """The grouping that questions are about."""
        return self._grouped

    @grouped.setter
    def grouped(self, grouped: Grouped) -> None:
        self._grouped = grouped
        self._yardstick = None
        self._regrets = {}

    def pool(self, name: str, *, n_rows: int = 48, n_groups: int = 64) -> Pool:
        """Draw rows and partly built groups; the same name draws the same."""
        assert self._grouped is not None
        problem = self.recipe.problem(self.table, self._grouped.spaces)
        return draw_pool(
            self._grouped.spaces,
            self._grouped.grouping,
            spawn(self._seed, name),
            k=problem.k,
            order=self._by_content,
            n_rows=n_rows,
            n_groups=n_groups,
        )

    @cached_property
    def _by_content(self) -> IntArray:
        return np.argsort(self.table.row_hash(), kind="stable")

    def regret(self, belief: Belief) -> float:
        """Share of the loss that knowing the weights exactly would still save."""
        if belief not in self._regrets:
            if self._yardstick is None:
                self._yardstick = self.pool("yardstick", n_rows=100, n_groups=100)
            self._regrets[belief] = stopping.regret(belief, self._yardstick)
        return self._regrets[belief]

    def _under(self, limits: Mapping[str, float]) -> WeightedSpaces:
        """Spaces under limits; coded once for each set of limits in a row."""
        known, spaces = self._limited  # another thread may change it any time
        if known != limits:
            spaces = self.recipe.spaces(self.table, limits)
            self._limited = (dict(limits), spaces)
        return spaces
