"""Crowds: people who hide together, and inside each crowd the rows of their other tables.

With crowds of exactly k all members would have to share every row, and almost nothing would
survive. Larger crowds blur people more and rows less: their size is chosen by the loss over all
tables together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np

from shoal._progress import SILENT, Progress, stop_if_cancelled
from shoal.exceptions import ImpossibleError
from shoal.grouping import Grouper, Problem, cut_within
from shoal.linked._family import Family
from shoal.linked._models import cut_rows, models_of, packed
from shoal.linked._plan import LinkedPlan
from shoal.privacy import KAnonymity, PrivacyModel
from shoal.recipe import as_grouper, grid_for, quick_grouper
from shoal.recoding import Generalize
from shoal.spaces import WeightedSpaces
from shoal.table import Grouping, Table
from shoal.typing import IntArray
from shoal.utility import measure_loss

SAMPLE = 100_000  # rows of a table that a size is tried on
BOUNDED = 8_000  # rows of all tables on which combinations are bounded for a trial
GIVEN_UP = 0.95  # a table that loses more is no use to anybody
ENOUGH = 1  # sizes in a row that lose more, after which no larger one is tried


#: Bounds combinations of rows, in all crowds or in some of them.
Bound: TypeAlias = "Callable[[Hiding, Nested, Progress, IntArray | None], Nested]"


@dataclass(frozen=True)
class CrowdTrial:
    """A size of crowds: what each table loses by it, and the share of rows left out."""

    crowd: int
    losses: Mapping[str, float]
    suppressed: float

    @property
    def loss(self) -> float:
        """Quadratic mean of the losses of all tables: no table is given up for the others."""
        return float(np.sqrt(np.mean(np.square([*self.losses.values()]))))


@dataclass(frozen=True, eq=False)
class Nested:
    """People in crowds, and rows of the other tables in cells inside the crowds.

    Attributes
    ----------
    crowds : Grouping
        The crowd of each person.
    cells : mapping of str to Grouping
        The cell of each row of the other tables; none for rows left out.
    trials : tuple of CrowdTrial
        Sizes that were tried.
    alone : mapping of str to float
        What each table would lose if it were released without the others.
    """

    crowds: Grouping
    cells: Mapping[str, Grouping]
    trials: tuple[CrowdTrial, ...] = ()
    alone: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Hiding:
    """The spaces of a family's tables, and how people and rows are hidden in them."""

    family: Family
    plan: LinkedPlan
    recoders: Mapping[str, Generalize]
    spaces: Mapping[str, WeightedSpaces]
    models: Mapping[str, tuple[PrivacyModel, ...]] = field(default_factory=dict)

    @classmethod
    def prepare(cls, family: Family, plan: LinkedPlan) -> Hiding:
        """Describe every table as it will be published."""
        recoders, spaces, models = {}, {}, {}
        for name, part in plan.tables.items():
            table = family.own(name)
            trees = {
                c: t for c, t in part.trees(table).items() if c not in family.facts.get(name, ())
            }
            grid = grid_for(table, trees, dict(part.grid) or None, plan.preset)
            recoders[name] = Generalize(trees, dict(part.limits) or None, grid)
            spaces[name] = recoders[name].spaces(table, dict(part.weights) or None)
            models[name] = models_of(plan, name, nameless(table) if name == family.root else table)
        return cls(family, plan, recoders, spaces, models)

    def solve(self, progress: Progress = SILENT, bound: Bound | None = None) -> Nested:
        """Choose the size of crowds, form them, and cut the rows inside them.

        ``bound`` bounds combinations of rows afterwards; sizes are then tried with it.
        """
        trials = tuple(self._tried(progress, bound)) if self.plan.crowd is None else ()
        size = self.plan.crowd or self._best(trials).crowd
        progress.phase("grouping people")
        crowds = self._people(size, as_grouper("auto").chosen(self.family.n_people).grouper)
        cells = {name: self.cut(name, crowds, progress=progress) for name in self.family.others}
        nested = Nested(crowds, cells, trials, self._alone())
        return nested if bound is None else bound(self, nested, progress, None)

    def cut(
        self, name: str, crowds: Grouping, k: int | None = None, progress: Progress = SILENT
    ) -> Grouping:
        """Cut the rows of a table inside the crowds of their people."""
        people = self.family.people[name]
        homes, table = crowds.labels[people], self.family.own(name)
        least = self.plan.k if k is None else k
        how = (people, least, self.models.get(name, ()), progress)
        return cut_rows(self.spaces[name], table, homes, *how)

    def loss(self, name: str, grouping: Grouping) -> float:
        """What a table loses; a row left out loses everything."""
        return self._loss(self.spaces[name], grouping)

    def _loss(self, spaces: WeightedSpaces, grouping: Grouping) -> float:
        if not spaces.spaces:
            return grouping.n_suppressed / max(1, grouping.n_rows)
        return measure_loss(spaces, grouping).ngil

    def _people(self, size: int, grouper: Grouper) -> Grouping:
        root = self.family.root
        spaces = self.spaces[root]
        table = nameless(self.family.tables[root])
        if not spaces.spaces:
            return Grouping(np.zeros(table.n_rows, dtype=np.int64))
        asked = (KAnonymity(size), *self.models.get(root, ()))
        return grouper.fit(Problem(table, spaces, asked)).grouping_

    def _tried(self, progress: Progress, bound: Bound | None) -> list[CrowdTrial]:
        """Try crowds of k, 2k, 4k, ... until larger ones only lose more."""
        trials: list[CrowdTrial] = []
        size, worse = self.plan.k, 0
        progress.phase("trying sizes of crowds")
        while size <= self.family.n_people and worse <= ENOUGH:
            stop_if_cancelled(progress)
            trials.append(self._trial(size) if bound is None else self._bounded(size, bound))
            fits = [t for t in trials if t.suppressed <= self.plan.max_suppression]
            worse = worse + 1 if fits and trials[-1].loss > min(t.loss for t in fits) else 0
            size *= 2
        return trials

    def _trial(self, size: int) -> CrowdTrial:
        crowds = self._people(size, quick_grouper())
        losses = {self.family.root: self.loss(self.family.root, crowds)}
        gone, rows = 0, 0
        for name in self.family.others:
            some = _sample(crowds.labels[self.family.people[name]])
            people = self.family.people[name][some]
            spaces = _taken(self.spaces[name], some)
            table = self.family.own(name)
            table = table.take(some) if self.models.get(name) else table
            how = (crowds.labels[people], people, self.plan.k, self.models.get(name, ()))
            cells = cut_rows(spaces, table, *how)
            gone, rows = gone + cells.n_suppressed, rows + cells.n_rows
            losses[name] = self._loss(spaces, cells)
        return CrowdTrial(size, losses, gone / max(1, rows))

    def _bounded(self, size: int, bound: Bound) -> CrowdTrial:
        """Try a size with combinations of rows bounded, in some of its crowds."""
        crowds = self._people(size, quick_grouper())
        people = self.family.people
        cells = {name: self.cut(name, crowds) for name in self.family.others}
        step = -(-self.family.n_rows // BOUNDED)
        some = np.arange(0, crowds.n_groups, min(step, crowds.n_groups))
        made = bound(self, Nested(crowds, cells), SILENT, some)
        losses = {self.family.root: self.loss(self.family.root, crowds)}
        gone, rows = 0, 0
        for name in self.family.others:
            inside = np.flatnonzero(np.isin(crowds.labels[people[name]], some))
            part = packed(made.cells[name].labels[inside])
            gone, rows = gone + part.n_suppressed, rows + part.n_rows
            losses[name] = self._loss(_taken(self.spaces[name], inside), part)
        return CrowdTrial(size, losses, gone / max(1, rows))

    def _best(self, trials: tuple[CrowdTrial, ...]) -> CrowdTrial:
        fits = [trial for trial in trials if trial.suppressed <= self.plan.max_suppression]
        if not fits:
            raise ImpossibleError(
                f"No size of crowds leaves out at most {self.plan.max_suppression:.0%} of the rows:"
                " too few people have any in some table.",
                hint="Ask for a smaller k, or let more be left out (max_suppression).",
            )
        return min(fits, key=lambda t: (max(t.losses.values()) > GIVEN_UP, t.loss, t.crowd))

    def _alone(self) -> dict[str, float]:
        """What each table would lose by itself, people counted and nothing joined."""
        root = self.family.root
        found = {root: self.loss(root, self._people(self.plan.k, quick_grouper()))}
        for name in self.family.others:
            people = self.family.people[name]
            some = _sample(np.arange(people.size))
            one = np.zeros(some.size, dtype=np.int64)
            spaces = _taken(self.spaces[name], some)
            cells = cut_within(spaces, one, people[some], self.plan.k)
            found[name] = measure_loss(spaces, cells).ngil if spaces.spaces else 0.0
        return found


def nameless(table: Table) -> Table:
    """The same table for grouping: one row is one person, and nobody need be told apart."""
    roles = table.roles
    return table.with_roles(replace(roles, person=None, identifiers=(*_named(table),)))


def _named(table: Table) -> list[str]:
    roles = table.roles
    return [*dict.fromkeys([*roles.identifiers, *filter(None, [roles.person])])]


def _sample(crowds: IntArray) -> IntArray:
    """Rows of whole crowds, spread over all of them, about as many as are enough for a trial."""
    if crowds.size <= SAMPLE:
        return np.arange(crowds.size)
    step = -(-crowds.size // SAMPLE)
    return np.flatnonzero(crowds % step == 0)


def _taken(spaces: WeightedSpaces, rows: IntArray) -> WeightedSpaces:
    parts = tuple(replace(space, codes=space.codes[rows]) for space in spaces.spaces)
    return WeightedSpaces(parts, spaces.weights)
