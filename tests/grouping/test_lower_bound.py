"""The proven bound: the cheapest box that holds k rows, by trying every box."""

from __future__ import annotations

from itertools import product

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.anonymizer import Anonymizer
from shoal.datasets import people
from shoal.exceptions import ShoalError
from shoal.grouping import Auto, Mondrian, Problem, SaNGreeA, _bound, bound_loss
from shoal.privacy import DistinctLDiversity, KAnonymity, TCloseness
from shoal.recoding import Generalize
from shoal.spaces import build_spaces
from shoal.spaces._base import LARGEST_TABLE
from shoal.table import Roles, read_table
from shoal.utility import measure_loss
from thorough import times


def random_problem(rng, k):
    n = int(rng.integers(max(k, 4), 12))
    frame = pl.DataFrame(
        {
            "age": rng.integers(20, 26, n),
            "zip": rng.choice(["8010", "8020", "8045", "1190", "1010"], n),
            "job": [("a", "b", None)[i] for i in rng.integers(0, 3, n)],
        }
    )
    roles = Roles(quasi_identifiers=frame.columns[: int(rng.integers(1, 4))])
    kinds = {"age": "numeric", "zip": "code", "job": "nominal"}
    table = read_table(frame, roles=roles, kinds=kinds)
    loss = (None, "leaves", "people")[int(rng.integers(0, 3))]
    return Problem(table, build_spaces(table, loss=loss), (KAnonymity(k),))


def cheapest_box(problem, row):
    """Least loss of all boxes of codes around a row that hold k rows."""
    spaces, codes = problem.spaces, problem.spaces.codes
    spans = [
        [(a, b) for a in range(c + 1) for b in range(c, space.n_codes)]
        for space, c in zip(spaces.spaces, codes[row], strict=True)
    ]
    best = np.inf
    for box in product(*spans):
        lo, hi = np.array(box).T
        if ((codes >= lo) & (codes <= hi)).all(axis=1).sum() >= problem.k:
            best = min(best, spaces.loss_by_attribute(lo[None], hi[None]).sum())
    return best


@pytest.mark.parametrize("seed", range(40))
def test_the_bound_is_the_cheapest_box_of_every_row(seed):
    rng = np.random.default_rng(seed)
    problem = random_problem(rng, int(rng.integers(2, 5)))
    rows = problem.table.n_rows
    exact = sum(cheapest_box(problem, row) for row in range(rows)) / rows
    bound = bound_loss(problem).proven
    assert bound == pytest.approx(exact / len(problem.spaces.spaces), abs=1e-6)
    for grouper in (SaNGreeA(), Mondrian()):
        grouping = grouper.fit(problem).grouping_
        assert bound <= measure_loss(problem.spaces, grouping).formed_loss


WEIGHTS = dict.fromkeys(("age", "income", "zip"), st.sampled_from([0.0, 0.5, 2.0]))
LIMITS = {"age": st.integers(0, 30), "income": st.integers(10, 60), "zip": st.integers(0, 4)}
GRIDS = {"age": st.sampled_from([1, 5]), "income": st.sampled_from([2.5, 10])}


def some_of(choices, names):
    return st.fixed_dictionaries({}, optional={n: choices[n] for n in names if n in choices})


