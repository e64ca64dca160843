"""The paper's example and figures, small enough to check by eye."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.studies.miche2016._conclusions import means
from shoal.studies.miche2016._recipes import RECIPES, run_example, run_picture
from shoal.studies.miche2016._trials import EXAMPLE, find_trial


@pytest.mark.parametrize("way", ["noise", "centroid", "member"])
def test_record_05_is_the_outlier_and_blends_in(way):
    found = run_example(way)
    assert found["outliers"] == 1
    assert found["changed"]["age"]
    others = EXAMPLE.head(4)
    if way == "member":  # the value of a member, always
        for name, value in found["record_05"].items():
            assert not found["changed"][name] or value in map(str, others[name].to_list())
    assert 21 <= int(found["record_05"]["age"]) <= 29


def test_flattening_collapses_one_column_and_stirring_does_not():
    flat = run_picture("push back, flatten one column")
    stirred = run_picture("push back, stir all")
    assert len({x for x, _ in flat["after"]}) == 1
    assert len({x for x, _ in flat["before"]}) > 1
    before, after = (np.array(stirred[when])[:, 0] for when in ("before", "after"))
    assert len(set(after.tolist())) > 1
    assert not np.array_equal(before, after)


def test_every_recipe_pushes_outliers_back():
    assert all(any(type(s).__name__ == "PushBack" for s in steps) for steps in RECIPES.values())


def test_rows_to_test_are_in_no_release():
    trial = find_trial("wisconsin")
    assert trial.train.frame.height + trial.test.height == 569
    assert trial.train.frame.join(trial.test, on=trial.train.frame.columns).height == 0
    assert trial.target not in trial.features


def test_means_are_over_draws_only():
    rows = [{"table": "a", "draw": 0, "rate": 0.2}, {"table": "a", "draw": 1, "rate": 0.4}]
    assert means(rows, ("table",)) == [{"table": "a", "rate": pytest.approx(0.3), "draws": 2}]
