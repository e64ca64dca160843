"""Models: trained on a release, tested on originals, always beside the constant predictor."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest
from published_tables import publish
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import SGDClassifier
from sklearn.metrics import f1_score

from shoal.datasets import adult
from shoal.exceptions import (
    EmptyTableError,
    InputError,
    InvalidParameterError,
    RoleConflictError,
    ShoalError,
    UnknownColumnError,
)
from shoal.table import read_table
from shoal.utility import GeneralizedEncoder, models
from shoal.utility.models import Score, compare, make_model, train_and_test

CANARY = "zanzibar-canary"


def crowd(n, seed=0):
    """People of whom the older and the nurses retire earlier, with some noise."""
    rng = np.random.default_rng(seed)
    age = rng.integers(20, 80, n)
    job = rng.choice(["nurse", "clerk", "cook"], n)
    retired = age + 10 * (job == "nurse") + rng.normal(0, 5, n) > 62
    return pl.DataFrame({"age": age, "job": job, "retired": np.where(retired, "yes", "no")})


COLUMNS = {"target": "retired", "quasi_identifiers": ["age", "job"]}


def release_of(frame, k=10):
    table = read_table(frame)
    roles = type(table.roles)(quasi_identifiers=COLUMNS["quasi_identifiers"], target="retired")
    return publish(table.with_roles(roles), k)


@pytest.mark.parametrize("name", list(models.MODELS))
def test_every_named_model_learns_from_a_release(name) -> None:
    people = crowd(400)
    found = compare(people, release_of(people), crowd(300, seed=1), model=name, **COLUMNS)
    for scores in (found.original, found.release):
        assert scores.f1_macro.mean > scores.f1_macro.constant + 0.2
        assert scores.accuracy.mean > 0.75
        assert not scores.warnings
    assert set(found.kept) == {"f1_macro", "f1_positive", "accuracy"}
    for measure, share in found.kept_over_constant.items():
        before, after = found.original.scores[measure], found.release.scores[measure]
        assert share * (before.mean - before.constant) == pytest.approx(
            after.mean - before.constant
        )
        assert after.mean > before.mean or share <= found.kept[measure] + 1e-12
    assert str(found).count("\n") == 3
    json.dumps(found.to_dict())


def test_scores_are_standard_and_constant_is_the_most_frequent_class() -> None:
    train, test = crowd(200), crowd(150, seed=1)
    always = DummyClassifier(strategy="most_frequent")
    scores = train_and_test(train, test, model=always, **COLUMNS)
    majority = train["retired"].mode()[0]
    truth, guess = test["retired"].to_list(), [majority] * test.height
    assert scores.f1_macro.mean == f1_score(truth, guess, average="macro", zero_division=0)
    assert scores.accuracy.mean == np.mean(np.array(truth) == majority)
    for score in scores.scores.values():
        assert score.mean == score.constant
    assert scores.f1_positive.constant == 0  # positive is the rarer class
    assert (scores.model, scores.rows_train, scores.rows_test) == ("DummyClassifier", 200, 150)


def test_the_positive_class_can_be_named() -> None:
    train, test = crowd(200), crowd(150, seed=1)
    majority = train["retired"].mode()[0]
    scores = train_and_test(train, test, positive=majority, **COLUMNS)
    truth = test["retired"].to_list()
    guess = [majority] * test.height
    assert scores.f1_positive.constant == f1_score(truth, guess, pos_label=majority)
    by_job = {"target": "job", "quasi_identifiers": ["age"]}
    assert train_and_test(train, test, **by_job).f1_positive is None
    assert train_and_test(train, test, positive="cook", **by_job).f1_positive is not None


def test_seeds_give_an_interval_and_the_same_scores_again() -> None:
    train, test = release_of(crowd(200)), crowd(150, seed=1)
    first, again = (train_and_test(train, test, seeds=(1, 2, 3), **COLUMNS) for _ in range(2))
    assert first == again
    score = first.f1_macro
    assert len(score.values) == 3
    assert score.low <= score.mean <= score.high
    assert train_and_test(train, test, seeds=(1,), **COLUMNS).f1_macro.low is None
    assert str(Score.of([0.5], 0.25)) == "0.500, constant 0.250"


def test_a_model_that_does_not_converge_says_so() -> None:
    slow = SGDClassifier(max_iter=1)
    scores = train_and_test(crowd(200), crowd(50, seed=1), model=slow, seeds=(0, 7), **COLUMNS)
    assert scores.warnings == (
        "Seed 0: the model did not converge.",
        "Seed 7: the model did not converge.",
    )


def test_unseen_values_are_counted() -> None:
    train, test = crowd(100), crowd(50, seed=1)
    test = test.with_columns(job=pl.lit("pilot"))
    assert train_and_test(train, test, **COLUMNS).unseen == {"job": 50}


def test_models_take_seeds_wherever_they_draw() -> None:
    assert make_model("linear_svc", 5).get_params()["linearsvc__random_state"] == 5
    assert make_model("random_forest", 5, n_jobs=2).n_jobs == 2
    given = SGDClassifier(random_state=1)
    assert make_model(given, 5).random_state == 5
    assert given.random_state == 1


def test_frames_of_any_library() -> None:
    data = crowd(120)
    polars = train_and_test(data, data, **COLUMNS)
    assert train_and_test(data.to_pandas(), data.to_arrow(), **COLUMNS) == polars
    assert train_and_test(read_table(data), read_table(data), **COLUMNS) == polars


one_class = crowd(20).with_columns(retired=pl.lit(CANARY))
some_missing = crowd(20).with_columns(
    retired=pl.when(pl.col("age") > 50).then(pl.lit(CANARY)).otherwise(None)
)


@pytest.mark.parametrize(
    ("changes", "error", "says"),
    [
        ({"train": one_class}, InputError, "only one class"),
        ({"train": some_missing}, InputError, "missing cells, the first in row"),
        ({"test": some_missing}, InputError, "missing cells, the first in row"),
        ({"train": crowd(20).clear()}, EmptyTableError, "no rows"),
        ({"target": "retred"}, UnknownColumnError, "retred"),
        ({"quasi_identifiers": ["age", "jobs"]}, UnknownColumnError, "jobs"),
        ({"quasi_identifiers": ["age", "retired"]}, RoleConflictError, "at once"),
        ({"target": None}, InvalidParameterError, "named by text"),
        ({"quasi_identifiers": ["age", "age"]}, InvalidParameterError, "each once"),
        ({"quasi_identifiers": []}, InvalidParameterError, "must name columns"),
        ({"test": crowd(20).drop("age")}, UnknownColumnError, "age"),
        ({"model": "forest"}, InvalidParameterError, "no model named"),
        ({"seeds": ()}, InvalidParameterError, "seeds"),
        ({"seeds": 3}, InvalidParameterError, "seeds"),
        ({"positive": CANARY}, InvalidParameterError, "not among the 2 classes"),
        ({"encoder": "one-hot"}, InvalidParameterError, "GeneralizedEncoder"),
        ({"train": [[1, 2]]}, InputError, "cannot be read"),
    ],
)
def test_bad_inputs_are_told_without_cell_values(changes, error, says) -> None:
    arguments = {"train": crowd(20), "test": crowd(20, seed=1), **COLUMNS, **changes}
    with pytest.raises(error, match=says) as told:
        train_and_test(arguments.pop("train"), arguments.pop("test"), **arguments)
    assert isinstance(told.value, ShoalError)
    assert CANARY not in f"{told.value} {told.value.hint}"


def test_adult_income_from_a_release(data_dir, monkeypatch) -> None:
    monkeypatch.setenv("SHOAL_DATA", str(data_dir))
    data = adult()
    rows = data.frame.sample(3000, seed=1)
    train, test = rows[:2000], rows[2000:]
    table = read_table(train, roles=data.roles, kinds=data.kinds)
    release = publish(table, 5, hierarchies=data.hierarchies)
    encoder = GeneralizedEncoder(data.hierarchies, data.kinds)
    found = compare(
        train,
        release,
        test,
        target="income",
        quasi_identifiers=data.roles.quasi_identifiers,
        encoder=encoder,
        model="logistic_regression",
    )
    assert found.original.f1_macro.mean > 0.68
    assert found.release.f1_macro.mean > found.release.f1_macro.constant + 0.1
    assert not found.release.unseen


def test_widths_are_no_features_where_raw_rows_are_tested():
    """All who are ill happen to be in wide crowds; raw rows have no width to tell it by."""
    ages = list(range(20, 60))
    wide = ["[20, 59]" if age % 2 else f"[{age - 1}, {age + 1}]" for age in ages]
    ill = ["yes" if age % 2 else "no" for age in ages]
    release = pl.DataFrame({"age": wide * 3, "ill": ill * 3})
    people = pl.DataFrame({"age": ages, "ill": ["yes"] * 40})
    asked = {"target": "ill", "quasi_identifiers": ["age"], "model": "logistic_regression"}
    by_default = train_and_test(release, people, **asked)
    wide = train_and_test(release, people, **asked, encoder=GeneralizedEncoder(widths=True))
    assert by_default.accuracy.mean == wide.accuracy.mean > 0.3
