"""Trees that follow from the values themselves: leaves sorted, nodes found where neighbours meet.

Masks, calendars and intervals never write their tree down. Once the leaves are sorted, it is enough
to know at which height each leaf meets the next.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from shoal.hierarchies._arrangement import Arrangement, assemble
from shoal.typing import IntArray


def meeting_heights(keys: Sequence[IntArray]) -> IntArray:
    """Find the height at which each leaf meets the next.

    ``keys[i]`` names the bin of each sorted leaf at height ``i + 1``, finest first; leaves that
    never share a bin meet at the root, one step above the last.

    >>> month, year = np.array([1, 1, 2, 13]), np.array([0, 0, 0, 1])
    >>> meeting_heights([month, year]).tolist()
    [1, 2, 3]
    """
    heights = np.full(max(keys[0].size - 1, 0), len(keys) + 1, dtype=np.int64)
    for height in range(len(keys), 0, -1):
        key = keys[height - 1]
        heights[key[1:] == key[:-1]] = height
    return heights


def arrange_sorted(
    labels: Sequence[str],
    order: IntArray,
    gap_heights: IntArray,
    *,
    height: int,
    name: Callable[[int, int], str],
) -> Arrangement:
    """Arrange sorted leaves whose neighbours meet at the heights given.

    Two gaps of one height belong to the same node unless a taller gap stands between them.

    Parameters
    ----------
    labels : sequence of str
        The labels as given; ``order`` sorts them.
    height : int
        Height of the tree: gaps of this height are the root, published as ``*``.
    name : callable
        Gives the label of the node of some height above the leaf at some position.
    """
    gap_inner = np.empty(gap_heights.size, dtype=np.int64)
    names: list[str] = []
    heights: list[int] = []
    for step in np.unique(gap_heights[gap_heights < height]).tolist():
        gaps = np.flatnonzero(gap_heights == step)
        block = np.cumsum(gap_heights > step)[gaps]
        opens = np.concatenate([[True], block[1:] != block[:-1]])
        gap_inner[gaps] = len(names) + np.cumsum(opens) - 1
        names.extend(name(step, leaf) for leaf in gaps[opens].tolist())
        heights.extend([step] * int(opens.sum()))
    gap_inner[gap_heights >= height] = len(names)
    return assemble(
        [labels[i] for i in order.tolist()],
        order,
        gap_inner=gap_inner,
        inner_labels=[*names, "*"],
        inner_heights=np.array([*heights, height], dtype=np.int64),
    )
