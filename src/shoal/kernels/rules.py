"""Rules beside k that a group must meet, checked on its counts of sensitive values.

A cell carries one code per rule; a group keeps one histogram per rule. ``excess`` is how far
a group is from meeting a rule (0 or less: met), on a scale of its own.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.kernels.compiling import njit
from shoal.kernels.slots import OFFSET, RULE, SIZE, SKIP, L

DISTINCT, ENTROPY, RECURSIVE, T_EQUAL, T_ORDERED = 0, 1, 2, 3, 4
BASIC_BETA, ENHANCED_BETA, DELTA_DISCLOSURE, ALPHA = 5, 6, 7, 8
RULES = (  # what a `shoal.privacy.Constraint` calls them, in the order of the numbers
    *("distinct", "entropy", "recursive", "t_equal", "t_ordered"),
    *("basic_beta", "enhanced_beta", "delta_disclosure", "alpha"),
)
LIKENED = RULES[T_EQUAL:ALPHA]  # those that compare a group with the whole table
SLACK = 1e-9  # floats decide here: what is closer to a bound than this counts as failing
NOISE = 1e-12  # a gain smaller than this is none, on any processor


class Rules(NamedTuple):
    """Rules as plain arrays; rule r reads ``codes[cell, r]`` and counts at its OFFSET."""

    meta: np.ndarray  # (rules, 5): see shoal.kernels.slots; SKIP is a code that is no value, or -1
    bound: np.ndarray
    reference: np.ndarray
    codes: np.ndarray


@njit(cache=True, nogil=True, counted=False)
def count_in(rules, position, count, histogram, distinct, totals):
    """Add ``count`` copies of a cell (negative: remove them) to a group's counts."""
    for r in range(rules.meta.shape[0]):
        code = rules.codes[position, r]
        at = rules.meta[r, OFFSET] + code
        had = histogram[at]
        histogram[at] = had + count
        totals[r] += count
        if code != rules.meta[r, SKIP]:
            if had == 0 and count > 0:
                distinct[r] += 1
            elif had > 0 and had + count == 0:
                distinct[r] -= 1


@njit(cache=True, nogil=True, counted=False)
def excess(rules, r, histogram, distinct, totals):
    """How far the group is from rule ``r``; 0 or less means that it is met."""
    kind = rules.meta[r, RULE]
    bound = rules.bound[r]
    if kind == DISTINCT:
        return bound - distinct[r]
    base = rules.meta[r, OFFSET]
    size = rules.meta[r, SIZE]
    total = float(totals[r])
    if total == 0:
        return 1e18
    if kind == ENTROPY:
        entropy = 0.0
        for code in range(size):
            count = histogram[base + code]
            if count > 0:
                share = count / total
                entropy -= share * np.log(share)
        return np.log(bound) - entropy - SLACK
    if kind == RECURSIVE:
        return _recursive_excess(histogram[base : base + size], rules.meta[r, L], bound)
    worst = 0.0
    running = 0.0
    for code in range(size):
        share = histogram[base + code] / total
        usual = rules.reference[base + code]
        if kind == ALPHA:
            worst = max(worst, share)
        elif kind == T_EQUAL:
            worst += abs(share - usual) / 2
        elif kind == T_ORDERED:
            running += share - usual
            worst += abs(running) / max(1, size - 1)
        elif usual > 0:
            gain = (share - usual) / usual
            if kind == DELTA_DISCLOSURE:
                worst = max(worst, abs(np.log(share / usual)) if share > 0 else 1e9 * (1 + usual))
            elif kind == ENHANCED_BETA:
                worst = max(worst, gain - min(bound, -np.log(usual)) + bound)
            else:
                worst = max(worst, gain)
    return worst - bound + (SLACK if kind != ALPHA else 0.0)


@njit(cache=True, nogil=True, counted=False)
def _recursive_excess(counts, l, c):
    """How much the most frequent value exceeds c times all but the l - 1 most frequent."""
    most = np.int64(0)
    tail = np.int64(0)
    for count in counts:
        most = max(most, count)
        tail += count
    last, at = most, -1  # the last of the frequent ones: no sorting, for that makes an array
    for _ in range(min(l - 1, counts.size)):
        pick = -1
        for i in range(counts.size):
            later = counts[i] < last or (counts[i] == last and i > at)
            if later and (pick < 0 or counts[i] > counts[pick]):
                pick = i
        last, at = counts[pick], pick
        tail -= last
    if tail == 0:
        return 1e9 + most
    return most - c * tail + SLACK


