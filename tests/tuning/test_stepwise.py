"""The paper's own efforts: six steps for everybody, k is counted, Q chooses, a plan repeats."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from towns import COLUMNS, town

import shoal
from shoal.exceptions import InvalidParameterError
from shoal.grouping import Problem
from shoal.recoding import Generalize
from shoal.studies.augusto2019._schemes import SCHEMES
from shoal.table import Roles, read_table
from shoal.tuning import ROUNDING, Scheme, Stepwise, tune
from shoal.tuning._full_domain import FullDomain

ASKED = {"search": Stepwise(), "models": "logistic_regression"}


@pytest.fixture(scope="module")
def found():
    return tune(town(), **COLUMNS, **ASKED, raw=True)


def test_six_efforts_are_made_whatever_the_budget_and_q_is_told_for_each(found) -> None:
    told = found.to_dict()
    assert told["trials"] == len(told["tried"]) == 6  # of 100 that were allowed
    widths = [trial["params"]["grid"]["age"] for trial in told["tried"]]
    assert widths == [2, 5, 10, 20, 50, 100]
    assert [trial["params"]["levels"]["job"] for trial in told["tried"]] == [0, 0, 0, 0, 0, 1]
    for trial in told["tried"]:
        assert trial["q"] == trial["q_f"] + told["alpha"] * trial["k"]
    ks = [trial["k"] for trial in told["tried"]]
    assert ks == sorted(ks)
    assert ks[-1] == 240  # everybody alike


def test_k_is_the_smallest_crowd_of_the_bins(found) -> None:
    train = found.study.runner.parts.train.frame
    for trial in found.study.trials:
        width, level = trial.effort.grid["age"], trial.effort.levels["job"]
        keys = [(pl.col("age") / width).floor(), *([] if level else [pl.col("job"), pl.col("pet")])]
        assert trial.outcome.k == train.group_by(keys).len()["len"].min()


def test_the_release_asks_for_the_crowd_that_was_found_on_the_same_bins(tmp_path) -> None:
    frame = town()
    frame.write_csv(tmp_path / "town.csv")
    plan = shoal.Plan(
        source=str(tmp_path / "town.csv"), roles=Roles((), ["age", "job"], (), "smoker")
    )
    asked = {"target": "smoker", "quasi_identifiers": ["age", "job"]}
    found = tune(frame, **asked, **ASKED, pick=4, plan=plan)
    assert found.chosen.outcome.k > 2
    assert found.plan.k == found.chosen.outcome.k
    written = found.write(tmp_path / "out")
    assert written.verification.recount.k >= found.plan.k
    assert set(pl.read_csv(tmp_path / "out" / "data.csv")["age"]) <= {"[0, 49]", "[50, 99]"}
    again = shoal.run(shoal.Plan.read(tmp_path / "out" / "plan.toml"))
    assert again.verdict.holds
    page = (tmp_path / "out" / "study.html").read_text()
    assert page.count("<tr>") >= 7  # all six are listed


def test_an_effort_in_which_people_stand_alone_is_released_with_a_crowd_of_two() -> None:
    first = tune(town(), **COLUMNS, **ASKED, pick=0)
    assert first.chosen.outcome.k == 1
    assert first.plan.k == 2
    assert first.release.verdict.holds


def test_a_killed_study_of_efforts_goes_on(tmp_path) -> None:
    asked = {**COLUMNS, **ASKED, "storage": tmp_path / "study.db"}
    finished = tune(town(), **asked, trials=2).study.trials
    second = tune(town(), **asked, resume=True)
    assert second.study.n_finished == 6
    assert second.study.trials[:2] == finished
    with pytest.raises(InvalidParameterError, match="search differs"):
        tune(town(), **{**asked, "search": Stepwise(3)}, resume=True)


@pytest.mark.parametrize("steps", [0, 13, True])
def test_there_are_no_more_steps_than_make_sense(steps) -> None:
    with pytest.raises(InvalidParameterError, match="1 to 12"):
        Stepwise(steps)


def test_what_cannot_climb_is_told() -> None:
    frame = town().with_columns(pain=pl.Series(["low", "high"] * 200))
    table = read_table(
        frame, roles=Roles(quasi_identifiers=["pain"]), orders={"pain": ("low", "high")}
    )
    with pytest.raises(InvalidParameterError, match="no number and has no tree"):
        Stepwise().on(table)
    crowds = Scheme("crowds", "equal crowds", (2, 4))
    ages = read_table(frame, roles=Roles(quasi_identifiers=["age"]))
    with pytest.raises(InvalidParameterError, match="no width"):
        Stepwise(2, crowds).on(ages)
    with pytest.raises(InvalidParameterError, match="has 6 steps"):
        Stepwise(7, SCHEMES["equal width, halving"]).on(ages)
    assert [e.grid["age"] for e in Stepwise(8).on(ages).efforts][-2:] == [200, 500]


def test_bins_are_never_finer_than_the_numbers_are_written() -> None:
    frame = pl.DataFrame({"children": [0, 1, 2, 3, 5], "same": [1, 1, 1, 1, 1]})
    table = read_table(frame, roles=Roles(quasi_identifiers=["children", "same"]))
    assert [e.grid["children"] for e in Stepwise().on(table).efforts] == [1, 1, 1, 2, 5, 10]
    assert {e.grid["same"] for e in Stepwise().on(table).efforts} == {1.0}


@settings(deadline=None)
@given(
    codes=st.lists(st.sampled_from(["8010", "8011", "8045", "8990", "1190"]), min_size=1),
    level=st.integers(0, 4),
)
def test_full_domain_groups_are_those_whose_masked_codes_agree(codes, level) -> None:
    table = read_table(
        pl.DataFrame({"zip": codes}), roles=Roles(quasi_identifiers=["zip"]), kinds={"zip": "code"}
    )
    problem = Problem(table, Generalize().spaces(table), ())
    labels = FullDomain({"zip": level}).fit(problem).grouping_.labels
    masked = np.array([code[: 4 - level] for code in codes])
    assert ((labels[:, None] == labels) == (masked[:, None] == masked)).all()


def test_the_study_of_the_paper_uses_the_same_steps() -> None:
    assert SCHEMES["rounding"] is ROUNDING
    values = np.array([0.0, 12.0, 97.0])
    assert (ROUNDING.bins(values, 2) == np.round(values / ROUNDING.width(values, 2))).all()
