"""Entropy and symmetrical uncertainty, from nothing but counts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np

from shoal.typing import IntArray

#: How many values (or pairs of values) occur once, twice, ...: ``{times: values}``.
Tally: TypeAlias = Mapping[int, int]

DIGITS = 12  # columns that tell equally much must tie, whatever the last bits say
CHANCE = 0.001  # share of columns without any relation that may seem to have one


def tally(codes: Sequence[IntArray]) -> Tally:
    """Count how many combinations of codes occur how often.

    >>> import numpy as np
    >>> tally([np.array([0, 0, 1]), np.array([5, 5, 5])])
    {1: 1, 2: 1}
    """
    key = np.zeros(len(codes[0]), dtype=np.int64)
    for column in codes:
        _, key = np.unique(key * (int(column.max(initial=0)) + 1) + column, return_inverse=True)
    times, values = np.unique(np.bincount(key), return_counts=True)
    return dict(zip(times.tolist(), values.tolist(), strict=True))


def entropy(counted: Tally) -> float:
    """Entropy in bits; the sum is exact, so that no order of counting changes a digit.

    >>> entropy({2: 2})
    1.0
    """
    rows = sum(times * values for times, values in counted.items())
    if sum(counted.values()) <= 1:  # exactly nothing: a rounding error would be divided by itself
        return 0.0
    terms = (values * times * math.log2(times) for times, values in counted.items())
    return max(0.0, math.log2(rows) - math.fsum(terms) / rows)


def symmetrical_uncertainty(one: Tally, other: Tally, both: Tally) -> float:
    """How much two columns tell of each other: 0 nothing, 1 everything.

    ``2 (H(X) + H(Y) - H(X, Y)) / (H(X) + H(Y))`` (Press et al. 1988; Yu and Liu 2003).

    >>> symmetrical_uncertainty({2: 2}, {2: 2}, {2: 2})  # each value has its own partner
    1.0
    >>> symmetrical_uncertainty({2: 2}, {2: 2}, {1: 4})  # every value meets every other
    0.0
    """
    apart = entropy(one) + entropy(other)
    if apart == 0:
        return 0.0
    told = round(2 * (apart - entropy(both)) / apart, DIGITS)
    return min(1.0, max(0.0, told))


def chance_level(one: Tally, other: Tally) -> float:
    """Symmetrical uncertainty that two unrelated columns pass one time in a thousand.

    Under independence twice the mutual information (in nats, times rows) follows a chi-squared
    distribution with ``(values - 1)(other values - 1)`` degrees of freedom (Wilks 1938), so a
    column of names, each of which occurs once, is never relevant.

    >>> round(chance_level({500: 2}, {500: 2}), 4)
    0.0078
    """
    from scipy.stats import chi2

    apart = entropy(one) + entropy(other)
    freedom = (sum(one.values()) - 1) * (sum(other.values()) - 1)
    if apart == 0 or freedom == 0:
        return 0.0
    rows = sum(times * values for times, values in one.items())
    return float(chi2.isf(CHANCE, freedom) / (rows * math.log(2) * apart))
