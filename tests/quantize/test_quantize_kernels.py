"""Kernels of quantization against slow twins, and worked by hand."""

from __future__ import annotations

import numpy as np
import pytest
import quantize_twin as twin
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shoal.grouping import Problem
from shoal.kernels.quantize import clusters as kernels
from shoal.kernels.quantize import stirring
from shoal.quantize import EpsilonClusters
from shoal.quantize._box_tree import BoxTree
from shoal.spaces.metrics import CoOccurrence, build_metrics, centroids_of
from shoal.table import Grouping
from shoal.testing import random_grouping, random_hierarchies, random_table

SLOW = settings(
    max_examples=25, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)


def random_metrics(seed, n_rows=40):
    rng = np.random.default_rng(seed)
    table = random_table(rng, n_rows=n_rows, n_quasi=3)
    learned = {
        name: CoOccurrence()
        for name in table.roles.quasi_identifiers
        if table.kinds[name] == "nominal" and rng.random() < 0.5
    }
    trees = random_hierarchies(rng, table)
    return rng, table, build_metrics(table, metrics=learned, hierarchies=trees, weights={"q0": 2.0})


@given(seed=st.integers(0, 2**32 - 1))
@SLOW
def test_centroids_are_those_of_trying_every_value(seed):
    rng, table, metrics = random_metrics(seed)
    grouping = random_grouping(rng, table.n_rows)
    if not grouping.n_groups:
        return
    ones = np.ones(table.n_rows, dtype=np.int64)
    found = centroids_of(metrics.codes, ones, metrics.yardsticks(), grouping)
    for group in range(grouping.n_groups):
        codes = metrics.codes[grouping.members(group)]
        for j, measured in enumerate(metrics.measured):
            present = set(codes[:, j].tolist())
            domain = [c for c in range(measured.space.n_codes)
                      if c != measured.space.missing or c in present]  # fmt: skip
            least, _ = twin.centroid(measured, codes[:, j], domain)
            assert twin.cost(measured, codes[:, j], found[group, j]) == pytest.approx(
                least, abs=1e-4
            )


@given(seed=st.integers(0, 2**32 - 1), m=st.integers(1, 6))
@SLOW
def test_small_clusters_go_to_the_nearest_they_exceed_m_with(seed, m):
    _, table, metrics = random_metrics(seed, n_rows=60)
    ones = np.ones(table.n_rows, dtype=np.int64)
    tree = BoxTree.cut(metrics.codes, ones, metrics.yardsticks(), 20, None)
    small = np.flatnonzero(tree.sizes <= m)
    if not small.size or small.size == tree.sizes.size:
        return
    first = small[np.lexsort((small, -tree.sizes[small]))][0]  # the others see changed sizes
    near = [
        (twin.mapped(metrics, tree.centroids[first], tree.centroids[other]), other)
        for other in range(tree.sizes.size)
        if other != first and tree.sizes[other] + tree.sizes[first] > m
    ]
    to = tree.push_back(m)[first]
    assert any(distance <= min(near)[0] + 1e-4 for distance, other in near if other == to) or (
        tree.sizes[to] <= m  # its host was taken on by another in turn
    )


@given(seed=st.integers(0, 2**32 - 1), wanted=st.integers(1, 30))
@SLOW
def test_leaves_are_a_partition_in_boxes_that_hold_them(seed, wanted):
    _, table, metrics = random_metrics(seed)
    ones = np.ones(table.n_rows, dtype=np.int64)
    tree = BoxTree.cut(metrics.codes, ones, metrics.yardsticks(), wanted, 3)
    assert sorted(tree.pool.tolist()) == list(range(table.n_rows))
    assert Grouping(tree.labels).n_groups == tree.leaves.size == tree.sizes.size
    for cluster, node in enumerate(tree.leaves):
        codes = metrics.codes[tree.labels == cluster]
        assert np.array_equal(tree.boxes[node, 0], codes.min(axis=0))
        assert np.array_equal(tree.boxes[node, 1], codes.max(axis=0))


@given(seed=st.integers(0, 2**32 - 1), share=st.floats(0.0, 1.0))
@SLOW
def test_given_radii_are_kept_by_all_pairs(seed, share):
    """Eq. 2, pair by pair."""
    _, table, metrics = random_metrics(seed)
    radii = {m.name: share * m.reach for m in metrics.measured}
    clusters = EpsilonClusters(m=0, radii=radii)
    clusters.fit(Problem(table, metrics, ()))
    for group in range(clusters.clusters_.n_groups):
        rows = clusters.clusters_.members(group)
        for j, measured in enumerate(metrics.measured):
            codes = metrics.codes[rows, j]
            widest = measured.between(codes[:, None], codes[None, :]).max()
            assert widest <= radii[measured.name] + 1e-5 * measured.reach


