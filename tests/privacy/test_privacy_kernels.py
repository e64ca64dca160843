"""Kernels against slow twins, compiled and as plain Python."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from itertools import pairwise

import numpy as np
import privacy_twin as twin
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.exceptions import InvalidParameterError
from shoal.kernels import closeness, diversity
from shoal.table import Grouping

TABLES = st.lists(st.tuples(st.integers(-1, 3), st.integers(0, 5)), min_size=1, max_size=30)


def grouped(rows):
    """Number the groups without gaps; at least one row must be in one."""
    labels = np.array([label for label, _ in rows])
    labels[0] = max(labels[0], 0)
    present = np.unique(labels[labels >= 0])
    labels[labels >= 0] = np.searchsorted(present, labels[labels >= 0])
    return Grouping(labels), np.array([code for _, code in rows])


def counters(grouping, codes):
    return [Counter(codes[grouping.members(g)].tolist()) for g in range(grouping.n_groups)]


def compressed(grouping, codes):
    """Histograms by the twin, in the shape that kernels read."""
    counted = [sorted(c.items()) for c in counters(grouping, codes)]
    starts = np.cumsum([0, *map(len, counted)])
    flat = np.array([pair for part in counted for pair in part])
    return starts, flat[:, 0].copy(), flat[:, 1].copy()


def reference(codes):
    return np.bincount(codes, minlength=6)


def both(kernel, *arguments):
    """Run compiled and plain; they must agree."""
    fast, slow = kernel(*arguments), kernel.py_func(*arguments)
    for one, other in zip(np.atleast_2d(fast), np.atleast_2d(slow), strict=True):
        assert np.allclose(one, other, rtol=1e-14, atol=0, equal_nan=True)
    return fast


@given(TABLES)
@settings(deadline=None, max_examples=200)
def test_histograms_count_each_code_of_each_group(rows):
    grouping, codes = grouped(rows)
    found = diversity.histograms(codes, grouping.order, grouping.starts)
    for part, expected in zip(found, compressed(grouping, codes), strict=True):
        assert part.tolist() == expected.tolist()
    plain = diversity._histograms.py_func(codes, grouping.order, grouping.starts, 6)
    assert plain[1][: found[1].size].tolist() == found[1].tolist()
    assert plain[2][: found[2].size].tolist() == found[2].tolist()
    assert plain[0].tolist() == found[0].tolist()


@given(TABLES, st.integers(-1, 5))
@settings(deadline=None, max_examples=200)
def test_count_distinct_leaves_one_code_out(rows, ignore):
    grouping, codes = grouped(rows)
    found = diversity.count_distinct(codes, grouping.order, grouping.starts, ignore)
    assert found.tolist() == [len(set(c) - {ignore}) for c in counters(grouping, codes)]
    plain = diversity._count_distinct.py_func(codes, grouping.order, grouping.starts, 6, ignore)
    assert plain.tolist() == found.tolist()


@pytest.mark.parametrize(
    ("codes", "order", "starts"),
    [([0], [0, 1], [0, 2]), ([0, 1], [0, 1], [0, 1]), ([0, -1], [0, 1], [0, 2]), ([0], [0], [])],
)
def test_arrays_that_do_not_fit_are_refused(codes, order, starts):
    arrays = [np.array(part, dtype=np.int64) for part in (codes, order, starts)]
    with pytest.raises(InvalidParameterError):
        diversity.histograms(*arrays)
    with pytest.raises(InvalidParameterError):
        diversity.count_distinct(*arrays)


@given(TABLES)
@settings(deadline=None, max_examples=200)
def test_entropy_of_each_group(rows):
    grouping, codes = grouped(rows)
    starts, _, counts = compressed(grouping, codes)
    found = both(diversity.entropy_exponents, starts, counts)
    for value, counter in zip(found, counters(grouping, codes), strict=True):
        exact = twin.entropy_exponent(counter.values())
        assert math.isclose(value, exact, rel_tol=1e-14)
        if len(set(counter.values())) == 1:
            assert value == len(counter)


def test_the_entropy_of_a_long_histogram_does_not_drift():
    counts = np.arange(1, 300_001)
    found = diversity.entropy_exponents(np.array([0, counts.size]), counts)[0]
    total = int(counts.sum())
    entropy = math.fsum(-c / total * math.log(c / total) for c in counts.tolist())
    assert math.isclose(found, math.exp(entropy), rel_tol=2e-14)


@given(TABLES, st.integers(1, 5))
@settings(deadline=None, max_examples=200)
def test_recursive_parts_and_profile(rows, l):
    grouping, codes = grouped(rows)
    starts, _, counts = compressed(grouping, codes)
    heads, tails = both(diversity.recursive_parts, starts, counts, l)
    needed = [twin.recursive_needed(c.values(), l) for c in counters(grouping, codes)]
    found = [Fraction(int(h), int(t)) if t else math.inf for h, t in zip(heads, tails, strict=True)]
    assert found == needed
    longest = int(np.diff(starts).min())
    heads, tails = both(diversity.recursive_profile, starts, counts, longest)
    for at in range(longest):
        worst = max(twin.recursive_needed(c.values(), at + 1) for c in counters(grouping, codes))
        assert Fraction(int(heads[at]), int(tails[at])) == worst


@given(TABLES)
@settings(deadline=None, max_examples=200)
def test_extremes_gains_and_equal_distances(rows):
    grouping, codes = grouped(rows)
    hist = compressed(grouping, codes)
    ref, n, sizes = reference(codes), codes.size, grouping.sizes
    table = Counter(codes.tolist())
    most, most_of, least, least_of = both(closeness.ratio_extremes, *hist, ref)
    beyond = both(closeness.gains_beyond_logarithm, *hist, sizes, ref, n)
    distances = both(closeness.equal_distances, *hist, sizes, ref, n)
    for g, counter in enumerate(counters(grouping, codes)):
        ratios = [Fraction(count, table[value]) for value, count in counter.items()]
        assert Fraction(int(most[g]), int(most_of[g])) == max(ratios)
        assert Fraction(int(least[g]), int(least_of[g])) == min(ratios)
        assert beyond[g] == (twin.enhanced_gain(counter, table) == math.inf)
        assert Fraction(int(distances[g]), int(2 * sizes[g] * n)) == twin.half_l1(counter, table)


@given(TABLES)
@settings(deadline=None, max_examples=200)
def test_ordered_distances_short_and_wide(rows):
    grouping, codes = grouped(rows)
    _, codes = np.unique(codes, return_inverse=True)  # every value must occur
    hist = compressed(grouping, codes)
    ref, sizes = np.bincount(codes), grouping.sizes
    found = both(closeness.ordered_distances, *hist, sizes, ref)
    table = Counter(codes.tolist())
    for g, counter in enumerate(counters(grouping, codes)):
        scale = int(sizes[g]) * codes.size * max(ref.size - 1, 1)
        assert Fraction(int(found[g]), scale) == twin.cumulated(counter, table)
        part = slice(hist[0][g], hist[0][g + 1])
        wide = both(closeness.ordered_distance_wide, hist[1][part], hist[2][part], sizes[g], ref)
        assert tuple(wide) == (0, found[g])


def test_a_wide_distance_carries():
    """All of the group below all of the table: nearly every difference is rows * size."""
    ref = np.full(200, 2**30, dtype=np.int64)
    ref[0] = 1
    rows, size = int(ref.sum()), 2**23
    exact, below = 0, 0
    for count in ref.tolist():
        below += count
        exact += abs(size * rows - below * size)
    carries, rest = both(
        closeness.ordered_distance_wide, np.array([0]), np.array([size]), size, ref
    )
    assert carries > 0
    assert carries * 2**62 + int(rest) == exact


# A random tree over the leaves "0" ... "5" in this order: where neighbours meet.
TREES = st.lists(st.integers(1, 3), min_size=5, max_size=5)


def nested(first, last, gaps):
    """The tuples of the twin for leaves first .. last; one child only where a step is skipped."""
    if first == last:
        return str(first)
    top = max(gaps[first:last])
    cuts = [i for i in range(first, last) if gaps[i] == top]
    edges = [first, *[c + 1 for c in cuts], last + 1]
    return tuple(nested(begin, end - 1, gaps) for begin, end in pairwise(edges))


def relabel(gaps):
    """Levels as heights of subtrees, which is what arrangements hold."""

    def height_of(first, last):
        if first == last:
            return 0
        return twin.height(nested(first, last, gaps))

    heights = []
    for i in range(len(gaps)):
        first = last = i
        while first > 0 and gaps[first - 1] <= gaps[i]:
            first -= 1
        last = i + 1
        while last < len(gaps) and gaps[last] <= gaps[i]:
            last += 1
        heights.append(height_of(first, last))
    return heights


@given(TABLES, TREES)
@settings(deadline=None, max_examples=200)
def test_tree_distances_equal_the_cost_of_the_paper(rows, gaps):
    grouping, codes = grouped(rows)
    tree, gap_heights = nested(0, 5, gaps), np.array(relabel(gaps))
    parents, levels = both(closeness.tree_of_gaps, gap_heights)
    assert levels.max() == twin.height(tree)
    ref, sizes = reference(codes), grouping.sizes
    hist = compressed(grouping, codes)
    found = both(closeness.tree_distances, *hist, sizes, ref, codes.size, parents, levels)
    table = Counter(map(str, codes.tolist()))
    for g, counter in enumerate(counters(grouping, codes)):
        as_text = Counter({str(value): count for value, count in counter.items()})
        scale = 2 * int(sizes[g]) * codes.size * twin.height(tree)
        assert Fraction(int(found[g]), scale) == twin.li_cost(tree, as_text, table)


def test_a_tree_of_one_leaf():
    parents, levels = both(closeness.tree_of_gaps, np.empty(0, dtype=np.int64))
    assert (parents.tolist(), levels.tolist()) == ([-1], [0])
