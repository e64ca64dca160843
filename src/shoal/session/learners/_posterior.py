"""Bayes' rule: all weights that fit the answers, as a cloud of particles."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np
from numpy.random import Generator

from shoal._random import spawn
from shoal.session.learners._base import Belief, Observation, first_guess
from shoal.session.learners._model import N_EXTRA, AnswerModel
from shoal.typing import FloatArray

PARTICLES = 600
SWEEPS = 8  # moves of every particle after each answer
FAR = 0.1  # share of the moves that leap from one mode to another


@dataclass(frozen=True, eq=False)
class Posterior(Belief):
    """Weights on the simplex with a Dirichlet prior, answers by logistic choice with slips.

    A person who weighs the attributes by w chooses a side with probability
    ``s / 2 + (1 - s) / (1 + exp(-b * w . gain))`` where the gain is what the choice saves in each
    attribute (Bradley and Terry, 1952; Train, *Discrete Choice Methods*, 2009), b how finely the
    person tells losses apart and s how often the answer is given by chance; b and s are learned
    with w. After each answer particles are reweighted, resampled and moved by differential
    evolution (Chopin, 2002; ter Braak, 2006); the same seed and answers give the same particles.

    Examples
    --------
    >>> import numpy as np
    >>> age_or_zip = Observation(np.array([0.0, 0.3]), np.array([0.3, 0.0]), lambda: np.ones(2))
    >>> belief = Posterior.start(2, seed=1)
    >>> belief.mean.tolist()
    [0.5, 0.5]
    >>> age, zip = belief.after(age_or_zip).mean  # zip was given up to keep age
    >>> bool(age > zip)
    True
    """

    model: AnswerModel
    particles: FloatArray
    seed: int
    gains: FloatArray  # one row an answer

    @classmethod
    def start(cls, n: int, *, seed: int, bias: FloatArray | None = None) -> Self:
        """Draw particles from the prior."""
        model = AnswerModel.around(first_guess(n, bias), certain=bias is not None)
        particles = model.draw(spawn(seed, "prior"), PARTICLES)
        return cls(model, particles, seed, np.zeros((0, n)))

    def after(self, observation: Observation) -> Self:
        """Reweight, resample, move."""
        chance = spawn(self.seed, f"answer {len(self.gains) + 1}")
        gains = np.vstack([self.gains, observation.gain])
        likely = self.chance(observation.gain[None])[:, 0]
        particles = self.particles[_resample(likely, chance)]
        moved = _move(self.model, particles, gains, chance)
        return replace(self, particles=moved, gains=gains)

    @cached_property
    def draws(self) -> FloatArray:
        """Weights of the particles."""
        return self.model.weights(self.particles)

    @cached_property
    def mean(self) -> FloatArray:
        """Posterior mean; exactly the prior mean before the first answer."""
        return self.draws.mean(axis=0) if len(self.gains) else self.model.mean

    @property
    def carelessness(self) -> float:
        """Posterior mean of the share of answers given by chance."""
        return float(self.model.slips(self.particles).mean())

    def chance(self, gains: FloatArray, most: int | None = None) -> FloatArray:
        """Probability of each choice under each particle."""
        return self.model.chance(self.particles[:most], gains)


def _resample(likely: FloatArray, chance: Generator) -> np.ndarray:
    """Systematic resampling, in an order without meaning (moves pair one half with the other)."""
    n = likely.size
    marks = (chance.random() + np.arange(n)) / n
    reached = np.cumsum(likely / likely.sum())
    return chance.permutation(np.minimum(np.searchsorted(reached, marks), n - 1))


def _move(
    model: AnswerModel, particles: FloatArray, gains: FloatArray, chance: Generator
) -> FloatArray:
    """Sweep over the particles; each half moves along differences of the other one."""
    here = particles.copy()
    height = model.log_density(here, gains)
    half = len(here) // 2
    halves = (slice(0, half), slice(half, None))
    for _ in range(SWEEPS):
        for moving, standing in (halves, halves[::-1]):
            there = here[moving] + _steps(here[standing], len(here[moving]), chance)
            found = model.log_density(there, gains)
            accepted = np.log(chance.random(len(there))) < found - height[moving]
            here[moving] = np.where(accepted[:, None], there, here[moving])
            height[moving] = np.where(accepted, found, height[moving])
    return here


def _steps(standing: FloatArray, n: int, chance: Generator) -> FloatArray:
    n_other, size = standing.shape
    first = chance.integers(n_other, size=n)
    second = (first + chance.integers(1, n_other, size=n)) % n_other
    usual = 2.38 / np.sqrt(2 * (size - N_EXTRA + 2))
    scale = np.where(chance.random(n) < FAR, 1.0, usual) * np.exp(chance.normal(0.0, 0.3, n))
    jitter = chance.normal(0.0, 0.01, (n, size))
    return np.asarray(scale[:, None] * (standing[first] - standing[second]) + jitter)
