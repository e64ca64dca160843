"""What losses of attributes and of structure are shares of, so that alpha : beta means something.

Campan and Truta (2009) count a distance as a share of all other people, and structural loss as a
share of n(n - 1) / 4. In a network twice as large whose people have as many friends, both are half
as much, and attributes decide alone. Counted in shares of what there is to gain, the difference
between groups by attributes alone and by structure alone, both go from 0 to 1 in any network.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from shoal.graphs._masked import uncertainty
from shoal.grouping import group_boxes
from shoal.kernels.losses import Losses, box_loss
from shoal.table import Grouping
from shoal.typing import IntArray

LEAST = 1e-3  # a difference below that is none


class Yardstick(NamedTuple):
    """What counts as 1: of a loss from 0 to 1, of a distance in people, of a structural loss."""

    loss: float
    distance: float
    structure: float


def plain_yardstick(starts: IntArray, friends: IntArray, *, per_edge: bool) -> Yardstick:
    """Count by all people, as in the paper, or by edges.

    >>> path = np.array([0, 1, 3, 4]), np.array([1, 0, 2, 1])
    >>> plain_yardstick(*path, per_edge=False)
    Yardstick(loss=1.0, distance=1.0, structure=1.5)
    >>> plain_yardstick(*path, per_edge=True)
    Yardstick(loss=1.0, distance=2.6666666666666665, structure=4.0)
    """
    n, ends = starts.size - 1, friends.size
    if per_edge:
        return Yardstick(1.0, max(1.0, 2 * ends / n), max(1.0, float(ends)))
    return Yardstick(1.0, max(1.0, n - 2.0), max(1.0, n * (n - 1) / 4))


def balanced_yardstick(
    network: tuple[IntArray, IntArray, IntArray],
    losses: Losses,
    full: float,
    by_attributes: IntArray,
    by_structure: IntArray,
) -> Yardstick:
    """Count by what groups of attributes alone and of structure alone gain over one another.

    Where one of them gains nothing, there is nothing to balance, and it counts by edges.
    """
    plain = plain_yardstick(*network[:2], per_edge=True)
    alike, near = (_lost(network, losses, full, labels) for labels in (by_attributes, by_structure))
    gained = near.loss - alike.loss, alike.distance - near.distance
    structure = alike.structure - near.structure
    return Yardstick(
        gained[0] if gained[0] > LEAST else plain.loss,
        gained[1] if gained[1] > LEAST * plain.distance else plain.distance,
        structure if structure > LEAST * plain.structure else plain.structure,
    )


def _lost(
    network: tuple[IntArray, IntArray, IntArray], losses: Losses, full: float, labels: IntArray
) -> Yardstick:
    """What groups lose: of attributes, in mean distance of two members, and of structure."""
    starts, friends, codes = network
    n, sizes = labels.size, np.bincount(labels)
    boxes = zip(*group_boxes(codes, Grouping(labels)), strict=True)
    lost = np.array([box_loss(losses, lo, hi) for lo, hi in boxes]) @ sizes / (n * full)
    ones = np.ones(n, dtype=np.int64)
    member = csr_array((ones, (labels, np.arange(n))), shape=(sizes.size, n))
    edges = csr_array((np.ones(friends.size, dtype=np.int64), friends, starts), shape=(n, n))
    known = member @ edges  # how many of a group each person knows
    both = (known @ member.T).tocoo()  # edges between two groups
    inside = np.zeros(sizes.size, dtype=np.int64)
    own = both.row == both.col
    inside[both.row[own]] = both.data[own] // 2
    apart = sizes * known.sum(axis=1) - known.multiply(known).sum(axis=1) - 2 * inside
    distance = 2 * apart / np.maximum(sizes - 1, 1) / sizes @ sizes / n
    across = both.row < both.col
    possible = sizes[both.row[across]] * sizes[both.col[across]]
    structure = uncertainty(inside, sizes * (sizes - 1) // 2).sum()
    structure += uncertainty(both.data[across], possible).sum()
    return Yardstick(float(lost), float(distance), float(structure))
