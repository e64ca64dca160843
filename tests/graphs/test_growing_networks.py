"""Groups of networks: as the slow twin makes them, and never worse for being refined."""

from __future__ import annotations

import network_twin as twin
import numpy as np
import pytest

from shoal._progress import SILENT
from shoal.graphs import Graph, mask
from shoal.graphs._grouper import NO_LOSSES, _NetworkSearch
from shoal.kernels.graphs.growing import grow_in_order
from shoal.kernels.graphs.refining import best_step, new_groups, refine_people, take_step
from shoal.kernels.losses import TABLE, Losses


def draw(seed, n=24, width=2, density=0.15, size=5):
    """A random network with attributes whose spans cost more the wider they are."""
    rng = np.random.default_rng(seed)
    pairs = [(i, j) for i in range(n) for j in range(i) if rng.random() < density]
    graph = Graph.from_numbers([f"{i:03}" for i in range(n)], np.array(pairs).reshape(-1, 2))
    codes = rng.integers(0, size, (n, width)).astype(np.int32)
    steps = np.concatenate([np.zeros((width, 1), int), rng.integers(1, 9, (width, size - 1))], 1)
    at = np.cumsum(steps, axis=1)
    spans = np.abs(at[:, :, None] - at[:, None, :])
    meta = [[TABLE, size, j * size * size, -1, 100, -1] for j in range(width)]
    losses = Losses(
        np.array(meta, dtype=np.int64).reshape(width, 6),
        spans.ravel().astype(np.int32) if width else np.zeros(1, np.int32),
        np.zeros(1, np.int32),
    )
    friends = [set(graph.friends[graph.starts[i] : graph.starts[i + 1]].tolist()) for i in range(n)]
    return graph, friends, codes, spans, losses


def search(graph, codes, losses, k, alpha=1.0, beta=1.0, scale="people"):
    n = graph.n_people
    return _NetworkSearch(
        graph=graph, n=n, k=k, rows=np.arange(n), network=(graph.starts, graph.friends, codes),
        losses=losses, full=100.0, alpha=alpha, beta=beta, scale=scale,
    )  # fmt: skip


def groups_of(labels):
    return {frozenset(np.flatnonzero(labels == g).tolist()) for g in range(labels.max() + 1)}


@pytest.mark.parametrize("order", ["degree", "content", "best-first"])
@pytest.mark.parametrize(("alpha", "beta"), [(1.0, 1.0), (0.0, 1.0), (1.0, 0.0), (0.2, 1.0)])
def test_groups_are_those_of_the_slow_twin(order, alpha, beta):
    for seed in range(4):
        graph, friends, codes, spans, losses = draw(seed, n=23 + seed)
        found = search(graph, codes, losses, 4, alpha, beta)
        a, b = found._costs
        expected = twin.grow(friends, codes.tolist(), spans.tolist(), 4, a, b, order)
        if order == "best-first":  # costs are looked up again only when they count
            labels = found.group(order, SILENT)
            assert np.bincount(labels).min() >= 4
            first = min(range(graph.n_people), key=lambda i: (found._first_costs(SILENT)[i], i))
            one = twin.grown(
                friends, codes.tolist(), spans.tolist(), 4, a, b, first, {*range(graph.n_people)}
            )
            assert any(set(one) <= group for group in groups_of(labels))
        else:
            assert groups_of(found.group(order, SILENT)) == expected


def test_kernels_say_the_same_uncompiled():
    graph, _, codes, _, losses = draw(3, n=14)
    labels = [np.full(14, -1) for _ in range(2)]
    for own, kernel in zip(labels, (grow_in_order, grow_in_order.py_func), strict=True):
        at = np.array([0, 0, 14])
        kernel(graph.starts, graph.friends, codes, losses, np.arange(14), 3, 7, 900, 99, own,
               np.zeros(14, dtype=np.int64), at)  # fmt: skip
    assert labels[0].tolist() == labels[1].tolist()


@pytest.mark.parametrize("width", [0, 2])
@pytest.mark.parametrize("scale", ["people", "edges"])
def test_refinement_lowers_the_sum_and_keeps_groups(width, scale):
    for seed in range(6):
        graph, friends, codes, spans, losses = draw(seed, n=40, width=width)
        losses = losses if width else NO_LOSSES
        found = search(graph, codes, losses, 4, 1.0 if width else 0.0, scale=scale)
        labels = found.group("degree", SILENT)
        before = total(found, friends, codes, spans, labels)
        found.improve(labels, SILENT)
        assert np.bincount(labels).min() >= 4
        assert total(found, friends, codes, spans, labels) <= before + 1e-9


def total(found, friends, codes, spans, labels):
    groups = [sorted(group) for group in groups_of(labels)]
    lost = sum(len(g) * twin.box_loss(codes.tolist(), spans.tolist(), g) for g in groups)
    n = found.n
    most = n * (n - 1) / 4 if found.scale == "people" else found.network[1].size
    structural = twin.structural_loss(friends, groups)
    return found.alpha * lost / (n * found.full) + found.beta * structural / most


def test_what_a_step_is_said_to_change_is_what_it_changes():
    """Of moves and of changes of places, between groups that know each other and that do not."""
    for seed in range(12):
        graph, friends, codes, spans, losses = draw(seed, n=18, density=0.3)
        labels = np.random.default_rng(seed).permutation(np.arange(18) % 4)
        groups = new_groups(labels, codes, 4)
        person = int(np.flatnonzero(labels == 0)[seed % 3])
        found = search(graph, codes, losses, 2, 0.7, 0.9)
        before = total(found, friends, codes, spans, labels)
        alpha, beta = 0.7 / (18 * 100.0), 0.9 / (18 * 17 / 4)
        network, spent = (graph.starts, graph.friends), np.zeros(1, dtype=np.int64)
        from shoal.kernels.graphs import refining as kernel

        kernel._count_group(*network, 0, kernel.HOME, groups, spent)
        kernel._count_person(*network, person, kernel.MINE, groups)
        k = 2 if seed % 2 else 99
        partner, change = best_step(
            *network, codes, losses, k, alpha, beta, person, 1 + seed % 3, 1e9, groups, spent
        )
        assert (partner >= 0) or k == 2
        take_step(person, partner, 1 + seed % 3, groups)
        assert total(found, friends, codes, spans, labels) - before == pytest.approx(change)


def test_a_budget_ends_refinement():
    graph, _, codes, _, losses = draw(1, n=40)
    labels = search(graph, codes, losses, 4).group("content", SILENT)
    kept, groups = labels.copy(), new_groups(labels, codes, 10)
    spent = np.array([10])
    arguments = (graph.starts, graph.friends, codes, losses, 4, 1.0, 1.0)
    assert refine_people(*arguments, 0, 40, 5, groups, spent) == 0
    assert labels.tolist() == kept.tolist()


def test_structural_loss_is_that_of_the_twin():
    for seed in range(5):
        graph, friends, *_ = draw(seed, n=17, density=0.4)
        labels = np.random.default_rng(seed).permutation(np.arange(17) % 4)
        masked = mask(graph, labels)
        assert masked.structural_loss == pytest.approx(
            twin.structural_loss(friends, [sorted(g) for g in groups_of(labels)])
        )
