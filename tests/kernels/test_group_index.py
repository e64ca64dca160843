"""Finding hosts and neighbours through the index, against looking at every group."""

from __future__ import annotations

import numpy as np
from random_groups import Crowd, random_pieces
from random_towns import draw_case
from twins import FORBIDDEN
from views import view_groups

from shoal.kernels.groups import best_host, link, loosen, tighten, unlink, widen

NO_LIMIT = np.int64(1) << 60


def crowds(n):
    for seed in range(n):
        rng = np.random.default_rng(seed)
        case = draw_case(rng, limits=seed % 2 == 0)
        crowd = Crowd(case, *random_pieces(rng, case))
        crowd.assert_consistent()
        stir(rng, crowd)
        yield rng, crowd


def stir(rng, crowd):
    """Move some pieces to other groups; boxes grow and shrink, groups may die."""
    view, losses = view_groups(crowd.groups), crowd.case.losses
    for piece in rng.integers(len(view.cell), size=rng.integers(0, 6)).tolist():
        here, there = int(view.group[piece]), int(rng.choice(np.flatnonzero(view.size)))
        unlink(crowd.groups, piece)
        tighten(crowd.groups, losses, here)
        if view.size[here]:
            loosen(crowd.index, crowd.groups, here)
        link(crowd.groups, piece, there if view.size[there] else here)
        if view.size[there]:
            widen(crowd.groups, losses, there, view.cell[piece])
        else:
            tighten(crowd.groups, losses, here)
    crowd.assert_consistent()


def test_links_boxes_and_index_stay_right_while_pieces_move():
    assert sum(1 for _ in crowds(400)) == 400


def test_the_best_host_is_the_cheapest_of_all_groups():
    for rng, crowd in crowds(600):
        view, made = view_groups(crowd.groups), crowd.members()
        cell, count = int(rng.integers(len(crowd.case.codes))), int(rng.integers(1, 5))
        but = int(rng.integers(-1, len(made)))
        added = {}
        for g, group in enumerate(made):
            if g == but or not group:
                continue
            new = crowd.town.cost(group, cell)
            if new < FORBIDDEN:
                rows = sum(group.values())
                added[g] = (rows + count) * new - rows * crowd.loss(group)
        limit = int(rng.choice([int(NO_LIMIT), min(added.values(), default=0), *added.values()]))
        expected = min(((a, g) for g, a in added.items() if a < limit), default=(limit, -1))
        trail = crowd.bench.trail
        host, cost, _ = best_host(
            crowd.groups, crowd.index, crowd.case.losses, cell, count, but, np.int64(limit),
            trail[0], trail[1],
        )  # fmt: skip
        assert (cost, host) == expected
        assert view.size[host] > 0 or host == -1
