"""What a privacy model promises beside its numbers: pinned, as others rely on it."""

from __future__ import annotations

import copy
import pickle
from fractions import Fraction

import numpy as np
import pytest
from small_tables import table_with

from shoal import privacy
from shoal.exceptions import EmptyTableError, InvalidParameterError
from shoal.hierarchies import Flat
from shoal.privacy import (
    AlphaK,
    BasicBetaLikeness,
    DeltaDisclosure,
    DeltaPresence,
    EnhancedBetaLikeness,
    KAnonymity,
    KMap,
    TCloseness,
    measure_privacy,
)
from shoal.privacy._build import check_asked
from shoal.table import Grouping, Roles

TABLE = table_with(["a", "a", "b", "c"], quasi=["x", "x", "y", "y"])
POPULATION = table_with(["a"] * 4, quasi=["x", "x", "y", "y"])


def test_which_groups_still_pass_once_they_are_merged():
    told = {
        name: model.monotone
        for name in privacy.__all__
        if isinstance(model := getattr(privacy, name), type) and hasattr(model, "monotone")
    }
    assert told.pop("DeltaDisclosure") is False
    assert {*told.values()} == {True}
    assert len(told) >= 9


@pytest.mark.parametrize(
    ("model", "inside", "outside"),
    [
        (AlphaK, (0.01, 1), (0, 1.01, 2)),
        (BasicBetaLikeness, (0.01, 9), (0, -1)),
        (EnhancedBetaLikeness, (0.01, 9), (0, -1)),
        (DeltaDisclosure, (0.01, 9), (0, -1)),
        (TCloseness, (0, 1), (-0.1, 1.1)),
    ],
)
def test_what_may_be_asked_in_a_plan(model, inside, outside):
    for value in inside:
        assert model.setting.check("it", value) == value
    for value in outside:
        with pytest.raises(InvalidParameterError):
            model.setting.check("it", value)


@pytest.mark.parametrize("model", [BasicBetaLikeness, EnhancedBetaLikeness, DeltaDisclosure])
def test_a_bound_of_nothing_is_none(model):
    with pytest.raises(InvalidParameterError):
        model(0, "s")
    assert model(1e-6, "s")


def test_a_table_without_rows_satisfies_nothing():
    with pytest.raises(EmptyTableError):
        KAnonymity(2).check_possible(TABLE.take(np.zeros(0, dtype=int)))


def test_a_model_that_there_is_not_cannot_be_asked_for():
    with pytest.raises(InvalidParameterError, match="no privacy model 'ell'"):
        check_asked({"ell": 2}, ["s"], None)


def test_k_map_speaks_of_no_sensitive_column():
    assert KMap(2, POPULATION).sensitive is None
    with pytest.raises(TypeError):
        KMap(2, POPULATION, sensitive="s")


def test_the_hierarchical_distance_is_not_claimed_of_a_file():
    assert TCloseness(0.5, "s", "hierarchical", Flat()).claims(TABLE) == ()
    (claim,) = TCloseness(0.5, "s").claims(TABLE)
    assert claim.name == "t_equal"


def test_measures_are_copied_and_unknown_ones_are_missed():
    roles = Roles(quasi_identifiers="q", sensitive="s")
    (found,) = measure_privacy(TABLE.with_roles(roles)).sensitive.values()
    for again in (copy.copy(found), copy.deepcopy(found), pickle.loads(pickle.dumps(found))):
        assert again.to_dict() == found.to_dict()
    with pytest.raises(AttributeError, match="no_such"):
        _ = found.no_such


@pytest.mark.parametrize(
    ("low", "high", "holds"),
    [
        (Fraction(1, 2), 1, True),  # one of two is exactly a half
        (Fraction(1, 2) + Fraction(1, 10**20), 1, False),
        (0, Fraction(1, 2), True),
        (0, Fraction(1, 2) - Fraction(1, 10**20), False),
    ],
)
def test_chances_are_held_against_both_bounds_exactly(low, high, holds):
    sample = table_with(["a", "b"], quasi=["x", "y"])
    model = DeltaPresence(low, high, POPULATION)
    assert model.judge(sample, Grouping([0, 1])).holds is holds
