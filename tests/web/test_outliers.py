"""The page of outliers: counts follow the sliders, arrows the outliers, and the plan the choice."""

from __future__ import annotations

import re

import pytest

from shoal.datasets import people
from shoal.web._first_look import read_first
from shoal.web.pages._outliers import OutliersState, _counts, _map, _sliders, _ways, some_rows
from shoal.web.pages._page import icon
from shoal.web.pages._result import _verdict


@pytest.fixture
def space(site):
    visitor = site.visitors.new("steward")
    folder = site.store.new(visitor)
    people(120).frame.write_csv(folder / "table.csv")
    return site._begin(
        visitor, folder, read_first(folder / "table.csv", site.settings.limits), "people"
    )


def number(page, words):
    return int(re.search(rf"<b>([\d,]+)</b><span>{words}", page)[1].replace(",", ""))


def test_more_people_stand_out_as_m_grows(space):
    """At the same radii; those not given are found anew for each m."""
    state = OutliersState.of(space)
    state.decide("m", "6")
    state.radii = dict(state.counts.radii)
    state.decide("m", "1")
    few = number(_counts(state), "outliers")
    state.decide("m", "6")
    assert number(_counts(state), "outliers") > few
    assert 'value="6"' in _sliders(state)


def test_a_page_that_is_opened_again_measures_only_another_plan(space, monkeypatch):
    first = OutliersState.of(space)
    first.decide("radius:0", "2")
    with monkeypatch.context() as never:
        never.setattr(OutliersState, "look", None)
        again = OutliersState.of(space)
    assert again.radii == {}  # sliders are where the plan has them
    assert again.counts is not first.counts
    space.decide(k=space.plan.k + 1)
    assert OutliersState.of(space).counts is not again.counts


def test_narrow_radii_make_more_clusters(space):
    state = OutliersState.of(space)
    before = state.counts.clusters
    age = list(state.explorer.reaches).index("age")
    state.decide("m", "2")
    state.decide(f"radius:{age}", "2")
    assert state.counts.clusters > before
    assert state.counts.radii["age"] <= state.radii["age"] + 1e-6
    state.decide("free", "")
    assert state.radii == {}


def test_radii_that_leave_nobody_anywhere_are_told(space):
    state = OutliersState.of(space)
    for i, _ in enumerate(state.explorer.reaches):
        state.decide(f"radius:{i}", "0")
    assert "Widen the radii" in _counts(state)
    assert _map(state) == ""


def test_outliers_are_drawn_with_arrows(space):
    state = OutliersState.of(space)
    state.decide("m", "5")
    drawn = _map(state)
    assert drawn.count("<circle") == 120
    assert 0 < drawn.count("<line") <= state.counts.pushed
    assert 'role="img"' in drawn


def test_the_choice_of_method_goes_into_the_plan_and_back(space):
    space.decide(limits={"age": 10})
    state = OutliersState.of(space)
    state.decide("method", "quantize")
    assert space.plan.method == "quantize"
    assert 'value="quantize" checked' in _ways(space)
    state.decide("m", "7")
    assert space.plan.m == 7
    state.decide("method", "auto")
    assert (space.plan.method, space.plan.m, space.plan.radii) == ("auto", None, {})


def test_a_quantized_release_is_made_and_says_what_was_measured(space):
    OutliersState.of(space).decide("method", "quantize")
    released = space.make_release()
    assert released.manifest["relinkage"]["relink_rate"] <= 0.3
    page = _verdict(space, released)
    assert "no k is promised" in page
    assert "Nobody stands out" not in page
    assert "verdict amber" in page
    assert str(icon("shield")) not in page  # a shield stands for crowds


def test_of_a_large_table_a_part_is_looked_at(space):
    part = some_rows(space.table, 50)
    assert part.n_rows == 50
    assert some_rows(space.table) is space.table
