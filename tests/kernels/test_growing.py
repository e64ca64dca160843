"""Groups grown through the tree are those of a full scan: same rows, same ties, same rules."""

from __future__ import annotations

import numpy as np
import pytest
import twins
from random_towns import draw_case
from views import view_scratch, view_tree

from shoal.kernels.growing import grow, grow_thrifty, new_scratch
from shoal.kernels.kdtree import take
from shoal.kernels.rules import RULES
from thorough import times

WAYS_TO_GROW = [(grow, twins.grow), (grow_thrifty, twins.grow_thrifty)]
IDS = ["grow", "grow_thrifty"]


def grown(kernel, case, tree, seed):
    """What a kernel makes of a seed, in the words of the twins; checks what it leaves behind."""
    cells = view_tree(tree)
    rules = case.plain_rules(cells.ids)
    scratch = new_scratch(tree, rules, case.k)
    n, rows, loss = kernel(tree, case.losses, rules, case.k, cells.where[seed], scratch)
    made = view_scratch(scratch)
    assert not made.used.any()
    if rows == 0:
        return None
    group = {}
    for position, count in zip(made.members[:n], made.counts[:n], strict=True):
        cell = int(cells.ids[position])
        group[cell] = group.get(cell, 0) + int(count)
    assert rows == sum(group.values()) >= case.k
    assert loss == case.spans.around(*(tuple(case.codes[c]) for c in group))
    return group


def free_at_random(rng, case):
    """A tree of which some copies are already taken, and the town in the same state."""
    tree, town = case.tree(), case.town
    for cell in rng.permutation(len(town.free)).tolist():
        if rng.random() < 0.25:
            count = int(rng.integers(1, town.free[cell] + 1))
            take(tree, view_tree(tree).where[cell], count)
            town.free[cell] -= count
    return tree, town


@pytest.mark.parametrize(("kernel", "twin"), WAYS_TO_GROW, ids=IDS)
def test_grown_groups_are_those_of_a_full_scan(kernel, twin):
    made = 0
    for seed in range(times(150)):
        rng = np.random.default_rng(seed)
        case = draw_case(rng, limits=seed % 3 == 0)
        tree, town = free_at_random(rng, case)
        for cell in rng.permutation(np.flatnonzero(town.free))[:3].tolist():
            expected = twin(town, cell)
            assert grown(kernel, case, tree, cell) == expected
            made += expected is not None
    assert made > 220


@pytest.mark.parametrize(("kernel", "twin"), WAYS_TO_GROW, ids=IDS)
@pytest.mark.parametrize("rule", RULES)
def test_rules_are_met_as_a_full_scan_would_meet_them(kernel, twin, rule):
    made = 0
    for seed in range(120):
        rng = np.random.default_rng(seed)
        kinds = (rule, "distinct") if seed % 4 == 0 else (rule,)
        case = draw_case(rng, rules=kinds, most_rows=40, limits=seed % 5 == 0)
        tree, town = case.tree(), case.town
        for cell in rng.permutation(len(town.free))[:2].tolist():
            expected = twin(town, cell)
            assert grown(kernel, case, tree, cell) == expected
            made += expected is not None
    assert made > 20


@pytest.mark.parametrize(("kernel", "twin"), WAYS_TO_GROW, ids=IDS)
def test_uncompiled_growth_makes_the_same_groups(kernel, twin):
    for seed in range(times(40)):
        rng = np.random.default_rng(seed)
        case = draw_case(rng, rules=("distinct",) if seed % 2 else ())
        cell = int(rng.integers(len(case.codes)))
        assert grown(kernel.py_func, case, case.tree(), cell) == twin(case.town, cell)


def test_a_rule_may_ask_for_more_copies_than_there_are_cells():
    """Half of a group must be the other value: its copies join one by one, dozens of times."""
    rng = np.random.default_rng(0)
    case = draw_case(rng, rules=("entropy",), most_rows=5, limits=False)
    case.codes = np.zeros((2, case.codes.shape[1]), dtype=np.int32)
    case.copies = np.array([200, 200])
    case.k = 50
    case.rules = (twins.Rule("alpha", 0.5, 0, 2, -1, (0.5, 0.5), (0, 1)),)
    for kernel in (grow, grow_thrifty):
        assert grown(kernel, case, case.tree(), 0) == {0: 50, 1: 50}


@pytest.mark.parametrize(("kernel", "twin"), WAYS_TO_GROW, ids=IDS)
def test_a_rule_may_ask_for_many_more_values_than_k(kernel, twin):
    """As a person column does in a sample, where k is less: candidates are more than k asks for."""
    for seed in range(40):
        rng = np.random.default_rng(seed)
        case = draw_case(rng, most_rows=60, limits=False)
        case.k, cells = 2, len(case.codes)
        values = tuple(range(cells))
        bound = max(2, cells // 2)
        case.rules = (twins.Rule("distinct", bound, 0, cells, -1, (0.0,) * cells, values),)
        scratch = new_scratch(case.tree(), case.plain_rules(np.arange(cells)), case.k)
        assert scratch.heap.shape[1] >= min(cells, 2 * bound)
        assert grown(kernel, case, case.tree(), 0) == twin(case.town, 0)
