"""How a person answers, as a density over weights, fineness and slips."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from shoal.session._products import products
from shoal.typing import FloatArray

N_EXTRA = 2  # the fineness and the slips stand after the weights
FINENESS = np.log(60.0), 1.0  # mean and deviation of its logarithm: 60 tells 0.05 apart
SLIPS = 1.0, 9.0  # Beta prior: one answer in ten by chance
FIRMNESS = 2.0  # prior answers per attribute that sliders are worth
LEAST = 0.05  # a slider at zero still leaves room to be wrong


@dataclass(frozen=True, eq=False)
class AnswerModel:
    """Prior and likelihood; a particle is ``log gamma`` per weight, then log fineness, logit slips.

    Independent gamma variables, divided by their sum, are Dirichlet distributed, and their
    logarithms run over all numbers, where particles move freely.
    """

    concentration: FloatArray
    mean: FloatArray

    @classmethod
    def around(cls, guess: FloatArray, *, certain: bool) -> AnswerModel:
        """Any weights are as likely as any others; or ``certain`` ones around a guess."""
        if not certain:
            return cls(np.ones(guess.size), guess)
        return cls(np.maximum(FIRMNESS * guess.size * guess, LEAST), guess)

    def draw(self, chance: Generator, n: int) -> FloatArray:
        """Draw particles from the prior."""
        # gamma(a) as gamma(a + 1) times a power of a uniform: no underflow for small a
        large = chance.gamma(self.concentration + 1, size=(n, self.mean.size))
        small = np.log(chance.random((n, self.mean.size))) / self.concentration
        slips = chance.beta(*SLIPS, size=n)
        fineness = chance.normal(*FINENESS, size=n)
        return np.column_stack([np.log(large) + small, fineness, np.log(slips / (1 - slips))])

    def weights(self, particles: FloatArray) -> FloatArray:
        """Weights of each particle, summing to 1."""
        logs = particles[:, :-N_EXTRA]
        shares = np.exp(logs - logs.max(axis=1, keepdims=True))
        return np.asarray(shares / shares.sum(axis=1, keepdims=True))

    def slips(self, particles: FloatArray) -> FloatArray:
        """Share of answers given by chance, of each particle."""
        return _logistic(particles[:, -1])

    def chance(self, particles: FloatArray, gains: FloatArray) -> FloatArray:
        """Probability under each particle (rows) of the choice with each gain (columns)."""
        slips = self.slips(particles)[:, None]
        fineness = np.exp(np.minimum(particles[:, -2], 20.0))[:, None]
        saved = products(self.weights(particles), gains)
        return slips / 2 + (1 - slips) * _logistic(fineness * saved)

    def log_density(self, particles: FloatArray, gains: FloatArray) -> FloatArray:
        """Logarithm of prior times likelihood, up to a constant."""
        logs, fineness, slips = particles[:, :-N_EXTRA], particles[:, -2], particles[:, -1]
        density = products(logs, self.concentration[None])[:, 0]
        density -= np.exp(np.minimum(logs, 700.0)).sum(axis=1)
        density -= 0.5 * ((fineness - FINENESS[0]) / FINENESS[1]) ** 2
        density -= SLIPS[0] * np.logaddexp(0, -slips) + SLIPS[1] * np.logaddexp(0, slips)
        return np.asarray(density + np.log(self.chance(particles, gains)).sum(axis=1))


def _logistic(x: FloatArray) -> FloatArray:
    return np.asarray(0.5 + 0.5 * np.tanh(0.5 * x))
