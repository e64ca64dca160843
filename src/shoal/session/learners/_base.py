"""What every learner is: a belief about the weights that answers turn into the next one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

import numpy as np

from shoal.session._products import products
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
