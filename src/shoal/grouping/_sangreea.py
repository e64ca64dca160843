"""SaNGreeA: greedy clustering by generalization cost, exact and near-linear."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from shoal._progress import SILENT, Progress, at_once, in_chunks, stop_if_cancelled
from shoal.exceptions import InvalidParameterError
from shoal.grouping import _parts
from shoal.grouping._base import Grouper, Problem
from shoal.grouping._mondrian import cut_into_pieces
from shoal.grouping._parts import GroupedSample, PartProgress
from shoal.grouping._refine import (
    place_pieces,
    refine_by_search,
    regrow_pieces,
    thorough_steps,
)
from shoal.kernels.growing import Scratch, new_scratch
from shoal.kernels.helping import NO_LIMIT
from shoal.kernels.kdtree import KdTree, build_tree
from shoal.kernels.rules import LIKENED, Rules
from shoal.kernels.seeding import (
    GROUPS,
    HEAP,
    NEXT,
    PIECES,
    first_costs,
    group_cheapest_first,
    group_in_order,
)
from shoal.kernels.slots import COPIES, IDS, ROWS
from shoal.typing import IntArray

ORDERS = ("best-first", "common", "content")
STEPS = 2_000  # groups between two looks at the progress and the wish to stop
PILOT = 64  # groups grown to learn how many rows they need, where they must look like the table
LAG = 16  # such a group may be made before one that was cheaper by up to a 16th


class SaNGreeA(Grouper):
    """Grow groups by always adding the row that makes the group's loss smallest.

    The greedy clustering of Campan and Truta (2008) as used by Malle et al. (2017): start a
    group at a row, add the unassigned row with the smallest weighted GIL until the group has k,
    start the next; what is left over joins the groups where it costs least. The choices are
    those of a full scan, found through a kd-tree over hierarchy codes in near-linear time; of
    100,000 rows and more those of a scan of each part of the table (but in order ``content``).

    Parameters
    ----------
    weights : mapping of str to float, optional
        How much each quasi-identifier matters; 1 where not given. Weights only steer: one with
        weight 0 is still generalized and counted.
    order : {"best-first", "common", "content"}
        Where groups start, the one freedom the paper leaves. ``best-first`` publishes the
        cheapest group of all that could be made, again and again, and lets it absorb every free
        row inside its box; ``common`` starts at the most common rows; ``content`` goes by a hash
        of the rows, the paper's order without its dependence on row positions.
    refine : bool
        Afterwards dissolve groups, move rows, and grow a few neighbouring groups again from random
        rows, many times, keeping what loses less.
    steps : int or "thorough"
        How many times more of the last. The same number of steps gives the same groups.
    rated : float
        Part of the table in which ``best-first`` looks for the cheapest group, for tables too
        large to do so everywhere; what is left is grouped in the order ``common``.

    After `fit`, ``steps_`` says how many steps were taken: fewer, if somebody had enough before.
    """

    name = "sangreea"
    works_in_parts = True

    def __init__(
        self,
        weights: Mapping[str, float] | None = None,
        order: str = "best-first",
        refine: bool = True,
        steps: int | str = 0,
        rated: float = 1.0,
    ) -> None:
        self.weights = weights
        self.order = order
        self.refine = refine
        self.steps = steps
        self.rated = rated

    def _group(self, problem: Problem, progress: Progress) -> IntArray:
        if self.order not in ORDERS:
            raise InvalidParameterError(
                f"There is no order named {self.order!r}.", hint=f"Choose from {', '.join(ORDERS)}."
            )
        wrong = isinstance(self.steps, bool) or not isinstance(self.steps, int) or self.steps < 0
        if wrong and self.steps != "thorough":
            raise InvalidParameterError("steps must be a whole number, 0 or more.")
        part = f" in {self.rated:.0%} of the table" if self.rated < 1 else ""
        self.method_ = f"SaNGreeA, {self.order} order{part}{', refined' if self.refine else ''}"
        self.steps_ = 0
        whole = np.arange(problem.cells.copies.size)
        parts: list[IntArray] = [whole]
        if self.order != "content" and problem.table.n_rows >= _parts.PARTED_ROWS:
            parts = _parts.parts_of(problem, partial(_group_sample, problem))
        if len(parts) > 1:
            pieces = self._side_by_side(problem, parts, progress)
            if (pieces[:, 2] < 0).any():  # who fits nowhere may fit where nothing is cut
                parts = [whole]
        if len(parts) == 1:
            pieces = self._formed(_search(problem, whole), progress)
        else:
            self.method_ += f", in {len(parts)} parts"
        if not (pieces[:, 2] >= 0).any():  # no group can be grown: go from the top down
            return cut_into_pieces(problem, progress)
        if self.refine:
            pieces = refine_by_search(problem, pieces, progress)
        return self._searched(problem, pieces, progress) if self.steps else pieces

    def _formed(
        self, search: _Search, progress: Progress, alone: bool = True, placed: bool = True
    ) -> IntArray:
        """Group the cells of a search and refine; without any group, all are in none (-1).

        Those whom no group takes in while it grows are ``placed`` in one, or left in none.
        """
        if self.order == "best-first" and search.likened:
            _in_rounds(search, self.rated, progress, alone)
        elif self.order == "best-first":
            _cheapest_first(search, self.rated, progress, alone)
        if self.order != "best-first" or self.rated < 1:
            _in_order(search, self.order, progress)
        tree, n_groups = search.tree, int(search.state[GROUPS])
        free = np.flatnonzero(tree.cells[:, COPIES])  # these are in no group yet: -1
        rest = np.column_stack([free, tree.cells[free, COPIES], np.full(free.size, -1)])
        pieces = np.concatenate([search.pieces[: search.state[PIECES]], rest])
        if n_groups and placed:
            pieces = place_pieces(
                search.problem, tree, search.rules, pieces, n_groups, self.refine, progress
            )
        pieces[:, 0] = search.cells[tree.cells[pieces[:, 0], IDS]]
        return pieces

    def _side_by_side(
        self, problem: Problem, parts: list[IntArray], progress: Progress
    ) -> IntArray:
        """Group all parts on all cores, then find places for those whom a cut left alone."""
        progress.phase("grouping", problem.table.n_rows)

        def form(part: IntArray) -> IntArray:
            return self._formed(_search(problem, part), PartProgress(progress), alone=False)

        pieces = _numbered(at_once(form, parts))
        alone = pieces[:, 2] < 0  # limits leave them no company in their parts: they look together
        if alone.any():
            copies = np.bincount(pieces[alone, 0], pieces[alone, 1], problem.cells.copies.size)
            cells = np.flatnonzero(copies)
            rest = _search(problem, cells, copies[cells].astype(np.int64))
            found = self._formed(rest, PartProgress(progress), placed=False)
            pieces = _numbered([pieces[~alone], found])
        return _mended(problem, pieces, int(pieces[:, 2].max()) + 1, progress)

    def _searched(self, problem: Problem, pieces: IntArray, progress: Progress) -> IntArray:
        steps = self.steps if isinstance(self.steps, int) else thorough_steps(problem)
        found = regrow_pieces(problem, pieces, steps, progress)
        self.steps_ = found.steps
        self.method_ += f", {found.steps:,} steps of search"
        if found.stopped:
            self.method_ += f" (stopped; --steps {found.steps} makes the same)"
        return found.pieces


@dataclass
class _Search:
    """The tree of free cells and the pieces made so far."""

    problem: Problem
    cells: IntArray  # of the problem, in the order of the tree's ids
    tree: KdTree
    rules: Rules
    likened: bool  # whether groups must look like the whole table
    arguments: tuple[Any, ...]  # what every kernel begins with
    scratch: Callable[[], Scratch]  # buffers of one thread
    copies: IntArray
    pieces: IntArray
    state: IntArray


def _search(
    problem: Problem, part: IntArray, copies: IntArray | None = None, k: int | None = None
) -> _Search:
    """Search among some cells; in a sample they have fewer ``copies``, and groups another ``k``."""
    copies = problem.cells.copies[part] if copies is None else copies
    k = problem.k if k is None else k
    rules = problem.rules
    tree = build_tree(problem.cells.codes[part], copies, problem.spaces.losses)
    rules = rules._replace(codes=rules.codes[part[tree.cells[:, IDS]]])  # as the tree has cells
    return _Search(
        problem=problem,
        cells=part,
        tree=tree,
        rules=rules,
        likened=any(constraint.rule in LIKENED for constraint in problem.constraints),
        arguments=(tree, problem.spaces.losses, rules, k),
        scratch=partial(new_scratch, tree, rules, k),
        copies=tree.cells[:, COPIES].copy(),
        pieces=np.empty((int(copies.sum()), 3), dtype=np.int64),
        state=np.zeros(5, dtype=np.int64),
    )


def _group_sample(problem: Problem, cells: IntArray, copies: IntArray, k: int) -> GroupedSample:
    """Group a sample as the table will be; those in no group say nothing."""
    search = _search(problem, cells, copies, k)
    _cheapest_first(search, 1.0, SILENT, alone=False)
    made = search.pieces[: search.state[PIECES]]
    codes = search.tree.codes[np.repeat(made[:, 0], made[:, 1])]
    return GroupedSample(codes, np.repeat(made[:, 2], made[:, 1]))


def _numbered(made: list[IntArray]) -> IntArray:
    """Put pieces of several searches together; their groups are numbered one after another."""
    n_groups = 0
    for pieces in made:
        pieces[pieces[:, 2] >= 0, 2] += n_groups
        n_groups = max(n_groups, int(pieces[:, 2].max(initial=-1)) + 1)
    return np.concatenate(made)


def _mended(problem: Problem, pieces: IntArray, n_groups: int, progress: Progress) -> IntArray:
    """Find places for those whom no group of their part could take.

    Groups are dissolved inside their parts alone: that is done one after another, and across cuts
    the search, which runs on all cores, finds as much.
    """
    if not n_groups or (pieces[:, 2] >= 0).all():
        return pieces
    cells, rules = problem.cells, problem.rules
    tree = build_tree(cells.codes, cells.copies, problem.spaces.losses)
    rules = rules._replace(codes=rules.codes[tree.cells[:, IDS]])
    place = np.empty(cells.copies.size, dtype=np.int64)
    place[tree.cells[:, IDS]] = np.arange(cells.copies.size)
    pieces[:, 0] = place[pieces[:, 0]]
    mended = place_pieces(problem, tree, rules, pieces, n_groups, 0.0, progress)
    mended[:, 0] = tree.cells[mended[:, 0], IDS]
    return mended


def _in_rounds(search: _Search, rated: float, progress: Progress, alone: bool) -> None:
    """Make groups that must look like the whole table, until none can be made of what is left.

    Rows beyond k are sought one by one: of so many cells as a group needs of them, one is a start.
    A few groups are grown before to learn how many that is.
    """
    made, free = -1, np.arange(search.copies.size)
    while search.state[GROUPS] > made and free.size:
        made = int(search.state[GROUPS])
        few = free[:: -(-free.size // PILOT)].copy()
        costs = np.empty(few.size, dtype=np.int64)
        beyond = first_costs(*search.arguments, few, 0, few.size, search.scratch(), costs)
        thin = max(1, beyond // few.size)
        _cheapest_first(search, rated, progress, alone, thin, LAG)
        free = np.flatnonzero(search.tree.cells[:, COPIES])


def _cheapest_first(
    search: _Search, rated: float, progress: Progress, alone: bool, thin: int = 1, lag: int = 0
) -> None:
    """Rate the group that every free cell would start, then make the cheapest again and again.

    Starts are rated independently, so on all cores. Where only a part of the table is ``rated``, it
    is so many cells of each stretch of the tree, neighbours; where they are ``thin``, one of so
    many cells. A group may cost more than the next by one part in ``lag``.
    """
    where, steps = np.arange(search.copies.size), max(1, STEPS // thin)
    stretch = np.minimum(STEPS, where.size - where // STEPS * STEPS)
    asked = where % STEPS < np.round(rated * stretch)
    starts = np.flatnonzero(asked & (search.tree.cells[:, COPIES] > 0))[::thin].copy()
    costs = np.full(starts.size, NO_LIMIT, dtype=np.int64)
    rate = partial(first_costs, *search.arguments, starts, costs=costs)
    progress.phase("rating every start", starts.size)
    in_chunks(starts.size, steps, search.scratch, rate, progress, alone=alone)
    ids = search.tree.cells[starts, IDS]
    rank = np.lexsort((ids, costs))
    rank = rank[: np.searchsorted(costs[rank], NO_LIMIT)]  # costs only rise: the others never start
    heap = costs[rank], ids[rank], starts[rank]
    search.state[HEAP] = rank.size
    scratch, found = search.scratch(), np.empty(search.copies.size, dtype=np.int64)
    progress.phase("grouping", int(search.copies.sum()))
    free = int(search.tree.nodes[0, ROWS])
    while search.state[HEAP]:
        stop_if_cancelled(progress)
        group_cheapest_first(
            *search.arguments, *heap, lag, steps, True, scratch, found, search.pieces, search.state
        )
        progress.advance(free - int(search.tree.nodes[0, ROWS]))
        free = int(search.tree.nodes[0, ROWS])


def _in_order(search: _Search, order: str, progress: Progress) -> None:
    sequence, rank = _seed_sequence(search, order)
    scratch = search.scratch()
    progress.phase("grouping", sequence.size)
    while search.state[NEXT] < sequence.size:
        stop_if_cancelled(progress)
        before = int(search.state[NEXT])
        group_in_order(
            *search.arguments, sequence, rank, search.copies, STEPS * search.problem.k, scratch,
            search.pieces, search.state,
        )  # fmt: skip
        progress.advance(int(search.state[NEXT]) - before)


def _seed_sequence(search: _Search, order: str) -> tuple[IntArray, IntArray]:
    """Positions of the rows in seeding order, and which copy of its cell each one is."""
    problem, where = search.problem, np.argsort(search.tree.cells[:, IDS])
    copies = problem.cells.copies[search.cells]
    if order == "content":
        cell = problem.cells.of_row[np.argsort(problem.table.row_hash(), kind="stable")]
    else:
        cells = np.lexsort((np.arange(copies.size), -copies))
        cell = np.repeat(cells, copies[cells])
    by_cell = np.argsort(cell, kind="stable")
    starts = np.cumsum(copies) - copies
    rank = np.empty(cell.size, dtype=np.int64)
    rank[by_cell] = np.arange(cell.size) - np.repeat(starts, copies)
    return where[cell], rank
