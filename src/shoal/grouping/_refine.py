"""Places for rows that are in no group yet, and the first improvements: dissolve and move."""

from __future__ import annotations

import numpy as np

from shoal._progress import Progress, stop_if_cancelled
from shoal.grouping._problem import Problem
from shoal.grouping._regrow import refined_share
from shoal.kernels.groups import NOBODY, Groups, Index, best_host, build_index, make_groups
from shoal.kernels.kdtree import KdTree
from shoal.kernels.losses import FORBIDDEN, Losses
from shoal.kernels.recruiting import company_costs, recruit
from shoal.kernels.refining import (
    RefiningState,
    disperse,
    dissolve_some,
    move_some,
    new_workbench,
)
from shoal.kernels.rules import Rules
from shoal.kernels.slots import CELL, COUNT, FULL, GROUP, LOSS, SIZE
from shoal.kernels.splitting import Splitter, new_splitter
from shoal.typing import IntArray

ROUNDS = 2
SLICE = 500  # groups between two looks at the progress and the wish to stop


def place_pieces(
    problem: Problem,
    tree: KdTree,
    rules: Rules,
    pieces: IntArray,
    n_groups: int,
    refine: float,
    progress: Progress,
) -> IntArray:
    """Find a place for pieces that are in no group (-1), then dissolve and move where that helps.

    ``refine`` is the part of the groups that may change, those that lose most; of a large table it
    is less.
    """
    pieces, n_groups = recruit_company(problem, tree, pieces, n_groups)
    losses, budget = problem.spaces.losses, problem.budget
    groups = make_groups(tree.codes, pieces, n_groups, losses)
    index = build_index(groups, losses)
    buffers = new_workbench(groups, index)
    work = new_splitter(len(pieces), tree.codes.shape[1], rules)
    alone = np.flatnonzero(pieces[:, 2] < 0)  # each joins where it costs least, or is left out
    full = int(losses.meta[:, FULL].sum())
    disperse(groups, index, losses, rules, alone, full, budget, buffers, work)
    if refine:
        part = refine * refined_share(problem)
        bench = (groups, index, losses, rules)
        _dissolve_and_move(problem.k, bench, part, buffers, work, progress)
    refined: IntArray = groups.pieces[:, [CELL, COUNT, GROUP]]
    return np.maximum(refined, -1)


def _dissolve_and_move(
    k: int,
    bench: tuple[Groups, Index, Losses, Rules],
    part: float,
    buffers: RefiningState,
    work: Splitter,
    progress: Progress,
) -> None:
    """Let groups go whose rows fare better elsewhere; each step lowers the loss or is undone.

    Kernels are called slice by slice, so that somebody who wants to stop need not wait long.
    """
    groups = bench[0]
    some = max(1, round(part * len(groups.state)))
    progress.phase("refining", ROUNDS * some)
    for turn in range(1, ROUNDS + 1):
        if turn == 1:
            buffers.stamp[groups.state[:, SIZE] > 0] = 0
        dearest = np.argsort(-groups.state[:, LOSS] * groups.state[:, SIZE], kind="stable")
        for which in _slices(dearest[:some]):
            stop_if_cancelled(progress)
            dissolve_some(*bench, which, turn, buffers, work)
        for which in _slices(np.sort(dearest[:some])):
            stop_if_cancelled(progress)
            move_some(*bench, k, which, turn, buffers, work)
            progress.advance(which.size)


def _slices(which: IntArray) -> list[IntArray]:
    return [which[at : at + SLICE] for at in range(0, len(which), SLICE)]


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
