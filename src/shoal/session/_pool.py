"""Real rows, real groups caught half built, and what it would cost each row to join each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from shoal.exceptions import ImpossibleError
from shoal.grouping import group_boxes
from shoal.spaces import WeightedSpaces
from shoal.table import Grouping
from shoal.typing import BoolArray, FloatArray, IntArray

LARGEST = 4  # people in a partly built group: more are hard to take in at a glance


@dataclass(frozen=True, eq=False)
class Pool:
    """Rows times groups.

    Attributes
    ----------
    rows : IntArray
        Positions of the rows in the table.
    groups : IntArray
        Numbers of the groups in the grouping; a group may be there twice, built differently.
    members : tuple of IntArray
        The rows in each group so far.
    after : FloatArray
        Loss of each group (second axis) in each attribute (third) once each row (first) is in it.
    cost : FloatArray
        Added loss, on average over all in the joined group.
    allowed : BoolArray
        Whether a row is outside a group and may join it under the limits.
    """

    rows: IntArray
    groups: IntArray
    members: tuple[IntArray, ...]
    after: FloatArray
    cost: FloatArray
    allowed: BoolArray


def draw_pool(
    spaces: WeightedSpaces,
    grouping: Grouping,
    chance: Generator,
    *,
    k: int,
    order: IntArray,
    n_rows: int = 48,
    n_groups: int = 64,
) -> Pool:
    """Draw rows and groups; each group is caught with a few of its members.

    ``order`` lists the rows by content, so that where they stand in the table plays no part.
    """
    if not grouping.n_groups:
        raise ImpossibleError("There is no group to ask about: all rows are left out.")
    codes = spaces.codes
    place = np.empty_like(order)
    place[order] = np.arange(order.size)
    rows = order[chance.choice(order.size, min(n_rows, order.size), replace=False)]
    groups = chance.choice(
        grouping.n_groups, n_groups, replace=grouping.n_groups < n_groups, shuffle=False
    )
    sizes = chance.integers(1, max(2, min(k, LARGEST + 1)), size=n_groups)
    members = tuple(
        order[chance.permutation(np.sort(place[grouping.members(group)]))[:size]]
        for group, size in zip(groups.tolist(), sizes.tolist(), strict=True)
    )
    lo, hi = _boxes(codes, members)
    return _priced(spaces, rows, groups, members, lo, hi)


def _priced(
    spaces: WeightedSpaces,
    rows: IntArray,
    groups: IntArray,
    members: tuple[IntArray, ...],
    lo: IntArray,
    hi: IntArray,
) -> Pool:
    codes = spaces.codes[rows][:, None]
    shape = (rows.size, groups.size, codes.shape[2])
    low = np.minimum(codes, lo).reshape(-1, shape[2])
    high = np.maximum(codes, hi).reshape(-1, shape[2])
    after = spaces.loss_by_attribute(low, high).reshape(shape)
    before = spaces.loss_by_attribute(lo, hi)
    sizes = np.array([part.size for part in members])
    allowed = _outside(rows, members) & _within_limits(spaces, low, high).reshape(shape[:2])
    return Pool(rows, groups, members, after, added_loss(before, after, sizes), allowed)


def added_loss(before: FloatArray, after: FloatArray, sizes: IntArray) -> FloatArray:
    """What everybody in a joined group loses beyond what they had lost before, on average.

    The members lose ``after - before``, the row that joins loses ``after``: the rise of the GIL
    of Malle et al. (2017), divided by the people it concerns.

    >>> added_loss(np.array([[0.2]]), np.array([[[0.4]]]), np.array([3])).round(3).tolist()
    [[[0.25]]]
    """
    share = (sizes / (sizes + 1))[:, None]
    return np.asarray(after - share * before)


def _boxes(codes: IntArray, members: tuple[IntArray, ...]) -> tuple[IntArray, IntArray]:
    rows = np.concatenate(members)
    labels = np.repeat(np.arange(len(members)), [part.size for part in members])
    return group_boxes(codes[rows], Grouping(labels))


def _outside(rows: IntArray, members: tuple[IntArray, ...]) -> BoolArray:
    """Whether each row is none of the members of each group."""
    padded = np.full((len(members), LARGEST), -1)
    for place, part in enumerate(members):
        padded[place, : part.size] = part
    return np.asarray((rows[:, None, None] != padded).all(axis=2))


def _within_limits(spaces: WeightedSpaces, low: IntArray, high: IntArray) -> BoolArray:
    within = np.ones(len(low), dtype=np.bool_)
    for j, space in enumerate(spaces.spaces):
        reach = space.reach()
        if reach is not None:
            within &= high[:, j] <= reach[low[:, j]]
    return within
