"""Posterior: weights, slips and what matters at all, learned together from all answers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np
from numpy.random import Generator
from scipy.special import gammaln

from shoal._random import spawn
from shoal.session.learners._belief import Belief, Observation, first_guess, products
from shoal.typing import BoolArray, FloatArray

N_EXTRA = 3  # the fineness, the slips and the evenness stand after the weights
FINENESS = np.log(100.0), 1.2  # mean and deviation of its logarithm: 100 tells 0.03 apart
SLIPS = 0.5, 3.5  # Beta prior of who answers with care: no slips, or one answer in five by chance
CARELESS = 0.1  # share of people who do not: theirs is the same mirrored
EVENNESS = np.log(0.7), 0.7  # of its logarithm: among what matters, from one to all the same
EVERYTHING = 0.6  # share of people to whom every attribute matters; to the others a few
FIRMNESS = 2.0  # prior answers per attribute that sliders are worth
FIRM = 0.0, 0.1  # evenness of sliders: as they stand
LEAST_SLIPS = 1e-9  # and its logit another
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
    concentration of the Dirichlet, is learned with the weights, and so is what matters at all
    (a spike and a slab; Mitchell and Beauchamp, 1988): the logarithm of what does not is
    minus infinity.
    """

    concentration: FloatArray
    mean: FloatArray
    evenness: tuple[float, float]  # mean and deviation of its logarithm
    numbers: FloatArray  # probability that so many attributes matter, from 0

    @classmethod
    def around(cls, guess: FloatArray, *, certain: bool) -> AnswerModel:
        """Any weights are as likely as any others; or ``certain`` ones around a guess."""
        if not certain:
            return cls(np.ones(guess.size), guess, EVENNESS, _how_many(guess.size))
        firm = np.maximum(FIRMNESS * guess.size * guess, LEAST)
        return cls(firm, guess, FIRM, np.eye(guess.size + 1)[-1])

    @property
    def sparse(self) -> bool:
        """Whether an attribute may not matter."""
        return bool(self.numbers[-1] < 1)

    def draw(self, chance: Generator, n: int) -> FloatArray:
        """Draw particles from the prior."""
        evenness = chance.normal(*self.evenness, size=n)
        logs = _log_gamma(self._shape(evenness), chance)
        number = chance.choice(self.numbers.size, size=n, p=self.numbers)
        rank = chance.random(logs.shape).argsort(axis=1).argsort(axis=1)
        logs = np.where(rank < number[:, None], logs, -np.inf)
        slips = chance.beta(*SLIPS, size=n)
        slips = np.clip(slips, LEAST_SLIPS, 1 - LEAST_SLIPS)
        slips = np.where(np.arange(n) < CARELESS * n, 1 - slips, slips)
        fineness = chance.normal(*FINENESS, size=n)
        logit = np.log(slips / (1 - slips))
        return np.column_stack([logs, fineness, logit, evenness])

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

    def log_slab(self, particles: FloatArray) -> FloatArray:
        """Logarithm of the prior of the weights of what matters."""
        logs, shape = particles[:, :-N_EXTRA], self._shape(particles[:, -1])
        matters = logs > -np.inf
        each = logs * shape - np.exp(np.minimum(logs, 700.0)) - gammaln(shape)
        return np.asarray(np.where(matters, each, 0.0).sum(axis=1))

    def log_rest(self, particles: FloatArray, heard: HeardAnswers) -> FloatArray:
        """Logarithm of the prior of all else, what matters included, times the likelihood."""
        fineness, slips, evenness = particles[:, -N_EXTRA:].T
        density = self._log_sets[(particles[:, :-N_EXTRA] > -np.inf).sum(axis=1)]
        density = density - 0.5 * ((fineness - FINENESS[0]) / FINENESS[1]) ** 2
        density -= 0.5 * ((evenness - self.evenness[0]) / self.evenness[1]) ** 2
        density += _log_slips(slips)
        likely = np.maximum(self.likelihood(particles, heard), LEAST_LIKELY)
        return np.asarray(density + np.log(likely).sum(axis=1))

    @cached_property
    def _log_sets(self) -> FloatArray:
        """Log probability of each set of so many attributes; sets of as many are alike."""
        n = self.numbers.size - 1
        number = np.arange(n + 1)
        sets = gammaln(n + 1) - gammaln(number + 1) - gammaln(n - number + 1)
        return np.asarray(np.log(np.maximum(self.numbers, LEAST_LIKELY)) - sets)

    def turned(self, particles: FloatArray, chance: Generator) -> FloatArray:
        """Let one attribute of each particle matter if it did not, or the other way round."""
        there, rows = particles.copy(), np.arange(len(particles))
        one = chance.integers(self.concentration.size, size=rows.size)
        fresh = _log_gamma(self._shape(particles[:, -1])[rows, one], chance)
        there[rows, one] = np.where(particles[rows, one] > -np.inf, -np.inf, fresh)
        none = (there[:, :-N_EXTRA] == -np.inf).all(axis=1)
        return np.where(none[:, None], particles, there)

    def swapped(self, particles: FloatArray, chance: Generator) -> FloatArray:
        """Let an attribute that does not matter take the place of one that does, if there is."""
        there, rows = particles.copy(), np.arange(len(particles))
        marks = chance.random(particles[:, :-N_EXTRA].shape)
        matters = particles[:, :-N_EXTRA] > -np.inf
        one = np.where(matters, marks, -1.0).argmax(axis=1)
        other = np.where(matters, one[:, None], np.arange(marks.shape[1]))
        other = other[rows, np.where(matters, -1.0, marks).argmax(axis=1)]
        there[rows, one], there[rows, other] = particles[rows, other], particles[rows, one]
        return there

    def _shape(self, evenness: FloatArray) -> FloatArray:
        even = np.exp(np.clip(evenness, -4.0, 4.0))
        return np.asarray(even[:, None] * self.concentration)


