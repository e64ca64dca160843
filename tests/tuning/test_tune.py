"""tune: from a table to one release, its plan and its scores."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import get_scorer
from towns import CANARY, COLUMNS, town

import shoal
from shoal.exceptions import (
    ImpossibleError,
    InputError,
    InvalidParameterError,
    OutputError,
    RoleConflictError,
    ShoalError,
    UnknownColumnError,
)
from shoal.ledger import Ledger
from shoal.table import Roles, read_table
from shoal.tuning import Effort, Search, attempt, tune
from shoal.tuning._resampling import interval, spread

QUICK = {"models": "logistic_regression", "trials": 6, "search": Search(k=(3, 30))}
BRIEF = {**QUICK, "trials": 3}


@pytest.fixture(scope="module")
def found():
    return tune(town(), **COLUMNS, **QUICK)


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A study of three trials in a file, and the trials."""
    storage = tmp_path_factory.mktemp("kept") / "study.db"
    return storage, tune(town(), **COLUMNS, **BRIEF, storage=storage).study.trials


@pytest.fixture
def storage(kept, tmp_path):
    """The file of that study, to go on with."""
    return shutil.copy(kept[0], tmp_path / "study.db")


def test_a_study_shows_itself_in_a_notebook(found) -> None:
    assert repr(found).startswith("Tuned(6 trials, ")
    assert found._repr_html_().startswith("<iframe srcdoc=")
    assert found.plot()._repr_svg_().count("<circle") == 7  # six trials and the ring


def test_a_study_ends_with_one_effort_and_its_scores(found) -> None:
    told = found.to_dict()
    json.dumps(told)
    assert told["trials"] == 6
    assert not told["failures"]
    for trial in told["front"]:
        assert set(trial) >= {"k", "q_f", "q_nf", "params"}
        assert trial["k"] >= trial["params"]["k"]
        assert trial["q_nf"] == pytest.approx(np.log2(trial["k"]))
    finalists = found.study.finalists(told["alpha"])
    assert found.chosen in finalists
    assert any(trial.effort.equal for trial in finalists)
    low, high = told["alpha_range"]
    assert low <= told["alpha"] <= high
    assert told["test_score"] > told["test_score_constant"] + 0.2
    assert told["test_score_unanonymized"] > told["test_score_constant"]
    assert told["masked_gap"] == told["test_score_masked"] - told["test_score"]
    assert "train part" in str(found)


def test_the_release_is_refined_verified_and_repeated_by_its_plan(found, tmp_path) -> None:
    frame = town()
    frame.write_csv(tmp_path / "town.csv")
    written = found.write(tmp_path / "out")
    assert written.verification.holds
    assert written.verification.recount.k >= found.plan.k
    assert written.verification.recount.rows == frame.height
    assert "refined" in found.anonymizer.summary_.method
    plan = shoal.Plan.read(tmp_path / "out" / "plan.toml")
    assert plan.k == found.chosen.effort.k
    assert dict(plan.weights) == dict(found.chosen.effort.weights)
    again = shoal.run(plan_of(plan, tmp_path / "town.csv"))
    assert sorted(map(str, texts(again).rows())) == sorted(map(str, texts(found.release).rows()))
    page = (tmp_path / "out" / "study.html").read_text()
    assert f"trial {found.chosen.number}" in page
    assert not re.search(r"(src|href)=|<script|https?://", page)


def plan_of(plan, source):
    return replace(plan, source=str(source))


def texts(release):
    return release.frame.cast(pl.String)


def test_the_same_table_in_another_order_gives_the_same_study(found) -> None:
    shuffled = town().sample(fraction=1.0, shuffle=True, seed=3)
    again = tune(read_table(shuffled, roles=Roles(**COLUMNS)), **QUICK)  # it has its roles
    assert [t.effort for t in again.study.trials] == [t.effort for t in found.study.trials]
    assert [t.outcome.q_f for t in again.study.trials] == [
        t.outcome.q_f for t in found.study.trials
    ]
    assert again.final.test == found.final.test


def test_a_given_alpha_searches_for_the_largest_quality() -> None:
    private = tune(town(), **COLUMNS, **BRIEF, alpha=5.0)
    useful = tune(town(), **COLUMNS, **BRIEF, alpha=0.0)
    assert private.alpha.alpha == 5.0
    assert private.chosen.outcome.k > useful.chosen.outcome.k
    assert private.chosen.outcome.k == max(t.outcome.k for t in private.study.trials)


