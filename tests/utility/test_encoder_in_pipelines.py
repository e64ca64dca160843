"""GeneralizedEncoder as one step among others: what scikit-learn asks of a transformer."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from published_tables import publish
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import shoal
from shoal.table import Roles, read_table

QUASI = ["age", "job"]


def crowd(n=300, seed=0):
    rng = np.random.default_rng(seed)
    age = rng.integers(20, 80, n)
    job = rng.choice(["nurse", "clerk", "cook"], n)
    retired = age + 10 * (job == "nurse") + rng.normal(0, 5, n) > 62
    return pl.DataFrame({"age": age, "job": job, "retired": np.where(retired, "yes", "no")})


def release_of(frame, k=10):
    return publish(read_table(frame, roles=Roles(quasi_identifiers=QUASI, target="retired")), k)


NATIVE = {
    "polars": lambda frame: frame,
    "pandas": lambda frame: frame.to_pandas(),
    "pyarrow": lambda frame: frame.to_arrow(),
}


@pytest.mark.parametrize("native", list(NATIVE))
def test_a_pipeline_learns_from_a_release_and_answers_about_raw_rows(native) -> None:
    give = NATIVE[native]
    people, others = crowd(), crowd(200, seed=1)
    pipeline = make_pipeline(
        shoal.GeneralizedEncoder(quasi_identifiers=QUASI), StandardScaler(), LogisticRegression()
    )
    release = release_of(people)
    pipeline.fit(give(release), release["retired"].to_numpy())
    right = pipeline.score(give(others), others["retired"].to_numpy())
    assert right > 0.85
    names = pipeline[:-1].get_feature_names_out()
    assert len(names) == pipeline[-1].coef_.shape[1]
    assert names[0] == "age (midpoint)"


@pytest.mark.parametrize("native", list(NATIVE))
@pytest.mark.parametrize(("wanted", "kind"), [("pandas", pd.DataFrame), ("polars", pl.DataFrame)])
def test_it_answers_with_the_frame_that_was_asked_for(native, wanted, kind) -> None:
    frame = NATIVE[native](crowd(50))
    encoder = shoal.GeneralizedEncoder(quasi_identifiers=QUASI).set_output(transform=wanted)
    encoded = encoder.fit(frame).transform(frame)
    assert isinstance(encoded, kind)
    assert list(encoded.columns) == encoder.get_feature_names_out().tolist()
    plain = shoal.GeneralizedEncoder(quasi_identifiers=QUASI).fit_transform(frame)
    assert np.array_equal(encoded.to_numpy(), plain)


def test_an_index_of_pandas_is_kept() -> None:
    frame = crowd(20).to_pandas().set_index(pd.Index(range(100, 120)))
    encoder = shoal.GeneralizedEncoder(quasi_identifiers=QUASI).set_output(transform="pandas")
    assert list(encoder.fit_transform(frame).index) == list(range(100, 120))


def test_it_is_cloned_searched_and_cross_validated() -> None:
    people = crowd().to_pandas()
    pipeline = make_pipeline(
        shoal.GeneralizedEncoder(quasi_identifiers=QUASI), LogisticRegression(max_iter=2000)
    )
    assert cross_val_score(clone(pipeline), people, people["retired"], cv=3).min() > 0.8
    grid = {"generalizedencoder__max_leaves": [2, 8]}
    search = GridSearchCV(pipeline, grid, cv=2).fit(people, people["retired"])
    assert search.best_score_ > 0.8


def test_it_is_one_branch_beside_others() -> None:
    people = crowd().to_pandas()
    columns = ColumnTransformer(
        [("job", shoal.GeneralizedEncoder(), ["job"]), ("age", StandardScaler(), ["age"])]
    )
    encoded = columns.fit_transform(people)
    names = columns.get_feature_names_out().tolist()
    assert encoded.shape == (300, len(names))
    assert "job__job=nurse" in names
    assert "age__age" in names


def test_names_asked_for_must_be_those_it_learned() -> None:
    encoder = shoal.GeneralizedEncoder(quasi_identifiers=QUASI).fit(crowd(30))
    assert encoder.get_feature_names_out(QUASI).tolist() == (
        encoder.get_feature_names_out().tolist()
    )
    with pytest.raises(ValueError, match="input_features"):
        encoder.get_feature_names_out(["age", "height"])


def test_arrow_tables_keep_missing_cells_missing() -> None:
    table = pa.table({"age": pa.array([30, None, 50]), "job": ["cook", "cook", None]})
    encoder = shoal.GeneralizedEncoder(quasi_identifiers=QUASI).fit(table)
    encoded = dict(zip(encoder.get_feature_names_out(), encoder.transform(table).T, strict=True))
    assert encoded["age (missing)"].tolist() == [0, 1, 0]
    assert encoded["job (missing)"].tolist() == [0, 0, 1]


def test_widths_are_left_out_unless_wanted() -> None:
    release = pl.DataFrame({"age": ["[20, 30]", "41"], "job": ["cook", "*"]})
    encoder = shoal.GeneralizedEncoder(quasi_identifiers=QUASI).fit(release)
    names = encoder.get_feature_names_out().tolist()
    assert names == ["age (midpoint)", "age (missing)", "job=cook", "job (missing)"]
    assert encoder.transform(release)[:, 0].tolist() == [25, 41]
    assert clone(encoder).widths is False


def test_a_model_that_learned_from_widths_is_led_astray_by_raw_rows() -> None:
    """Wide intervals are rich, narrow ones poor; raw rows have no width at all."""
    wide = pl.DataFrame({"age": ["[20, 60]"] * 50 + ["[38, 42]"] * 50})
    rich = [1] * 50 + [0] * 50
    people = pl.DataFrame({"age": [30, 35, 40, 45]})
    answers = {}
    for widths in (True, False):
        encoder = shoal.GeneralizedEncoder(quasi_identifiers=["age"], widths=widths)
        model = make_pipeline(encoder, LogisticRegression()).fit(wide, rich)
        answers[widths] = model.predict_proba(people)[:, 1]
    assert answers[True].max() < 0.01
    assert answers[False].min() > 0.45
