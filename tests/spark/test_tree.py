"""Trees of cuts and their packing into fragments, without any Spark."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.datasets import people
from shoal.grouping import CutTree, Problem, SaNGreeA, cut_at_gaps, grow_cuts, pack_leaves, torn_off
from shoal.privacy import KAnonymity
from shoal.recoding import Generalize
from shoal.spark._cuts import learn_cuts
from shoal.spark._network import Network, NetworkInputs
from shoal.table import read_table


@pytest.fixture(scope="module")
def spaces():
    data = people(600)
    return Generalize(data.hierarchies).spaces(data.table())


def slow_leaf(tree, point):
    node = 0
    while tree.axis[node] >= 0:
        low = point[tree.axis[node]] <= tree.at[node]
        node = tree.left[node] if low else tree.right[node]
    return node


def test_leaves_agree_with_a_walk_from_the_root(spaces):
    tree = learn_cuts(spaces, spaces.codes, 40)
    assert tree.leaves(spaces.codes).tolist() == [slow_leaf(tree, p) for p in spaces.codes]
    assert tree.axis.size > 10


def test_a_tree_survives_being_written(spaces):
    tree = learn_cuts(spaces, spaces.codes, 40)
    again = CutTree.from_json(tree.to_json())
    assert (again.leaves(spaces.codes) == tree.leaves(spaces.codes)).all()


@settings(max_examples=60, deadline=None)
@given(st.integers(60, 300), st.integers(2, 7), st.integers(0, 2**32 - 1))
def test_fragments_hold_enough_and_not_too_many(most, least, seed):
    random = np.random.default_rng(seed)
    points = random.integers(0, 50, (400, 2))

    def cutter(rows):
        from shoal.grouping import Cut, best_cut

        values, which = np.unique(points[rows, 0], return_inverse=True)
        if values.size < 2:
            return None
        below = np.bincount(which).cumsum()[:-1]
        at = best_cut(np.ones(below.size), below, rows.size)
        return None if at is None else Cut(1.0, 0, int(values[at]))

    tree = grow_cuts(400, most / 3, cutter, points)
    leaves = tree.leaves(points)
    packing = pack_leaves(tree, np.bincount(leaves, minlength=tree.axis.size), most, least)
    hashes = random.integers(0, 2**63, 400).astype(np.uint64)
    sizes = np.bincount(packing.fragments(leaves, hashes), minlength=packing.n)
    assert sizes.sum() == 400
    assert packing.n == len(packing.sizes)
    if packing.parts.max() == 1:
        assert packing.sizes.tolist() == sizes.tolist()
        assert sizes.min() >= least
        joined = sizes > most  # only company comes before the limit
        assert (sizes[joined] < most + 2 * least).all()


def test_cuts_separate_what_costs_most(spaces):
    """The first cut lowers the loss of the two boxes; a random one is the control."""
    tree = learn_cuts(spaces, spaces.codes, 300)
    halves = tree.leaves(spaces.codes)
    random = np.random.default_rng(0).permutation(halves)
    assert box_loss(spaces, halves) < box_loss(spaces, random)


def box_loss(spaces, labels):
    total = 0.0
    for label in np.unique(labels):
        rows = spaces.codes[labels == label]
        low, high = rows.min(axis=0)[None], rows.max(axis=0)[None]
        total += len(rows) * spaces.loss_by_attribute(low, high).sum()
    return total


def test_back_propagation_follows_the_slope():
    """One step moves weights along the numerical slope of the squared error."""
    random = np.random.default_rng(3)
    rows, wanted = random.random((8, 3)), random.random((8, 2))
    net = Network.start([3, 4, 2], seed=5)
    weights = np.array([1.0, 2.0])
    stepped = net.train(rows, wanted, weights, epochs=1)
    change = stepped.matrices[0][1, 2] - net.matrices[0][1, 2]
    shaken = Network.start([3, 4, 2], seed=5)
    tiny = 1e-6
    shaken.matrices[0][1, 2] += tiny
    slope = (shaken.error(rows, wanted, weights) - net.error(rows, wanted, weights)) / tiny
    assert change == pytest.approx(-0.5 * slope / 2, rel=1e-3)


def test_plain_back_propagation_has_no_memory():
    """Rows one by one without momentum: each step is the step of a network that begins there."""
    random = np.random.default_rng(4)
    rows, wanted = random.random((3, 3)), random.random((3, 2))
    weights, plain = np.ones(2), {"momentum": 0.0, "batch": 1}
    net = Network.start([3, 4, 2], seed=6)
    whole, stepped = net.train(rows, wanted, weights, 1, **plain), net
    for i in range(3):
        stepped = stepped.train(rows[i : i + 1], wanted[i : i + 1], weights, 1, **plain)
    assert np.allclose(whole.matrices[0], stepped.matrices[0])
    assert not np.allclose(
        whole.matrices[0], net.train(rows, wanted, weights, 1, batch=1).matrices[0]
    )


def test_the_update_to_the_letter_moves_a_weight_by_the_error_alone():
    """Step vii as printed: every weight into a unit moves as its bias does."""
    random = np.random.default_rng(4)
    rows, wanted = random.random((1, 3)), random.random((1, 2))
    net = Network.start([3, 4, 2], seed=6)
    moved = net.train(rows, wanted, np.ones(2), 1, momentum=0.0, batch=1, literal=True)
    for old, new, bias, shifted in zip(
        net.matrices, moved.matrices, net.biases, moved.biases, strict=True
    ):
        assert np.allclose(new - old, np.broadcast_to(shifted - bias, old.shape))
        assert not np.allclose(shifted, bias)


def test_training_lowers_the_error_and_keeps_the_start(spaces):
    features = NetworkInputs.of(spaces)
    inputs = features.rows(spaces.codes)
    net = Network.start([inputs.shape[1], 8, 2, 8, inputs.shape[1]], seed=1)
    before = net.to_json()
    trained = net.train(inputs, inputs, features.weights, epochs=4)
    worse, better = (n.error(inputs, inputs, features.weights) for n in (net, trained))
    assert better < 0.8 * worse
    assert net.to_json() == before


def test_places_do_not_depend_on_the_batch(spaces):
    features = NetworkInputs.of(spaces)
    codes, inputs = spaces.codes, features.rows(spaces.codes)
    net = Network.start([inputs.shape[1], 8, 3, 8, inputs.shape[1]], seed=2)
    whole = net.places(codes, features)
    pieces = [net.places(codes[i : i + 7], features) for i in range(0, len(codes), 7)]
    assert (np.concatenate(pieces) == whole).all()
    close = np.abs(net.bottleneck(inputs) * (1 << 16) - whole)
    assert close.max() <= 1.001


def test_averages_are_means_and_networks_survive_being_written():
    one, other = Network.start([2, 3, 1], 1), Network.start([2, 3, 1], 2)
    mean = Network.average([one, other])
    assert mean.matrices[0] == pytest.approx((one.matrices[0] + other.matrices[0]) / 2)
    again = Network.from_json(one.to_json())
    assert all((a == b).all() for a, b in zip(again.matrices, one.matrices, strict=True))


def test_bottleneck_cuts_leave_groups_whole(spaces):
    """Few rows lose most of their group; leaves of the same sizes at random are the control."""
    features = NetworkInputs.of(spaces)
    inputs = features.rows(spaces.codes)
    net = Network.start([inputs.shape[1], 8, 2, 8, inputs.shape[1]], seed=1)
    net = net.train(inputs, inputs, features.weights, epochs=10)
    places = net.places(spaces.codes, features)
    table = read_table(pl.DataFrame({"row": range(len(inputs))}))
    problem = Problem(table, spaces, (KAnonymity(10),))
    groups = SaNGreeA(order="common", refine=False).fit(problem).grouping_.labels
    leaves = cut_at_gaps(places, groups, 100).leaves(places)
    assert np.bincount(leaves).max() <= 100
    shuffled = np.random.default_rng(0).permutation(leaves)
    assert torn(groups, leaves) < 0.7 * torn(groups, shuffled)


def torn(groups, leaves):
    """Rows that are not where most of their group is."""
    return sum(
        (groups == g).sum() - np.bincount(leaves[groups == g]).max() for g in np.unique(groups)
    )


@given(st.lists(st.integers(0, 4), min_size=1, max_size=40))
def test_rows_torn_off_are_counted_as_the_slow_twin_counts(groups):
    slow = [
        sum(
            min(groups[: i + 1].count(g), groups.count(g) - groups[: i + 1].count(g))
            for g in set(groups)
        )
        for i in range(len(groups))
    ]
    assert torn_off(np.array(groups)).tolist() == slow
