"""Groups of networks: as the slow twin makes them, and never worse for being refined."""

from __future__ import annotations

import network_twin as twin
import numpy as np
import pytest

from shoal._progress import SILENT
from shoal.graphs import Graph, mask
from shoal.graphs._grouper import NO_LOSSES, _NetworkSearch
from shoal.graphs._yardstick import _lost, balanced_yardstick, plain_yardstick
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
        losses=losses, full=100.0, alpha=alpha, beta=beta,
        of=plain_yardstick(graph.starts, graph.friends, per_edge=scale == "edges"),
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
@pytest.mark.parametrize("scale", ["people", "edges", "balance"])
def test_refinement_lowers_the_sum_and_keeps_groups(width, scale):
    for seed in range(6):
        graph, friends, codes, spans, losses = draw(seed, n=40, width=width)
        losses = losses if width else NO_LOSSES
        found = search(graph, codes, losses, 4, 1.0 if width else 0.0, scale=scale)
        found = found.balanced(SILENT) if scale == "balance" else found
        labels = found.group("degree", SILENT)
        before = total(found, friends, codes, spans, labels)
        found.improve(labels, SILENT)
        assert np.bincount(labels).min() >= 4
        assert total(found, friends, codes, spans, labels) <= before + 1e-9


def total(found, friends, codes, spans, labels):
    groups = [sorted(group) for group in groups_of(labels)]
    lost = sum(len(g) * twin.box_loss(codes.tolist(), spans.tolist(), g) for g in groups)
    lost = found.alpha * lost / (found.n * found.full * found.of.loss)
    return lost + found.beta * twin.structural_loss(friends, groups) / found.of.structure


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


def test_what_groups_lose_is_what_the_slow_twin_counts():
    for seed in range(3):
        graph, friends, codes, spans, losses = draw(seed, n=26)
        labels = np.random.default_rng(seed).permutation(np.arange(26) % 5)
        groups = [sorted(group) for group in groups_of(labels)]
        found = _lost((graph.starts, graph.friends, codes), losses, 100.0, labels)
        apart = [
            len(group) * np.mean([
                len((friends[i] ^ friends[j]) - {i, j}) for i in group for j in group if i < j
            ])
            for group in groups
        ]  # fmt: skip
        boxes = [len(g) * twin.box_loss(codes.tolist(), spans.tolist(), g) for g in groups]
        assert found.loss == pytest.approx(sum(boxes) / 2600)
        assert found.distance == pytest.approx(sum(apart) / 26)
        assert found.structure == pytest.approx(twin.structural_loss(friends, groups))


def test_where_a_part_gains_nothing_it_counts_by_edges():
    graph, _, codes, _, losses = draw(2, n=24)
    network, labels = (graph.starts, graph.friends, codes), np.arange(24) // 4
    plain = plain_yardstick(*network[:2], per_edge=True)
    assert balanced_yardstick(network, losses, 100.0, labels, labels) == plain


def test_one_to_one_weighs_both_parts_alike_however_many_people_there_are():
    """The paper's distance is a share of all people, and forgets edges in a large network."""
    gained = {}
    for villages in (3, 24):
        graph, codes, losses = countryside(villages)
        alone = [search(graph, codes, losses, 4, a, b) for a, b in ((1.0, 0.0), (0.0, 1.0))]
        both = search(graph, codes, losses, 4)
        least, most = (lost_by(one).structure for one in alone[::-1])
        for name, one in (("people", both), ("balance", both.balanced(SILENT))):
            gained[name, villages] = (most - lost_by(one).structure) / (most - least)
    assert gained["balance", 3] > 0.3
    assert gained["balance", 24] > 0.8 * gained["balance", 3]
    assert gained["people", 24] < 0.5 * gained["balance", 24]


def countryside(villages, size=24):
    """Villages whose people know their neighbours only, with attributes that say nothing of it."""
    rng = np.random.default_rng(7)
    pairs = [
        (size * v + i, size * v + j)
        for v in range(villages)
        for i in range(size)
        for j in range(i)
        if rng.random() < (0.8 if i % 6 == j % 6 else 0.1)
    ]
    n = villages * size
    graph = Graph.from_numbers([f"{i:04}" for i in range(n)], np.array(pairs))
    codes = rng.integers(0, 5, (n, 2)).astype(np.int32)
    return graph, codes, draw(0)[4]


def lost_by(one):
    labels = one.group("degree", SILENT)
    one.improve(labels, SILENT)
    return _lost(one.network, one.losses, one.full, labels)