def test_the_steward_picks_a_point_and_hears_which_alphas_choose_it(storage) -> None:
    goes_on = {**COLUMNS, **BRIEF, "storage": storage, "resume": True}
    found = tune(town(), **goes_on, pick=2)
    assert found.chosen.number == 2
    assert found.to_dict()["chosen"]["picked"]
    with pytest.raises(InvalidParameterError, match="no finished trial 99"):
        tune(town(), **goes_on, pick=99)


@pytest.mark.parametrize("privacy", ["l", "risk"])
def test_privacy_may_be_diversity_or_risk(privacy) -> None:
    found = tune(town(), **COLUMNS, **BRIEF, privacy=privacy, sensitive="disease")
    for trial in found.study.trials:
        assert 0 <= trial.outcome.q_nf <= (1 if privacy == "risk" else np.log2(3))


def test_raw_privacy_is_k_as_in_the_paper() -> None:
    found = tune(town(), **COLUMNS, **BRIEF, raw=True)
    assert all(t.outcome.q_nf == t.outcome.k for t in found.study.trials)


def test_everything_can_be_searched_at_once() -> None:
    search = Search(
        k=(3, 10),
        methods=("best-first", "common", "mondrian"),
        l=(2,),
        limits={"age": (20, 40)},
        suppression=(0.0, 0.2),
        refine=(True, False),
    )
    found = tune(
        town(), **COLUMNS, models="logistic_regression", trials=5, search=search,
        sensitive="disease", seeds=(0, 1),
    )  # fmt: skip
    efforts = [trial.effort for trial in found.study.trials]
    assert {effort.l for effort in efforts} == {2}
    assert len({effort.method for effort in efforts}) > 1
    assert all(trial.outcome.k >= trial.effort.k for trial in found.study.trials)
    assert all(trial.outcome.interval is not None for trial in found.study.trials)
    assert found.plan.l == 2
    assert found.release.verdict.holds


def test_moved_values_have_no_k_but_a_risk(tmp_path) -> None:
    search = Search(k=(5, 8), methods=("quantize",))
    asked = {"models": "logistic_regression", "trials": 3, "search": search}
    found = tune(town(), **COLUMNS, **asked, privacy="risk")
    assert all(0.5 < trial.outcome.q_nf <= 1 for trial in found.study.trials)
    assert min(trial.outcome.k for trial in found.study.trials) < 5
    assert found.plan.method == "quantize"
    found.write(tmp_path / "one")
    with pytest.raises(InvalidParameterError, match="written already"):
        found.write(tmp_path / "two")


def test_numbers_are_predicted_too() -> None:
    found = tune(
        town(), target="bill", quasi_identifiers=["age", "job"], trials=4,
        models=["random_forest", "linear_regression"], search=Search(k=(3, 20)),
    )  # fmt: skip
    told = found.to_dict()
    assert told["metric"] == "r2"
    assert told["test_score"] > 0.8
    assert abs(told["test_score_constant"]) < 0.1


def test_any_scorer_and_any_estimator_will_do() -> None:
    found = tune(
        town(), **COLUMNS, models=[LogisticRegression(max_iter=500)], metric="roc_auc",
        trials=3, search=Search(k=(3, 20)), positive="yes",
    )  # fmt: skip
    assert found.to_dict()["test_score_constant"] == 0.5
    assert found.final.test.mean > 0.6


@pytest.mark.parametrize(
    ("models", "metric"),
    [
        ("random_forest", "f1_macro"),
        ("logistic_regression", "roc_auc"),
        ("linear_svc", "average_precision"),
        (["linear_svc", "logistic_regression"], "accuracy"),
    ],
)
@pytest.mark.usefixtures("all_draws")
def test_the_score_on_test_rows_always_has_its_interval(models, metric) -> None:
    search = Search(k=(3, 3), methods=("mondrian",))
    asked = {"models": models, "metric": metric, "trials": 1, "search": search}
    small, large = (tune(town(n), **COLUMNS, **asked).final.test for n in (300, 3000))
    for score in (small, large):
        assert score.low < score.mean < score.high
    assert large.high - large.low < (small.high - small.low) / 2  # ten times the rows


