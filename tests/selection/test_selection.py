"""Selection against planted answers, slow twins, and what counting alone must give."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
import selection_twin as twin
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.exceptions import InvalidParameterError, UnknownColumnError
from shoal.plan import Plan
from shoal.selection import (
    Correlations,
    TableCounts,
    chance_level,
    draw,
    equal_frequency_cuts,
    mdl_cuts,
    merit,
    select,
    symmetrical_uncertainty,
    tally,
)
from shoal.table import Roles, read_table

WORDS = "abcdef"


@pytest.fixture(scope="module")
def planted():
    """Two relevant columns, a copy and a coarser copy of one, three kinds of noise."""
    rng = np.random.default_rng(7)
    n = 4_000
    age, job = rng.integers(18, 80, n), rng.integers(0, 4, n)
    score = (age > 50).astype(int) * 2 + (job > 1) + (rng.random(n) < 0.05)
    frame = pl.DataFrame(
        {
            "name": [f"p{i}" for i in range(n)],
            "age": age,
            "born": 2020 - age,
            "decade": [f"{a // 10}0s" for a in age],
            "job": [WORDS[j] for j in job],
            "coin": [WORDS[c] for c in rng.integers(0, 2, n)],
            "height": rng.normal(170, 10, n).round(3),
            "town": [WORDS[c] for c in rng.integers(0, 6, n)],
            "risk": [WORDS[s] for s in score],
        }
    )
    return read_table(frame)


def test_fcbf_finds_what_was_planted(planted):
    found = select(planted, "risk")
    assert found.selected == ("age", "job")
    assert found.redundant == {"born": "age", "decade": "age"}
    assert set(found.irrelevant) == {"name", "coin", "height", "town"}
    assert [column for column, _ in found.ranking[:2]] == ["age", "born"]


def test_cfs_finds_what_was_planted(planted):
    """A copy of the best column may join: it raises the merit of an unequal pair (Hall 1999)."""
    found = select(planted, "risk", method="cfs")
    assert {"age", "job"} <= set(found.selected) <= {"age", "born", "job"}
    assert "decade" in found.redundant
    assert set(found.irrelevant) == {"name", "coin", "height", "town"}


def test_noise_passes_only_where_a_threshold_lets_it(planted):
    """The positive control: with a threshold of 0 the same noise is called relevant."""
    found = select(planted, "risk", threshold=0.0)
    assert {"coin", "town"} & {*found.selected, *found.redundant}


def test_row_order_changes_no_digit(planted):
    shuffled = read_table(planted.frame.sample(fraction=1.0, shuffle=True, seed=3))
    assert select(shuffled, "risk") == select(planted, "risk")


def test_columns_can_be_chosen_and_left_out(planted):
    found = select(planted, "risk", columns=["born", "job", "coin"], left_out=["coin"])
    assert [column for column, _ in found.ranking] == ["born", "job"]


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"target": "rsik"}, UnknownColumnError),
        ({"target": "risk", "columns": ["risk"]}, InvalidParameterError),
        ({"target": "risk", "left_out": ["agee"]}, UnknownColumnError),
        ({"target": "risk", "columns": ["age"], "left_out": ["age"]}, InvalidParameterError),
        ({"target": "risk", "method": "relief"}, InvalidParameterError),
        ({"target": "risk", "threshold": 2.0}, InvalidParameterError),
    ],
)
def test_what_makes_no_sense_is_refused(planted, arguments, error):
    with pytest.raises(error):
        select(planted, **arguments)


columns_of_codes = st.integers(2, 40).flatmap(
    lambda n: st.lists(st.lists(st.integers(0, 3), min_size=n, max_size=n), min_size=2, max_size=5)
)


@settings(max_examples=60, deadline=None)
@given(columns_of_codes)
def test_uncertainty_agrees_with_the_twin(columns):
    x, y = (np.array(column) for column in columns[:2])
    mine = symmetrical_uncertainty(tally([x]), tally([y]), tally([x, y]))
    assert mine == pytest.approx(twin.uncertainty(*columns[:2]), abs=1e-12)
    assert mine == symmetrical_uncertainty(tally([y]), tally([x]), tally([y, x]))


@settings(max_examples=40, deadline=None, derandomize=True)
@given(columns_of_codes)
def test_fcbf_and_cfs_agree_with_the_twins(columns):
    texts = {f"c{i}": [WORDS[v] for v in values] for i, values in enumerate(columns)}
    table = read_table(pl.DataFrame(texts))
    target = texts.pop("c0")
    rounded = {round(twin.uncertainty(v, target), 9) for v in texts.values()}
    found = select(table, "c0", threshold=0.01)
    if len(rounded) == len(texts):  # ties may fall either way by a rounding
        selected, gone = twin.fcbf(texts, target, 0.01)
        assert list(found.selected) == selected
        assert dict(found.redundant) == gone
    known = Correlations(TableCounts(table, "c0"))
    cfs = select(table, "c0", method="cfs", threshold=0.0, locally_predictive=False)
    assert merit(known, cfs.selected) == pytest.approx(twin.best_merit(texts, target), abs=1e-9)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 2)), min_size=4, max_size=80))
def test_the_first_cut_agrees_with_the_twin(rows):
    values, classes = zip(*rows, strict=True)
    counts = np.zeros((13, 3), dtype=np.int64)
    np.add.at(counts, (values, classes), 1)
    expected = twin.mdl_cut(values, classes)
    cuts = mdl_cuts(counts)
    assert bool(cuts) == (expected is not None)


def test_cuts_of_equal_frequency_hold_as_many_rows():
    counts = np.full(1000, 3)
    cuts = equal_frequency_cuts(counts)
    assert np.diff([0, *cuts, 1000]).tolist() == [100] * 10


def test_a_numeric_target_and_many_numbers_are_laid_on_a_grid():
    rng = np.random.default_rng(1)
    x = rng.normal(size=6_000)
    frame = pl.DataFrame({"x": x, "y": x + rng.normal(size=6_000) / 4, "z": rng.random(6_000)})
    found = select(read_table(frame), "y")
    assert found.selected == ("x",)
    assert found.irrelevant == ("z",)


def test_unrelated_columns_pass_chance_one_time_in_a_thousand():
    rng = np.random.default_rng(11)
    passed = 0
    for _ in range(300):
        x, y = rng.integers(0, 3, 400), rng.integers(0, 4, 400)
        one, other = tally([x]), tally([y])
        passed += symmetrical_uncertainty(one, other, tally([x, y])) > chance_level(one, other)
    assert passed <= 3


def test_a_plan_takes_the_selection_as_weights_or_drops_columns(planted):
    roles = Roles("name", ["age", "born", "job", "coin"], target="risk")
    plan = Plan(source="town.csv", roles=roles, weights={"coin": 3.0}, limits={"coin": 1.0})
    found = select(planted, "risk")
    weights = found.apply(plan).weights
    assert weights["age"] == 1.0
    assert weights["coin"] == 0.05
    dropped = found.apply(plan, "drop")
    assert dropped.roles.quasi_identifiers == ("age", "job")
    assert set(dropped.roles.drop) >= {"born", "coin", "decade"}
    assert dropped.roles.identifiers == ("name",)
    assert "coin" not in dropped.limits
    with pytest.raises(InvalidParameterError):
        found.apply(plan, "hope")


def test_the_picture_names_every_column(planted):
    picture = draw(select(planted, "risk"))
    assert all(f">{name}<" in picture for name in ("age", "born", "town"))
