"""Learning from ranges: scaled by their domain, or from rows drawn out of them."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from sklearn.pipeline import Pipeline

from shoal.exceptions import InvalidParameterError
from shoal.hierarchies import Taxonomy
from shoal.utility import GeneralizedEncoder
from shoal.utility.models import make_model, train_and_test

WORK = Taxonomy.from_json({"*": {"State": ["Federal", "Local"], "Free": {"Self": ["Inc", "Not"]}}})
RELEASE = pl.DataFrame({"age": ["[20, 40]", "[30, 60]", None], "work": ["State", "*", "Inc"]})


@pytest.fixture
def encoder() -> GeneralizedEncoder:
    return GeneralizedEncoder({"work": WORK}, kinds={"age": "numeric"}).fit(RELEASE)


def test_each_row_is_drawn_out_of_what_it_says(encoder) -> None:
    drawn = encoder.draw(RELEASE, copies=300)
    age, missing, *shares = (column.reshape(300, 3) for column in drawn.T)
    first, second = age[:, 0], age[:, 1]
    assert (first >= 20).all()
    assert (first <= 40).all()
    assert (second >= 30).all()
    assert (second <= 60).all()
    assert age[:, 0].std() > 4  # everywhere in the range, not at its middle
    assert missing.tolist() == [[0, 0, 1]] * 300
    leaves = np.array(shares[:-1])
    assert (leaves.sum(axis=0) == 1).all()
    assert set(np.unique(leaves)) == {0, 1}
    assert leaves[:, :, 0].mean(axis=1).tolist() == pytest.approx([0.5, 0.5, 0, 0], abs=0.1)
    assert leaves[:, :, 1].mean(axis=1).tolist() == pytest.approx([0.25] * 4, abs=0.1)
    assert leaves[2, :, 2].all()


def test_raw_rows_are_drawn_as_they_are(encoder) -> None:
    raw = pl.DataFrame({"age": [22, 51], "work": ["Local", "Not"]})
    assert (encoder.draw(raw) == encoder.transform(raw)).all()
    assert (encoder.draw(raw, copies=2)[2:] == encoder.transform(raw)).all()


def test_a_seed_repeats_its_draws(encoder) -> None:
    assert (encoder.draw(RELEASE, seed=3) == encoder.draw(RELEASE, seed=3)).all()
    assert (encoder.draw(RELEASE, seed=3) != encoder.draw(RELEASE, seed=4)).any()


def test_rows_are_drawn_once_or_more(encoder) -> None:
    with pytest.raises(InvalidParameterError, match="once or more"):
        encoder.draw(RELEASE, copies=0)


def test_numbers_are_measured_by_the_domain_of_their_column() -> None:
    kinds = {"age": "numeric"}
    scaled = GeneralizedEncoder(kinds=kinds, quasi_identifiers=["age"], widths=True, scaled=True)
    rows = scaled.fit(RELEASE).transform(pl.DataFrame({"age": ["20", "60", "[30, 50]", "*"]}))
    assert rows[:, :2].tolist() == [[-1, 0], [1, 0], [0, 1], [0, 2]]
    alone = scaled.fit(pl.DataFrame({"age": ["7", "7"]}))
    assert alone.transform(pl.DataFrame({"age": ["7", "8"]}))[:, 0].tolist() == [0, 1]


def test_linear_models_leave_scaled_features_as_they_are() -> None:
    names = [list(make_model("linear_svc", scaled=told).named_steps) for told in (False, True)]
    assert names == [["standardscaler", "linearsvc"], ["linearsvc"]]
    mine = Pipeline([("only", make_model("random_forest"))])
    assert list(make_model(mine, scaled=True).named_steps) == ["only"]


def test_trees_that_learn_from_drawn_rows_know_where_ranges_end() -> None:
    """From midpoints they cut at 45, halfway between 30 and 60."""
    half = pl.DataFrame({"age": ["[20, 40]"] * 50 + ["[41, 79]"] * 50})
    release = half.with_columns(retired=pl.Series(["no"] * 50 + ["yes"] * 50))
    people = pl.DataFrame({"age": [22, 42, 43, 44], "retired": ["no", "yes", "yes", "yes"]})
    told = {"target": "retired", "quasi_identifiers": ["age"], "model": "gradient_boosting"}
    assert train_and_test(release, people, **told).accuracy.mean == 0.25
    drawn = train_and_test(release, people, **told, draws=5)
    assert (drawn.accuracy.mean, drawn.rows_train) == (1.0, 100)