def _how_many(n: int) -> FloatArray:
    """Probability that so many of n attributes matter: all of them, or rather few than many.

    >>> _how_many(3).round(3).tolist()
    [0.0, 0.267, 0.133, 0.6]
    """
    few = 1 / np.arange(1, n)
    return np.concatenate([[0.0], (1 - EVERYTHING) * few / few.sum(), [EVERYTHING if n > 1 else 1]])


def _log_gamma(shape: FloatArray, chance: Generator) -> FloatArray:
    """Draw gamma(a) as gamma(a + 1) times a power of a uniform: no underflow for small a."""
    return np.asarray(np.log(chance.gamma(shape + 1)) + np.log(chance.random(shape.shape)) / shape)


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
LEVELS, SEEN_SLIPS = (0.80, 0.92), (0.09, 0.13)
TIED, MANY_TIES = 0.08, 0.1
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
        read = np.interp(slips, SEEN_SLIPS, LEVELS) - TIED * min(1.0, ties / MANY_TIES)
        return float(read)

    @cached_property
    def awake(self) -> Self:
        """Of the particles those that answer with care, if there are some: one has no spread."""
        careful = ~self._careless
        some = careful.sum() > 1 and not careful.all()
        return replace(self, particles=self.particles[careful]) if some else self

    @cached_property
    def _careless(self) -> BoolArray:
        return self.model.slips(self.particles) > 0.5

    def chance(self, gains: FloatArray) -> FloatArray:
        """Probability of each choice under each particle."""
        return self.model.chance(self.particles, gains)


def _resample(likely: FloatArray, chance: Generator) -> np.ndarray:
    """Systematic resampling, in an order without meaning (moves pair one half with the other)."""
    n = likely.size
    marks = (chance.random() + np.arange(n)) / n
    reached = np.cumsum(likely / likely.sum())
    return chance.permutation(np.minimum(np.searchsorted(reached, marks), n - 1))


def _move(
    model: AnswerModel, particles: FloatArray, heard: HeardAnswers, chance: Generator
) -> FloatArray:
    """Sweep over the particles; each half moves along differences of the other one.

    In between, what matters changes: fresh weights come from their prior, whose density cancels.
    """
    walk = _Walk(model, heard, chance, particles.copy())
    half = len(particles) // 2
    halves = (slice(0, half), slice(half, None))
    for sweep in range(SWEEPS):
        for part, standing in (halves, halves[::-1]):
            there = walk.here[part] + _steps(walk.here[part], walk.here[standing], chance)
            walk.to(there, part)
        if model.sparse:
            other_sets = (model.turned, model.swapped)[sweep % 2]
            walk.to(other_sets(walk.here, chance), slice(None), from_slab=True)
    return walk.here


@dataclass(eq=False)
class _Walk:
    """Where particles are, and how likely that is: the slab, their weights' own prior, apart."""

    model: AnswerModel
    heard: HeardAnswers
    chance: Generator
    here: FloatArray

    def __post_init__(self) -> None:
        self.rest, self.slab = self._heights(self.here)

    def to(self, there: FloatArray, part: slice, *, from_slab: bool = False) -> None:
        """Go there by the rule of Metropolis and Hastings; draws from the slab make up for it."""
        rest, slab = self._heights(there)
        gained = rest - self.rest[part] + (0.0 if from_slab else slab - self.slab[part])
        accepted = np.log(self.chance.random(len(there))) < gained
        self.here[part] = np.where(accepted[:, None], there, self.here[part])
        self.rest[part] = np.where(accepted, rest, self.rest[part])
        self.slab[part] = np.where(accepted, slab, self.slab[part])

    def _heights(self, particles: FloatArray) -> tuple[FloatArray, FloatArray]:
        rest = self.model.log_rest(particles, self.heard)
        return rest, self.model.log_slab(particles)


def _steps(here: FloatArray, standing: FloatArray, chance: Generator) -> FloatArray:
    """Differences of particles that stand, in what matters to them and to those that move."""
    n, (n_other, size) = len(here), standing.shape
    first = chance.integers(n_other, size=n)
    second = (first + chance.integers(1, n_other, size=n)) % n_other
    known = np.isfinite(here) & np.isfinite(standing[first]) & np.isfinite(standing[second])
    n_moving = np.isfinite(here).sum(axis=1) - N_EXTRA + 2
    usual = 2.38 / np.sqrt(2 * n_moving)
    scale = np.where(chance.random(n) < FAR, 1.0, usual) * np.exp(chance.normal(0.0, 0.3, n))
    apart = np.where(known, standing[first], 0.0) - np.where(known, standing[second], 0.0)
    return np.asarray(scale[:, None] * apart + chance.normal(0.0, 0.01, (n, size)))
