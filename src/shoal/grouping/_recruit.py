"""Rows left over may found a group with each other and with rows that larger groups can spare."""

from __future__ import annotations

import numpy as np

from shoal.grouping._problem import Problem
from shoal.kernels.groups import NOBODY, best_host, build_index, make_groups
from shoal.kernels.kdtree import KdTree
from shoal.kernels.losses import FORBIDDEN
from shoal.kernels.recruiting import company_costs, recruit
from shoal.kernels.slots import GROUP
from shoal.typing import IntArray

MOST_LEFT_OVER = 1_000  # pieces; more are left over only under limits, which recruiting cannot cure
NEAREST = 4  # candidates, in multiples of k


def recruit_company(
    problem: Problem, tree: KdTree, pieces: IntArray, n_groups: int
) -> tuple[IntArray, int]:
    """Let a row in no group (-1) start one where that costs less than joining any.

    Without this, one row unlike all others would widen a large group for everybody in it. Rules
    beside k may depend on the rows that would leave, so with rules nobody is recruited.
    """
    left_over = np.flatnonzero(pieces[:, 2] < 0)
    if problem.constraints or left_over.size > MOST_LEFT_OVER:
        return pieces, n_groups
    for piece in left_over:
        if pieces[piece, 1] == 0 or pieces[piece, 2] >= 0:
            continue  # recruited by another
        company = _company(problem, tree, pieces, n_groups, int(piece))
        if company is not None:
            pieces = _found(pieces, n_groups, int(piece), *company)
            n_groups += 1
    return pieces[pieces[:, 1] > 0], n_groups


def _company(
    problem: Problem, tree: KdTree, pieces: IntArray, n_groups: int, piece: int
) -> tuple[IntArray, IntArray] | None:
    """Pieces to recruit and how many rows of each, if that is cheaper than joining a group."""
    losses, k = problem.spaces.losses, problem.k
    groups = make_groups(tree.codes, pieces, n_groups, losses)
    costs = company_costs(groups, losses, k, piece)
    housed = groups.pieces[:, GROUP] >= 0  # those who are left over too come first
    candidates = np.lexsort((np.arange(costs.size), housed, costs))[: NEAREST * k]
    candidates = candidates[costs[candidates] < FORBIDDEN]
    loss, taken = recruit(groups, losses, k, piece, candidates)
    index = build_index(groups, losses)
    trail = np.empty((2, int(index.depth[0]) + 4), dtype=np.int64)
    cell, count = groups.pieces[piece, :2]
    limit = np.int64(1) << 60
    host, added, _ = best_host(
        groups, index, losses, cell, count, NOBODY, limit, trail[0], trail[1]
    )
    if loss >= FORBIDDEN or (host >= 0 and added <= k * loss):
        return None
    return candidates[taken > 0], taken[taken > 0]


def _found(pieces: IntArray, group: int, piece: int, donors: IntArray, taken: IntArray) -> IntArray:
    """Start a group with a piece and the rows it recruited.

    Pieces keep their places, so that others still waiting are found where they were; one that is
    used up leaves its group.
    """
    pieces = pieces.copy()
    pieces[piece, 2] = group
    pieces[donors, 1] -= taken
    recruits = np.column_stack([pieces[donors, 0], taken, np.full(donors.size, group)])
    pieces[pieces[:, 1] == 0, 2] = -1
    return np.concatenate([pieces, recruits])
