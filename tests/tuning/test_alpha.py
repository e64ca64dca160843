"""Alpha: which point has the largest Q, checked against trying every alpha."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.tuning import Point, best_quality, choose_alpha, knee, pareto, reign_of, reigns

POINTS = st.lists(
    st.builds(Point, st.integers(0, 100).map(lambda n: n / 100), st.integers(1, 60)), min_size=1
)


@given(POINTS, st.floats(0, 5))
def test_the_walk_names_a_point_with_the_largest_quality_at_every_alpha(points, alpha) -> None:
    walk = reigns(points)
    assert walk[0].low == 0
    assert math.isinf(walk[-1].high)
    assert all(one.high == other.low for one, other in pairwise(walk))
    reign = next(r for r in walk if r.low <= alpha <= r.high)
    best = best_quality(points, alpha)
    assert points[reign.index].quality(alpha) == pytest.approx(best, abs=1e-9)


@given(POINTS)
def test_the_front_is_what_nobody_beats(points) -> None:
    front = pareto(points)
    for i, point in enumerate(points):
        beaten = any(
            other.q_f >= point.q_f and other.q_nf >= point.q_nf and other != point
            for other in points
        )
        assert (not beaten) == any(points[j] == point for j in front), i
    assert len({points[i] for i in front}) == len(front)


@given(POINTS)
def test_the_alpha_chosen_lies_in_its_range_and_chooses_a_point_of_the_front(points) -> None:
    choice = choose_alpha(points)
    low, high = choice.usable
    assert low <= choice.alpha <= high
    best = max(points, key=lambda p: p.quality(choice.alpha))
    assert best in [points[i] for i in pareto(points)]
    assert choice.why.endswith(".")


def test_a_point_inside_the_hull_is_chosen_by_no_alpha() -> None:
    points = [Point(0.95, 1), Point(0.93, 5), Point(0.93, 40)]
    assert reign_of(1, points) is None
    assert [r.index for r in reigns(points)] == [0, 2]
    assert pareto(points) == [2, 0]


def test_the_knee_gives_a_useful_crowd_for_little() -> None:
    points = [Point(0.979, 1), Point(0.971, 5), Point(0.68, 10), Point(0.1, 40)]
    assert knee(points) == 1  # the paper's Fig. 4 and 7: effort 1, k 5
    choice = choose_alpha(points)
    assert max(points, key=lambda p: p.quality(choice.alpha)) == points[1]
    assert choice.usable == (0.002, 0.02489)


def test_a_front_of_two_keeps_the_useful_end() -> None:
    points = [Point(0.9, 1), Point(0.3, 4)]
    choice = choose_alpha(points)
    assert choice.usable == (0.0, 0.2)
    assert max(points, key=lambda p: p.quality(choice.alpha)) == points[0]


def test_raw_k_that_drowns_everything_ends_the_usable_range() -> None:
    points = [Point(0.9, 2), Point(0.85, 50), Point(0.2, 2000)]
    low, high = choose_alpha(points).usable
    assert best_quality(points, high) <= 1.5 * 0.9 + 1e-6
    assert low < high < 0.01
