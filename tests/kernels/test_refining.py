"""Every step of refinement leaves groups whole and consistent, and never raises the loss."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
import twins
from random_groups import Crowd, draw_crowd, random_pieces
from random_towns import NO_CODES, case_of, draw_case
from views import view_groups

from shoal.hierarchies import Flat
from shoal.kernels.refining import disperse, dissolve_some, move_some
from shoal.kernels.rules import RULES
from shoal.spaces import IntervalSpace, TreeSpace, WeightedSpaces

TWO_LEAVES = Flat().arrange(["no", "yes"])


def dissolve(crowd, which, turn):
    return dissolve_some(*arguments(crowd), which, turn, crowd.bench)


def move(crowd, which, turn):
    k = crowd.case.k
    return move_some(*arguments(crowd), k, which, turn, crowd.bench)


def arguments(crowd):
    return crowd.groups, crowd.index, crowd.case.losses, crowd.rules


STEPS = {"dissolve": dissolve, "move": move}


def take_step(crowd, step, turn):
    """Let a step loose on all groups and check what it claims and leaves behind."""
    before = crowd.total
    crowd.bench.stamp[:] = turn
    gain = step(crowd, np.arange(view_groups(crowd.groups).size.size), turn)
    crowd.assert_consistent()
    crowd.assert_whole()
    assert crowd.total == before - gain
    assert gain >= 0
    return gain


@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)
@pytest.mark.parametrize("rule", [None, *RULES])
def test_a_step_keeps_groups_whole_and_gains_what_it_says(rule, step):
    tried = gained = 0
    for seed in range(250 if rule is None else 50):
        rng = np.random.default_rng(seed)
        case = draw_case(rng, rules=(rule,) if rule else (), limits=seed % 2 == 0)
        crowd = draw_crowd(rng, case)
        if crowd is None:
            continue
        tried += 1
        gained += take_step(crowd, step, 1) > 0
    assert tried > 5
    assert gained > 0


def test_all_steps_one_after_the_other_settle():
    for seed in range(150):
        rng = np.random.default_rng(seed)
        case = draw_case(rng, rules=("distinct",) if seed % 3 == 0 else (), limits=seed % 2 == 0)
        crowd = draw_crowd(rng, case)
        turn = gain = 1
        while crowd and gain and turn < 20:
            gain = sum(take_step(crowd, step, turn) for step in STEPS.values())
            turn += 1
        assert turn < 20


@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)
def test_limits_hold_however_much_a_large_group_could_gain(step):
    """One row spoils a thousand; it fits to two others, but for a limit on the first attribute."""
    cells = {(0, 0): (1000, 0), (0, 1): (1, 0), (2, 1): (2, 1), (1, 0): (1, 1)}
    ages = np.array([0.0, 1.0, 2.0])
    limited = IntervalSpace("age", NO_CODES, 3, -1, 1.0, ages, ages, ("",) * 3, ("",) * 3, 2.0)
    yes_no = tuple(TreeSpace(f"q{j}", NO_CODES, 2, -1, None, TWO_LEAVES) for j in range(30))
    case = case_of(
        WeightedSpaces((limited, *yes_no), np.ones(31)),
        np.array([[age, *[flag] * 30] for age, flag in cells]),
        np.array([copies for copies, _ in cells.values()]),
        k=2,
    )
    pieces = [(cell, copies, group) for cell, (copies, group) in enumerate(cells.values())]
    crowd = Crowd(case, np.array(pieces), 2)
    crowd.assert_whole()
    take_step(crowd, step, 1)


@pytest.mark.parametrize("rule", [None, "alpha", "t_equal", "distinct"])
def test_what_is_left_over_joins_the_group_where_it_costs_least(rule):
    for seed in range(100):
        rng = np.random.default_rng(seed)
        case = draw_case(rng, rules=(rule,) if rule else (), limits=seed % 2 == 0)
        pieces, n_groups = random_pieces(rng, case)
        leftover = pieces[:, 2] >= max(1, n_groups - int(rng.integers(0, 3)))
        pieces[leftover, 2] = -1
        crowd = Crowd(case, pieces, int(pieces[:, 2].max()) + 1)
        budget, full = int(rng.integers(0, 6)), sum(t[0][-1] for t in crowd.town.spans.tables)
        expected = dispersed(crowd, pieces[leftover], budget, full)
        found = disperse(*arguments(crowd), np.flatnonzero(leftover), full, budget, crowd.bench)
        crowd.assert_consistent()
        assert (*found, crowd.members()) == expected
        assert found[0] <= budget


def dispersed(crowd, leftover, budget, full):
    """The slow way: every piece in turn to the cheapest permitted group, or out.

    Groups that still meet all rules with it come first, as long as some rule could be broken.
    """
    breakable = any(rule.kind != "distinct" for rule in crowd.town.rules)
    groups, suppressed, homeless = crowd.members(), 0, 0
    for cell, count, _ in leftover.tolist():
        hosts = []
        for g, group in enumerate(groups):
            new, rows = crowd.town.cost(group, cell), sum(group.values())
            if new < twins.FORBIDDEN:
                together = Counter(group) + Counter({cell: count})
                broken = breakable and not twins.met(crowd.town.rules, together)
                hosts.append((broken, (rows + count) * new - rows * crowd.loss(group), g))
        dear = not hosts or min(hosts)[1] > full * count
        if dear and suppressed + count <= budget:
            suppressed += count
        elif not hosts:
            homeless += count
        else:
            host = groups[min(hosts)[2]]
            host[cell] = host.get(cell, 0) + count
    return suppressed, homeless, groups
