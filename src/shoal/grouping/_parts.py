"""Parts of a large table that are grouped side by side, cut where few would share a group.

Where the cuts lie depends on the rows alone, so that any number of cores makes the same groups.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from shoal._progress import Progress, at_once
from shoal.grouping._base import Problem
from shoal.grouping._cut_tree import pack_leaves
from shoal.grouping._gaps import cut_at_gaps
from shoal.kernels.rules import LIKENED
from shoal.typing import IntArray

PARTED_ROWS = 100_000  # a smaller table is grouped in one piece
SHARES = (6, 24)  # a part holds at most one row in so many, the more the larger the table is
PART = 25_000  # rows of a part, where these shares allow it: smaller parts are searched faster
CROWDS = 1_000  # times k: so many rows a part should have, so that few groups lie at a cut
PAIR = 200  # times k: so few rows each side of a single cut may have
SAMPLE = 20_000  # rows that are grouped to learn where to cut
SHEAVES = 2  # these rows are dealt into so many, each grouped by itself
COMPANY = 50  # times k: the fewest rows of a part


class GroupedSample(NamedTuple):
    """Rows of a sample: their codes, and the groups they form among themselves."""

    codes: IntArray
    groups: IntArray


#: Groups a sample: (cells, rows of each, k).
SampleGrouper = Callable[[IntArray, IntArray, int], GroupedSample]


def parts_of(problem: Problem, group_sample: SampleGrouper) -> list[IntArray]:
    """Cells of each part, the most first, for they take longest; one part where cuts would not do.

    Where rows may be left out, only the whole table knows who fits nowhere, and groups that must
    look like the whole table find what they lack beyond any cut.
    """
    cells, rows = problem.cells, problem.table.n_rows
    likened = any(constraint.rule in LIKENED for constraint in problem.constraints)
    share = min(max(SHARES[0], rows // PART), SHARES[1], rows // (CROWDS * problem.k))
    if rows >= 2 * PAIR * problem.k:
        share = max(share, 2)
    if rows < PARTED_ROWS or share < 2 or problem.budget or likened:
        return [np.arange(cells.copies.size)]
    part = _part_of_each(problem, rows, share, group_sample)
    sizes = np.bincount(part)
    return [np.flatnonzero(part == p) for p in np.argsort(-sizes, kind="stable") if sizes[p]]


def _part_of_each(problem: Problem, rows: int, share: int, group_sample: SampleGrouper) -> IntArray:
    """Number of the part of each cell."""
    codes, groups = grouped_sample(problem, rows, group_sample)
    few = rows < 2 * CROWDS * problem.k  # such parts take as long only if they have as many cells
    tree = cut_at_gaps(codes, groups, len(codes) / share / (1 + few))
    cells = problem.cells
    leaves = tree.leaves(cells.codes)
    weights = np.ones_like(cells.copies) if few else cells.copies
    counts = np.bincount(leaves, weights=weights, minlength=tree.axis.size).astype(np.int64)
    total = int(counts.sum())
    packing = pack_leaves(tree, counts, total // share, COMPANY * problem.k * total // rows)
    first: IntArray = packing.first[leaves]
    return first


def grouped_sample(problem: Problem, rows: int, group_sample: SampleGrouper) -> GroupedSample:
    """Group some rows to learn where to cut, in sheaves, so that no core waits for another.

    Cells are in an order of content, so that every so-manieth row in that order is a sample.
    """
    stride = -(-rows // SAMPLE)
    seen = np.repeat(np.arange(problem.cells.copies.size), problem.cells.copies)[::stride]
    k = max(2, round(problem.k / (stride * SHEAVES)))
    dealt = [np.unique(seen[i::SHEAVES], return_counts=True) for i in range(SHEAVES)]
    sheaves = at_once(lambda sheaf: group_sample(*sheaf, k), dealt)
    counts = np.array([int(sheaf.groups.max(initial=-1)) + 1 for sheaf in sheaves])
    before = np.repeat(np.cumsum(counts) - counts, [sheaf.groups.size for sheaf in sheaves])
    codes, groups = (np.concatenate(both) for both in zip(*sheaves, strict=True))
    return GroupedSample(codes, groups + before)


class PartProgress:
    """The progress of one part among others: rows that were grouped, and the wish to stop."""

    def __init__(self, outer: Progress) -> None:
        self.outer = outer
        self.counts = False

    @property
    def cancelled(self) -> bool:
        """Whether all are to stop."""
        return self.outer.cancelled

    def phase(self, name: str, total: int | None = None) -> None:
        """Only grouping counts rows; phases of several parts would be told at once."""
        self.counts = name == "grouping"

    def advance(self, steps: int = 1) -> None:
        """Pass it on."""
        if self.counts:
            self.outer.advance(steps)
