"""Comparisons without rounding errors, so that a bound that is just met is met."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

_LARGEST_EXACT_GROUP = 20_000


def as_fraction(bound: float) -> Fraction:
    """Read a bound as the simple fraction its author meant: 0.3 is 3/10, not its nearest double.

    >>> as_fraction(0.3), as_fraction(1 / 3)
    (Fraction(3, 10), Fraction(1, 3))
    """
    return Fraction(bound).limit_denominator(10**12)


def entropy_reaches(counts: Sequence[int], l: float) -> bool:
    """Tell whether the entropy of ``counts`` is at least log(l), in integers.

    With n the sum of the counts, H >= log l means n**n >= l**n * product of c**c. A group too
    large for that which is also too close to call by floats is refused: doubt means no.

    >>> entropy_reaches([5, 5, 5], 3), entropy_reaches([5, 5, 4], 3), entropy_reaches([2, 1], 1.8)
    (True, False, True)
    """
    common = math.gcd(*counts)
    counts = [count // common for count in counts]
    n = sum(counts)
    entropy = math.log(n) - math.fsum(c * math.log(c) for c in counts) / n
    if abs(entropy - math.log(l)) > 1e-9:
        return entropy > math.log(l)
    if n > _LARGEST_EXACT_GROUP:
        return False
    bound = as_fraction(l)
    spread = math.prod(count**count for count in counts)
    return bool((n * bound.denominator) ** n >= bound.numerator**n * spread)
