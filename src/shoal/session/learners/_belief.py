"""Belief: what is known about the weights, and how an answer changes it by Bayes' rule."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np
from numpy.random import Generator

from shoal._random import spawn
from shoal.typing import FloatArray

NEAR_ALL = (0.05, 0.95)  # the ends of an interval that holds nine in ten


@dataclass(frozen=True, eq=False)
class Observation:
    """An answer as learners see it; one number per quasi-identifier.

    Attributes
    ----------
    chosen, other : FloatArray
        Added loss of joining the side that was chosen, and the other one; unweighted.
    look_up : callable
        Finds what is `kept`.
    """

    chosen: FloatArray
    other: FloatArray
    look_up: Callable[[], FloatArray]

    @property
    def kept(self) -> FloatArray:
        """Share of the detail that the row would keep on the chosen side.

        As the rule of one of the papers' pages measures it; looked up in the table.
        """
        return self.look_up()

    @property
    def gain(self) -> FloatArray:
        """What the choice saved in each attribute; negative where it lost."""
        return self.other - self.chosen


class Belief(ABC):
    """What is believed about the weights at one moment; never changed once made."""

    @classmethod
    @abstractmethod
    def start(cls, n: int, *, seed: int, bias: FloatArray | None = None) -> Self:
        """Return what is believed about ``n`` weights before any answer, or around a ``bias``."""

    @abstractmethod
    def after(self, observation: Observation) -> Self:
        """Return the belief after one more answer."""

    @property
    @abstractmethod
    def mean(self) -> FloatArray:
        """The weights to use: 0 or more, summing to 1."""

    @property
    @abstractmethod
    def draws(self) -> FloatArray:
        """Weights that are equally likely, one vector a row; one row if nothing is in doubt."""

    @property
    def carelessness(self) -> float:
        """Share of answers that seem to be given by chance; 0 if the learner does not ask."""
        return 0.0

    def chance(self, gains: FloatArray, most: int | None = None) -> FloatArray:
        """Probability that each choice is made, as seen by each draw (rows) and gain (columns).

        ``most`` looks at so many draws only.
        """
        return np.asarray(products(self.draws[:most], gains) > 0, dtype=np.float64)

    @property
    def intervals(self) -> FloatArray:
        """Low and high end of each weight, two rows."""
        return np.quantile(self.draws, NEAR_ALL, axis=0)


def first_guess(n: int, bias: FloatArray | None) -> FloatArray:
    """Return the bias, summing to 1, or equal weights.

    >>> first_guess(4, None).tolist()
    [0.25, 0.25, 0.25, 0.25]
    """
    guess = np.ones(n) if bias is None else np.asarray(bias, dtype=np.float64)
    return np.asarray(guess / guess.sum())


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


def products(left: FloatArray, right: FloatArray) -> FloatArray:
    """Scalar product of each vector on the left with each on the right (vectors are last).

    Without the threads of a linear algebra library: for a few thousand numbers, waking other cores
    takes longer than the work, and this gives the same bits everywhere.

    >>> products(np.array([[1.0, 2.0]]), np.array([[3.0, 4.0], [0.0, 1.0]])).tolist()
    [[11.0, 2.0]]
    """
    return np.asarray(np.einsum("...m,nm->...n", left, right))
