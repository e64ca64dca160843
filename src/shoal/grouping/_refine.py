"""Refinement: places for rows that are in no group yet, dissolving and moving, then a search.

The search pools neighbouring groups and grows them again, step by step, at random: a short one is
part of refining, a thorough one goes on for minutes. Effort is counted in steps, not in seconds.
"""

from __future__ import annotations

from collections import deque
from time import perf_counter
from typing import NamedTuple

import numpy as np

from shoal._progress import SEARCHING, Progress, has_enough, stop_if_cancelled
from shoal.grouping._base import Problem
from shoal.kernels.groups import NOBODY, best_host, build_index, make_groups
from shoal.kernels.kdtree import KdTree
from shoal.kernels.losses import FORBIDDEN
from shoal.kernels.recruiting import company_costs, recruit
from shoal.kernels.refining import (
    disperse,
    dissolve_some,
    move_some,
    new_workbench,
)
from shoal.kernels.rules import Rules
from shoal.kernels.searching.regrowing import LONG, SHORT, SLOWER, Regrowth
from shoal.kernels.slots import CELL, COUNT, FULL, GROUP, LOSS, SIZE
from shoal.typing import IntArray

ROUNDS = 2
SLICE = 500  # groups between two looks at the progress and the wish to stop
REFINED_ROWS = 100_000  # of a larger table, only so many are refined: those that lose most
PER_ROW, OF_K = 2_000, 24  # steps of refinement: a row's share of the first over k and the second
COOLED, COOLED_K = 500, 10  # steps of the first cooling of a longer search, reckoned alike
COOLINGS = 3  # of a thorough search
LONGEST = 3_000_000_000  # steps of it, reckoned alike: not a cooling more
MOST_LEFT_OVER = 1_000  # pieces; more are left over only under limits, which recruiting cannot cure
NEAREST = 4  # candidates, in multiples of k


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
    is less. Each step lowers the loss or is undone. Kernels are called slice by slice, so that
    somebody who wants to stop need not wait long.
    """
    if not problem.constraints:  # rules beside k may depend on the rows that would leave
        pieces, n_groups = recruit_company(problem, tree, pieces, n_groups)
    part = refine * min(1.0, REFINED_ROWS / problem.table.n_rows)
    losses, budget = problem.spaces.losses, problem.budget
    groups = make_groups(tree.codes, pieces, n_groups, losses)
    index = build_index(groups, losses)
    buffers = new_workbench(groups, index, rules)
    bench = (groups, index, losses, rules)
    alone = np.flatnonzero(pieces[:, 2] < 0)  # each joins where it costs least, or is left out
    disperse(*bench, alone, int(losses.meta[:, FULL].sum()), budget, buffers)
    some = max(1, round(part * len(groups.state))) if part else 0
    if part:
        progress.phase("refining", ROUNDS * some)
        buffers.stamp[groups.state[:, SIZE] > 0] = 0
    for turn in range(1, ROUNDS + 1 if part else 1):
        dearest = np.argsort(-groups.state[:, LOSS] * groups.state[:, SIZE], kind="stable")[:some]
        for at in range(0, some, SLICE):
            stop_if_cancelled(progress)
            dissolve_some(*bench, dearest[at : at + SLICE], turn, buffers)
        dearest = np.sort(dearest)
        for at in range(0, some, SLICE):
            stop_if_cancelled(progress)
            move_some(*bench, problem.k, dearest[at : at + SLICE], turn, buffers)
            progress.advance(min(some - at, SLICE))
    improved: IntArray = np.maximum(groups.pieces[:, [CELL, COUNT, GROUP]], -1)
    return improved


class Regrown(NamedTuple):
    """What a search came to."""

    pieces: IntArray
    steps: int
    stopped: bool


def refine_by_search(problem: Problem, pieces: IntArray, progress: Progress) -> IntArray:
    """Lower the loss of (cell, copies, group) pieces for about as long as forming them took.

    Of a large table only the groups that lose most are refined, so that time grows evenly.
    """
    n_rows = problem.table.n_rows
    share = min(1.0, REFINED_ROWS / n_rows)
    arrays = problem.cells.codes, problem.spaces.losses, problem.rules
    search = Regrowth(*arrays, problem.k, pieces, SHORT, share)
    steps = PER_ROW * min(n_rows, REFINED_ROWS) // (problem.k + OF_K)
    progress.phase("refining", steps)
    stop_if_cancelled(progress)
    for done in search.rounds(steps if search.least else 0, steps):
        progress.advance(done)
        stop_if_cancelled(progress)
        if search.least == 0:
            break
    return search.pieces()


def regrow_pieces(problem: Problem, pieces: IntArray, steps: int, progress: Progress) -> Regrown:
    """Lower the loss of (cell, copies, group) pieces by that many steps of regrowth.

    Whoever watches may have enough before: then the best so far is what was searched for.
    """
    arrays = problem.cells.codes, problem.spaces.losses, problem.rules
    search, telling = Regrowth(*arrays, problem.k, pieces, LONG), Telling(problem, progress, steps)
    done, enough = 0, False
    stop_if_cancelled(progress)
    telling.tell(done, search)
    for taken in search.rounds(steps, _first_cooling(problem)):
        done += taken
        stop_if_cancelled(progress)
        telling.tell(done, search)
        enough = has_enough(progress)
        if enough:
            break
    return Regrown(search.pieces(), done, enough)


class Telling:
    """The line that says how far a search got, and what a minute more would bring.

    While it is warm it loses more than it did at best, so what it loses at the moment says when it
    will lose less, and when it is cold next is said as well.
    """

    def __init__(self, problem: Problem, progress: Progress, steps: int) -> None:
        self.progress, self.steps = progress, steps
        spaces = problem.spaces
        self.unit = spaces.unit * max(1e-9, problem.table.n_rows * float(spaces.weights.sum()))
        self.seen: deque[tuple[float, float, int]] = deque(maxlen=16)

    def tell(self, done: int, search: Regrowth) -> None:
        """Say it."""
        best = search.least / self.unit
        self.seen.append((perf_counter(), int(search.lost.sum()) / self.unit, done))
        (began, first, before), (now, loss, _) = self.seen[0], self.seen[-1]
        words = f"{SEARCHING}: loss {best:.4f}"
        if now > began and best > 0:
            seconds = search.until_cold * (now - began) / max(1, done - before)
            later = loss + (loss - first) * min(60, seconds) / (now - began)
            words += f", {100 * max(0.0, 1 - later / best):.1f} % less in a minute"
            words += f", cold in {seconds:.0f} s"
        self.progress.phase(words, self.steps)
        self.progress.advance(done)


def thorough_steps(problem: Problem) -> int:
    """Count the steps of a thorough search, which ends where a cooling does."""
    steps = cooling = _first_cooling(problem)
    for _ in range(COOLINGS - 1):
        cooling *= SLOWER
        if steps + cooling <= LONGEST // (problem.k + COOLED_K):
            steps += cooling
    return steps


def _first_cooling(problem: Problem) -> int:
    return max(1, COOLED * problem.table.n_rows // (problem.k + COOLED_K))


def recruit_company(
    problem: Problem, tree: KdTree, pieces: IntArray, n_groups: int
) -> tuple[IntArray, int]:
    """Let a row in no group (-1) start one where that costs less than joining any.

    Without this, one row unlike all others would widen a large group for everybody in it.
    """
    left_over = np.flatnonzero(pieces[:, 2] < 0)
    if left_over.size > MOST_LEFT_OVER:
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
