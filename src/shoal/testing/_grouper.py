"""What every grouper must do, whoever wrote it."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import polars as pl
from numpy.random import Generator

from shoal._progress import Silent
from shoal.exceptions import CancelledError, ImpossibleError
from shoal.grouping import Grouper, Problem
from shoal.privacy import KAnonymity
from shoal.table import Grouping
from shoal.testing._cases import Case, random_case
from shoal.testing._expect import expect


def check_grouper(grouper: Grouper, *, tables: int = 12, seed: int = 0) -> None:
    """Let a grouper group random tables, and check every promise that groupers make.

    Parameters
    ----------
    grouper : Grouper
        Any grouper; copies of it are fitted, never the grouper itself.
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
    _check_parameters(grouper)
    cases = []
    for number in range(tables):
        rng = np.random.default_rng((seed, number))
        cases.append(random_case(rng))
        check_grouper_on(grouper, cases[-1], rng)
    _check_threads(grouper, cases)
    _check_refusals(grouper, cases[0])


def check_grouper_on(grouper: Grouper, case: Case, rng: Generator) -> Grouping | None:
    """Check all that a grouper promises on one case; return the grouping it made."""
    before = case.table.frame.clone()
    grouping = case.solve(grouper)
    expect(case.table.frame.equals(before), "The table changed while it was grouped.")
    if grouping is None:
        expect(not case.is_easy, "The grouper gives up where one group of all rows would do.")
        return None
    check_grouping(case.problem, grouping)
    _expect_same(case.solve(grouper), grouping, "A second run makes other groups.")
    _check_scale(grouper, case, grouping)
    _check_order(grouper, case, rng, case.publish(grouping))
    double = case.with_frame(pl.concat([case.table.frame] * 2))
    again = double.solve(grouper)
    if again is not None:
        check_grouping(double.problem, again)
    easy = not case.recoder.limits
    expect(again is not None or not easy, "The grouper gives up once every row is there twice.")
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
    members = [grouping.members(group) for group in range(grouping.n_groups)]
    for space in problem.spaces.spaces:
        reach = space.reach()
        if reach is not None:
            spans = [space.codes[rows] for rows in members]
            wide = sum(int(codes.max() > reach[codes.min()]) for codes in spans)
            expect(wide == 0, f"{wide} groups are wider than the limit of {space.name!r}.")


def _check_parameters(grouper: Grouper) -> None:
    params = grouper.get_params(deep=False)
    twin = type(grouper)(**params)
    same = all(getattr(twin, name) is value for name, value in params.items())
    expect(same, "The grouper does not store its parameters as they are.")
    expect(repr(twin) == repr(grouper), "A copy of the grouper prints differently.")


def _check_order(grouper: Grouper, case: Case, rng: Generator, published: pl.DataFrame) -> None:
    moved = case.with_frame(case.table.frame[rng.permutation(case.table.n_rows)])
    grouping = moved.solve(grouper)
    same = grouping is not None and moved.publish(grouping).equals(published)
    expect(same, "The order of the input rows changes what is released.")


def _check_scale(grouper: Grouper, case: Case, grouping: Grouping) -> None:
    for factor in (3.7, 0.01):
        weights = {name: factor * weight for name, weight in case.weights.items()}
        scaled = replace(case, weights=weights).solve(grouper)
        _expect_same(scaled, grouping, "Scaling all weights changes the groups.")


def _check_threads(grouper: Grouper, cases: Sequence[Case]) -> None:
    """Runs side by side must not notice each other."""
    alone = [case.solve(grouper) for case in cases]
    with ThreadPoolExecutor(2) as pool:
        together = list(pool.map(lambda case: replace(case).solve(grouper), cases))
    for one, other in zip(alone, together, strict=True):
        if one is not None:
            _expect_same(other, one, "Two runs in threads differ from two runs in a row.")


def _check_refusals(grouper: Grouper, case: Case) -> None:
    """What cannot be is said, and who wants to stop is heard."""
    greedy = replace(case, models=(KAnonymity(case.table.n_rows + 1),))
    expect(greedy.solve(grouper) is None, "A k above the number of rows is not refused.")
    copy = type(grouper)(**grouper.get_params(deep=False))
    try:
        copy.fit(replace(case, models=(KAnonymity(2),)).problem, _Cancelled())
    except CancelledError:
        return
    except ImpossibleError:
        pass
    raise AssertionError("The grouper does not stop when the user wants it to.")


class _Cancelled(Silent):
    cancelled = True


def _expect_same(one: Grouping | None, other: Grouping, sentence: str) -> None:
    expect(one is not None and np.array_equal(one.labels, other.labels), sentence)
