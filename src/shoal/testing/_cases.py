"""Random cases: a table, what is asked of it, and how it would be published."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import polars as pl
from numpy.random import Generator

from shoal.exceptions import ImpossibleError
from shoal.grouping import Grouper, Problem
from shoal.privacy import (
    AlphaK,
    BasicBetaLikeness,
    DeltaDisclosure,
    DistinctLDiversity,
    EnhancedBetaLikeness,
    EntropyLDiversity,
    KAnonymity,
    PrivacyModel,
    RecursiveCLDiversity,
    TCloseness,
)
from shoal.recoding import Generalize
from shoal.table import Grouping, Table
from shoal.testing._tables import (
    ORDERED,
    SENSITIVE,
    random_hierarchies,
    random_table,
    with_frame,
)

#: Models beside k that a case may ask for; groups of a handful of rows can meet them.
MODELS: tuple[PrivacyModel, ...] = (
    DistinctLDiversity(2, SENSITIVE),
    EntropyLDiversity(1.6, SENSITIVE),
    RecursiveCLDiversity(3, 2, SENSITIVE),
    AlphaK(0.8, 2, SENSITIVE),
    TCloseness(0.6, SENSITIVE),
    TCloseness(0.4, ORDERED, "ordered"),
    BasicBetaLikeness(3, SENSITIVE),
    EnhancedBetaLikeness(3, SENSITIVE),
    DeltaDisclosure(2, ORDERED),
)


@dataclass(frozen=True, eq=False)
class Case:
    """A table with everything a grouper is told about it.

    Attributes
    ----------
    table : Table
        The rows.
    models : tuple of PrivacyModel
        What must hold in every group.
    recoder : Generalize
        How groups would be published: hierarchies, limits, grid.
    weights : mapping of str to float
        How much each quasi-identifier matters.
    suppression_limit : float
        Largest share of rows that may be left out.
    """

    table: Table
    models: tuple[PrivacyModel, ...]
    recoder: Generalize = field(default_factory=Generalize)
    weights: Mapping[str, float] = field(default_factory=dict)
    suppression_limit: float = 0.0

    @cached_property
    def problem(self) -> Problem:
        """The case as groupers take it."""
        spaces = self.recoder.spaces(self.table, self.weights)
        return Problem(self.table, spaces, self.models, self.suppression_limit)

    def with_frame(self, frame: pl.DataFrame) -> Case:
        """Return the same case for other rows of the same columns."""
        return replace(self, table=with_frame(self.table, frame))

    def solve(self, grouper: Grouper) -> Grouping | None:
        """Fit a copy of a grouper; None if it says that nothing can hold what is asked."""
        copy = type(grouper)(**grouper.get_params(deep=False))
        try:
            return copy.fit(self.problem).grouping_
        except ImpossibleError:
            return None

    def publish(self, grouping: Grouping) -> pl.DataFrame:
        """What would be released, sorted, so that tables in any order can be compared."""
        recoded = self.recoder.recode(self.table, grouping, self.problem.spaces)
        frame = recoded.release_frame(self.table)
        return frame.sort(frame.columns, nulls_last=True)

    @property
    def is_easy(self) -> bool:
        """Whether one group of all rows is a solution."""
        everybody = Grouping(np.zeros(self.table.n_rows, dtype=np.int64))
        return not self.recoder.limits and all(
            model.judge(self.table, everybody).holds for model in self.models
        )


def random_case(rng: Generator, table: Table | None = None, *, limits: bool = True) -> Case:
    """Ask something of a random table: a k, often a second model, weights, sometimes a limit.

    >>> case = random_case(np.random.default_rng(1))
    >>> case.is_easy, [str(model) for model in case.models]
    (True, ['9-anonymity', "distinct 2-diversity of 'illness'"])
    """
    table = table or random_table(
        rng,
        n_rows=int(rng.integers(6, 60)),
        n_quasi=int(rng.integers(1, 6)),
        missing=float(rng.choice([0.0, 0.1, 0.4])),
        duplicates=float(rng.choice([0.0, 0.3, 0.8])),
        person=bool(rng.random() < 0.2),
    )
    names = table.roles.quasi_identifiers
    models: list[PrivacyModel] = [KAnonymity(int(rng.integers(2, max(3, table.n_rows // 3))))]
    if rng.random() < 0.5:
        models.append(MODELS[int(rng.integers(len(MODELS)))])
    weights = {name: float(rng.choice([0.0, 0.5, 1.0, 3.0])) for name in names}
    weights[names[0]] = 1.0
    limited = {name: float(rng.integers(1, 60)) for name in names if rng.random() < 0.3}
    return Case(
        table=table,
        models=tuple(models),
        recoder=Generalize(
            hierarchies=random_hierarchies(rng, table),
            limits=limited if limits and rng.random() < 0.3 else None,
        ),
        weights=weights,
        suppression_limit=float(rng.choice([0.0, 0.0, 0.1])),
    )
