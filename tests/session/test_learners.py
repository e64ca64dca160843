"""Learners: the battery, Bayes' rule against brute force, and the papers' rules as described."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.session.learners import LEARNERS, Cafebabe, Cafedood, Observation, Posterior
from shoal.session.learners._belief import ODDS, _ends, _highest
from shoal.session.learners._posterior import AnswerModel
from shoal.testing import check_learner


@pytest.mark.parametrize("name", LEARNERS)
@pytest.mark.parametrize("seed", [0, 7])
def test_every_learner_conforms(name, seed):
    check_learner(LEARNERS[name], seed=seed)


class Forgetful(Cafedood):
    """Changes the belief it came from: the battery must notice."""

    def after(self, observation):
        self.weights[:] = self.weights[::-1] / self.weights.sum()
        self.weights[0] += 0.5
        return replace(self)


class Unfair(Cafedood):
    @classmethod
    def start(cls, n, *, seed, bias=None):
        return cls(np.linspace(1, 2, n) / np.linspace(1, 2, n).sum())


@pytest.mark.parametrize("broken", [Forgetful, Unfair])
def test_the_battery_notices_a_broken_learner(broken):
    with pytest.raises(AssertionError):
        check_learner(broken)


def observed(gain):
    gain = np.asarray(gain, dtype=np.float64)
    return Observation(np.maximum(-gain, 0), np.maximum(gain, 0), lambda: np.ones(gain.size))


def brute_force(gains, n, draws=200_000):
    """Weigh draws of the prior by how well they explain the answers: the slow twin."""
    model = AnswerModel.around(np.full(n, 1 / n), certain=False)
    particles = model.draw(np.random.default_rng(99), draws)
    likely = model.chance(particles, np.array(gains)).prod(axis=1)
    likely[model.slips(particles) > 0.5] = 0  # weights to use are those of people who look
    return model.weights(particles), likely / likely.sum()


def by_learning(gains, n, seed):
    belief = Posterior.start(n, seed=seed)
    for gain in gains:
        belief = belief.after(observed(gain))
    return belief


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_posterior_is_that_of_brute_force(seed):
    chance = np.random.default_rng(seed)
    gains = chance.normal(0, 0.3, (5, 3))
    means = [by_learning(gains, 3, s).mean for s in range(12)]
    weights, likely = brute_force(gains, 3)
    assert np.abs(np.mean(means, axis=0) - likely @ weights).max() < 0.02


@pytest.mark.parametrize("seed", [1, 2])
def test_what_may_not_matter_is_that_of_brute_force(seed):
    gains = np.random.default_rng(seed).normal(0, 0.3, (6, 4))
    beliefs = [by_learning(gains, 4, s).awake.draws for s in range(12)]
    weights, likely = brute_force(gains, 4)
    for told in (0.0, 0.1, 0.4):  # the chance that a weight is above it
        found = np.mean([(draws > told).mean(axis=0) for draws in beliefs], axis=0)
        assert np.abs(found - likely @ (weights > told)).max() < 0.04


def test_everything_that_sliders_name_matters():
    begun = Posterior.start(3, seed=1, bias=np.array([1.0, 0, 0]))
    assert (begun.after(observed([0.3, -0.2, 0.1])).draws > 0).all()


def test_how_high_a_weight_is_does_not_hang_on_whether_it_matters():
    sure, unsure = np.full(100, 0.5), np.repeat([0.0, 0.5], [60, 40])
    alike = np.ones(100, dtype=int)
    assert _ends(sure, 0.9, alike) == (0.5, 0.5)
    assert _ends(unsure, 0.9, alike) == (0.0, 0.5)
    assert _ends(np.repeat([0.0, 0.5], [99, 1]), 0.5, alike)[1] < 0.5  # hardly ever it does


def reweighted(drawn, number, level, odds):
    """The highest quantile over all priors at the corners, one by one: the slow twin."""
    kinds, found = np.unique(number), []
    for corner in product((1.0, odds), repeat=kinds.size):
        share = np.array(corner)[np.searchsorted(kinds, number)]
        reached = np.cumsum(share) - share / 2
        found.append(drawn[np.searchsorted(reached, level * share.sum())])
    return max(found)


@pytest.mark.parametrize("seed", range(5))
def test_ends_hold_whatever_the_prior_says_about_how_many_matter(seed):
    chance = np.random.default_rng(seed)
    number = chance.integers(2, 6, 300)
    drawn = np.sort(chance.beta(2, number))
    assert _highest(drawn, number, 0.9) == pytest.approx(
        reweighted(drawn, number, 0.9, ODDS), abs=0.01
    )
    assert _highest(drawn, number, 0.9) > np.quantile(drawn, 0.9)
    assert _highest(drawn, np.ones_like(number), 0.9) == pytest.approx(
        np.quantile(drawn, 0.9), abs=0.01
    )


def test_what_is_given_up_loses_weight():
    belief = by_learning([[0.3, -0.3, 0], [0.3, 0, -0.3]] * 4, 3, 1)
    assert belief.mean[0] > 0.5
    low, high = belief.intervals
    assert (low < belief.mean).all()
    assert (belief.mean < high).all()


def test_answers_that_contradict_each_other_look_careless():
    steady = by_learning([[0.4, -0.4]] * 12, 2, 1)
    torn = by_learning([[0.4, -0.4], [-0.4, 0.4]] * 6, 2, 1)
    # one who always prefers more loss in everything answers by chance
    absurd = by_learning([[-0.4, -0.4]] * 6 + [[0.4, 0.4]] * 6, 2, 1)
    assert absurd.carelessness > 0.3 > 0.15 > steady.carelessness
    assert np.abs(torn.mean - 0.5).max() < 0.15


@settings(max_examples=15, deadline=None)
@given(st.permutations(range(4)), st.integers(0, 100))
def test_the_names_of_attributes_do_not_matter_much(order, seed):
    """Permuting attributes permutes the weights, up to what particles are worth."""
    gains = np.random.default_rng(5).normal(0, 0.3, (4, 4))
    straight = by_learning(gains, 4, seed).mean[list(order)]
    turned = by_learning(gains[:, list(order)], 4, seed).mean
    assert np.abs(straight - turned).max() < 0.12


def test_sliders_are_a_guess_that_answers_correct():
    bias = np.array([0.8, 0.1, 0.1])
    begun = Posterior.start(3, seed=1, bias=bias)
    assert np.allclose(begun.mean, bias)
    told = begun
    for _ in range(10):
        told = told.after(observed([-0.4, 0.4, 0.0]))
    assert told.mean[0] < told.mean[1]
    assert Posterior.start(3, seed=1, bias=np.array([1.0, 0, 0])).mean.tolist() == [1, 0, 0]


def test_cafebabe_goes_a_fifth_of_the_way_after_five_decisions():
    belief = Cafebabe.start(2, seed=0)
    keeps_first = Observation(np.zeros(2), np.zeros(2), lambda: np.array([0.9, 0.3]))
    for _ in range(4):
        belief = belief.after(keeps_first)
    assert belief.mean.tolist() == [0.5, 0.5]
    belief = belief.after(keeps_first)
    assert belief.mean == pytest.approx([0.5 + 0.25 / 5, 0.5 - 0.25 / 5])


def test_cafedood_moves_weight_away_from_what_was_given_up():
    belief = Cafedood.start(2, seed=0)
    gave_up_second = Observation(np.array([0.0, 0.9]), np.array([0.4, 0.1]), lambda: np.ones(2))
    once = belief.after(gave_up_second)
    assert once.mean == pytest.approx([0.55, 0.45])
    for _ in range(40):
        once = once.after(gave_up_second)  # past thirty decisions steps have shrunk to nothing
    assert once.after(gave_up_second).mean == pytest.approx(once.mean)
    same = Observation(np.array([0.5, 0.5]), np.array([0.5, 0.5]), lambda: np.ones(2))
    assert belief.after(same).mean.tolist() == [0.5, 0.5]
