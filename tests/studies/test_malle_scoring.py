"""Scores, experts and models of the study, on cases small enough to check by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from shoal.studies import Finished, Item
from shoal.studies._census._experts import KINDS, SESSIONS, experts, find_expert, knowledge
from shoal.studies._census._gains import Gain, ScoreChange, gap_between
from shoal.studies._census._models import MODELS, Counted, teach_and_ask
from shoal.studies._census._people import TARGETS, first_rows, quasi_identifiers
from shoal.studies._census._scoring import PublishedTable, looks, macro_f1, swapped_f1
from shoal.studies.malle2017._scores import Scores


def test_a_constant_answer_scores_as_the_research_measured(data_dir):
    """0.8515, 0.6336 and 0.6361 on the published files: above every un-anonymized income model."""
    from io import BytesIO

    from shoal.datasets import malle2017_file

    for target, score in zip(TARGETS, (0.8515, 0.6336, 0.6361), strict=True):
        text = malle2017_file(f"anonymized_equal/adults_{target}_equal_5.csv")
        frame = pl.read_csv(BytesIO(text.replace(b", ", b",")), infer_schema=False)
        truth = PublishedTable(frame, target).answers
        constant = np.full(truth.size, np.bincount(truth).argmax())
        assert swapped_f1(truth, constant) == pytest.approx(score, abs=5e-4)


@given(st.lists(st.integers(0, 3), min_size=1, max_size=30), st.randoms(use_true_random=False))
@settings(max_examples=50, deadline=None)
def test_the_swapped_score_is_what_the_published_formula_says(truth, chance):
    """Weighted by how often a class is *said*, which swaps precision with recall."""
    told = [chance.choice(truth) for _ in truth]
    pairs = list(zip(truth, told, strict=True))
    precision = recall = 0.0
    for c in set(truth) | set(told):
        both = sum(t == s == c for t, s in pairs)
        said, there = told.count(c), truth.count(c)
        precision += said / len(told) * (both / there if there else 0.0)
        recall += said / len(told) * (both / said if said else 0.0)
    expected = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    assert swapped_f1(np.array(truth), np.array(told)) == pytest.approx(expected)


def test_perfect_answers_score_one_both_ways():
    truth = np.array([0, 1, 2, 1, 0])
    assert swapped_f1(truth, truth) == macro_f1(truth, truth) == 1.0


def _alike(seed: int, copies: int = 6):
    """Rows that look alike in groups, as a release has them."""
    chance = np.random.default_rng(seed)
    groups = chance.normal(size=(40, 3))
    look = np.repeat(np.arange(40), copies)
    answers = (groups[look, 0] + chance.normal(scale=0.7, size=look.size) > 0).astype(np.int64)
    return groups[look], look, answers


def test_counted_rows_teach_a_linear_model_the_same():
    features, look, answers = _alike(1)
    counted = Counted(features, look, answers)
    assert counted.answers.size < answers.size
    assert counted.counts.sum() == answers.size
    asked = np.random.default_rng(2).normal(size=(300, 3))
    scaler = StandardScaler().fit(features)
    plain = LogisticRegression(class_weight="balanced", max_iter=1000)
    plain.fit(scaler.transform(features), answers)
    told = teach_and_ask("logistic_regression", counted, asked)
    assert (told == plain.predict(scaler.transform(asked))).mean() > 0.98


def test_bagged_trees_answer_as_a_forest_does():
    features, look, answers = _alike(3)
    asked = np.random.default_rng(4).normal(size=(400, 3))
    forest = RandomForestClassifier(100, max_features=None, random_state=0).fit(features, answers)
    told = teach_and_ask("random_forest", Counted(features, look, answers), asked, trees=100)
    assert (told == forest.predict(asked)).mean() > 0.93


@pytest.mark.parametrize("model", MODELS)
def test_every_model_takes_a_single_class_and_a_clear_one(model):
    features, look = np.arange(12.0).reshape(-1, 1), np.arange(12)
    one = Counted(features, look, np.full(12, 2))
    assert teach_and_ask(model, one, features).tolist() == [2] * 12
    clear = Counted(features, look, (np.arange(12) > 5).astype(np.int64))
    assert teach_and_ask(model, clear, features).tolist() == [0] * 6 + [1] * 6


def test_looks_tell_rows_apart_exactly_when_they_read_differently():
    frame = pl.DataFrame({"a": ["1", "1", "2", "1"], "b": ["x", "y", "x", "x"]})
    found = looks(frame)
    assert found[0] == found[3]
    assert len({*found[:3].tolist()}) == 3


def test_sixty_three_experts_with_sums_of_one(data_dir):
    assert len(experts()) == 63
    assert {t: sum(e.target == t for e in experts()) for t in TARGETS} == SESSIONS
    assert {e.kind for e in experts()} == {*KINDS}
    for expert in experts()[::7]:
        for weights in (expert.wishes, expert.sliders):
            assert {*weights} == {*quasi_identifiers(expert.target)}
            assert sum(weights.values()) == pytest.approx(1, abs=1e-4)
            assert min(weights.values()) >= 0
    assert max(knowledge("marital-status"), key=knowledge("marital-status").get) == "relationship"


def test_experts_choose_what_hurts_them_less(data_dir):
    expert = experts()[0]
    chance = np.random.default_rng(0)
    worst = max(expert.wishes, key=expert.wishes.get)
    a = dict.fromkeys(expert.wishes, 0.0)
    answers = [expert.prefers(a, {**a, worst: 1.0}, chance) for _ in range(400)]
    assert 0.85 < answers.count("A") / 400 < 0.95  # one in ten slips


def test_gains_are_against_the_same_target_and_k():
    done = Finished()
    for way, expert, f1 in (("equal", 0, 0.5), ("bias", 1, 0.6), ("bias", 4, 0.7)):
        named = {"code": "today", "rows": 9, "target": "income", "k": 5, "way": way}
        scored = {"f1": dict.fromkeys(MODELS, f1)}
        done.add(Item("dataset", {**named, "expert": expert}), {"proper": scored})
    # another k that equal weights were not run with must not count
    stray = {"code": "today", "rows": 9, "target": "income", "k": 10, "way": "bias", "expert": 1}
    done.add(Item("dataset", stray), {"proper": {"f1": dict.fromkeys(MODELS, 0.0)}})
    scores = Scores(done)
    found = {change.expert: change.gain for change in scores.gains("today", 9, "bias")}
    assert found == pytest.approx({1: 0.1, 4: 0.2})
    gain = scores.gain("today", 9, "bias")
    assert gain is not None
    assert (gain.mean, gain.experts) == (pytest.approx(0.15), 2)
    assert not np.isfinite(gain.low)  # one base: nobody knows how lucky it was
    assert scores.gain("today", 9, "iml") is None


def drawn_changes(seed, *, spread=0.01, luck=0.03, effect=0.0):
    """Changes of 12 experts who know income, against six bases that have luck of their own."""
    chance = np.random.default_rng(seed)
    bases = chance.normal(0, luck, 6)
    people = chance.normal(effect, spread, 12)
    return [
        ScoreChange(1 + 3 * (i % 6) + (2 if i >= 6 else 0), "income", k, people[i] - bases[b])
        for i in range(12)
        for b, k in enumerate((5, 10, 20, 50, 100, 200))
    ]


def test_an_interval_knows_of_the_luck_of_bases():
    """Whatever the bases' luck, the interval holds the truth about as often as it says."""
    inside = [
        gain.low <= 0.0 <= gain.high
        for seed in range(300)
        if (gain := Gain.of(drawn_changes(seed)))
    ]
    assert 0.88 <= np.mean(inside) <= 0.99


def test_the_luck_of_bases_cancels_between_kinds():
    """Six who know (+0.02) and six careless ones: the gap is found whatever the bases are."""
    for seed in range(20):
        changes = [
            replace(
                change, gain=change.gain + 0.02 * (find_expert(change.expert).kind == "knowing")
            )
            for change in drawn_changes(seed, luck=0.5, spread=0.005)
        ]
        gap = gap_between(changes, "knowing", "careless")
        assert gap is not None
        assert gap.mean == pytest.approx(0.02, abs=0.01)
        assert gap.high - gap.low < 0.03


def test_first_rows_are_complete(data_dir):
    assert first_rows(3_000).null_count().sum_horizontal().item() == 0
