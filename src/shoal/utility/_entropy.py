"""Non-uniform entropy: the bits it takes to find the original behind a published value."""

from __future__ import annotations

import numpy as np

from shoal.hierarchies import Arrangement
from shoal.spaces import Space, TreeSpace
from shoal.typing import FloatArray, IntArray


def entropy_share(
    space: Space, lo: IntArray, hi: IntArray, sizes: IntArray, suppressed: int
) -> float:
    """Share of the bits of one attribute that a release hides, from 0 to 1.

    A cell with original value a that is published as a set B of values hides
    ``-log2 Pr(a | B)`` bits, where Pr(a | B) is the number of rows with value a over the number
    of rows with a value in B, both counted in the whole table (A. Gionis and T. Tassa,
    "k-Anonymization with minimal loss of information", IEEE TKDE 21, 2009). The sum over all
    rows is divided by what it would be if every cell were ``*``, as in ARX.

    Parameters
    ----------
    space : Space
        The attribute.
    lo, hi : IntArray
        Smallest and largest code of each group.
    sizes : IntArray
        Rows of each group.
    suppressed : int
        Rows that are in no group: all values are possible.
    """
    counts = np.bincount(space.codes, minlength=space.n_codes)
    first, last = _published_span(space, lo, hi)
    up_to = np.concatenate([[0], np.cumsum(counts)])
    possible = up_to[last + 1] - up_to[first]
    n_rows = int(counts.sum())
    known = float(counts @ _log2(counts))  # the sum over rows of log2(rows with its value)
    hidden = float(sizes @ _log2(possible)) + suppressed * float(_log2(n_rows)) - known
    everything = n_rows * float(_log2(n_rows)) - known
    return min(max(hidden / everything, 0.0), 1.0) if everything > 0 else 0.0


def _published_span(space: Space, lo: IntArray, hi: IntArray) -> tuple[IntArray, IntArray]:
    """First and last code that what each group publishes may stand for."""
    first, last = lo.astype(np.int64), hi.astype(np.int64)
    anything = (hi == space.missing_code) & (lo != hi)
    if isinstance(space, TreeSpace) and space.tree.n_leaves:
        begins, ends = node_extents(space.tree)
        top = space.tree.n_leaves - 1
        node = np.asarray(space.tree.lca(np.minimum(first, top), np.minimum(last, top)))
        within = last <= top
        first, last = np.where(within, begins[node], first), np.where(within, ends[node], last)
        anything |= within & (node == space.tree.root)  # missing values lie below the root too
    return np.where(anything, 0, first), np.where(anything, space.n_codes - 1, last)


def node_extents(tree: Arrangement) -> tuple[IntArray, IntArray]:
    """First and last leaf below each node of an arrangement.

    >>> from shoal.hierarchies import Mask
    >>> codes = Mask().arrange(["8010", "8045", "1190"])
    >>> first, last = node_extents(codes)
    >>> dict(zip(codes.node_labels, zip(first.tolist(), last.tolist())))
    {'1190': (0, 0), '8010': (1, 1), '8045': (2, 2), '80**': (1, 2), '*': (0, 2)}
    """
    first = np.zeros(len(tree.node_labels), dtype=np.int64)
    last = np.full(len(tree.node_labels), tree.n_leaves - 1, dtype=np.int64)
    first[tree.leaf_nodes] = last[tree.leaf_nodes] = np.arange(tree.n_leaves)
    heights = tree.node_heights[tree.gap_nodes]
    for height in np.unique(heights):
        gaps = np.flatnonzero(heights == height)
        walls = np.flatnonzero(heights > height)  # a taller gap on either side ends the subtree
        between = np.searchsorted(walls, gaps)
        first[tree.gap_nodes[gaps]] = np.append(-1, walls)[between] + 1
        last[tree.gap_nodes[gaps]] = np.append(walls, tree.n_leaves - 1)[between]
    return first, last


def _log2(counts: IntArray | int) -> FloatArray:
    return np.asarray(np.log2(np.maximum(counts, 1)))
