"""What every learner must pass."""

from __future__ import annotations

import numpy as np

from shoal.session.learners import Belief, Observation
from shoal.testing._expect import expect
from shoal.typing import FloatArray


def check_learner(learner: type[Belief], *, seed: int = 0, answers: int = 12) -> None:
    """Check a learner: weights that are weights, beliefs that stay, the same from the same.

    Parameters
    ----------
    learner : type
        A subclass of `Belief`.
    seed : int
        Which random answers to try.
    answers : int
        How many.
    """
    for n in (1, 2, 8):
        observations = _random_observations(n, seed, answers)
        belief = learner.start(n, seed=seed)
        _check_weights(belief, n)
        expect(np.allclose(belief.mean, 1 / n), "The first weights are not equal.")
        for observation in observations:
            before = belief.mean.copy()
            after = belief.after(observation)
            expect(np.array_equal(belief.mean, before), "An answer changes the belief before it.")
            _check_weights(after, n)
            belief = after
        again = learner.start(n, seed=seed)
        for observation in observations:
            again = again.after(observation)
        expect(np.array_equal(again.mean, belief.mean), "The same answers give other weights.")
        _check_bias(learner, n, seed)


def _check_weights(belief: Belief, n: int) -> None:
    for weights in (belief.mean[None], belief.draws):
        expect(weights.shape[1] == n, "There is not one weight for each attribute.")
        expect(
            bool(np.isfinite(weights).all() and (weights >= 0).all()),
            "A weight is negative or no number.",
        )
        expect(np.allclose(weights.sum(axis=1), 1), "The weights do not sum to 1.")
    low, high = belief.intervals
    expect(bool((low <= high + 1e-12).all()), "An interval ends before it begins.")
    expect(0 <= belief.carelessness <= 1, "The carelessness is not a share.")


def _check_bias(learner: type[Belief], n: int, seed: int) -> None:
    bias = np.arange(n, dtype=np.float64) + (n == 1)
    begun = learner.start(n, seed=seed, bias=bias)
    expect(
        np.allclose(begun.mean, bias / bias.sum()), "The first weights are not those of the bias."
    )
    _check_weights(begun, n)


def _random_observations(n: int, seed: int, answers: int) -> list[Observation]:
    chance = np.random.default_rng(seed)

    def costs() -> FloatArray:
        return chance.random(n) * (chance.random(n) < 0.6)

    def observation() -> Observation:
        kept = chance.random(n)
        return Observation(costs(), costs(), lambda: kept)

    return [observation() for _ in range(answers)]
