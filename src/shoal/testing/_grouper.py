"""What every grouper must do, whoever wrote it."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import polars as pl
from numpy.random import Generator

from shoal.exceptions import CancelledError, ImpossibleError
from shoal.grouping import Grouper, Problem
from shoal.privacy import KAnonymity
from shoal.recoding import Generalize
from shoal.table import Grouping
from shoal.testing._expect import expect
from shoal.testing._problems import random_problem, twice
from shoal.testing._tables import shuffled
from shoal.typing import IntArray


def check_grouper(grouper: Grouper, *, tables: int = 12, seed: int = 0) -> None:
    """Let a grouper group random tables, and check every promise that groupers make.

    Parameters
    ----------
    grouper : Grouper
        Any grouper; it is copied, never fitted itself.
    tables : int
        How many random tables to try.
    seed : int
        Which tables.

    Raises
    ------
    AssertionError
        With a sentence that says which promise is broken.

    Examples
    --------
    >>> from shoal.grouping import Mondrian
    >>> check_grouper(Mondrian(), tables=2)
    """
    _check_is_estimator(grouper)
    problems = []
    for number in range(tables):
        rng = np.random.default_rng((seed, number))
        problem = random_problem(rng)
        check_grouper_on(grouper, problem, rng)
        problems.append(problem)
    _check_threads(grouper, problems)
    _check_cancels(grouper, problems[0])


def check_grouper_on(grouper: Grouper, problem: Problem, rng: Generator) -> Grouping:
    """Check all that a grouper promises on one problem; return the grouping it made."""
    before = problem.table.frame.clone()
    grouping = fitted(grouper, problem)
    expect(problem.table.frame.equals(before), "The table changed while it was grouped.")
    check_grouping(problem, grouping)
    again = fitted(grouper, problem)
    expect(np.array_equal(grouping.labels, again.labels), "The same problem is grouped anew.")
    published = released_rows(problem, grouping)
    _check_order(grouper, problem, rng, published)
    _check_scale(grouper, problem, grouping)
    double = twice(problem)
    check_grouping(double, fitted(grouper, double))
    return grouping


def check_grouping(problem: Problem, grouping: Grouping) -> None:
    """Check that a grouping solves a problem: whole groups, every model, limits, suppression."""
    expect(grouping.n_rows == problem.table.n_rows, "A grouping has one label for every row.")
    expect(grouping.n_suppressed <= problem.budget, "More rows are suppressed than permitted.")
    if grouping.n_groups == 0:
        return
    expect(grouping.smallest >= problem.k, "A group has fewer than k rows.")
    for model in problem.models:
        expect(model.judge(problem.table, grouping).holds, f"{model} does not hold.")
    for space in problem.spaces.spaces:
        reach = space.reach()
        if reach is not None:
            spans = [space.codes[grouping.members(g)] for g in range(grouping.n_groups)]
            wide = sum(int(codes.max() > reach[codes.min()]) for codes in spans)
            expect(wide == 0, f"{wide} groups are wider than the limit of {space.name!r}.")


def fitted(grouper: Grouper, problem: Problem) -> Grouping:
    """Fit a copy of a grouper with the weights of the problem."""
    return copy_of(grouper).fit(problem).grouping_


def copy_of(grouper: Grouper) -> Grouper:
    """Return an unfitted copy, as ``sklearn.base.clone`` would."""
    return type(grouper)(**grouper.get_params(deep=False))


def released_rows(problem: Problem, grouping: Grouping) -> pl.DataFrame:
    """What would be published, sorted, so that tables in any order can be compared."""
    frame = Generalize().recode(problem.table, grouping, problem.spaces).release_frame(problem.table)
    return frame.sort(frame.columns, nulls_last=True)


def _check_is_estimator(grouper: Grouper) -> None:
    params = grouper.get_params()
    twin = copy_of(grouper)
    same = all(twin.get_params()[name] is value for name, value in params.items())
    expect(same, "A copy of the grouper has other parameters.")
    expect(repr(twin) == repr(grouper), "A copy of the grouper prints differently.")


def _check_order(
    grouper: Grouper, problem: Problem, rng: Generator, published: pl.DataFrame
) -> None:
    table = shuffled(rng, problem.table)
    moved = replace(problem, table=table, spaces=problem.respaced(table))  # type: ignore[attr-defined]
    again = released_rows(moved, fitted(grouper, moved))
    expect(again.equals(published), "The order of the input rows changes what is released.")


def _check_scale(grouper: Grouper, problem: Problem, grouping: Grouping) -> None:
    weights = dict(zip(problem.spaces.names, problem.spaces.weights.tolist(), strict=True))
    scaled = {name: 3.7 * weight for name, weight in weights.items()}
    other = replace(problem, spaces=problem.spaces.with_weights(scaled))
    labels = fitted(grouper, other).labels
    expect(np.array_equal(labels, grouping.labels), "Scaling all weights changes the groups.")