@pytest.mark.usefixtures("all_draws")
def test_drawing_rows_again_gives_what_theory_says() -> None:
    """Accuracy of a fixed answer: a share of n rows, with the interval of a binomial."""
    rng = np.random.default_rng(0)
    answers = (rng.random(1000) < 0.3).astype(int)
    model = LogisticRegression().fit([[0.0], [1.0], [0.0]], [0, 1, 0])
    score = get_scorer("accuracy")
    low, high = interval([spread(score, model, np.zeros((1000, 1)), answers)])
    sigma = (0.3 * 0.7 / 1000) ** 0.5
    assert high - low == pytest.approx(2 * 1.96 * sigma, rel=0.2)
    assert (low + high) / 2 == pytest.approx(1 - answers.mean(), abs=sigma / 2)
    assert interval([np.full(200, np.nan)]) is None


class Moody(ClassifierMixin, BaseEstimator):
    """Fails, quoting a cell, when it sees wide groups; never converges otherwise."""

    def fit(self, X, y):
        import warnings

        from sklearn.exceptions import ConvergenceWarning

        if len({bytes(row) for row in X}) < 40:
            raise ValueError(f"cannot handle {CANARY}")
        warnings.warn(f"{CANARY} does not converge", ConvergenceWarning, stacklevel=2)
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


def test_a_model_that_fails_or_does_not_converge_loses_no_other_trial() -> None:
    found = tune(town(), **COLUMNS, models=Moody(), trials=8, search=Search(k=(2, 120)))
    told = found.to_dict()
    assert told["failures"]
    assert len(told["failures"]) < 8
    assert "ValueError" in told["failures"][0]["why"]
    assert "The model Moody did not converge." in told["warnings"]
    assert any("constant answer" in text for text in told["warnings"])
    assert CANARY not in json.dumps(told)


def angry(model, X, y):
    raise RuntimeError(f"I saw {CANARY}")


def one_class():
    return town().with_columns(smoker=pl.lit("yes"))


def with_hole():
    return town().with_columns(
        smoker=pl.when(pl.int_range(pl.len()) == 7).then(None).otherwise("smoker")
    )


@pytest.mark.parametrize(
    ("options", "error", "says"),
    [
        ({"target": "age"}, RoleConflictError, "target and a quasi-identifier"),
        ({"target": "nothing"}, UnknownColumnError, "nothing"),
        ({"quasi_identifiers": []}, InvalidParameterError, "quasi-identifiers"),
        ({"target": None}, InvalidParameterError, "target"),
        ({"data": one_class()}, InputError, "only one class"),
        ({"data": with_hole()}, InputError, "1 missing cells, the first in row 8"),
        ({"data": town(3)}, InputError, "too few"),
        ({"metric": angry}, InvalidParameterError, "could not score"),
        ({"metric": "no_such"}, InvalidParameterError, "could not score"),
        ({"metric": "r2"}, InvalidParameterError, "measures numbers"),
        ({"models": "oracle"}, InvalidParameterError, "no model named 'oracle'"),
        ({"models": "linear_regression"}, InvalidParameterError, "predicts numbers"),
        ({"models": []}, InvalidParameterError, "at least one model"),
        ({"positive": "maybe"}, InvalidParameterError, "positive class"),
        ({"privacy": "m"}, InvalidParameterError, "privacy measure"),
        ({"privacy": "l"}, InvalidParameterError, "sensitive"),
        ({"alpha": -1}, InvalidParameterError, "alpha"),
        ({"alpha": "much"}, InvalidParameterError, "alpha"),
        ({"trials": 0}, InvalidParameterError, "at least one trial"),
        ({"features": ["smoker"]}, RoleConflictError, "feature"),
        ({"features": ["nope"]}, UnknownColumnError, "nope"),
        ({"search": Search(k=(5000, 9000))}, InvalidParameterError, "train part has 240 rows"),
        ({"search": Search(l=(2,))}, InvalidParameterError, "sensitive"),
        ({"search": Search(limits={"zip": (2,)})}, UnknownColumnError, "zip"),
        ({"resume": True}, InvalidParameterError, "nothing to resume"),
        ({"timeout": 0.0}, InvalidParameterError, "No trial was finished"),
    ],
)  # fmt: skip
def test_bad_input_is_a_sentence_before_the_first_trial(options, error, says) -> None:
    given = {"data": town(), **COLUMNS, **QUICK, **options}
    with pytest.raises(error, match=says) as told:
        tune(given.pop("data"), **given)
    assert isinstance(told.value, ShoalError)
    assert CANARY not in f"{told.value} {told.value.hint}"


