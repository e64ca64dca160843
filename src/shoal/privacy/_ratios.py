"""Fractions by the array: a privacy threshold is decided in whole numbers, never by rounding."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from shoal.exceptions import InvalidParameterError
from shoal.typing import FloatArray

Number: TypeAlias = float | Fraction

EXACT_IN_FLOAT = 2**53


@dataclass(frozen=True, eq=False)
class Ratios:
    """One fraction per group, numerator over denominator; over 0 it is infinite.

    >>> Ratios(np.array([1, 2, 1]), np.array([3, 6, 0])).floats().tolist()
    [0.3333333333333333, 0.3333333333333333, inf]
    """

    numerators: NDArray[Any]  # int64, or Python integers where int64 is too narrow
    denominators: NDArray[Any]

    def floats(self) -> FloatArray:
        """Divide, each rounded once to the nearest float."""
        tops, bottoms = self.numerators, self.denominators
        if max(tops.max(initial=0), bottoms.max(initial=0)) < EXACT_IN_FLOAT:
            result = np.full(tops.size, np.inf)
            np.divide(tops, bottoms, out=result, where=bottoms != 0, casting="unsafe")
            return result
        pairs = zip(tops.tolist(), bottoms.tolist(), strict=True)
        return np.array([top / bottom if bottom else np.inf for top, bottom in pairs])

    def largest(self) -> float:
        """Divide, and take the largest."""
        return float(self.floats().max())

    def settled(self, bound: Number) -> FloatArray:
        """Divide so that comparing with ``float(bound)`` is as good as comparing exactly.

        Rounding keeps order, so only a float equal to the bound can hide a fraction that differs
        from it: such a one is moved to the next float on its side.

        >>> third = Ratios(np.array([1]), np.array([3]))
        >>> third.settled(1 / 3).item() == 1 / 3  # 0.3333333333333333 stands for a third
        True
        >>> third.settled(Fraction(3333333333333333, 10**16)).item() > 0.3333333333333333
        True
        """
        exact, rounded = as_fraction(bound), float(bound)
        result = self.floats()
        for i in np.flatnonzero(result == rounded).tolist():
            ratio = Fraction(int(self.numerators[i]), int(self.denominators[i]))
            if ratio != exact:
                result[i] = math.nextafter(rounded, math.copysign(math.inf, ratio - exact))
        return result


def as_fraction(number: Number) -> Fraction:
    """Read a threshold as the simplest fraction that rounds to it.

    >>> as_fraction(0.15), as_fraction(1 / 3), as_fraction(2)
    (Fraction(3, 20), Fraction(1, 3), Fraction(2, 1))
    """
    exact = Fraction(number)
    for digits in range(1, 10):
        simple = exact.limit_denominator(10**digits)
        if float(simple) == float(number):
            return simple if not isinstance(number, Fraction) else exact
    return exact


def checked_bound(
    letter: str, value: object, low: float, high: float = math.inf, *, above: bool = False
) -> None:
    """Raise unless ``value`` is a finite number from ``low`` (or above it) to ``high``."""
    number = isinstance(value, int | float | Fraction | np.number) and not isinstance(value, bool)
    inside = number and math.isfinite(value) and low <= value <= high  # type: ignore
    if not inside or (above and value == low):
        least = f"above {low:g}" if above else f"of at least {low:g}"
        most = "" if math.isinf(high) else f" and at most {high:g}"
        raise InvalidParameterError(f"{letter} must be a number {least}{most}.")
