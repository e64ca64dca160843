"""Rates and how sure one can be of them: no number without its interval."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np

from shoal.typing import FloatArray, IntArray

CONFIDENCE = 0.95


def wilson(successes: float, tries: float, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Interval of a rate (E. B. Wilson, 1927); ``successes`` may be an expectation.

    It never leaves 0 to 1 and never claims certainty from a few tries.

    >>> [round(end, 4) for end in wilson(0, 20)], [round(end, 4) for end in wilson(10, 20)]
    ([0.0, 0.1611], [0.2993, 0.7007])
    """
    if tries <= 0:
        return 0.0, 1.0
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    rate = min(1.0, max(0.0, successes / tries))
    middle = (rate + z * z / (2 * tries)) / (1 + z * z / tries)
    spread = z * math.sqrt(rate * (1 - rate) / tries + z * z / (4 * tries**2)) / (1 + z * z / tries)
    low = 0.0 if rate == 0 else max(0.0, middle - spread)
    high = 1.0 if rate == 1 else min(1.0, middle + spread)
    return low, high


def mean_over_people(values: FloatArray, people: IntArray | None = None) -> tuple[float, int]:
    """Average what an attacker gains from each row, every person counting once.

    >>> mean_over_people(np.array([1.0, 1.0, 0.0]))
    (0.6666666666666666, 3)
    >>> mean_over_people(np.array([1.0, 1.0, 0.0]), np.array([7, 7, 8]))
    (0.5, 2)
    """
    if not values.size:
        return 0.0, 0
    if people is None:
        return float(values.mean()), int(values.size)
    _, who = np.unique(people, return_inverse=True)
    of_each = np.bincount(who, weights=values) / np.bincount(who)
    return float(of_each.mean()), int(of_each.size)
