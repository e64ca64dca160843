"""Distances between numbers written as text: a double may hold neither of them, nor the gap."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_UP, Context, Decimal

import numpy as np

from shoal.typing import FloatArray, IntArray

# Away from zero: a gap is within a bound exactly if it still is when its 4,000th digit is rounded.
_GAPS = Context(prec=4000, rounding=ROUND_UP)
_WHOLE = 2**50  # whole numbers up to here are doubles, and so are their sums and differences
_DAY = 86_400_000_000  # microseconds; of days a double holds a tenth of those
_SHORT = 15  # two decimals of at most so many digits are different doubles (IEEE 754, binary64)


def decimals_of(texts: Sequence[str]) -> int | None:
    """Most digits after the point of any text; None if one is too long for a double to hold.

    >>> decimals_of(["1", "2.50"]), decimals_of(["1e5"]), decimals_of(["1" + 30 * "0"])
    (2, None, None)
    """
    if any(len(text) > _SHORT or "e" in text or "E" in text for text in texts):
        return None
    return max((len(text.partition(".")[2].rstrip()) for text in texts), default=0)


def in_units(values: FloatArray, decimals: int) -> FloatArray | None:
    """Count short decimals in units of their last digit, exactly; None if there are too many.

    >>> in_units(np.array([0.1, 0.3]), 1).tolist()
    [1.0, 3.0]
    """
    units = np.rint(values * 10.0**decimals)
    return units if bool((np.abs(units) < _WHOLE).all()) else None


def limit_in_units(limit: float, decimals: int) -> int:
    """How many whole units a limit lets pass.

    >>> limit_in_units(0.3, 1), limit_in_units(2.5, 0)
    (3, 2)
    """
    return min(int(Decimal(str(limit)).scaleb(decimals)), _WHOLE)


def limit_in_microseconds(limit: float) -> int:
    """How many microseconds a limit in days lets pass.

    >>> limit_in_microseconds(0.5), limit_in_microseconds(1e-11), limit_in_microseconds(1e300)
    (43200000000, 0, 4611686018427387904)
    """
    return int(min(Decimal(str(limit)) * _DAY, Decimal(2**62)))


def gap(low: str, high: str) -> float:
    """The distance of two numbers, rounded once.

    >>> gap("1000000000000000000000000000001", "1000000000000000000000000000004")
    3.0
    """
    return float(_GAPS.subtract(Decimal(high), Decimal(low)))


def shares(texts: Sequence[str], low: str, high: str) -> FloatArray:
    """Where each number lies between two others: 0 is the first, 1 the second.

    >>> shares(["5e-400", "6e-400", "9e-400"], "5e-400", "9e-400").tolist()
    [0.0, 0.25, 1.0]
    """
    origin = Decimal(low)
    width = _GAPS.subtract(Decimal(high), origin)
    if not width:
        return np.zeros(len(texts))
    short = Context(prec=30)
    gaps = [_GAPS.subtract(Decimal(text), origin) for text in texts]
    return np.array([float(short.divide(g, width)) for g in gaps])


def furthest(starts: Sequence[str], ends: Sequence[str], limit: float) -> IntArray:
    """For each start, the last end that is no further from it than the limit; both ascend.

    >>> furthest(["0.1", "0.2", "0.4"], ["0.1", "0.2", "0.4"], 0.1).tolist()
    [1, 1, 2]
    """
    bound, highs = Decimal(str(limit)), [Decimal(end) for end in ends]
    last = np.arange(len(highs))  # a value alone is never too wide
    at = 0
    for place, start in enumerate(map(Decimal, starts)):
        at = max(at, place)
        while at + 1 < len(highs) and _GAPS.subtract(highs[at + 1], start) <= bound:
            at += 1
        last[place] = at
    return last
