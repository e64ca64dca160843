"""Which groups are made, and in which order: along a sequence, or the cheapest first."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import twins
from random_towns import draw_case
from views import view_tree

from shoal.kernels.growing import new_scratch
from shoal.kernels.helping import NO_LIMIT
from shoal.kernels.rules import RULES
from shoal.kernels.seeding import (
    GROUPS,
    HEAP,
    NEXT,
    PIECES,
    VAIN,
    first_costs,
    group_cheapest_first,
    group_in_order,
)
from thorough import times


class Run:
    """A tree, its buffers, and what the kernels have made so far."""

    def __init__(self, case):
        self.case, self.tree = case, case.tree()
        self.cells = view_tree(self.tree)
        self.rules = case.plain_rules(self.cells.ids)
        self.scratch = new_scratch(self.tree, self.rules, case.k)
        self.pieces = np.empty((int(case.copies.sum()), 3), np.int64)
        self.state = np.zeros(5, np.int64)

    @property
    def arguments(self):
        return self.tree, self.case.losses, self.rules, self.case.k

    def in_order(self, sequence, steps):
        """Seed along cells (one entry per row), a few steps at a time."""
        seen, rank = {}, []
        for cell in sequence:
            rank.append(seen.get(cell, 0))
            seen[cell] = rank[-1] + 1
        positions = self.cells.where[np.array(sequence)]
        copies = self.cells.copies.copy()
        while self.state[NEXT] < len(sequence):
            group_in_order(
                *self.arguments, positions, np.array(rank), copies, steps, self.scratch,
                self.pieces, self.state,
            )  # fmt: skip
        return self.groups()

    def first_costs(self):
        """Rate all cells in two calls; the last one first, to show that starts are named."""
        costs = np.empty(self.cells.copies.size, np.int64)
        middle, starts = costs.size // 2, np.arange(costs.size)[::-1].copy()
        self.beyond = 0
        for start, stop in ((0, middle), (middle, costs.size)):
            rated = first_costs(*self.arguments, starts, start, stop, self.scratch, costs)
            self.beyond += rated
        return costs[::-1].copy()

    def cheapest_first(self, absorb, steps, lag=0):
        costs = self.first_costs()
        rank = np.lexsort((self.cells.ids, costs))
        heap = costs[rank], self.cells.ids[rank], rank.astype(np.int64)
        self.state[HEAP] = rank.size
        found = np.empty(rank.size, np.int64)
        while self.state[HEAP]:
            group_cheapest_first(
                *self.arguments, *heap, lag, steps, absorb, self.scratch, found, self.pieces,
                self.state,
            )  # fmt: skip
        return self.groups()

    def groups(self):
        """The groups as dicts of cells, in the order in which they were made."""
        made = [{} for _ in range(self.state[GROUPS])]
        for position, count, group in self.pieces[: self.state[PIECES]].tolist():
            cell = int(self.cells.ids[position])
            made[group][cell] = made[group].get(cell, 0) + count
        taken = self.case.copies - self.cells.copies[self.cells.where]
        assert all(taken[c] == sum(g.get(c, 0) for g in made) for c in range(taken.size))
        return made


@pytest.mark.parametrize("rules", [(), ("distinct",), ("alpha",)], ids=str)
def test_groups_in_order_are_those_of_a_full_scan(rules):
    for seed in range(times(100 if not rules else 60)):
        rng = np.random.default_rng(seed)
        case = draw_case(rng, rules=rules, most_rows=45, limits=seed % 3 == 0)
        sequence = rng.permutation(np.repeat(np.arange(len(case.codes)), case.copies)).tolist()
        expected = twins.group_in_order(case.town, sequence)
        assert Run(case).in_order(sequence, int(rng.integers(1, 50))) == expected


@pytest.mark.parametrize("rules", [(), ("distinct",)], ids=str)
@pytest.mark.parametrize("absorb", [True, False])
def test_the_cheapest_group_is_published_first(rules, absorb):
    for seed in range(times(60 if not rules else 40)):
        rng = np.random.default_rng(seed)
        case = draw_case(rng, rules=rules, most_rows=30, limits=seed % 3 == 0)
        expected = twins.group_cheapest_first(case.town, absorb)
        assert Run(case).cheapest_first(absorb, int(rng.integers(1, 50))) == expected


@pytest.mark.parametrize("lag", [2, 16])
def test_a_group_may_be_a_little_dearer_than_the_next(lag):
    differ = 0
    for seed in range(60):
        case = draw_case(np.random.default_rng(seed), most_rows=30)
        expected = twins.group_cheapest_first(case.town, True, lag)
        made = Run(case).cheapest_first(True, 100, lag)
        assert made == expected
        differ += made != Run(case).cheapest_first(True, 100)
    assert differ


def test_whoever_finds_nobody_gives_up_for_all():
    """No value may be a hundredth of a group: nobody can help, and not everybody need try."""
    gave_up = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        case = draw_case(rng, rules=("alpha",), most_rows=45)
        case = replace(case, rules=(replace(case.rules[0], bound=0.01),))
        sequence = rng.permutation(np.repeat(np.arange(len(case.codes)), case.copies)).tolist()
        town, run = case.town, Run(case)
        assert run.in_order(sequence, 7) == twins.group_in_order(town, sequence)
        assert run.state[VAIN] == town.vain
        gave_up += town.hopeless()
    assert gave_up


@pytest.mark.parametrize("rule", ["t_equal", "distinct"])
def test_rating_tells_how_many_rows_groups_need_beyond_k(rule):
    counted = 0
    for seed in range(60):
        case = draw_case(np.random.default_rng(seed), rules=(rule,), most_rows=30)
        run, town = Run(case), case.town
        run.first_costs()
        grown = [twins.grow_thrifty(town, cell) for cell in range(len(town.cells))]
        if all(grown):
            assert run.beyond == sum(sum(group.values()) - case.k for group in grown)
            counted += run.beyond > 0
    assert counted


def test_first_costs_are_those_of_the_groups_grown():
    for seed in range(times(40)):
        case = draw_case(np.random.default_rng(seed), most_rows=30)
        run = Run(case)
        for position, cost in enumerate(run.first_costs().tolist()):
            group = twins.grow_thrifty(case.town, int(run.cells.ids[position]))
            assert cost == (twins.loss_of(case.town, group) if group else NO_LIMIT)


@pytest.mark.parametrize("rule", RULES)
def test_absorbing_keeps_every_rule(rule):
    for seed in range(40):
        rng = np.random.default_rng(seed)
        case = draw_case(rng, rules=(rule,), limits=seed % 3 == 0)
        town = case.town
        made = Run(case).cheapest_first(True, 100)
        for group in made:
            assert sum(group.values()) >= case.k
            assert twins.met(town.rules, group)
            assert twins.loss_of(town, group) < twins.FORBIDDEN