@njit(cache=True, nogil=True, counted=False)
def all_met(rules, histogram, distinct, totals):
    for r in range(rules.meta.shape[0]):
        if excess(rules, r, histogram, distinct, totals) > 0:
            return False
    return True


@njit(cache=True, nogil=True, counted=False)
def may_break(rules):
    """Whether a group may stop meeting a rule by taking rows in."""
    for r in range(rules.meta.shape[0]):
        if rules.meta[r, RULE] != DISTINCT:
            return True
    return False


@njit(cache=True, nogil=True, counted=False)
def distinct_wanted(rules, distinct):
    """Values still missing for the distinct rule that is furthest from being met."""
    wanted = 0
    for r in range(rules.meta.shape[0]):
        if rules.meta[r, RULE] == DISTINCT:
            wanted = max(wanted, int(rules.bound[r]) - distinct[r])
    return wanted


@njit(cache=True, nogil=True, counted=False)
def only_distinct_wanted(rules, histogram, distinct, totals):
    """Whether all rules that are not met yet ask for distinct values."""
    for r in range(rules.meta.shape[0]):
        if rules.meta[r, RULE] != DISTINCT and excess(rules, r, histogram, distinct, totals) > 0:
            return False
    return True


@njit(cache=True, nogil=True, counted=False)
def mark_helpful(rules, histogram, distinct, totals, helpful):
    """Mark, for each code of each unmet rule, whether one more copy brings the rule closer.

    Rules for distinct values need no marks: what is not there yet helps. One of them may count
    people, and those are many.
    """
    for r in range(rules.meta.shape[0]):
        if rules.meta[r, RULE] == DISTINCT:
            continue
        base = rules.meta[r, OFFSET]
        helpful[base : base + rules.meta[r, SIZE]] = False
        now = excess(rules, r, histogram, distinct, totals)
        if now <= 0:
            continue
        if rules.meta[r, RULE] == T_EQUAL or rules.meta[r, RULE] == T_ORDERED:
            _mark_closer(rules, r, histogram, totals, now, helpful)
            continue
        for code in range(rules.meta[r, SIZE]):
            at = base + code
            histogram[at] += 1
            totals[r] += 1
            helpful[at] = excess(rules, r, histogram, distinct, totals) < now - NOISE
            histogram[at] -= 1
            totals[r] -= 1


@njit(cache=True, nogil=True, counted=False)
def _mark_closer(rules, r, histogram, totals, now, helpful):
    """Mark the codes of a rule about t in two passes; trying each would take as many as codes.

    One more copy of a code adds its share to that code, and in an order to all sums from it on.
    """
    base, size = rules.meta[r, OFFSET], rules.meta[r, SIZE]
    ordered = rules.meta[r, RULE] == T_ORDERED
    scale = max(1, size - 1) if ordered else 2
    one = 1.0 / (totals[r] + 1)
    for turn in range(2):
        running = 0.0
        if turn == 0:
            distance = 0.0
        for code in range(size):
            off = histogram[base + code] * one - rules.reference[base + code]
            running = running + off if ordered else off
            if turn == 0:
                distance += abs(running + one) if ordered else abs(off)
                continue
            change = abs(running + one) - abs(running)
            after = distance if ordered else distance + change
            helpful[base + code] = after / scale - rules.bound[r] + SLACK < now - NOISE
            if ordered:
                distance -= change


@njit(cache=True, nogil=True, counted=False)
def helps(rules, position, histogram, distinct, helpful):
    """Whether a cell brings an unmet rule closer, for marks that `mark_helpful` made."""
    for r in range(rules.meta.shape[0]):
        code = rules.codes[position, r]
        at = rules.meta[r, OFFSET] + code
        if rules.meta[r, RULE] != DISTINCT:
            if helpful[at]:
                return True
        elif distinct[r] < rules.bound[r] and histogram[at] == 0 and code != rules.meta[r, SKIP]:
            return True
    return False


@njit(cache=True, nogil=True, counted=False)
def wipe(rules, position, histogram):
    """Forget all counts of the codes of a cell: cheaper than clearing what is wide and empty."""
    for r in range(rules.meta.shape[0]):
        histogram[rules.meta[r, OFFSET] + rules.codes[position, r]] = 0
