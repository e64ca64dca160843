"""Verdicts and claims as plain data: what a program reads must be what was measured."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest

from shoal._words import plain
from shoal.privacy import (
    AlphaK,
    DistinctLDiversity,
    KAnonymity,
    ModelResult,
    RecursiveCLDiversity,
    TCloseness,
    Verdict,
    check,
)
from shoal.table import Roles, read_table


def result(holds, **details):
    return ModelResult("2-anonymity", 2, holds, 1, "smallest group", 4, 3, details)


def test_a_verdict_holds_if_every_model_does():
    assert Verdict((result(True), result(True))).holds
    assert not Verdict((result(True), result(False))).holds
    assert not Verdict((result(False), result(True))).holds
    assert Verdict(()).holds


def test_a_verdict_without_measures_has_its_models_alone():
    assert Verdict((result(False, chance=math.inf),)).to_dict() == {
        "holds": False,
        "models": [
            {
                "model": "2-anonymity",
                "parameter": 2,
                "holds": False,
                "worst": 1,
                "groups": 4,
                "groups_failing": 3,
                "chance": "inf",
            }
        ],
    }


@pytest.mark.parametrize(
    ("value", "held"),
    [
        ({2: Fraction(1, 4), "deep": {"a": [np.int64(3)]}}, {"2": 0.25, "deep": {"a": [3]}}),
        ((1, [Fraction(1, 2)]), [1, [0.5]]),
        (np.float64("inf"), "inf"),
        (-math.inf, "-inf"),
        (0.0, 0.0),
        (7, 7),
        (10**400, 10**400),
        ("text", "text"),
        (True, True),
        (None, None),
    ],
)
def test_numbers_become_what_json_can_hold(value, held):
    found = plain(value)
    assert found == held
    assert type(found) is type(held)
    json.dumps(found, allow_nan=False)


def test_a_check_is_read_back_from_its_json():
    frame = pl.DataFrame({"zip": ["A", "A", "B", "B"], "ill": ["x", "y", "x", "x"]})
    table = read_table(frame, roles=Roles(quasi_identifiers="zip", sensitive="ill"))
    verdict = check(table, [KAnonymity(2), DistinctLDiversity(2, "ill")])
    said = json.loads(verdict.to_json())
    assert said == verdict.to_dict()
    assert said["holds"] is False
    assert said["k"] == 2
    assert [model["holds"] for model in said["models"]] == [True, False]


@pytest.mark.parametrize(
    ("kind", "model", "order"),
    [
        ("categorical", TCloseness(0.5, "income"), ()),
        ("categorical", TCloseness(0.5, "income", "ordered"), ("low", "high")),
        ("ordinal", AlphaK(0.5, 2, "income"), ("low", "high")),
        ("ordinal", TCloseness(0.5, "income", "ordered"), ("low", "high")),
        ("numeric", AlphaK(0.5, 2, "income"), "numeric"),
        ("numeric", TCloseness(0.5, "income", "ordered"), "numeric"),
    ],
)
def test_a_claim_carries_the_order_of_its_column(kind, model, order):
    column = SimpleNamespace(name="income", kind=kind, labels=("low", "high"))
    table = SimpleNamespace(column={"income": column}.__getitem__)
    *_, claim = model.claims(table)
    assert (claim.order, claim.l, claim.column, claim.bound) == (order, 0, "income", 0.5)
    (claim,) = RecursiveCLDiversity(3, 2, "income").claims(table)
    assert (claim.name, claim.bound, claim.l) == ("recursive_c", 3, 2)
