"""Arrangements against a slow twin: walk up the parents until two paths meet."""

from __future__ import annotations

import dataclasses
import pickle
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.exceptions import InvalidParameterError
from shoal.hierarchies import Arrangement, Calendar, Flat, Hierarchy, Intervals, Mask, Taxonomy


def path_up(parents: list[int], node: int) -> list[int]:
    path = [node]
    while parents[path[-1]] >= 0:
        path.append(parents[path[-1]])
    return path


def slow_lca(parents: list[int], first: int, last: int) -> int:
    above = set(path_up(parents, first))
    return next(node for node in path_up(parents, last) if node in above)


def slow_height(parents: list[int], node: int) -> int:
    below = [child for child, parent in enumerate(parents) if parent == node]
    return max((slow_height(parents, child) + 1 for child in below), default=0)


@st.composite
def trees(draw: st.DrawFn) -> tuple[list[int], list[int]]:
    """Draw the parents of a tree with shuffled numbers, and some of its leaves in any order."""
    size = draw(st.integers(2, 40))
    grown = [-1, *(draw(st.integers(0, i - 1)) for i in range(1, size))]
    number = draw(st.permutations(range(size)))
    parents = [-1] * size
    for node, parent in enumerate(grown):
        parents[number[node]] = -1 if parent < 0 else number[parent]
    leaves = [node for node in range(size) if node not in set(parents)]
    chosen = draw(st.lists(st.sampled_from(leaves), unique=True))
    return parents, chosen


def arranged(parents: list[int], leaves: list[int]) -> Arrangement:
    tree = Taxonomy([str(node) for node in range(len(parents))], np.array(parents))
    return tree.arrange([str(leaf) for leaf in leaves])


@given(trees())
def test_leaves_below_every_node_are_neighbours(tree: tuple[list[int], list[int]]) -> None:
    parents, leaves = tree
    position = arranged(parents, leaves).position.tolist()
    assert sorted(position) == list(range(len(leaves)))
    for node in range(len(parents)):
        below = [
            at for at, leaf in zip(position, leaves, strict=True) if node in path_up(parents, leaf)
        ]
        assert not below or max(below) - min(below) == len(below) - 1


@given(trees())
def test_lca_agrees_with_the_slow_twin(tree: tuple[list[int], list[int]]) -> None:
    parents, leaves = tree
    arrangement = arranged(parents, leaves)
    for a, first in enumerate(leaves):
        for b, last in enumerate(leaves):
            node = arrangement.lca(int(arrangement.position[a]), int(arrangement.position[b]))
            twin = slow_lca(parents, first, last)
            assert arrangement.node_labels[node] == str(twin)
            assert arrangement.node_heights[node] == slow_height(parents, twin)


@given(trees())
def test_fields_of_an_arrangement_agree_with_each_other(tree: tuple[list[int], list[int]]) -> None:
    parents, leaves = tree
    arrangement = arranged(parents, leaves)
    root = parents.index(-1)
    assert arrangement.height == slow_height(parents, root)
    assert arrangement.node_labels[arrangement.root] == str(root)
    assert arrangement.node_heights[arrangement.root] == arrangement.height
    by_position = [arrangement.node_labels[node] for node in arrangement.leaf_nodes]
    assert [by_position[at] for at in arrangement.position] == [str(leaf) for leaf in leaves]
    assert len(set(arrangement.node_labels)) == len(arrangement.node_labels)
    neighbours = np.arange(max(len(leaves) - 1, 0))
    assert np.array_equal(arrangement.lca(neighbours, neighbours + 1), arrangement.gap_nodes)


@given(trees(), st.randoms(use_true_random=False))
def test_lca_does_not_need_nodes_numbered_by_height(
    tree: tuple[list[int], list[int]], random: Random
) -> None:
    parents, leaves = tree
    arrangement = arranged(parents, leaves)
    number = np.array(
        random.sample(range(len(arrangement.node_labels)), len(arrangement.node_labels))
    )
    back = np.argsort(number)
    shuffled = dataclasses.replace(
        arrangement,
        gap_nodes=number[arrangement.gap_nodes],
        leaf_nodes=number[arrangement.leaf_nodes],
        node_labels=tuple(arrangement.node_labels[node] for node in back),
        node_heights=arrangement.node_heights[back],
        node_levels=arrangement.node_levels[back],
        root=int(number[arrangement.root]),
    )
    first, last = np.meshgrid(np.arange(len(leaves)), np.arange(len(leaves)))
    assert np.array_equal(shuffled.lca(first, last), number[arrangement.lca(first, last)])


HIERARCHIES = [
    Flat(),
    Mask(),
    Calendar(),
    Intervals([5, 10]),
    Taxonomy.from_parents({"2020-01-01": "*", "7": "*"}),
]


@pytest.mark.parametrize("hierarchy", HIERARCHIES, ids=lambda h: type(h).__name__)
def test_columns_with_no_value_or_one(hierarchy: Hierarchy) -> None:
    nothing = hierarchy.arrange([])
    assert (nothing.n_leaves, nothing.gap_nodes.size, nothing.node_labels) == (0, 0, ("*",))
    assert nothing.height >= 1
    value = "2020-01-01" if isinstance(hierarchy, Calendar) else "7"
    single = hierarchy.arrange([value])
    assert single.node_labels == (value, "*")
    assert single.lca(0, 0) == 0
    assert single.lca(np.array([0, 0]), np.array([0, 0])).tolist() == [0, 0]


@pytest.mark.parametrize("hierarchy", HIERARCHIES, ids=lambda h: type(h).__name__)
def test_labels_must_be_distinct_text(hierarchy: Hierarchy) -> None:
    with pytest.raises(InvalidParameterError, match=r"1 values of column 'x' repeat"):
        hierarchy.arrange(["7", "7"], column="x")
    with pytest.raises(InvalidParameterError, match=r"arranges text; values of column 'x'"):
        hierarchy.arrange([7], column="x")  # type: ignore[list-item]


@pytest.mark.parametrize("hierarchy", HIERARCHIES, ids=lambda h: type(h).__name__)
def test_hierarchies_travel_to_other_processes(hierarchy: Hierarchy) -> None:
    copy = pickle.loads(pickle.dumps(hierarchy))
    assert copy.arrange([]).height == hierarchy.arrange([]).height


def test_lca_takes_positions_in_any_order_and_only_positions() -> None:
    arrangement = Mask().arrange(["10", "11", "20"])
    assert arrangement.lca(1, 0) == arrangement.lca(0, 1)
    for outside in (-1, 3):
        with pytest.raises(InvalidParameterError, match="from 0 to 2"):
            arrangement.lca(0, outside)
    assert arrangement.lca(np.array([], dtype=int), np.array([], dtype=int)).size == 0


def test_repr_shows_no_value() -> None:
    assert repr(Flat().arrange(["canary", "b"])) == "Arrangement(2 leaves, height 1)"


def test_arrangements_of_the_wrong_size_are_refused() -> None:
    good = Flat().arrange(["a", "b"])
    with pytest.raises(InvalidParameterError, match="gap between"):
        dataclasses.replace(good, gap_nodes=np.array([], dtype=int))
    with pytest.raises(InvalidParameterError, match="height"):
        dataclasses.replace(good, node_heights=np.array([1]))
