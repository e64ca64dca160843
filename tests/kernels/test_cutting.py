"""Mondrian's cuts and the splits of refinement: the best of all, both sides whole."""

from __future__ import annotations

import numpy as np
import pytest
import twins
from random_towns import draw_case

from shoal.kernels.cutting import cut_some
from shoal.kernels.rules import RULES
from shoal.kernels.splitting import apply_split, best_split, new_splitter
from thorough import times


def cut_up(case, steps):
    """All parts that the kernel leaves, as dicts of cells."""
    n = len(case.codes)
    rules = case.plain_rules(np.arange(n))
    work = new_splitter(n, case.codes.shape[1], rules)
    pieces = np.column_stack([np.arange(n), case.copies])
    pool, ranges, state = np.arange(n), np.zeros((n, 2), np.int64), np.array([0, 1])
    ranges[0, 1] = n
    while state[0] < state[1]:
        cut_some(case.codes, pieces, case.losses, rules, case.k, pool, ranges, state, steps, work)
    return [as_group(case, pool[begin:end]) for begin, end in ranges[: state[1]]]


def as_group(case, cells):
    return {int(cell): int(case.copies[cell]) for cell in cells}


def as_set(parts):
    return {frozenset(part.items()) for part in parts}


@pytest.mark.parametrize("rules", [(), ("distinct",), ("entropy",), ("alpha", "distinct")], ids=str)
def test_parts_are_those_of_trying_every_cut(rules):
    for seed in range(times(150 if not rules else 80)):
        rng = np.random.default_rng(seed)
        case = draw_case(rng, rules=rules, limits=seed % 3 == 0)
        if case.copies.sum() < case.k or not twins.met(
            case.rules, as_group(case, range(len(case.codes)))
        ):
            continue
        parts = cut_up(case, int(rng.integers(1, 9)))
        assert as_set(parts) == as_set(twins.mondrian(case.town))


@pytest.mark.parametrize("rule", [None, *RULES])
def test_both_sides_of_a_split_are_whole_and_the_loss_is_right(rule):
    found = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        case = draw_case(rng, rules=(rule,) if rule else ())
        town, n = case.town, len(case.codes)
        everybody = as_group(case, range(n))
        rules = case.plain_rules(np.arange(n))
        work = new_splitter(n, case.codes.shape[1], rules)
        pieces = np.column_stack([np.arange(n), case.copies])
        bound = twins.loss_of(town, everybody) * sum(everybody.values())
        pool = np.arange(n)
        rows, total = best_split(case.codes, pieces, case.losses, rules, case.k, pool, bound, work)
        if rows == 0:
            assert total == bound
            continue
        found += 1
        middle = apply_split(pool, work)
        sides = [as_group(case, pool[:middle]), as_group(case, pool[middle:])]
        assert sorted(pool.tolist()) == list(range(n))
        assert rows == sum(sides[0].values())
        assert all(sum(side.values()) >= case.k and twins.met(town.rules, side) for side in sides)
        assert total == sum(twins.loss_of(town, s) * sum(s.values()) for s in sides) < bound
        assert as_set(sides) == as_set(twins.cut(town, everybody))
    assert found > 5