@pytest.mark.parametrize(
    "wrong", [{"k": (1, 5)}, {"k": (9, 5)}, {"methods": ["magic"]}, {"lightest": 2.0},
              {"suppression": [1.0]}, {"methods": []}],
)  # fmt: skip
def test_a_search_is_checked_at_birth(wrong) -> None:
    with pytest.raises(InvalidParameterError):
        Search(**wrong)


def test_an_effort_that_leaves_no_rows_fails_with_its_reason() -> None:
    frame = town(60).with_columns(age=pl.int_range(pl.len()))
    runner = tune(frame, **COLUMNS, **{**QUICK, "trials": 1}).study.runner
    effort = Effort(20, limits={"age": 0}, max_suppression=1.0)
    assert attempt(runner, effort) == "No rows are left after suppression."
    with pytest.raises(ImpossibleError, match="All 2 trials failed"):
        tune(frame, **COLUMNS, models=Moody(), trials=2, search=Search(k=(20, 20)))


def test_trials_are_kept_and_a_resumed_study_goes_on(kept, storage) -> None:
    with pytest.raises(OutputError, match="exists"):
        tune(town(), **COLUMNS, **QUICK, storage=storage)
    second = tune(town(), **COLUMNS, **QUICK, storage=storage, resume=True)
    assert second.study.n_finished == 6
    assert second.study.trials[:3] == kept[1]
    assert oct(storage.stat().st_mode & 0o777) == "0o600"
    with pytest.raises(InvalidParameterError, match="table differs"):
        tune(town(seed=1), **COLUMNS, **QUICK, storage=storage, resume=True)
    with pytest.raises(InvalidParameterError, match="metric"):
        tune(town(), **COLUMNS, **QUICK, storage=storage, resume=True, metric="accuracy")


def test_only_one_release_leaves_a_study(tmp_path) -> None:
    storage = tmp_path / "study.db"
    first = tune(town(), **COLUMNS, **BRIEF, storage=storage)
    first.write(tmp_path / "one")
    later = tune(town(), **COLUMNS, **QUICK, storage=storage, resume=True)
    assert later.chosen.number == first.chosen.number
    later.write(tmp_path / "two")
    assert (tmp_path / "one" / "data.csv").read_bytes() == (
        tmp_path / "two" / "data.csv"
    ).read_bytes()
    other = next(t.number for t in later.study.trials if t.number != first.chosen.number)
    with pytest.raises(InvalidParameterError, match="released already"):
        tune(town(), **COLUMNS, **QUICK, storage=storage, resume=True, pick=other)


def test_the_ledger_knows_the_one_release(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("SHOAL_HOME", str(tmp_path / "home"))
    written = tune(town(), **COLUMNS, **{**QUICK, "trials": 2}).write(tmp_path / "out")
    assert written.ledger.to_dict()["recorded"]
    with Ledger.open() as ledger:
        (entry,) = ledger.releases()
    assert (entry.rows, entry.status) == (400, "released")


def test_a_trial_cut_short_is_done_again(storage) -> None:
    with sqlite3.connect(storage) as database:
        database.execute("UPDATE trials SET state = 'RUNNING' WHERE number = 2")
    again = tune(town(), **COLUMNS, **BRIEF, storage=storage, resume=True)
    assert again.study.n_finished == 3
    assert [t.number for t in again.study.trials][:2] == [0, 1]


def test_a_damaged_storage_is_told(tmp_path) -> None:
    storage = tmp_path / "study.db"
    storage.write_bytes(b"no database at all" * 100)
    with pytest.raises(OutputError, match="could not be kept"):
        tune(town(), **COLUMNS, **QUICK, storage=storage, resume=True)


def test_two_workers_find_what_one_does(found) -> None:
    both = tune(town(), **COLUMNS, **QUICK, workers=2)
    assert [t.outcome.q_f for t in both.study.trials] == [t.outcome.q_f for t in found.study.trials]
    assert both.chosen.effort == found.chosen.effort


def test_the_live_front_is_told_after_every_trial() -> None:
    seen = []
    tune(town(), **COLUMNS, **BRIEF, on_trial=lambda study: seen.append(len(study.front)))
    assert len(seen) == 3
    assert min(seen) >= 1


def test_an_effort_survives_json() -> None:
    effort = Effort(5, {"age": 0.5}, method="mondrian", l=2, limits={"age": 3}, max_suppression=0.1)
    assert Effort.from_dict(json.loads(json.dumps(effort.to_dict()))) == effort
    with pytest.raises(InvalidParameterError):
        Effort(5, method="magic")
