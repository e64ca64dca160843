"""The Tune page: dots for trials, facts for the one that is seen, and a plan that follows."""

from __future__ import annotations

import pytest

from shoal._progress import SILENT
from shoal.datasets import people
from shoal.exceptions import InvalidParameterError
from shoal.web._first_look import read_first
from shoal.web._tune import Tuner
from shoal.web.pages._tune import _asking, _curve, _front, _seen


@pytest.fixture
def space(site):
    visitor = site.visitors.new("steward")
    folder = site.store.new(visitor)
    people(150).frame.select("age", "sex", "zip", "readmitted").write_csv(folder / "table.csv")
    space = site._begin(
        visitor, folder, read_first(folder / "table.csv", site.settings.limits), "people"
    )
    for column, role in (
        ("age", "quasi_identifier"),
        ("sex", "quasi_identifier"),
        ("zip", "quasi_identifier"),
        ("readmitted", "target"),
    ):
        space.set_role(column, role)
    return space


@pytest.fixture
def tuner(space):
    found = Tuner.of(space)
    found.set("model", "logistic_regression")
    found.n_trials = 5
    found.search(SILENT)
    return found


def test_before_the_first_trial_there_is_a_button_and_nothing_to_use(space) -> None:
    tuner = Tuner.of(space)
    assert tuner is Tuner.of(space)
    assert 'data-act="start"' in _asking(tuner)
    assert "No trial yet" in _front(tuner)
    assert _seen(tuner) == ""
    assert "hidden" in _curve(tuner)
    with pytest.raises(InvalidParameterError):
        tuner.use()
    tuner.set("model", "no such model")
    tuner.set("trials", "20")
    assert (tuner.model, tuner.n_trials) == ("random_forest", 20)


def test_a_point_that_is_clicked_shows_its_facts_and_can_be_used(space, tuner) -> None:
    drawn = _front(tuner)
    assert drawn.count('data-act="see"') == len(tuner.trials) == 5
    assert "<h2>What the study would choose" in _curve(tuner)
    tuner.set("see", "1")
    trial = tuner.trials[1]
    page = _seen(tuner)
    assert f"Trial {trial.number}" in page
    assert f"{trial.outcome.ngil:.3f}" in page
    assert f"{tuner.risk(trial):.2%}" in page
    tuner.use()
    assert space.plan.k == trial.effort.k
    assert set(space.plan.weights) == {"age", "sex", "zip"}
    assert "In use" in _seen(tuner)
    assert space.released is None  # candidates stay inside
    released = space.make_release()
    assert released.holds


def test_nothing_that_is_found_is_weaker_than_the_plan(site) -> None:
    visitor = site.visitors.new("steward")
    folder = site.store.new(visitor)
    columns = {"age": "quasi_identifier", "zip": "quasi_identifier", "diagnosis": "sensitive"}
    people(150).frame.select(*columns, "readmitted").write_csv(folder / "table.csv")
    plan = read_first(folder / "table.csv", site.settings.limits)
    space = site._begin(visitor, folder, plan, "people")
    for column, role in {**columns, "readmitted": "target"}.items():
        space.set_role(column, role)
    space.decide(k=8, l={"diagnosis": 3})
    tuner = Tuner.of(space)
    tuner.set("model", "logistic_regression")
    tuner.n_trials = 3
    tuner.search(SILENT)
    assert all(trial.effort.k >= 8 and trial.effort.l == 3 for trial in tuner.trials)
    tuner.use()
    assert space.plan.k >= 8
    assert space.plan.l == 3
    space.decide(t=0.4)
    with pytest.raises(InvalidParameterError, match="does not keep"):
        tuner.search(SILENT)
