"""The runner: does one effort, from grouping the train rows to measuring models."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from time import perf_counter
from typing import Any

import numpy as np
import polars as pl

from shoal.exceptions import ImpossibleError
from shoal.hierarchies import Hierarchy
from shoal.recipe import Recipe, assemble, resolve
from shoal.recoding import Recoded
from shoal.risk import measure_relinkage
from shoal.spaces import WeightedSpaces, build_spaces
from shoal.table import Grouping, Table, read_table
from shoal.tuning._effort import Effort
from shoal.tuning._judge import Judge, Judgement
from shoal.tuning._parts import Parts, rotate
from shoal.tuning._privacy import PrivacyMeasure, smallest
from shoal.utility import GeneralizedEncoder, measure_loss

FAITHFUL_UP_TO = 50_000  # train rows that finalists are grouped of in the order of a release
REFINED_UP_TO = 1_000  # train rows up to which finalists are refined as well, as a release is
DRAWS = 2  # times that each published row is drawn out of its ranges, to learn trees from
TURNS = 3  # other divisions on which finalists are tried again


@dataclass(frozen=True)
class EffortOutcome:
    """What one effort came to: both qualities, and the facts beside them.

    Scores are of models that learned from the anonymized train part.
    """

    q_f: float
    q_nf: float
    k: int
    ngil: float
    groups: int
    suppressed: int
    seconds: float
    scores: tuple[float, ...] = ()
    interval: tuple[float, float] | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class PublishedRows:
    """An anonymized table: its rows as a model sees them, and who hides with whom."""

    rows: Table
    answers: Any
    grouping: Grouping
    ngil: float
    relinked: float | None = None  # share of people that linkage finds again, if values moved
    generalized: bool = True  # whether rows may say ranges


@dataclass(frozen=True, eq=False)
class EffortRunner:
    """Everything an effort needs, coded once and used in every trial.

    Parameters
    ----------
    parts : Parts
        The rows, parted.
    judge : Judge
        Models and measure.
    privacy : Privacy
        How Q_NF is measured.
    hierarchies : mapping of str to Hierarchy
        Trees of the quasi-identifiers.
    features : tuple of str
        Columns that models see.
    loss : str, optional
        What a node of a tree loses; as each hierarchy says if not given.
    """

    parts: Parts
    judge: Judge
    privacy: PrivacyMeasure
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    features: tuple[str, ...] = ()
    loss: str | None = None
    _turned: dict[int, EffortRunner] = field(default_factory=dict, repr=False)

    def run(self, effort: Effort) -> EffortOutcome:
        """Anonymize the train rows, learn from them, measure on untouched validation rows."""
        began = perf_counter()
        published = self.publish(self.parts.train, effort)
        judged = self.learn(published, self.parts.validation)
        score = judged.score
        return EffortOutcome(
            q_f=score.mean,
            q_nf=self.privacy.of(self.parts.train, published.grouping, published.relinked),
            k=smallest(self.parts.train, published.grouping),
            ngil=published.ngil,
            groups=published.grouping.n_groups,
            suppressed=published.grouping.n_suppressed,
            seconds=round(perf_counter() - began, 3),
            scores=score.values,
            interval=None if score.low is None or score.high is None else (score.low, score.high),
            notes=judged.notes,
        )

    def faithful(self, effort: Effort) -> Effort:
        """The effort as a release would have it, where that takes seconds and not minutes."""
        rows = self.parts.train.n_rows
        if rows > FAITHFUL_UP_TO:
            return effort
        return effort.as_released(refined=rows <= REFINED_UP_TO)

    def rotated(self, turn: int | None) -> EffortRunner:
        """The same runner with other validation rows (see `rotate`); made once."""
        if turn is None:
            return self
        if turn not in self._turned:
            self._turned[turn] = replace(self, parts=rotate(self.parts, turn, TURNS), _turned={})
        return self._turned[turn]

    def publish(self, table: Table, effort: Effort) -> PublishedRows:
        """Anonymize a table as an effort says, without refinement unless it says so."""
        recipe = self._recipe(table, effort)
        grouping = recipe.grouper.fit(recipe.problem(table)).grouping_
        if grouping.n_groups == 0:
            raise ImpossibleError(
                "No rows are left after suppression.", hint="Widen a limit, or suppress less."
            )
        recoded = recipe.recoder.recode(table, grouping, recipe.spaces, recipe.grouper)
        found = self._published(table, recoded, measure_loss(recipe.spaces, grouping).ngil)
        if not recipe.recoder.moves_values or self.privacy.measure != "risk":
            return found
        return replace(found, relinked=self._relinked(table, effort, grouping, recoded))

    def _recipe(self, table: Table, effort: Effort) -> Recipe:
        """Decide what runs; the train part is coded once where nothing but weights differs.

        A seed makes a trial that moves values repeatable, and is never published.
        """
        limits, grid = dict(effort.limits) or None, dict(effort.grid) or None
        grouper, recoder, promised = assemble(
            effort.grouper(), effort.models(table), self.hierarchies, limits, grid
        )
        spaces = None
        if recoder.moves_values:
            recoder = recoder.clone(random_state=0)
        elif table is self.parts.train and not limits and not grid:
            spaces = self._coded.with_weights(grouper.weights)
        return resolve(
            table,
            grouping=grouper,
            recoding=recoder,
            privacy=promised,
            suppression_limit=0.0 if recoder.moves_values else effort.max_suppression,
            spaces=spaces,
            loss=None if recoder.moves_values else self.loss,
        )

    def _relinked(
        self, table: Table, effort: Effort, grouping: Grouping, recoded: Recoded
    ) -> float:
        """Share of people that linkage finds again: nobody looks alike once values have moved."""
        assert recoded.outliers is not None
        return measure_relinkage(
            table,
            recoded.aligned_frame(table),
            grouping,
            recoded.outliers,
            effort.k,
            hierarchies=self.hierarchies,
        ).everybody

    def _published(self, table: Table, recoded: Recoded, ngil: float) -> PublishedRows:
        kept = recoded.grouping.labels >= 0
        words = recoded.aligned_frame(table).select(self.features).filter(pl.Series(kept))
        return PublishedRows(
            rows=read_table(words),
            answers=self.judge.target.values(table)[kept],
            grouping=recoded.grouping,
            ngil=ngil,
        )

    def learn(self, published: PublishedRows, *tests: Table) -> Judgement:
        """Train on what is published; measure on the rows of a table."""
        return self.learn_all(published, *tests)[0]

    def learn_all(
        self, published: PublishedRows, *tests: Table | PublishedRows, resampled: bool = False
    ) -> list[Judgement]:
        """Train once; measure on several sets of rows, untouched or published."""
        encoder = self.encoder().fit(published.rows)
        single = None
        if published.generalized:
            answers = np.tile(published.answers, DRAWS)
            single = encoder.draw(published.rows, DRAWS), answers
        return self.judge.judge(
            encoder.transform(published.rows),
            published.answers,
            [
                (encoder.transform(test.rows), test.answers)
                if isinstance(test, PublishedRows)
                else (encoder.transform(test), self.judge.target.values(test))
                for test in tests
            ],
            single=single,
            resampled=resampled,
        )

    def learn_from_originals(self, *tests: Table) -> list[Judgement]:
        """Train on the train rows as they are: what no anonymization would give."""
        train = self.parts.train
        answers = self.judge.target.values(train)
        everyone = Grouping.from_keys([], train.n_rows)
        originals = PublishedRows(train, answers, everyone, 0.0, generalized=False)
        return self.learn_all(originals, *tests)

    def encoder(self) -> GeneralizedEncoder:
        """Make the encoder through which raw rows and published ones meet."""
        train = self.parts.train
        return GeneralizedEncoder(
            {name: tree for name, tree in self.hierarchies.items() if name in self.features},
            kinds={name: train.kinds[name] for name in self.features},
            quasi_identifiers=self.features,
            orders=dict(train.orders),
            scaled=True,  # the spread of midpoints says nothing about raw rows
        )

    @cached_property
    def _coded(self) -> WeightedSpaces:
        return build_spaces(self.parts.train, hierarchies=self.hierarchies, loss=self.loss)
