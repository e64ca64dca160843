"""Cutting inside crowds: rows of people who are in a crowd already, each crowd by itself."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from os import cpu_count

import numpy as np

from shoal._progress import SILENT, Progress, stop_if_cancelled
from shoal.grouping._base import DistinctRows, collapse
from shoal.grouping._mondrian import STEPS
from shoal.kernels.cutting import cut_some
from shoal.kernels.rules import RULES, Rules
from shoal.kernels.splitting import new_splitter
from shoal.spaces import WeightedSpaces
from shoal.table import Grouping
from shoal.typing import IntArray

_AT_ONCE = 64 * STEPS


def cut_within(
    spaces: WeightedSpaces, crowds: IntArray, people: IntArray, k: int, progress: Progress = SILENT
) -> Grouping:
    """Cut the rows of every crowd into groups of at least ``k`` people (Mondrian, best gain first).

    Parameters
    ----------
    spaces : WeightedSpaces
        The quasi-identifiers of the rows.
    crowds, people : IntArray
        The crowd and the person of each row, as numbers from 0; all rows of a person are in one
        crowd.
    k : int
        Fewest people of a group.

    Returns
    -------
    Grouping
        Groups lie inside crowds. Rows of a crowd in which fewer than k people have any are left
        out.

    Examples
    --------
    >>> import polars as pl
    >>> from shoal.spaces import build_spaces
    >>> from shoal.table import Roles, read_table
    >>> table = read_table(pl.DataFrame({"day": [1, 9, 2, 8, 5]}),
    ...                    roles=Roles(quasi_identifiers="day"))
    >>> crowds, people = np.array([0, 0, 0, 0, 1]), np.array([0, 0, 1, 1, 2])
    >>> cut_within(build_spaces(table), crowds, people, 2).labels.tolist()
    [0, 1, 0, 1, -1]
    """
    if not crowds.size:
        return Grouping(np.zeros(0, dtype=np.int64))
    if not spaces.spaces:
        return _of_enough(np.unique(crowds, return_inverse=True)[1], people, k)
    cells = collapse(spaces.codes, [crowds, _number_inside(crowds, people)], crowds.size)
    parts = _cut(spaces, cells, k, progress)
    return _of_enough(parts[cells.of_row], people, k)


def _cut(spaces: WeightedSpaces, cells: DistinctRows, k: int, progress: Progress) -> IntArray:
    """Give every cell its part; parts begin as crowds, and crowds are shared out among threads."""
    crowds, members = cells.rule_codes[:, 0], cells.rule_codes[:, 1]
    rules, losses = _distinct_members(members, k), spaces.losses
    pool = np.argsort(crowds, kind="stable")
    begins = np.flatnonzero(np.append(True, np.diff(crowds[pool]) != 0))
    ends = np.append(begins[1:], pool.size)
    pieces = np.column_stack([np.arange(pool.size), cells.copies])
    progress.phase("cutting inside crowds", int(begins.size))

    def cut(some: IntArray) -> IntArray:
        """Cut the cells of some successive crowds; return where the parts begin in the pool."""
        first, last = int(begins[some[0]]), int(ends[some[-1]])
        ranges = np.zeros((last - first, 2), dtype=np.int64)
        ranges[: some.size] = np.column_stack([begins[some], ends[some]]) - first
        state = np.array([0, some.size], dtype=np.int64)
        work = new_splitter(last - first, cells.codes.shape[1], rules)
        own = pool[first:last]
        while state[0] < state[1]:
            stop_if_cancelled(progress)
            cut_some(cells.codes, pieces, losses, rules, k, own, ranges, state, _AT_ONCE, work)
        return np.sort(ranges[: state[1], 0]) + first

    workers = min(cpu_count() or 1, begins.size)
    with ThreadPoolExecutor(workers) as threads:
        found = np.concatenate([*threads.map(cut, np.array_split(np.arange(begins.size), workers))])
    labels = np.empty(pool.size, dtype=np.int64)
    labels[pool] = np.repeat(np.arange(found.size), np.diff(np.append(found, pool.size)))
    return labels


def _distinct_members(members: IntArray, k: int) -> Rules:
    """Ask every part for ``k`` distinct members of its crowd; they are numbered crowd by crowd."""
    n = int(members.max(initial=0)) + 1
    return Rules(
        meta=np.array([[RULES.index("distinct"), n, 0, 0, -1]], dtype=np.int64),
        bound=np.array([float(k)]),
        reference=np.zeros(n),
        codes=np.ascontiguousarray(members[:, None], dtype=np.int64),
    )


def _number_inside(crowds: IntArray, people: IntArray) -> IntArray:
    """Number the people of each crowd from 0, so that few numbers do for all crowds."""
    everybody, first, who = np.unique(people, return_index=True, return_inverse=True)
    order = np.argsort(crowds[first], kind="stable")
    home = crowds[first][order]
    begins = np.flatnonzero(np.append(True, home[1:] != home[:-1]))
    inside = np.arange(everybody.size) - np.repeat(begins, np.diff(np.append(begins, home.size)))
    number = np.empty(everybody.size, dtype=np.int64)
    number[order] = inside
    return number[who]


def _of_enough(labels: IntArray, people: IntArray, k: int) -> Grouping:
    """Leave out groups of fewer than k people."""
    pairs = np.unique(labels * (int(people.max()) + 1) + people)
    groups = pairs // (int(people.max()) + 1)
    enough = np.bincount(groups, minlength=int(labels.max()) + 1) >= k
    number = np.where(enough, np.cumsum(enough) - 1, -1)
    return Grouping(number[labels])
