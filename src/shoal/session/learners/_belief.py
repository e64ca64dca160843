"""Belief: what is known about the weights, and how an answer changes it by Bayes' rule."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Self, TypeAlias

import numpy as np

from shoal.typing import FloatArray, IntArray

NEAR_ALL = 0.9  # of the draws: what an interval holds that should hold nine weights in ten
NEGLIGIBLE = 0.01  # a weight that changes hardly a group
RARE = 1 / 30  # of the draws: fewer say little about how high a weight is if it matters
ODDS = 10.0  # by which the prior may be wrong about how many attributes matter to people
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

    def chance(self, gains: FloatArray) -> FloatArray:
        """Probability that each choice is made, as seen by each draw (rows) and gain (columns)."""
        return np.asarray(products(self.draws, gains) > 0, dtype=np.float64)

    def evidence(self, told: Observation) -> float:
        """Bits by which an answer, not yet learned from, was foretold better than by a coin.

        Somebody who clicks without looking is expected to be foretold no better: twice the
        probability that the answer was given beforehand is 1 on average then. No side, no bet.

        >>> from shoal.session.learners import Posterior
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
        """Low and high end of each weight if it matters, two rows; from 0 where it may not.

        Most weights of somebody who cares about a few attributes are 0. That they may be says
        nothing about how high the others are: those are read off the draws in which they matter.
        To how many people all matters, and to how many little, is a guess about people: ends hold
        for each prior that differs from it by a factor of ten at most.
        """
        number = (self.draws > 0).sum(axis=1)
        ends = [_ends(drawn, self.level, number) for drawn in self.draws.T]
        return np.array(ends, dtype=np.float64).T

    @property
    def level(self) -> float:
        """Share of the draws that an interval has to hold to hold nine weights in ten."""
        return NEAR_ALL


def _ends(drawn: FloatArray, level: float, number: IntArray) -> tuple[float, float]:
    """Hold a share of those draws of a weight in which it matters, and 0 where it may not.

    >>> _ends(np.array([0.0, 0.0, 0.3, 0.4, 0.5]), 1.0, np.ones(5, dtype=int))
    (0.0, 0.5)
    """
    tail, n_positive = (1 - level) / 2, int((drawn > 0).sum())
    enough = math.ceil(RARE * drawn.size)
    order = np.argsort(drawn, kind="stable")[-max(n_positive, enough) :]
    matters = drawn[order]
    kinds = number[order] if n_positive >= enough else np.zeros_like(order)  # too few to tell apart
    low = -_highest(-matters[::-1], kinds[::-1], 1 - tail)
    may_not = low < NEGLIGIBLE or drawn.size - n_positive > tail * drawn.size
    up_to = level if may_not else 1 - tail
    return (0.0 if may_not else low, _highest(matters, kinds, up_to))


def _highest(rising: FloatArray, kinds: IntArray, level: float) -> float:
    """Quantile of draws at its highest, if each kind of them may be `ODDS` times as likely.

    The highest belongs to the prior that favours all kinds with more beyond it than the level
    allows (DeRobertis and Hartigan, *Bayesian Inference Using Intervals of Measures*, 1981).

    >>> _highest(np.arange(10.0), np.repeat([2, 8], [9, 1]), 0.9)
    9.0
    """
    excess = np.zeros(rising.size)
    for kind in np.unique(kinds):
        own = kinds == kind
        beyond = own[::-1].cumsum()[::-1] - own / 2 - (1 - level) * own.sum()
        excess += np.where(beyond > 0, ODDS * beyond, beyond)
    first = min(int((excess > 0).sum()), rising.size - 1)
    return float(max(np.quantile(rising, level), rising[first]))


def first_guess(n: int, bias: FloatArray | None) -> FloatArray:
    """Return the bias, summing to 1, or equal weights.

    >>> first_guess(4, None).tolist()
    [0.25, 0.25, 0.25, 0.25]
    """
    guess = np.ones(n) if bias is None else np.asarray(bias, dtype=np.float64)
    return np.asarray(guess / guess.sum())


def products(left: FloatArray, right: FloatArray) -> FloatArray:
    """Scalar product of each vector on the left with each on the right (vectors are last).

    Without the threads of a linear algebra library: for a few thousand numbers, waking other cores
    takes longer than the work, and this gives the same bits everywhere.

    >>> products(np.array([[1.0, 2.0]]), np.array([[3.0, 4.0], [0.0, 1.0]])).tolist()
    [[11.0, 2.0]]
    """
    return np.asarray(np.einsum("...m,nm->...n", left, right))
