"""What a privacy model promises beside its numbers: pinned, as others rely on it."""

from __future__ import annotations

import copy
import pickle
from fractions import Fraction

import numpy as np
import pytest
from small_tables import table_with

from shoal.exceptions import ImpossibleError, InvalidParameterError
from shoal.hierarchies import Flat
from shoal.privacy import (
    AlphaK,
    BasicBetaLikeness,
    DeltaDisclosure,
    DeltaPresence,
    DistinctLDiversity,
    EnhancedBetaLikeness,
    EntropyLDiversity,
    KAnonymity,
    KMap,
    RecursiveCLDiversity,
    TCloseness,
    measure_privacy,
)
from shoal.privacy._build import check_asked
from shoal.table import Grouping, Roles

TABLE = table_with(["a", "a", "b", "c"], quasi=["x", "x", "y", "y"])
POPULATION = table_with(["a"] * 4, quasi=["x", "x", "y", "y"])


@pytest.mark.parametrize(
    ("make", "monotone"),
    [
        (lambda: KAnonymity(2), True),
        (lambda: KMap(2, POPULATION), True),
        (lambda: DistinctLDiversity(2, "s"), True),
        (lambda: EntropyLDiversity(2, "s"), True),
        (lambda: RecursiveCLDiversity(2, 2, "s"), True),
        (lambda: TCloseness(0.5, "s"), True),
        (lambda: AlphaK(0.5, 2, "s"), True),
        (lambda: BasicBetaLikeness(1, "s"), True),
        (lambda: EnhancedBetaLikeness(1, "s"), True),
        (lambda: DeltaPresence(0, 1, POPULATION), True),
        (lambda: DeltaDisclosure(1, "s"), False),
    ],
)
def test_which_groups_still_pass_once_they_are_merged(make, monotone):
    assert make().monotone is monotone


@pytest.mark.parametrize(
    ("model", "inside", "outside"),
    [
        (lambda x: AlphaK(x, 2, "s"), (0.01, 1), (0, 1.01, 2)),
        (lambda x: BasicBetaLikeness(x, "s"), (0.01, 9), (0, -1)),
        (lambda x: EnhancedBetaLikeness(x, "s"), (0.01, 9), (0, -1)),
        (lambda x: DeltaDisclosure(x, "s"), (0.01, 9), (0, -1)),
        (lambda x: TCloseness(x, "s"), (0, 1), (-0.1, 1.1)),
    ],
)
def test_a_plan_may_ask_for_what_a_model_takes(model, inside, outside):
    setting = model(inside[0]).setting
    for value in inside:
        assert setting.check("it", value) == value
        assert model(value)
    for value in outside:
        with pytest.raises(InvalidParameterError):
            setting.check("it", value)
        with pytest.raises(InvalidParameterError):
            model(value)


def test_a_table_without_rows_satisfies_nothing():
    with pytest.raises(ImpossibleError, match="0 rows"):
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
    assert (claim.name, claim.l) == ("t_equal", 0)


def test_in_a_flat_tree_a_missing_value_is_as_far_as_any_other():
    table = table_with(["a", "b", None, "a", "c", None, "a", "a"])
    grouping = Grouping([0, 0, 0, 0, 1, 1, 1, 1])
    equal = TCloseness(0.5, "s").measure(table, grouping)
    along = TCloseness(0.5, "s", "hierarchical", Flat()).measure(table, grouping)
    assert along.tolist() == pytest.approx(equal.tolist())


def test_the_least_that_may_be_asked():
    grouping = Grouping([0, 0, 1, 1])
    (l,) = DistinctLDiversity(1, "s").judge(TABLE, grouping).results
    assert (l.worst, l.holds) == (1, True)
    same = table_with(["a"] * 2, quasi=["x", "y"])
    assert DeltaPresence(0.5, 0.5, POPULATION).judge(same, Grouping([0, 1])).holds


def test_the_worst_group_is_told():
    (told,) = EntropyLDiversity(1.5, "s").judge(TABLE, Grouping([0, 0, 1, 1])).results
    assert (told.worst, told.holds) == (pytest.approx(1.0), False)


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
