"""delta-presence: nobody can tell who is in the release."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from shoal.exceptions import InvalidParameterError
from shoal.privacy._base import PrivacyModel, Verdict
from shoal.privacy._classes import match_population
from shoal.privacy._ratios import Number, Ratios, checked_bound
from shoal.table import CodedTable, Grouping, Table
from shoal.typing import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class DeltaPresence(PrivacyModel):
    """Chance of being in the release between ``low`` and ``high`` (Nergiz, Atzori, Clifton, 2007).

    For each class of the population: how many of its people are released. A class of which nobody
    is released has chance 0, so its people are sure not to be in: any ``low`` above 0 fails.

    Parameters
    ----------
    low, high : float
        0 <= low <= high <= 1.
    population : Table
        Everybody the release was drawn from, quasi-identifiers generalized as in the release.

    Examples
    --------
    The public and private tables of the paper, which are (1/2, 2/3)-present:

    >>> import polars as pl
    >>> from shoal.table import Roles, read_table
    >>> roles = Roles(quasi_identifiers=["zip"])
    >>> release = read_table(pl.DataFrame({"zip": ["47*"] * 3 + ["48*"] * 2}), roles=roles)
    >>> everybody = read_table(pl.DataFrame({"zip": ["47*"] * 6 + ["48*"] * 3}))
    >>> print(DeltaPresence(1 / 2, 2 / 3, everybody).judge(release, Grouping([0, 0, 0, 1, 1])))
    (0.5, 0.666667)-presence holds (largest chance: 0.666667; smallest chance: 0.5)
    """

    low: Number
    high: Number
    population: Table = field(repr=False)
    sensitive: None = field(default=None, init=False, repr=False)
    monotone: ClassVar[bool] = True  # a merged chance lies between the two
    statistic: ClassVar[str] = "largest chance"
    citation: ClassVar[str] = (
        "M. E. Nergiz, M. Atzori, C. Clifton. Hiding the presence of individuals from shared "
        "databases. SIGMOD 2007."
    )

    def __post_init__(self) -> None:
        checked_bound("low", self.low, 0, 1)
        checked_bound("high", self.high, 0, 1)
        if self.low > self.high:
            raise InvalidParameterError("low must not be above high.")

    def __str__(self) -> str:
        return f"({float(self.low):g}, {float(self.high):g})-presence"

    @property
    def parameter(self) -> tuple[Number, Number]:
        """The bounds asked for."""
        return self.low, self.high

    def measure(self, table: CodedTable, grouping: Grouping) -> FloatArray:
        """Chance of each group's people to be in the release.

        A population may hold classes that are no group of the release: only `judge` sees them.
        """
        matched = match_population(table, grouping, self.population)
        return self._chances(matched.sample, matched.population)[: matched.n_released]

    def accepts(self, measured: IntArray | FloatArray) -> BoolArray:
        """Tell which chances lie between the bounds."""
        return (measured >= float(self.low)) & (measured <= float(self.high))

    def judge(self, table: CodedTable, grouping: Grouping) -> Verdict:
        """Judge every class of the population, those that the release lacks included."""
        matched = match_population(table, grouping, self.population)
        chances = self._chances(matched.sample, matched.population)
        return Verdict((self._result(chances, {"smallest_chance": float(chances.min())}),))

    def _chances(self, sample: IntArray, population: IntArray) -> FloatArray:
        """Divide so that comparing with either bound is as good as comparing exactly."""
        ratios = Ratios(sample, population)
        at_low = ratios.floats() == float(self.low)
        return np.where(at_low, ratios.settled(self.low), ratios.settled(self.high))
