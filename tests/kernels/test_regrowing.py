"""Growing groups again: who is like whom, what a group grows to, and what a step leaves behind."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from random_groups import Crowd, draw_crowd
from random_towns import NO_CODES, case_of, draw_case
from views import view_groups

from shoal.hierarchies import Flat
from shoal.kernels.groups import make_groups
from shoal.kernels.kdtree import build_tree
from shoal.kernels.losses import FORBIDDEN, joined_loss
from shoal.kernels.rules import RULES
from shoal.kernels.searching.parts import (
    NO_LIMIT,
    WAYS,
    _draw_side,
    grow,
    grow_on,
    keep,
    new_pool,
    take_all,
)
from shoal.kernels.searching.regrowing import (
    LONG,
    NEAR,
    SHORT,
    Surroundings,
    find_near,
    regrow_some,
)
from shoal.kernels.slots import CELL, LOSS, SIZE
from shoal.spaces import IntervalSpace, TreeSpace, WeightedSpaces

TWO_LEAVES = Flat().arrange(["no", "yes"])


def surroundings(case, groups, manner=SHORT):
    """Who is like whom, with all groups in one part; those without rows are there to be taken."""
    cells = len(case.codes)
    tree = build_tree(case.codes, np.ones(cells, np.int64), case.losses)
    near = np.full((cells, NEAR), -1, np.int32)
    find_near(tree, case.losses, np.arange(cells), near)
    by_cell = np.argsort(groups.pieces[:, CELL], kind="stable")
    begins = np.searchsorted(groups.pieces[by_cell, CELL], np.arange(cells + 1))
    empty = np.append(-1, np.flatnonzero(groups.state[:, SIZE] == 0) if manner.splits else [])
    empty = empty.astype(np.int64)
    spare = np.full(len(groups.state) if manner.splits else 0, -1)
    spare[empty[1:]] = empty[:-1]
    owner, company = np.zeros(len(groups.state), np.int64), np.array(manner.company)
    return Surroundings(near, by_cell, begins, owner, spare, empty[-1:].copy(), company)


def test_those_most_alike_are_those_of_looking_at_all():
    for seed in range(60):
        case = draw_case(np.random.default_rng(seed), most_rows=90)
        cells = case.town.cells
        near = surroundings(case, make_groups(case.codes, np.zeros((0, 3), int), 0, case.losses))
        for one, found in enumerate(near.near.tolist()):
            costs = [case.spans.around(cells[one], other) for other in cells]
            known = [other for other in found if other >= 0]
            assert len({*known}) == len(known) == min(NEAR, len(cells))
            assert sorted(costs)[: len(known)] == [costs[other] for other in known]


def single_rows(crowd, more=0):
    """The same groups, every row a piece of its own, and some ``more`` groups without rows."""
    view = view_groups(crowd.groups)
    pieces = np.column_stack([view.cell, np.ones_like(view.cell), view.group])
    return Crowd(crowd.case, np.repeat(pieces, view.count, axis=0), view.size.size + more)


def search(crowd, *, steps=300, heat=0, seed=0, manner=SHORT):
    """Let a search loose on all groups and check what it claims and leaves behind."""
    case, groups, before = crowd.case, crowd.groups, crowd.total
    alive = np.flatnonzero(groups.state[:, LOSS] * groups.state[:, SIZE])
    histogram = np.zeros(int(crowd.rules.meta[:, SIZE].sum()), np.int64)
    around = surroundings(case, groups, manner)
    gain, kept = regrow_some(
        groups, case.losses, crowd.rules, case.k, np.uint64(seed), steps, heat,
        around, 0, alive, new_pool(groups, case.k),
        (histogram, np.zeros((2, len(crowd.rules.meta)), np.int64)),
    )  # fmt: skip
    crowd.assert_consistent(indexed=False)
    crowd.assert_whole()
    assert crowd.total == before - gain
    assert gain >= 0 or heat
    if manner.splits:
        assert sorted(stack(around)) == np.flatnonzero(groups.state[:, SIZE] == 0).tolist()
    return gain, kept


def stack(around):
    """Groups without rows that the part may take."""
    found, at = [], int(around.top[0])
    while at >= 0:
        found.append(at)
        at = int(around.spare[at])
    return found


@pytest.mark.parametrize("manner", [SHORT, LONG])
@pytest.mark.parametrize("rule", [None, *RULES])
def test_a_search_keeps_groups_whole_and_gains_what_it_says(rule, manner):
    tried = gained = 0
    for seed in range(120 if rule is None else 40):
        rng = np.random.default_rng(seed)
        case = draw_case(rng, rules=(rule,) if rule else (), limits=seed % 2 == 0)
        crowd = draw_crowd(rng, case)
        if crowd is None:
            continue
        tried += 1
        crowd = single_rows(crowd, seed % 4)
        gained += search(crowd, heat=(seed % 3) << 20, seed=seed, manner=manner)[0] > 0
    assert tried > 5
    assert gained > 0


def test_a_group_is_split_where_groups_may_be():
    """Two kinds of people in one group; a step needs another group to pool it with."""
    yes_no = tuple(TreeSpace(f"q{j}", NO_CODES, 2, -1, None, TWO_LEAVES) for j in range(3))
    cells = np.array([(0, 0, 0), (0, 1, 1), (1, 1, 1)])
    case = case_of(WeightedSpaces(yes_no, np.ones(3)), cells, np.array([3, 3, 3]), k=3)
    pieces = np.array([(0, 3, 0), (1, 3, 0), (2, 3, 1)])
    for manner, more, left in ((LONG, 1, 3), (LONG, 0, 2), (SHORT, 1, 2)):
        crowd = single_rows(Crowd(case, pieces, 2), more)
        search(crowd, manner=manner)
        assert (crowd.groups.state[:, SIZE] > 0).sum() == left
        assert (crowd.total == 0) == (left == 3)


def test_limits_hold_however_much_a_large_group_could_gain():
    """Some rows spoil many; they fit to others, but for a limit on the first attribute."""
    cells = {(0, 0): (8, 0), (0, 1): (1, 0), (2, 1): (2, 1), (1, 0): (1, 1)}
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
    crowd = single_rows(Crowd(case, np.array(pieces), 2))
    crowd.assert_whole()
    search(crowd, heat=1 << 28)


@pytest.mark.parametrize("ways", [1, 2, WAYS])
def test_a_group_grows_as_by_looking_at_every_row_again(ways):
    for seed in range(100):
        rng = np.random.default_rng(seed)
        case = draw_case(rng)
        n, k = len(case.codes), min(case.k, len(case.codes))
        groups = make_groups(case.codes, np.zeros((0, 3), int), 0, case.losses)
        pool = new_pool(groups, n)
        pool.codes[0, :n] = case.codes
        pool.rows[1, :n], pool.rows[2, :n] = -1, np.arange(n)
        begin, room = int(rng.integers(n)), int(NO_LIMIT)
        left = grow(case.losses, k, 0, begin, n, room, seed % 2 == 0, ways, pool)
        taken, loss = grown_slowly(case, k, begin, ways)
        if loss is None:
            assert left == -1
            continue
        assert np.flatnonzero(pool.rows[1, :n] == 0).tolist() == sorted(taken)
        assert (left, pool.parts[0, :2].tolist()) == (n - k, [k, loss])
        if seed % 2 == 0:  # what each row left would cost is known then
            for row in pool.rows[2, :left]:
                assert pool.costs[row] == cost_with(case, taken, row)


def test_a_group_is_given_up_once_there_is_no_room_for_its_loss():
    given_up = 0
    for seed in range(60):
        case = draw_case(np.random.default_rng(seed))
        n, k = len(case.codes), min(case.k, len(case.codes))
        _, loss = grown_slowly(case, k, 0, 1)
        groups = make_groups(case.codes, np.zeros((0, 3), int), 0, case.losses)
        for room in [] if not loss else [k * loss, k * loss - 1]:
            pool = new_pool(groups, n)
            pool.codes[0, :n], pool.rows[2, :n] = case.codes, np.arange(n)
            left = grow(case.losses, k, 0, 0, n, room, False, 1, pool)
            assert left == (n - k if room == k * loss else -1)
            given_up += left < 0
    assert given_up > 10


def pooled(case, rng):
    """All rows in a pool, as those of three former groups."""
    n = len(case.codes)
    pool = new_pool(make_groups(case.codes, np.zeros((0, 3), int), 0, case.losses), n)
    pool.codes[0, :n] = case.codes
    pool.rows[1, :n], pool.rows[2, :n] = -1, np.arange(n)
    pool.rows[3, :n] = rng.integers(0, 3, n)
    pool.luck[0] = rng.integers(1 << 60)
    return pool


def test_what_a_group_keeps_lies_on_one_side_of_who_leaves_and_grows_as_any_other():
    shrunk = 0
    for seed in range(150):
        rng = np.random.default_rng(seed)
        case = draw_case(rng)
        n, k = len(case.codes), min(case.k, len(case.codes))
        pool = pooled(case, rng)
        former = pool.rows[3, :n].tolist()
        pivot = former.index(0) if 0 in former else -1
        axis, side = _draw_side(0, pivot, n, pool)
        ranks = case.codes[:, axis] - case.codes[pivot, axis]
        stays = [
            row for row in range(n) if former[row] == 0 and (not side or side * ranks[row] > 0)
        ]
        assert side == 0 or (stays and pivot not in stays)
        shrunk += side != 0
        rest, taken = list(range(n)), []
        at = 0
        while at < len(rest):
            if rest[at] in stays:
                take(rest, at, taken)
            else:
                at += 1
        size, left = keep(0, pivot, axis, side, n, pool)
        assert (size, pool.rows[2, :left].tolist()) == (len(stays), rest)
        if stays:
            before = cost_with(case, taken, taken[0])
            left = grow_on(case.losses, k, 0, size, left, int(NO_LIMIT), False, 1 + seed % 4, pool)
            loss = widened_slowly(case, k, taken, rest, 1 + seed % 4)
            assert loss is None or loss >= before
            assert left == (-1 if loss is None else len(rest))
            if loss is not None:
                assert pool.parts[0, :2].tolist() == [max(k, size), loss]
                assert np.flatnonzero(pool.rows[1, :n] == 0).tolist() == sorted(taken)
    assert shrunk > 20


def test_a_group_of_all_who_are_left_loses_what_its_box_loses():
    for seed in range(60):
        rng = np.random.default_rng(seed)
        case = draw_case(rng, limits=seed % 2 == 0)
        n = len(case.codes)
        pool = pooled(case, rng)
        loss = case.spans.around(*case.town.cells)
        assert take_all(case.losses, 1, n, pool) == (0 if loss < FORBIDDEN else -1)
        assert pool.rows[1, :n].tolist() == [1] * n
        assert pool.parts[1].tolist()[0] == n
        if loss < FORBIDDEN:
            assert pool.parts[1, 1] == loss


def grown_slowly(case, k, seed, ways):
    """Rows of a group of k, and its loss, which is None where a limit rules the group out.

    The group is widened where that costs least for each row let in. Whoever is inside then joins,
    in the order of the list of the rest, where the last takes the place of whoever leaves.
    """
    rest, taken = list(range(len(case.codes))), []
    take(rest, seed, taken)
    return taken, widened_slowly(case, k, taken, rest, ways)


def widened_slowly(case, k, taken, rest, ways):
    """Let rows of the rest join those taken, until they are k; return the loss then, or None."""
    while len(taken) < k:
        costs = [cost_with(case, taken, row) for row in rest]
        allowed = [cost for cost in sorted({*costs})[:ways] if cost < FORBIDDEN]
        if not allowed:
            return None
        best = min(allowed, key=lambda c: (price(case, taken, rest, costs, c, k), c))
        take(rest, costs.index(best), taken)
        at = 0
        while at < len(rest) and len(taken) < k:
            if is_inside(case, taken, rest[at]):
                take(rest, at, taken)
            else:
                at += 1
    return cost_with(case, taken, taken[0])


def take(rest, at, taken):
    """Let a row join a group; the last of the rest takes its place."""
    taken.append(rest[at])
    rest[at] = rest[-1]
    rest.pop()


def price(case, taken, rest, costs, cost, k):
    """What a group costs more for each row let in, once it is widened to the first at that cost."""
    widened = [*taken, rest[costs.index(cost)]]
    inside = sum(is_inside(case, widened, row) for row in rest)
    return Fraction(cost - cost_with(case, taken, taken[0]), min(inside, k - len(taken)))


def cost_with(case, taken, row):
    """What a group loses once a row joins it."""
    lo, hi = case.codes[taken].min(axis=0), case.codes[taken].max(axis=0)
    return int(joined_loss.py_func(case.losses, lo, hi, case.codes[row], NO_LIMIT))


def is_inside(case, taken, row):
    """Whether a group need not widen for a row."""
    lo, hi = case.codes[taken].min(axis=0), case.codes[taken].max(axis=0)
    return bool(((lo <= case.codes[row]) & (case.codes[row] <= hi)).all())
