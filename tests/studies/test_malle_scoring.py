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


def test_the_cells_told_of_the_authors_tables_are_those_in_them(data_dir, monkeypatch):
    """The page tells how often human bias is ahead in the authors' own F1 tables."""
    from pathlib import Path

    monkeypatch.syspath_prepend(Path(__file__).parents[2] / "benchmarks")
    from quotes.malle2017_beside import _authors
    from shoal.studies.malle2017._beside import cells_ahead

    assert {target: cells_ahead(target, "bias") for target in TARGETS} == _authors()


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
        named = {"code": "today", "rows": 9, "target": "income", "k": 5, "way": way, "draw": 0}
        scored = {"f1": dict.fromkeys(MODELS, f1)}
        done.add(Item("dataset", {**named, "expert": expert}), {"proper": scored})
    # another k that equal weights were not run with must not count
    stray = {"code": "today", "rows": 9, "target": "income", "k": 10, "way": "bias", "draw": 0}
    done.add(
        Item("dataset", {**stray, "expert": 1}), {"proper": {"f1": dict.fromkeys(MODELS, 0.0)}}
    )
    scores = Scores(done)
    found = {change.expert: change.gain for change in scores.gains("today", 9, "bias")}
    assert found == pytest.approx({1: 0.1, 4: 0.2})
    gain = scores.gain("today", 9, "bias")
    assert gain is not None
    assert (gain.value, gain.experts) == (pytest.approx(0.15), 2)
    assert not np.isfinite(gain.interval()[0])  # one base: nobody knows how lucky it was
    assert scores.gain("today", 9, "iml") is None


def drawn_changes(seed, kinds=("careless",), *, spread=0.01, luck=0.03, targets=TARGETS[:1]):
    """Changes of six experts of each kind, against six bases that have luck of their own."""
    chance = np.random.default_rng(seed)
    changes = []
    for target in targets:
        bases = chance.normal(0, luck, 6)
        for kind in kinds:
            people = [e for e in experts() if (e.target, e.kind) == (target, kind)][:6]
            for person, wish in zip(people, chance.normal(0, spread, 6), strict=True):
                changes += [
                    ScoreChange(person.number, target, k, wish - bases[b])
                    for b, k in enumerate((5, 10, 20, 50, 100, 200))
                ]
    return changes


def test_an_interval_knows_of_the_luck_of_bases():
    """Whatever the bases' luck, the interval holds the truth about as often as it says."""
    ends = [Gain.of_changes(drawn_changes(seed)).interval() for seed in range(300)]
    assert 0.88 <= np.mean([low <= 0.0 <= high for low, high in ends]) <= 0.99


def test_near_copies_count_as_one():
    """Twenty-one people who know the three targets are three minds, not twenty-one."""
    knowing = drawn_changes(0, ("knowing",), targets=TARGETS)
    found = Gain.of_changes(knowing)
    assert (found.experts, found.freedom) == (18, 2)
    alone = Gain.of_changes(drawn_changes(0, ("knowing",)))
    assert not np.isfinite(alone.interval()[0])  # of one mind nobody knows how lucky it was


def test_draws_of_rows_are_bases_of_their_own():
    changes = [replace(c, draw=i % 4) for i, c in enumerate(drawn_changes(1))]
    assert Gain.of_changes(changes).freedom == 3


def test_the_luck_of_bases_cancels_between_kinds():
    """Six who know (+0.02) and six careless ones: the gap is found whatever the bases are."""
    for seed in range(20):
        changes = [
            replace(
                change, gain=change.gain + 0.02 * (find_expert(change.expert).kind == "knowing")
            )
            for change in drawn_changes(
                seed, ("knowing", "careless"), luck=0.5, spread=0.005, targets=TARGETS
            )
        ]
        gap = gap_between(changes, "knowing", "careless")
        assert gap is not None
        assert gap.value == pytest.approx(0.02, abs=0.01)
        low, high = gap.interval()
        assert high - low < 0.06


def test_first_rows_are_complete(data_dir):
    assert first_rows(3_000).null_count().sum_horizontal().item() == 0
