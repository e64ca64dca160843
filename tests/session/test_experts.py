"""Simulated experts: they answer as they say, and sessions find what matters to them."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from wards import session

from shoal.session import LexicographicExpert, WeighingExpert, cosine, interview


def experts(n, **more):
    names = session().names
    return [WeighingExpert.draw(names, np.random.default_rng(seed), **more) for seed in range(n)]


@cache
def mean_cosine(answers=20, n=5, slips=0.0, **settings):
    found = [
        cosine(expert.weights, interview(session(seed, **settings), expert, answers)[-1])
        for seed, expert in enumerate(experts(n, slips=slips))
    ]
    return float(np.mean(found))


def cheaper(expert, question):
    def loss(side):
        return sum(expert.weights[name] * added for name, added in question.cost[side].items())

    return min("AB", key=loss)


def test_experts_choose_the_smaller_weighted_loss():
    question = session().ask()
    for expert in experts(5):
        assert expert.answer(question) == cheaper(expert, question)
    for expert in experts(5, slips=1.0):
        assert expert.answer(question) != cheaper(expert, question)


def test_experts_may_look_at_two_attributes_only():
    for expert in experts(5, only=2):
        assert sum(weight > 0 for weight in expert.weights.values()) == 2
        assert sum(expert.weights.values()) == pytest.approx(1)


def test_lexicographic_experts_let_the_first_difference_decide():
    live = session()
    question = live.ask()
    a, b = question.cost["A"], question.cost["B"]
    better_in_a = next(name for name in live.names if a[name] < b[name] - 0.05)
    better_in_b = next(name for name in live.names if b[name] < a[name] - 0.05)
    chance = np.random.default_rng(0)
    assert LexicographicExpert((better_in_a, better_in_b), chance).answer(question) == "A"
    assert LexicographicExpert((better_in_b, better_in_a), chance).answer(question) == "B"
    assert set(LexicographicExpert.draw(live.names, chance).order) == set(live.names)


def test_twenty_answers_find_the_hidden_weights():
    asked, anything = mean_cosine(), mean_cosine(questions="random")
    assert asked > 0.95
    assert asked > anything + 0.02


def test_one_wrong_answer_in_ten_is_forgiven():
    assert mean_cosine(slips=0.1) > 0.85


@pytest.mark.parametrize("learner", ["cafebabe", "cafedood"])
def test_the_rules_of_the_papers_pages_learn_less(learner):
    assert mean_cosine(learner=learner) < mean_cosine() - 0.05


def test_weights_follow_the_interview():
    learned = interview(session(), experts(1)[0], 6)
    assert len(learned) == 7
    assert len({tuple(weights.values()) for weights in learned}) == 7