@st.composite
def tables_and_options(draw):
    """A small table of people, and whatever a steward may ask for at once."""
    n = draw(st.integers(6, 40))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    frame = pl.DataFrame(
        {
            "age": [str(value) for value in rng.integers(0, draw(st.sampled_from([3, 40])), n)],
            "income": [None if v > 90 else f"{v:.1f}" for v in rng.exponential(30, n)],
            "zip": rng.choice(["8010", "8011", "8020", "8045", "1190", "1010"], n),
            "ill": rng.choice(["flu", "cold", "asthma", "none"], n),
            "who": [f"p{value}" for value in rng.integers(0, n, n)],
        }
    )
    names = draw(st.lists(st.sampled_from(["age", "income", "zip"]), min_size=1, unique=True))
    person = "who" if draw(st.booleans()) else None
    roles = Roles(quasi_identifiers=names, sensitive=["ill"], person=person)
    kinds = {"age": "numeric", "income": "numeric", "zip": "code"}
    models = [KAnonymity(draw(st.integers(2, 4)))]
    models += [DistinctLDiversity(2, "ill")] if draw(st.booleans()) else []
    models += [TCloseness(0.6, "ill")] if draw(st.booleans()) else []
    grouper = draw(st.sampled_from([Auto, Mondrian, SaNGreeA]))
    return (
        read_table(frame, roles=roles, kinds=kinds),
        Anonymizer(
            grouping=grouper(weights=draw(some_of(WEIGHTS, names)) | {names[0]: 1.0}),
            recoding=Generalize(
                limits=draw(some_of(LIMITS, names)), grid=draw(some_of(GRIDS, names))
            ),
            privacy=models,
            suppression_limit=draw(st.sampled_from([0.0, 0.1, 0.5, 1.0])),
            bound=draw(st.sampled_from([True, "prove"])),
            loss=draw(st.sampled_from([None, "height", "leaves", "people"])),
        ),
        draw(st.sampled_from([2, LARGEST_TABLE])),
    )


@settings(max_examples=times(80))
@given(tables_and_options())
def test_no_release_loses_less_than_the_bound(case):
    table, anonymizer, largest_table = case
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("shoal.spaces._base.LARGEST_TABLE", largest_table)
        try:
            anonymizer.fit(table)
        except ShoalError:
            return  # refused: nothing was released
    assert anonymizer.loss_bound_ <= anonymizer.loss_.formed_loss
    if anonymizer.ngil_bound_ is not None:
        assert anonymizer.ngil_bound_ <= anonymizer.loss_.ngil


@pytest.fixture
def estimating(monkeypatch):
    """What is large begins early, and a sample is small."""
    monkeypatch.setattr(_bound, "ESTIMATED_FROM", 1_000)
    monkeypatch.setattr(_bound, "SAMPLED", 300)
    monkeypatch.setattr(_bound, "TOGETHER", 20)


def test_a_sample_tells_about_what_all_rows_prove(estimating, monkeypatch):
    town = people(1_500)
    table = town.table()
    spaces = Generalize(town.hierarchies).spaces(table)
    for k in (3, 10):
        problem = Problem(table, spaces, (KAnonymity(k),))
        nothing, estimated = bound_loss(problem)
        with monkeypatch.context() as patched:
            patched.setattr(_bound, "ESTIMATED_FROM", table.n_rows)
            proven, _ = bound_loss(problem)
        assert estimated == pytest.approx(proven, rel=0.1)
        assert (nothing, estimated != proven) == (None, True)


def test_an_estimate_is_not_called_a_proof(estimating):
    town = people(1_200)
    made = Anonymizer("mondrian", Generalize(town.hierarchies), KAnonymity(5)).fit(town.table())
    assert (made.loss_bound_, made.ngil_bound_) == (None, None)
    assert 0 < made.ngil_bound_estimate_ < made.loss_.ngil
    assert made.facts()["ngil_bound_estimate"] == made.ngil_bound_estimate_
    assert "ngil_bound" not in made.summary_.utility
    shuffled = people(1_200).table().take(np.random.default_rng(3).permutation(1_200))
    again = Anonymizer("mondrian", Generalize(town.hierarchies), KAnonymity(5)).fit(shuffled)
    assert again.ngil_bound_estimate_ == made.ngil_bound_estimate_


def test_a_proof_is_made_of_any_size_if_asked_for(estimating):
    few = people(1_001)
    way = Anonymizer("mondrian", Generalize(few.hierarchies), KAnonymity(5), bound="prove")
    made = way.fit(few.table())
    assert made.ngil_bound_ > 0
    assert made.ngil_bound_estimate_ is None
