"""All groupers pass the battery on tables of every shape; the battery catches those who lie."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from shapes import GROUPERS, SEEDS, SHAPES, quick, table_of
from sklearn.base import clone

from shoal.grouping import Auto, Grouper, Mondrian, Problem, SaNGreeA
from shoal.privacy import KAnonymity
from shoal.table import Grouping, Roles
from shoal.testing import check_grouper, check_grouper_on, check_grouping, random_case
from shoal.utility import measure_loss


@pytest.mark.parametrize("grouper", GROUPERS, ids=repr)
def test_every_grouper_passes_the_battery(grouper):
    check_grouper(grouper, tables=6, seed=GROUPERS.index(grouper))


@pytest.mark.parametrize("grouper", [SaNGreeA(), SaNGreeA(order="common"), Mondrian()], ids=repr)
@given(seed=SEEDS, shape=SHAPES)
@quick(12)
def test_tables_of_every_shape_are_grouped(grouper, seed, shape):
    rng, table = table_of(seed, shape)
    check_grouper_on(grouper, random_case(rng, table), rng)


@pytest.mark.parametrize("grouper", GROUPERS, ids=repr)
def test_groupers_can_be_cloned_and_configured(grouper):
    twin = clone(grouper)
    assert twin is not grouper
    assert repr(twin) == repr(grouper)
    assert twin.set_params(weights={"age": 2.0}).get_params()["weights"] == {"age": 2.0}


@given(seed=SEEDS, shape=SHAPES)
@quick(15)
def test_refinement_never_raises_the_loss(seed, shape):
    rng, table = table_of(seed, shape)
    case = random_case(rng, table, limits=False)
    for order in ("best-first", "common"):
        plain, refined = (case.solve(SaNGreeA(order=order, refine=r)) for r in (False, True))
        if plain is not None and not case.suppression_limit and len(case.models) == 1:
            weighted = [weighted_loss(case.problem, g) for g in (plain, refined)]
            assert weighted[1] <= weighted[0] + 1e-6


def weighted_loss(problem, grouping):
    by_attribute = measure_loss(problem.spaces, grouping).loss_by_attribute
    return sum(w * x for w, x in zip(problem.spaces.weights, by_attribute.values(), strict=True))


def test_auto_says_what_ran_and_why():
    case = random_case(np.random.default_rng(5), limits=False)
    auto = Auto().fit(case.problem)
    assert auto.method_ == SaNGreeA().fit(case.problem).method_
    assert "cheapest crowd first" in auto.chosen(30_000).why
    assert isinstance(Auto().chosen(10**8).grouper, Mondrian)
    assert Auto().chosen(10**7).grouper.order == "common"
    shares = [Auto().chosen(n).grouper.rated for n in (2_000_000, 2_200_000, 3_000_000, 3_900_000)]
    assert shares == [1.0, 0.698, 0.178, 0.01]  # less and less: time does not fall at once
    assert Auto().chosen(10**6).grouper.refine
    assert "lose most" in Auto().chosen(10**6).why


def test_quick_is_quick_on_large_tables_and_says_what_more_effort_brings():
    small, large = (Auto(effort="quick").chosen(n) for n in (500_000, 500_001))
    assert (small.grouper.order, large.grouper.order) == ("best-first", "common")
    assert large.why.endswith("the default effort loses less")
    assert Auto().chosen(500_001).grouper.order == "best-first"


class ByPosition(Grouper):
    """Groups rows as they come: depends on the order of the input."""

    def __init__(self, weights=None):
        self.weights = weights

    def _group(self, problem, progress):
        raise NotImplementedError

    def fit(self, problem, progress=None):
        n, k = problem.table.n_rows, problem.k
        self.grouping_ = Grouping(np.minimum(np.arange(n) // k, max(0, n // k - 1)))
        return self


class ShortLast(ByPosition):
    """Leaves a last group of what is left over."""

    def fit(self, problem, progress=None):
        order = np.argsort(problem.table.row_hash())
        labels = np.empty(order.size, dtype=np.int64)
        labels[order] = np.arange(order.size) // problem.k
        self.grouping_ = Grouping(labels)
        return self


class Forgetful(ByPosition):
    """Leaves rows out without asking."""

    def fit(self, problem, progress=None):
        self.grouping_ = Grouping(np.where(np.arange(problem.table.n_rows) == 0, -1, 0))
        return self


@pytest.mark.parametrize("liar", [ByPosition(), ShortLast(), Forgetful()], ids=repr)
def test_the_battery_catches_groupers_that_lie(liar):
    with pytest.raises(AssertionError, match=r"\.$"):
        check_grouper(liar, tables=8)


def test_a_grouping_of_something_else_is_no_solution():
    case = random_case(np.random.default_rng(0), limits=False)
    with pytest.raises(AssertionError, match="one label for every row"):
        check_grouping(case.problem, Grouping(np.zeros(3, dtype=np.int64)))


def test_without_quasi_identifiers_everybody_is_one_group():
    case = random_case(np.random.default_rng(0), limits=False)
    table = case.table.with_roles(Roles(sensitive="illness"))
    problem = Problem(table, case.recoder.spaces(table), (KAnonymity(2),))
    assert SaNGreeA().fit(problem).grouping_.n_groups == 1
