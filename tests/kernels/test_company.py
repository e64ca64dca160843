"""Who may be recruited, who is, and which group a failing one is merged with."""

from __future__ import annotations

import numpy as np
from random_groups import Crowd, random_pieces
from random_towns import draw_case
from twins import FORBIDDEN, box_of
from views import view_groups

from shoal.kernels.merging import cheapest_partner
from shoal.kernels.recruiting import NO_COST, company_costs, recruit


def crowds_with_leftovers(n):
    """Groups, and pieces that are in none."""
    for seed in range(n):
        rng = np.random.default_rng(seed)
        case = draw_case(rng, limits=seed % 2 == 0)
        pieces, n_groups = random_pieces(rng, case)
        pieces[pieces[:, 2] == n_groups - 1, 2] = -1
        if n_groups > 1:
            yield rng, Crowd(case, pieces, n_groups - 1)


def test_company_is_whoever_is_free_or_can_be_spared():
    for rng, crowd in crowds_with_leftovers(300):
        view, k = view_groups(crowd.groups), crowd.case.k
        piece = int(rng.integers(len(view.cell)))
        costs = company_costs(crowd.groups, crowd.case.losses, k, piece)
        for other, cost in enumerate(costs.tolist()):
            group = view.group[other]
            possible = other != piece and (group < 0 or view.size[group] > k)
            near = crowd.town.cost({int(view.cell[piece]): 1}, int(view.cell[other]))
            assert cost == (near if possible else NO_COST)


def test_the_cheapest_are_recruited_until_there_are_k():
    for rng, crowd in crowds_with_leftovers(300):
        view, k = view_groups(crowd.groups), crowd.case.k
        piece = int(rng.choice(np.flatnonzero(view.group < 0)))
        costs = company_costs(crowd.groups, crowd.case.losses, k, piece)
        candidates = rng.permutation(np.flatnonzero(costs < FORBIDDEN))[: 4 * k]
        loss, taken = recruit(crowd.groups, crowd.case.losses, k, piece, candidates)
        expected = recruited(crowd, view, piece, candidates.tolist())
        assert (loss, taken.tolist()) == expected


def recruited(crowd, view, piece, candidates):
    """The slow way; nobody is taken from a group that would fall below k."""
    k, cell = crowd.case.k, int(view.cell[piece])
    group, taken = {cell: int(view.count[piece])}, [0] * len(candidates)
    spare = {g: int(size) - k for g, size in enumerate(view.size)}
    while sum(group.values()) < k:
        open_to = []
        for i, other in enumerate(candidates):
            left = int(view.count[other]) - taken[i]
            left = left if view.group[other] < 0 else min(left, spare[int(view.group[other])])
            if left > 0:
                open_to.append((crowd.town.cost(group, int(view.cell[other])), i, left))
        if not open_to:
            return NO_COST, taken
        _, i, left = min(open_to)
        count = min(k - sum(group.values()), left)
        taken[i] += count
        if view.group[candidates[i]] >= 0:
            spare[int(view.group[candidates[i]])] -= count
        other = int(view.cell[candidates[i]])
        group[other] = group.get(other, 0) + count
    return crowd.loss(group), taken


def test_a_failing_group_joins_the_cheapest_of_those_left():
    for seed in range(300):
        rng = np.random.default_rng(seed)
        case = draw_case(rng, limits=False)
        n = int(rng.integers(2, 9))
        boxes = [
            box_of(case.codes[rng.integers(len(case.codes), size=2)].tolist()) for _ in range(n)
        ]
        lo, hi = (np.array([box[side] for box in boxes], dtype=np.int32) for side in range(2))
        into = np.arange(n)
        into[n - 1] = int(rng.integers(n))  # one has been merged already
        g = int(rng.integers(n - 1))
        if (into == g).sum() > 1:
            continue
        ranked = [
            (case.spans.box(np.minimum(lo[g], lo[h]), np.maximum(hi[g], hi[h])), h)
            for h in range(n)
            if into[h] != g
        ]
        assert cheapest_partner(case.losses, lo, hi, into, g) == into[min(ranked)[1]]
