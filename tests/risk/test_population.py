"""Population uniqueness, thresholds of regulators, and the columns that make people unique."""

from __future__ import annotations

import json
import math
from itertools import combinations
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.exceptions import InvalidParameterError
from shoal.privacy import count_members, group_by_text
from shoal.risk import (
    THRESHOLDS,
    find_threshold,
    measure_risk,
    population_uniqueness,
    risk_by_column,
    share_above,
)
from shoal.table import Roles, read_table

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "privacy_cases.json").read_text())
G28 = next(case for case in GOLDEN["cases"] if case["id"] == "G28")


@pytest.fixture(scope="module")
def adult(data_dir):
    places = {"age": 0, "workclass": 1, "education": 3, "marital-status": 5, "occupation": 6}
    places |= {"race": 8, "sex": 9, "native-country": 13, "salary-class": 14}
    lines = (data_dir / "adult" / "adult.data").read_text().splitlines()
    rows = [line.split(", ") for line in lines if line and "?" not in line]
    quasi = G28["dataset"]["quasi_identifiers"]
    frame = pl.DataFrame({name: [row[places[name]] for row in rows] for name in quasi})
    return read_table(frame, roles=Roles([], quasi))


def test_the_golden_estimates_of_pitman(adult):
    """ARX 3.9.2 on Adult: at a tenth and at a hundredth of the population."""
    expected = G28["expected"]["population_uniqueness_pitman"]
    sizes = count_members(adult, group_by_text(adult))
    for fraction in ("0.1", "0.01"):
        found = population_uniqueness(sizes, float(fraction))
        assert found.converged
        assert found.share == pytest.approx(expected[f"sampling_fraction_{fraction}"], abs=1e-6)
        assert found.theta == pytest.approx(expected["theta"], rel=1e-6)
        assert found.alpha == pytest.approx(expected["alpha"], rel=1e-6)


def test_measure_risk_tells_it(adult):
    risk = measure_risk(adult, sampling_fraction=0.1)
    assert risk.population.share < risk.sample_unique_fraction
    told = json.dumps(risk.to_dict())
    assert "population" in told


@given(st.lists(st.integers(1, 12), min_size=3, max_size=80))
@settings(deadline=None)
def test_an_estimate_is_a_share_and_its_likelihood_is_the_highest_around(sizes):
    found = population_uniqueness(np.array(sizes), 0.2)
    if not found.converged:
        assert found.share is None
        assert found.reason
        return
    assert 0 <= found.share <= 1
    if found.theta is None:
        return
    best = likelihood(sizes, found.theta, found.alpha)
    for theta, alpha in ((1.01, 1), (0.99, 1), (1, 1.01), (1, 0.99)):
        near = likelihood(sizes, found.theta * theta, found.alpha * alpha)
        assert near is None or near <= best + 1e-6


def likelihood(sizes, theta, alpha):
    """The slow twin: Pitman's sampling formula as it is written."""
    if not 0 < alpha < 1 or theta <= -alpha:
        return None
    total = sum(math.log(theta + i * alpha) for i in range(1, len(sizes)))
    total -= sum(math.log(theta + i) for i in range(1, sum(sizes)))
    return total + sum(math.log(j - alpha) for size in sizes for j in range(1, size))


def test_models_that_do_not_fit_say_so():
    no_pairs = population_uniqueness(np.array([1, 1, 5]), 0.5)
    assert (no_pairs.share, no_pairs.converged) == (None, False)
    assert "no estimate" in str(no_pairs)
    assert population_uniqueness(np.array([4, 4]), 0.5).share == 0.0
    assert population_uniqueness(np.array([1, 3]), 1.0).share == 0.25
    for wrong in (0, -1, 1.5):
        with pytest.raises(InvalidParameterError):
            population_uniqueness(np.array([1, 2]), wrong)


def test_thresholds_of_regulators():
    assert find_threshold("public").risk == pytest.approx(1 / 11)
    assert {"internal", "partner", "public", "ema", "cms"} <= {*THRESHOLDS}
    sizes = np.array([2, 4, 10, 11, 12])
    assert share_above(sizes, find_threshold("public").risk) == 16 / 39
    assert share_above(sizes, find_threshold("partner").risk) == 6 / 39
    assert share_above(sizes, find_threshold("internal").risk) == 2 / 39


@given(st.integers(0, 2**32 - 1))
@settings(deadline=None)
def test_columns_that_make_people_unique_agree_with_counting_by_hand(seed):
    rng = np.random.default_rng(seed)
    n, wide = int(rng.integers(2, 15)), int(rng.integers(1, 5))
    frame = pl.DataFrame({f"c{i}": rng.integers(0, 3, n).astype(str) for i in range(wide)})
    names = frame.columns
    found = risk_by_column(read_table(frame, roles=Roles([], names)))

    def alone(columns):
        rows = frame.select(columns).rows() if columns else [()] * n
        return sum(rows.count(row) == 1 for row in rows)

    for column in found.columns:
        others = [name for name in names if name != column.name]
        assert column.unique_alone == alone([column.name]) / n
        assert column.unique_without == alone(others) / n
    for size in range(1, wide + 1):
        here = {c: alone(list(c)) for c in combinations(names, size) if alone(list(c))}
        if here:
            assert {c.columns: c.rows for c in found.smallest} == here
            break
    else:
        assert found.smallest == ()
