"""Thorough search: neighbouring groups pooled and grown again, step by step, at random.

Effort is counted in steps, not in seconds, and what is drawn comes from a hash of the rows: the
same table and the same number of steps give the same groups, on every machine and in any order
of rows.
"""

from __future__ import annotations

import numpy as np

from shoal._progress import Progress, stop_if_cancelled
from shoal.grouping._problem import Problem
from shoal.kernels.groups import Groups, build_index, make_groups
from shoal.kernels.searching.regrowing import new_regrowing, regrow_some
from shoal.kernels.slots import CELL, COUNT, GROUP, LOSS, SIZE
from shoal.typing import IntArray

SLICE = 20_000  # steps between two looks at the wish to stop; neighbours are indexed anew
LONGEST = 4_000_000  # steps; minutes


def steps_for(n_rows: int) -> int:
    """Count the steps that a thorough search takes: thirty a row, up to some minutes.

    >>> steps_for(30_162), steps_for(1_000_000)
    (904860, 4000000)
    """
    return min(30 * n_rows, LONGEST)


def regrow_pieces(problem: Problem, pieces: IntArray, steps: int, progress: Progress) -> IntArray:
    """Lower the loss of (cell, copies, group) pieces by that many steps of regrowth."""
    housed = pieces[pieces[:, 2] >= 0]
    single = np.repeat(housed[:, [0, 2]], housed[:, 1], axis=0)
    single = single[np.lexsort((single[:, 0], single[:, 1]))]
    rows = np.column_stack([single[:, 0], np.ones(len(single), np.int64), single[:, 1]])
    cells, losses = problem.cells, problem.spaces.losses
    rules = problem.rules(np.arange(cells.copies.size))
    groups = make_groups(cells.codes, rows, int(single[:, 1].max(initial=-1)) + 1, losses)
    histogram = np.zeros(int(rules.meta[:, SIZE].sum()), np.int64)
    tally = histogram, np.zeros((2, len(rules.meta)), np.int64)
    seed = _seed(cells.codes)
    progress.phase(f"searching on ({_total(groups)})", steps)
    for first in range(0, steps, SLICE):
        stop_if_cancelled(progress)
        index = build_index(groups, losses)
        buffers = new_regrowing(groups, index, problem.k)
        some = min(SLICE, steps - first)
        regrow_some(groups, index, losses, rules, problem.k, seed, first, some, buffers, tally)
        progress.advance(some)
    left_out = pieces[pieces[:, 2] < 0]
    return np.concatenate([groups.pieces[:, [CELL, COUNT, GROUP]], left_out])


def _seed(codes: IntArray) -> np.uint64:
    """A number that depends on the distinct rows alone: they are in an order of content."""
    place = np.arange(1, codes.size + 1, dtype=np.uint64)
    mixed = (codes.ravel().astype(np.uint64) + np.uint64(1)) * place
    return np.uint64(np.bitwise_xor.reduce(mixed * np.uint64(0x9E3779B97F4A7C15), initial=0))


def _total(groups: Groups) -> str:
    lossy = int((groups.state[:, LOSS] > 0).sum())
    return f"{lossy:,} crowds that lose something"
