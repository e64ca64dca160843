"""The search for less loss: neighbouring groups pooled and grown again, step by step, at random.

A short search is how groups are refined; a thorough one goes on for minutes. Effort is counted in
steps, not in seconds, and what is drawn comes from a hash of the rows: the same table and the same
number of steps give the same groups, on every machine, with any number of cores and in any order of
rows. Nor do the first steps depend on how many follow, so that a search that was stopped can be
repeated.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from time import perf_counter
from typing import NamedTuple

import numpy as np

from shoal._progress import SEARCHING, Progress, has_enough, stop_if_cancelled
from shoal.grouping._base import at_once
from shoal.grouping._problem import Problem
from shoal.kernels.groups import Groups, make_groups
from shoal.kernels.kdtree import build_tree
from shoal.kernels.rules import Rules
from shoal.kernels.searching.regrowing import (
    NEAR,
    Surroundings,
    find_near,
    new_regrowing,
    regrow_some,
)
from shoal.kernels.slots import CELL, COUNT, GROUP, IDS, LOSS, SIZE
from shoal.typing import BoolArray, IntArray

PART = 100  # groups of a part, at least; parts are searched side by side
MOST_PARTS = 8
PER_GROUP = 2  # steps of a round, for each group that loses something
SHORTEST_ROUND, LONGEST_ROUND = 5_000, 200_000
PER_ROW, OF_K = 700, 5  # steps of refinement: a row's share of the first over k and the second
REFINED_ROWS = 100_000  # of a larger table, only so many are refined: those that lose most
PER_CROWD = 10_000  # steps of a thorough search, for each k rows
LONGEST = 200_000_000
FIRST = 4  # rounds of the first cooling; each lasts twice as long as the one before
SPREAD = 0xD1342543DE82EF95  # an odd number that sets the seeds of parts apart
HEAT = 0.1  # that a cooling begins with, times the mean loss of a row
CHUNK = 2_000  # cells whose like are looked for at once


class Regrowth:
    """Groups under search, and the best that was found so far.

    Of a large table only a ``share`` of the groups is searched, those that lose most.
    """

    def __init__(self, problem: Problem, pieces: IntArray, share: float = 1.0) -> None:
        cells, self.losses = problem.cells, problem.spaces.losses
        self.k = problem.k
        self.rules: Rules = problem.rules(np.arange(cells.copies.size))
        self.groups = _single_rows(problem, pieces)
        self.lost = self.groups.state[:, LOSS] * self.groups.state[:, SIZE]
        self.searched = np.zeros(len(self.lost), np.bool_)
        most = max(1, round(share * len(self.lost)))
        self.searched[np.argsort(-self.lost, kind="stable")[:most]] = True
        self.around = _surroundings(problem, self.groups, self.searched)
        self.left_out = pieces[pieces[:, 2] < 0]
        self.best = self.groups.pieces[:, GROUP].copy()
        self.least = int(self.lost.sum())
        self.heat = HEAT * self.least / max(1, len(self.best))
        self.seed = _seed(cells.codes)
        self.pools = [new_regrowing(self.groups, self.k) for _ in range(MOST_PARTS)]

    def advance(self, number: int, warmth: float, steps: int) -> int:
        """Take the steps of a round in all parts at once, and remember what is best.

        Not more than ``steps``; returns how many.
        """
        parts, lossy = cut_groups(self.groups, number), self.searched & (self.lost > 0)
        steps = min(steps, max(SHORTEST_ROUND, PER_GROUP * int(lossy.sum())), LONGEST_ROUND)
        alive = [part[lossy[part]] for part in parts]
        for i, part in enumerate(parts):
            self.around.owner[part] = i
        sizes = np.array([len(some) for some in alive])
        ends = np.rint(steps * np.cumsum(sizes) / max(1, sizes.sum())).astype(np.int64)
        heat = int(self.heat * warmth)
        jobs = zip(range(len(parts)), alive, np.diff(ends, prepend=0).tolist(), strict=True)
        at_once(lambda job: self._search(number, heat, *job), list(jobs))
        self.lost = self.groups.state[:, LOSS] * self.groups.state[:, SIZE]
        if self.lost.sum() < self.least:
            self.least, self.best = int(self.lost.sum()), self.groups.pieces[:, GROUP].copy()
        return steps

    def _search(self, number: int, heat: int, part: int, alive: IntArray, steps: int) -> None:
        histogram = np.zeros(int(self.rules.meta[:, SIZE].sum()), np.int64)
        tally = histogram, np.zeros((2, len(self.rules.meta)), np.int64)
        seed = np.uint64((self.seed + (number * MOST_PARTS + part) * SPREAD) % 2**64)
        regrow_some(
            self.groups, self.losses, self.rules, self.k, seed, steps, heat, self.around, part,
            alive, self.pools[part], tally,
        )  # fmt: skip

    def pieces(self) -> IntArray:
        """Return the best groups found, as (cell, copies, group) pieces, and who is in none."""
        grouped = np.column_stack([self.groups.pieces[:, [CELL, COUNT]], self.best])
        return np.concatenate([grouped, self.left_out])


class Regrown(NamedTuple):
    """What a search came to."""

    pieces: IntArray
    steps: int
    stopped: bool


def refine_by_search(problem: Problem, pieces: IntArray, progress: Progress) -> IntArray:
    """Lower the loss of (cell, copies, group) pieces for about as long as forming them took.

    Of a large table only the groups that lose most are refined, so that time grows evenly.
    """
    search = Regrowth(problem, pieces, refined_share(problem))
    steps = PER_ROW * min(problem.table.n_rows, REFINED_ROWS) // (problem.k + OF_K)
    progress.phase("refining", steps)
    for number, warmth in enumerate(coolings()):
        stop_if_cancelled(progress)
        if steps <= 0 or search.least == 0:
            break
        done = search.advance(number, warmth, steps)
        progress.advance(done)
        steps -= done
    return search.pieces()


def regrow_pieces(problem: Problem, pieces: IntArray, steps: int, progress: Progress) -> Regrown:
    """Lower the loss of (cell, copies, group) pieces by that many steps of regrowth.

    Whoever watches may have enough before: then the best so far is what was searched for.
    """
    search, telling = Regrowth(problem, pieces), Telling(problem, progress, steps)
    done, enough = 0, False
    for number, warmth in enumerate(coolings()):
        stop_if_cancelled(progress)
        telling.tell(done, search.least)
        enough = done > 0 and has_enough(progress)
        if done == steps or enough:
            break
        done += search.advance(number, warmth, steps - done)
    return Regrown(search.pieces(), done, enough)


class Telling:
    """The line that says how far a search got: loss now, and what a minute more would bring."""

    def __init__(self, problem: Problem, progress: Progress, steps: int) -> None:
        self.progress, self.steps = progress, steps
        spaces = problem.spaces
        self.unit = spaces.unit * max(1e-9, problem.table.n_rows * float(spaces.weights.sum()))
        self.seen: deque[tuple[float, float]] = deque(maxlen=16)

    def tell(self, done: int, total: int) -> None:
        """Say it."""
        self.seen.append((perf_counter(), total / self.unit))
        (began, first), (now, loss) = self.seen[0], self.seen[-1]
        words = f"{SEARCHING}: loss {loss:.4f}"
        if now > began and loss > 0:
            words += f", {100 * (first - loss) / loss * 60 / (now - began):.1f} % less in a minute"
        self.progress.phase(words, self.steps)
        self.progress.advance(done)


def coolings() -> Iterator[float]:
    """Heat of every round, as a share of the highest: down to 0, again and again, ever slower."""
    length = FIRST
    while True:
        for at in range(length):
            yield 1 - (at + 1) / length
        length *= 2


def cut_groups(groups: Groups, turn: int) -> list[IntArray]:
    """Divide groups into parts of neighbours, halving along one attribute after the other.

    Each turn begins with another attribute, so that borders lie elsewhere.
    """
    alive = np.flatnonzero(groups.state[:, SIZE] > 0)
    middles = groups.box.sum(axis=1, dtype=np.int64)
    parts: list[IntArray] = [alive]
    axis = turn
    while len(parts) < MOST_PARTS and alive.size >= 2 * len(parts) * PART:
        parts = [half for part in parts for half in _halves(part, middles, axis)]
        axis += 1
    return [np.sort(part) for part in parts]


def _halves(part: IntArray, middles: IntArray, axis: int) -> tuple[IntArray, IntArray]:
    ranked = part[np.lexsort((part, middles[part, axis % middles.shape[1]]))]
    return ranked[: part.size // 2], ranked[part.size // 2 :]


def refined_share(problem: Problem) -> float:
    """Say which share of the groups is refined: of a large table, those that lose most."""
    return min(1.0, REFINED_ROWS / problem.table.n_rows)


def thorough_steps(problem: Problem) -> int:
    """Count the steps of a thorough search: so many for each crowd that there may be."""
    return min(PER_CROWD * problem.table.n_rows // problem.k, LONGEST)


def _single_rows(problem: Problem, pieces: IntArray) -> Groups:
    """Groups of single rows: (cell, copies, group) pieces, those in no group left out."""
    housed = pieces[pieces[:, 2] >= 0]
    single = np.repeat(housed[:, [0, 2]], housed[:, 1], axis=0)
    single = single[np.lexsort((single[:, 0], single[:, 1]))]
    rows = np.column_stack([single[:, 0], np.ones(len(single), np.int64), single[:, 1]])
    n_groups = int(single[:, 1].max(initial=-1)) + 1
    return make_groups(problem.cells.codes, rows, n_groups, problem.spaces.losses)


def _surroundings(problem: Problem, groups: Groups, searched: BoolArray) -> Surroundings:
    """Find who is like each member of the groups that are searched, and who sits where."""
    cells, losses = problem.cells, problem.spaces.losses
    tree = build_tree(cells.codes, np.ones_like(cells.copies), losses)
    wanted = np.zeros(cells.copies.size, np.bool_)
    wanted[groups.pieces[searched[groups.pieces[:, GROUP]], CELL]] = True
    places = np.flatnonzero(wanted[tree.cells[:, IDS]])
    near = np.full((cells.copies.size, NEAR), -1, np.int32)
    chunks = [places[at : at + CHUNK] for at in range(0, places.size, CHUNK)]
    at_once(lambda some: find_near(tree, losses, some, near), chunks)
    by_cell = np.argsort(groups.pieces[:, CELL], kind="stable")
    return Surroundings(
        near=near,
        members=by_cell,
        begins=np.searchsorted(groups.pieces[by_cell, CELL], np.arange(cells.copies.size + 1)),
        owner=np.full(len(groups.state), -1, np.int64),
    )


def _seed(codes: IntArray) -> int:
    """A number that depends on the distinct rows alone: they are in an order of content."""
    place = np.arange(1, codes.size + 1, dtype=np.uint64)
    mixed = (codes.ravel().astype(np.uint64) + np.uint64(1)) * place
    return int(np.bitwise_xor.reduce(mixed * np.uint64(0x9E3779B97F4A7C15), initial=0))
