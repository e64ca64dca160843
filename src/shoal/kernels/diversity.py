"""Counting kernels: how often each value occurs in each group, and how diverse that is.

A grouping arrives as ``order`` and ``starts``: group g holds rows ``order[starts[g]:starts[g+1]]``.
Histograms leave in the same shape, compressed: group g shows ``codes[starts[g]:starts[g+1]]``
(ascending) with ``counts`` beside them. All other kernels read those histograms, so a table of a
million rows is walked once and no group ever pays for values it does not hold.

Functions without underscore check and the kernels below them trust.
"""

from __future__ import annotations

import numpy as np

from shoal.exceptions import InvalidParameterError
from shoal.kernels.compiling import njit
from shoal.typing import IntArray


def count_distinct(
    codes: IntArray, order: IntArray, starts: IntArray, ignore: int = -1
) -> IntArray:
    """Count the distinct codes of each group, without the code ``ignore``.

    >>> codes = np.array([0, 1, 1, 2, 2])
    >>> count_distinct(codes, np.arange(5), np.array([0, 3, 5])).tolist()
    [2, 1]
    >>> count_distinct(codes, np.arange(5), np.array([0, 3, 5]), ignore=2).tolist()
    [2, 0]
    """
    codes, order, starts = _checked(codes, order, starts)
    return _count_distinct(codes, order, starts, int(codes.max(initial=-1)) + 1, int(ignore))


def histograms(
    codes: IntArray, order: IntArray, starts: IntArray
) -> tuple[IntArray, IntArray, IntArray]:
    """Count each code in each group; return ``starts``, ``codes`` and ``counts``, compressed.

    >>> parts = histograms(np.array([3, 0, 3, 1]), np.arange(4), np.array([0, 3, 4]))
    >>> [part.tolist() for part in parts]
    [[0, 2, 3], [0, 3, 1], [1, 2, 1]]
    """
    codes, order, starts = _checked(codes, order, starts)
    n_codes = int(codes.max(initial=-1)) + 1
    hist_starts, hist_codes, hist_counts = _histograms(codes, order, starts, n_codes)
    used = int(hist_starts[-1])
    return hist_starts, hist_codes[:used].copy(), hist_counts[:used].copy()


def _checked(codes, order, starts):
    codes, order, starts = (np.ascontiguousarray(a, dtype=np.int64) for a in (codes, order, starts))
    if starts.size == 0 or starts[-1] != order.size or order.size > codes.size:
        raise InvalidParameterError(f"{codes.size} codes do not fit {order.size} ordered rows.")
    if codes.min(initial=0) < 0:
        raise InvalidParameterError("Codes must be 0 or more.")
    return codes, order, starts


@njit(cache=True, nogil=True)
def _count_distinct(codes, order, starts, n_codes, ignore):
    distinct = np.zeros(starts.size - 1, dtype=np.int64)
    last_seen_in = np.full(n_codes, -1, dtype=np.int64)  # a stamp: no need to clear
    for group in range(distinct.size):
        for i in range(starts[group], starts[group + 1]):
            code = codes[order[i]]
            if code != ignore and last_seen_in[code] != group:
                last_seen_in[code] = group
                distinct[group] += 1
    return distinct


@njit(cache=True, nogil=True)
def _histograms(codes, order, starts, n_codes):
    n_groups = starts.size - 1
    hist_starts = np.zeros(n_groups + 1, dtype=np.int64)
    hist_codes = np.empty(order.size, dtype=np.int64)
    hist_counts = np.empty(order.size, dtype=np.int64)
    seen = np.zeros(n_codes, dtype=np.int64)
    end = 0
    for group in range(n_groups):
        begin = end
        for i in range(starts[group], starts[group + 1]):
            code = codes[order[i]]
            if seen[code] == 0:
                hist_codes[end] = code
                end += 1
            seen[code] += 1
        hist_codes[begin:end].sort()
        for j in range(begin, end):
            hist_counts[j] = seen[hist_codes[j]]
            seen[hist_codes[j]] = 0
        hist_starts[group + 1] = end
    return hist_starts, hist_codes, hist_counts


@njit(cache=True, nogil=True)
def entropy_exponents(starts, counts):
    """Exp of the entropy of each group: exactly the number of values where all are equally common.

    >>> entropy_exponents(np.array([0, 3, 5]), np.array([1, 1, 1, 3, 1])).round(6).tolist()
    [3.0, 1.754765]
    """
    result = np.empty(starts.size - 1)
    for group in range(result.size):
        begin, end = starts[group], starts[group + 1]
        total, uniform = 0, True
        for j in range(begin, end):
            total += counts[j]
            uniform = uniform and counts[j] == counts[begin]
        if uniform:
            result[group] = end - begin
            continue
        # Kahan summation: a long histogram must not drift into the zone of doubt.
        entropy, lost = 0.0, 0.0
        for j in range(begin, end):
            share = counts[j] / total
            term = -share * np.log(share) - lost
            grown = entropy + term
            lost = (grown - entropy) - term
            entropy = grown
        result[group] = np.exp(entropy)
    return result


@njit(cache=True, nogil=True)
def recursive_parts(starts, counts, l):
    """Of each group the count of the commonest value, and of the l-th commonest and all rarer.

    The second is 0 where a group shows fewer than l values.

    >>> head, tail = recursive_parts(np.array([0, 3, 5]), np.array([2, 1, 4, 3, 1]), 2)
    >>> head.tolist(), tail.tolist()
    ([4, 3], [3, 1])
    """
    n_groups = starts.size - 1
    head = np.zeros(n_groups, dtype=np.int64)
    tail = np.zeros(n_groups, dtype=np.int64)
    for group in range(n_groups):
        ascending = np.sort(counts[starts[group] : starts[group + 1]])
        head[group] = ascending[-1]
        for j in range(ascending.size - l + 1):
            tail[group] += ascending[j]
    return head, tail


@njit(cache=True, nogil=True)
def recursive_profile(starts, counts, longest):
    """For l = 1 .. longest the greatest head / tail over all groups, as two integers each.

    Every group must show at least ``longest`` values. The products compared stay below the square
    of the number of rows, so no rounding takes part in the choice.

    >>> head, tail = recursive_profile(np.array([0, 3, 5]), np.array([2, 1, 4, 3, 1]), 2)
    >>> head.tolist(), tail.tolist()
    ([3, 3], [4, 1])
    """
    heads = np.zeros(longest, dtype=np.int64)
    tails = np.ones(longest, dtype=np.int64)
    for group in range(starts.size - 1):
        ascending = np.sort(counts[starts[group] : starts[group + 1]])
        head, tail = ascending[-1], ascending.sum()
        for l in range(longest):
            if head * tails[l] > heads[l] * tail:
                heads[l], tails[l] = head, tail
            tail -= ascending[ascending.size - 1 - l]
    return heads, tails
