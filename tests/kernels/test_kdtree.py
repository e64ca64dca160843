"""The tree of free cells: what it keeps, what it finds, and what a query leaves out."""

from __future__ import annotations

import numpy as np
from random_towns import draw_case
from twins import box_of
from views import view_scratch, view_tree

from shoal.kernels.growing import new_scratch, query
from shoal.kernels.helping import NO_LIMIT
from shoal.kernels.kdtree import gather_inside, take
from thorough import times


def drawn(seed, **options):
    rng = np.random.default_rng(seed)
    case = draw_case(rng, **options)
    return rng, case, case.tree()


def take_some(rng, tree):
    """Use up copies here and there, sometimes all of a cell, sometimes all cells."""
    share, copies = rng.random(), view_tree(tree).copies
    for position in rng.permutation(copies.size):
        if copies[position] and rng.random() < share:
            take(tree, position, rng.integers(1, copies[position] + 1))


def test_nodes_know_the_boxes_and_counts_of_their_free_cells():
    for seed in range(300):
        rng, _, tree = drawn(seed)
        for _ in range(3):
            assert_nodes_right(view_tree(tree))
            take_some(rng, tree)


def assert_nodes_right(tree):
    for node in range(tree.begin.size):
        below = np.arange(tree.begin[node], tree.end[node])
        free = below[tree.copies[below] > 0]
        assert tree.free[node] == free.size
        assert tree.rows[node] == tree.copies[free].sum()
        assert tree.first[node] == tree.ids[below].min()
        if free.size:
            assert np.array_equal(tree.lo[node], tree.codes[free].min(axis=0))
            assert np.array_equal(tree.hi[node], tree.codes[free].max(axis=0))


def test_every_cell_stands_in_exactly_one_leaf():
    for seed in range(300):
        _, case, tree = drawn(seed)
        tree = view_tree(tree)
        assert sorted(tree.ids.tolist()) == list(range(len(case.codes)))
        assert np.array_equal(tree.where[tree.ids], np.arange(tree.ids.size))
        assert np.array_equal(tree.codes, case.codes[tree.ids])
        leaves = np.flatnonzero(tree.left < 0)
        covered = np.concatenate([np.arange(tree.begin[n], tree.end[n]) for n in leaves])
        assert sorted(covered.tolist()) == list(range(tree.ids.size))
        for position in range(tree.ids.size):
            leaf = tree.leaf[position]
            assert tree.begin[leaf] <= position < tree.end[leaf]


def test_the_tree_does_not_depend_on_the_form_of_losses():
    """Cells are split by codes and losses alone, so equal losses give an equal tree."""
    for seed in range(50):
        _, case, tree = drawn(seed)
        again = case.tree()
        assert all(np.array_equal(a, b) for a, b in zip(tree, again, strict=True))


def test_gathering_finds_all_free_cells_inside_a_box():
    for seed in range(500):
        rng, case, tree = drawn(seed)
        take_some(rng, tree)
        lo, hi = corners(case.codes[rng.integers(len(case.codes), size=2)])
        found = np.empty(len(case.codes), np.int64)
        n = gather_inside(tree, lo, hi, found)
        tree = view_tree(tree)
        inside = ((tree.codes >= lo) & (tree.codes <= hi)).all(axis=1) & (tree.copies > 0)
        assert sorted(found[:n].tolist()) == np.flatnonzero(inside).tolist()


def corners(cells):
    return tuple(np.array(corner, dtype=np.int32) for corner in box_of(cells.tolist()))


def test_a_query_finds_the_cheapest_free_cells_and_says_what_it_left_out():
    for seed in range(times(500)):
        rng, case, tree = drawn(seed)
        take_some(rng, tree)
        cells = view_tree(tree)
        if not cells.copies.any():
            continue
        rules = case.plain_rules(cells.ids)
        buffers = new_scratch(tree, rules, case.k)
        scratch = view_scratch(buffers)
        town = case.town
        town.free = cells.copies[cells.where].tolist()
        group = use_some(rng, cells, scratch)
        scratch.lo[:], scratch.hi[:] = corners(case.codes[list(group)])
        need = int(rng.integers(1, 3 * case.k + 1))
        kept = query(tree, case.losses, rules, need, False, buffers)
        expected = town.nearest(group, need)
        heap = sorted(zip(scratch.costs[:kept].tolist(), scratch.ids[:kept].tolist(), strict=True))
        assert heap == expected
        assert cells.ids[scratch.items[:kept]].tolist() == scratch.ids[:kept].tolist()
        assert_heap(scratch.costs[:kept], scratch.ids[:kept])
        held = sum(town.left(group, cell) for _, cell in expected)
        border = expected[-1] if held >= need else (NO_LIMIT, NO_LIMIT)
        assert tuple(scratch.border.tolist()) == border


def use_some(rng, tree, scratch):
    """Put copies of one to three free cells into the group; some have copies left, some none."""
    group = {}
    for position in rng.choice(np.flatnonzero(tree.copies), size=rng.integers(1, 4)).tolist():
        cell = int(tree.ids[position])
        group[cell] = int(rng.integers(1, tree.copies[position] + 1))
        scratch.used[position] = group[cell]
    return group


def assert_heap(costs, ids):
    for i in range(1, costs.size):
        up = (i - 1) // 2
        assert (costs[up], ids[up]) < (costs[i], ids[i])