def test_divergence_by_hand():
    """p = (1/2, 1/2), q = (7/10, 3/10): ln(5/7)/2 + ln(5/3)/2."""
    old, new = np.array([2.0, 2.0]), np.array([3.0, 1.0])
    by_hand = 0.5 * np.log(5 / 7) + 0.5 * np.log(5 / 3)
    assert stirring.divergence(old, new) == pytest.approx(by_hand)
    assert stirring.divergence.py_func(old, new) == pytest.approx(by_hand)
    assert stirring.divergence(old, old) == 0


def distances(most):
    """Distances as metrics give them; bins a googolth wide would only test how infinity rounds."""
    return st.floats(0, most).map(lambda distance: round(distance, 9))


@given(
    before=st.lists(distances(3), min_size=2, max_size=60),
    after=st.lists(distances(5), min_size=2, max_size=60),
)
@SLOW
def test_shapes_are_compared_as_documented(before, after):
    n, total = len(before), len(before) + len(after)
    then = np.array([*before, *([0.0] * len(after))])
    now = np.array([*before, *after])
    core = np.arange(total) < n
    worst, old = np.zeros(1), np.zeros((1, stirring.MOST_BINS))
    order, starts = np.arange(total), np.array([0, total])
    stirring.cluster_divergences(order, starts, then, core, now, old, worst)
    assert worst[0] == pytest.approx(max(0, twin.shape_change(before, now.tolist())), abs=1e-9)


@given(
    seed=st.integers(0, 2**32 - 1),
    sizes=st.lists(st.integers(1, 30), min_size=1, max_size=5),
    bound=st.sampled_from([0.0, 0.02, 0.1, 0.5]),
    together=st.booleans(),
)
@SLOW
def test_stirring_permutes_within_clusters_and_keeps_the_bound(seed, sizes, bound, together):
    rng = np.random.default_rng(seed)
    n, d = sum(sizes), 3
    order = rng.permutation(n)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    distances = np.round(rng.random((n, d)) ** 3, 2)
    columns = np.arange(d)
    source = np.repeat(np.arange(n)[:, None], d, axis=1)
    worst = np.zeros(len(sizes))
    seeds = rng.integers(0, 2**64, size=len(sizes), dtype=np.uint64)
    stirring.stir_clusters(
        order, starts, distances, columns, rng.random((n, d + 1)), seeds, bound, together,
        source, worst,
    )  # fmt: skip
    for c in range(len(sizes)):
        rows = order[starts[c] : starts[c + 1]]
        for j in range(d):
            assert sorted(source[rows, j].tolist()) == sorted(rows.tolist())
        before = distances[rows].sum(axis=1)
        after = sum(distances[source[rows, j], j] for j in range(d))
        assert worst[c] <= bound + 1e-9
        assert twin.shape_change(before.tolist(), after.tolist()) <= bound + 1e-6


def test_a_bound_that_sends_everything_home_still_says_nothing_about_whose_row_is_whose():
    """With a bound of 0 every column returns to its rows; whole rows still change places."""
    rng = np.random.default_rng(5)
    n, runs, at_home = 6, 4000, np.zeros(6)
    distances = np.array([[0.0, 1.0], [0.1, 0.7], [0.9, 0.3], [0.2, 0.2], [0.6, 0.9], [0.4, 0.0]])
    for _ in range(runs):
        source = np.repeat(np.arange(n)[:, None], 2, axis=1)
        seeds = rng.integers(0, 2**64, size=1, dtype=np.uint64)
        stirring.stir_clusters(
            np.arange(n), np.array([0, n]), distances, np.arange(2), rng.random((n, 3)), seeds,
            0.0, True, source, np.zeros(1),
        )  # fmt: skip
        at_home += source[:, 0] == np.arange(n)
    sigma = np.sqrt(runs * (1 / n) * (1 - 1 / n))
    assert (np.abs(at_home - runs / n) < 4.5 * sigma).all()


def test_a_map_is_read_between_its_knots():
    maps = np.linspace(0, 2, kernels.KNOTS + 1)[None, :]
    sticks = kernels.Yardsticks(None, 1, np.array([[3.0, -1, 0, -1]]), np.zeros(1), maps)
    assert kernels.mapped_distance.py_func(sticks, 0, 0.25) == pytest.approx(1.5)
    assert kernels.mapped_distance.py_func(sticks, 0, 9.0) == pytest.approx(6.0)
