"""Belief: what is known about the weights, and how an answer changes it by Bayes' rule."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, Self, TypeAlias

import numpy as np
from numpy.random import Generator
from scipy.special import gammaln

from shoal._random import spawn
from shoal.typing import BoolArray, FloatArray

NEAR_ALL = 0.9  # of the draws: what an interval holds that should hold nine weights in ten
NEGLIGIBLE = 0.01  # a weight that changes hardly a group
BOLDEST = 0.98  # no answer is foretold more surely: one slip must not cost all evidence


Meaning: TypeAlias = Literal["side", "same", "neither"]


@dataclass(frozen=True, eq=False)
class Observation:
    """An answer as learners see it; one number per quasi-identifier.

    Attributes
    ----------
    chosen, other : FloatArray
        Added loss of joining the side that was chosen, and the other one; unweighted. Of an
        answer that chose none, of A and of B.
    look_up : callable
        Finds what is `kept`.
    meaning : {"side", "same", "neither"}
        Whether a side was chosen, or both are about the same, or neither will do.
    """

    chosen: FloatArray
    other: FloatArray
    look_up: Callable[[], FloatArray]
    meaning: Meaning = "side"

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

    @property
    def doubt(self) -> float:
        """Probability that the answers are given by chance; 0 if the learner does not ask."""
        return 0.0

    @property
    def awake(self) -> Self:
        """The same, given that the answers are not given by chance: to choose questions by."""
        return self

    def chance(self, gains: FloatArray, most: int | None = None) -> FloatArray:
        """Probability that each choice is made, as seen by each draw (rows) and gain (columns).

        ``most`` looks at so many draws only.
        """
        return np.asarray(products(self.draws[:most], gains) > 0, dtype=np.float64)

    def evidence(self, told: Observation) -> float:
        """Bits by which an answer, not yet learned from, was foretold better than by a coin.

        Somebody who clicks without looking is expected to be foretold no better: twice the
        probability that the answer was given beforehand is 1 on average then. No side, no bet.

        >>> belief = Posterior.start(2, seed=1)
        >>> better = Observation(np.zeros(2), np.ones(2), lambda: np.ones(2))
        >>> worse = Observation(np.ones(2), np.zeros(2), lambda: np.ones(2))
        >>> round((2 ** belief.evidence(better) + 2 ** belief.evidence(worse)) / 2, 9)
        1.0
        """
        if told.meaning != "side":
            return 0.0
        foretold = float(self.chance(told.gain[None]).mean())
        return math.log2(2 * min(max(foretold, 1 - BOLDEST), BOLDEST))

    @property
    def intervals(self) -> FloatArray:
        """Low and high end of each weight, two rows; from 0 where it may not matter at all.

        Weights drawn are never exactly 0, weights of people are: where some may be, the others
        may be as much higher as if they were.
        """
        tail = (1 - self.level) / 2
        low, high = np.quantile(self.draws, (tail, 1 - tail), axis=0)
        nothing = low < NEGLIGIBLE
        from_zero = np.quantile(self.draws, self.level, axis=0)
        if nothing.any() and not nothing.all():
            alone = np.where(nothing, 0.0, self.draws)
            alone /= alone.sum(axis=1, keepdims=True)
            high = np.maximum(high, np.quantile(alone, 1 - tail, axis=0))
        return np.where(nothing, [np.zeros_like(low), from_zero], [low, high])

    @property
    def level(self) -> float:
        """Share of the draws that an interval has to hold to hold nine weights in ten."""
        return NEAR_ALL


def first_guess(n: int, bias: FloatArray | None) -> FloatArray:
    """Return the bias, summing to 1, or equal weights.

    >>> first_guess(4, None).tolist()
    [0.25, 0.25, 0.25, 0.25]
    """
    guess = np.ones(n) if bias is None else np.asarray(bias, dtype=np.float64)
    return np.asarray(guess / guess.sum())


N_EXTRA = 3  # the fineness, the slips and the evenness stand after the weights
FINENESS = np.log(60.0), 1.0  # mean and deviation of its logarithm: 60 tells 0.05 apart
SLIPS = 1.0, 9.0  # Beta prior of who answers with care: one answer in ten by chance
CARELESS = 0.1  # share of people who do not: theirs is the same mirrored
EVENNESS = np.log(0.5), 1.0  # of its logarithm: from two that matter to all the same
FIRMNESS = 2.0  # prior answers per attribute that sliders are worth
FIRM = 0.0, 0.1  # evenness of sliders: as they stand
LEAST_LIKELY = 1e-300  # nothing is quite impossible: its logarithm is a number
LEAST = 0.05  # a slider at zero still leaves room to be wrong


@dataclass(frozen=True, eq=False)
class HeardAnswers:
    """All answers so far, one row each.

    Attributes
    ----------
    chosen, other : FloatArray
        As in an `Observation`.
    same, neither : BoolArray
        Which of them chose no side.
    """

    chosen: FloatArray
    other: FloatArray
    same: BoolArray
    neither: BoolArray

    @classmethod
    def none(cls, n: int) -> Self:
        """Nothing was asked yet."""
        return cls(np.zeros((0, n)), np.zeros((0, n)), *np.zeros((2, 0), dtype=np.bool_))

    def and_(self, told: Observation) -> Self:
        """Return these and one more."""
        return type(self)(
            np.vstack([self.chosen, told.chosen]),
            np.vstack([self.other, told.other]),
            np.append(self.same, told.meaning == "same"),
            np.append(self.neither, told.meaning == "neither"),
        )

    @cached_property
    def gains(self) -> FloatArray:
        """What each choice saved in each attribute."""
        return self.other - self.chosen

    @property
    def costs(self) -> tuple[FloatArray, FloatArray]:
        """What both sides cost."""
        return self.chosen, self.other

    @property
    def last(self) -> Self:
        """The newest alone."""
        return type(self)(self.chosen[-1:], self.other[-1:], self.same[-1:], self.neither[-1:])


@dataclass(frozen=True, eq=False)
class AnswerModel:
    """Prior and likelihood of answers.

    A particle is ``log gamma`` per weight, then log fineness, logit slips and log evenness.
    Independent gamma variables, divided by their sum, are Dirichlet distributed, and their
    logarithms run over all numbers, where particles move freely. Nobody knows beforehand whether
    two attributes matter to a person or all of them: the evenness, which multiplies the
    concentration of the Dirichlet, is learned with the weights.
    """

    concentration: FloatArray
    mean: FloatArray
    evenness: tuple[float, float]  # mean and deviation of its logarithm

    @classmethod
    def around(cls, guess: FloatArray, *, certain: bool) -> AnswerModel:
        """Any weights are as likely as any others; or ``certain`` ones around a guess."""
        if not certain:
            return cls(np.ones(guess.size), guess, EVENNESS)
        firm = np.maximum(FIRMNESS * guess.size * guess, LEAST)
        return cls(firm, guess, FIRM)

    def draw(self, chance: Generator, n: int) -> FloatArray:
        """Draw particles from the prior."""
        evenness = chance.normal(*self.evenness, size=n)
        shape = self._shape(evenness)
        # gamma(a) as gamma(a + 1) times a power of a uniform: no underflow for small a
        large = chance.gamma(shape + 1)
        small = np.log(chance.random(shape.shape)) / shape
        slips = chance.beta(*SLIPS, size=n)
        slips = np.where(np.arange(n) < CARELESS * n, 1 - slips, slips)
        fineness = chance.normal(*FINENESS, size=n)
        logit = np.log(slips / (1 - slips))
        return np.column_stack([np.log(large) + small, fineness, logit, evenness])

    def weights(self, particles: FloatArray) -> FloatArray:
        """Weights of each particle, summing to 1."""
        logs = particles[:, :-N_EXTRA]
        shares = np.exp(logs - logs.max(axis=1, keepdims=True))
        return np.asarray(shares / shares.sum(axis=1, keepdims=True))

    def slips(self, particles: FloatArray) -> FloatArray:
        """Share of answers given by chance, of each particle."""
        return _logistic(particles[:, -2])

    def chance(self, particles: FloatArray, gains: FloatArray) -> FloatArray:
        """Probability under each particle (rows) of the choice with each gain (columns)."""
        slips = self.slips(particles)[:, None]
        fineness = np.exp(np.minimum(particles[:, -3], 20.0))[:, None]
        saved = products(self.weights(particles), gains)
        return slips / 2 + (1 - slips) * _logistic(fineness * saved)

    def likelihood(self, particles: FloatArray, heard: HeardAnswers) -> FloatArray:
        """Probability under each particle (rows) of each answer (columns), up to a factor.

        Who weighs both sides alike says so (Davidson, 1970: in proportion to the geometric mean
        of the chances of the two sides); who takes neither says that what even the better side
        loses matters more than the average attribute.
        """
        slips = self.slips(particles)[:, None]
        fineness = np.exp(np.minimum(particles[:, -3], 20.0))[:, None]
        weights = self.weights(particles)
        saved = fineness * products(weights, heard.gains)
        meant = _logistic(saved)
        if heard.same.any():
            meant = np.where(heard.same, 2 * np.sqrt(meant * (1 - meant)), meant)
        if heard.neither.any():
            excess = [products(weights, cost) - cost.mean(axis=1) for cost in heard.costs]
            meant = np.where(heard.neither, _logistic(fineness * np.minimum(*excess)), meant)
        return slips / 2 + (1 - slips) * meant

    def log_density(self, particles: FloatArray, heard: HeardAnswers) -> FloatArray:
        """Logarithm of prior times likelihood, up to a constant."""
        logs = particles[:, :-N_EXTRA]
        fineness, slips, evenness = particles[:, -N_EXTRA:].T
        shape = self._shape(evenness)
        density = (logs * shape - np.exp(np.minimum(logs, 700.0)) - gammaln(shape)).sum(axis=1)
        density -= 0.5 * ((fineness - FINENESS[0]) / FINENESS[1]) ** 2
        density -= 0.5 * ((evenness - self.evenness[0]) / self.evenness[1]) ** 2
        density += _log_slips(slips)
        likely = np.maximum(self.likelihood(particles, heard), LEAST_LIKELY)
        return np.asarray(density + np.log(likely).sum(axis=1))

    def _shape(self, evenness: FloatArray) -> FloatArray:
        even = np.exp(np.clip(evenness, -4.0, 4.0))
        return np.asarray(even[:, None] * self.concentration)


def _log_slips(logit: FloatArray) -> FloatArray:
    """Log density of the slips, on the logit scale: most answer with care, some by chance."""
    some, many = np.logaddexp(0, -logit), np.logaddexp(0, logit)
    careful = np.log1p(-CARELESS) - SLIPS[0] * some - SLIPS[1] * many
    careless = np.log(CARELESS) - SLIPS[1] * some - SLIPS[0] * many
    return np.asarray(np.logaddexp(careful, careless))


def _logistic(x: FloatArray) -> FloatArray:
    return np.asarray(0.5 + 0.5 * np.tanh(0.5 * x))


# Read off simulated experts: whoever makes no slips is known better than a model says that allows
# them, whoever makes some less well; those who see ties tell more than Davidson's rule takes in.
LEVELS, SEEN_SLIPS = (0.85, 0.95), (0.08, 0.12)
TIED, MANY_TIES = 0.06, 0.1
PARTICLES = 600
SWEEPS = 8  # moves of every particle after each answer
FAR = 0.1  # share of the moves that leap from one mode to another


@dataclass(frozen=True, eq=False)
class Posterior(Belief):
    """Weights on the simplex with a Dirichlet prior, answers by logistic choice with slips.

    A person who weighs the attributes by w chooses a side with probability
    ``s / 2 + (1 - s) / (1 + exp(-b * w . gain))`` where the gain is what the choice saves in each
    attribute (Bradley and Terry, 1952; Train, *Discrete Choice Methods*, 2009), b how finely the
    person tells losses apart and s how often the answer is given by chance; b, s and how evenly
    the weights are spread are learned with w. After each answer particles are reweighted,
    resampled and moved by differential evolution (Chopin, 2002; ter Braak, 2006); the same seed
    and answers give the same particles.

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
    heard: HeardAnswers

    @classmethod
    def start(cls, n: int, *, seed: int, bias: FloatArray | None = None) -> Self:
        """Draw particles from the prior."""
        model = AnswerModel.around(first_guess(n, bias), certain=bias is not None)
        particles = model.draw(spawn(seed, "prior"), PARTICLES)
        return cls(model, particles, seed, HeardAnswers.none(n))

    def after(self, observation: Observation) -> Self:
        """Reweight, resample, move."""
        chance = spawn(self.seed, f"answer {len(self.heard.same) + 1}")
        heard = self.heard.and_(observation)
        likely = self.model.likelihood(self.particles, heard.last)[:, 0]
        particles = self.particles[_resample(likely, chance)]
        moved = _move(self.model, particles, heard, chance)
        return replace(self, particles=moved, heard=heard)

    @cached_property
    def draws(self) -> FloatArray:
        """Weights of the particles."""
        return self.model.weights(self.particles)

    @cached_property
    def mean(self) -> FloatArray:
        """Posterior mean of who answers with care; before the first answer that of the prior.

        If all was chance, any weights are as good as these.
        """
        return self.awake.draws.mean(axis=0) if self.heard.same.size else self.model.mean

    @property
    def carelessness(self) -> float:
        """Posterior mean of the share of answers given by chance."""
        return float(self.model.slips(self.particles).mean())

    @property
    def doubt(self) -> float:
        """Posterior probability that more than half of the answers are given by chance."""
        return float(self._careless.mean())

    @property
    def level(self) -> float:
        """Less than nine in ten of the draws for whoever makes no slips, more for others."""
        slips = float(self.awake.model.slips(self.awake.particles).mean())
        ties = float(self.heard.same.mean()) if self.heard.same.size else 0.0
        read = float(np.interp(slips, SEEN_SLIPS, LEVELS))
        return read - TIED * min(1.0, ties / MANY_TIES)

    @cached_property
    def awake(self) -> Self:
        """Of the particles those that answer with care, if there are some: one has no spread."""
        careful = ~self._careless
        some = careful.sum() > 1 and not careful.all()
        return replace(self, particles=self.particles[careful]) if some else self

    @cached_property
    def _careless(self) -> BoolArray:
        return self.model.slips(self.particles) > 0.5

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
    model: AnswerModel, particles: FloatArray, heard: HeardAnswers, chance: Generator
) -> FloatArray:
    """Sweep over the particles; each half moves along differences of the other one."""
    here = particles.copy()
    height = model.log_density(here, heard)
    half = len(here) // 2
    halves = (slice(0, half), slice(half, None))
    for _ in range(SWEEPS):
        for moving, standing in (halves, halves[::-1]):
            there = here[moving] + _steps(here[standing], len(here[moving]), chance)
            found = model.log_density(there, heard)
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
