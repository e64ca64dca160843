"""A tree of cuts: which fragment a row belongs to, and how leaves are packed into fragments."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

import numpy as np

from shoal.typing import FloatArray, IntArray

SMALLEST_SIDE = 0.1  # share of a node's rows that a cut leaves on each side
LEAF = -1
_ROOM = 0.9  # of a fragment's limit, where rows are dealt out by hash


class Cut(NamedTuple):
    """Rows with ``points[:, axis] <= at`` go left."""

    gain: float
    axis: int
    at: int


#: Best cut of some rows, given by their positions in the sample; None if there is none.
Cutter: TypeAlias = Callable[[IntArray], Cut | None]


@dataclass(frozen=True, eq=False)
class CutTree:
    """Cuts of a space of integer points. Nodes are numbered; node 0 is the root.

    Attributes
    ----------
    axis, at, left, right : IntArray
        Per node its cut and its children; axis -1 is a leaf.

    Examples
    --------
    >>> tree = CutTree(*(np.array(a) for a in ([0, -1, -1], [7, 0, 0], [1, 0, 0], [2, 0, 0])))
    >>> tree.leaves(np.array([[3], [9]])).tolist()
    [1, 2]
    """

    axis: IntArray
    at: IntArray
    left: IntArray
    right: IntArray

    @classmethod
    def single(cls) -> CutTree:
        """Make a tree of one leaf."""
        return cls(np.array([LEAF]), np.zeros(1, int), np.zeros(1, int), np.zeros(1, int))

    def leaves(self, points: IntArray) -> IntArray:
        """Leaf of each point."""
        node = np.zeros(len(points), dtype=np.int64)
        inside = self.axis[node] != LEAF
        while inside.any():
            rows = np.flatnonzero(inside)
            here = node[rows]
            low = points[rows, self.axis[here]] <= self.at[here]
            node[rows] = np.where(low, self.left[here], self.right[here])
            inside[rows] = self.axis[node[rows]] != LEAF
        return node

    def to_json(self) -> str:
        """Write as JSON: cuts are statistics, and nothing of a row is in them."""
        return json.dumps([a.tolist() for a in (self.axis, self.at, self.left, self.right)])

    @classmethod
    def from_json(cls, text: str) -> CutTree:
        """Read what `to_json` wrote."""
        return cls(*(np.array(a, dtype=np.int64) for a in json.loads(text)))


@dataclass(frozen=True, eq=False)
class Packing:
    """Which fragment each leaf belongs to; leaves that are too large are dealt out by hash."""

    first: IntArray
    parts: IntArray
    sizes: IntArray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))

    @property
    def n(self) -> int:
        """Number of fragments."""
        return int((self.first + self.parts).max())

    def fragments(self, leaves: IntArray, hashes: IntArray) -> IntArray:
        """Fragment of each row, from its leaf and a hash of its content."""
        parts = self.parts[leaves]
        shift = np.where(parts > 1, hashes.astype(np.uint64) % parts.astype(np.uint64), 0)
        return (self.first[leaves] + shift.astype(np.int64)).astype(np.int32)


def grow_cuts(n: int, most: float, cutter: Cutter, points: IntArray) -> CutTree:
    """Cut a sample of ``n`` points until no leaf holds more than ``most`` of them."""
    axis, at, left, right = [LEAF], [0], [0], [0]
    waiting = [(0, np.arange(n))]
    while waiting:
        node, rows = waiting.pop()
        cut = cutter(rows) if rows.size > most else None
        if cut is None:
            continue
        axis[node], at[node] = cut.axis, cut.at
        low = points[rows, cut.axis] <= cut.at
        for side, chosen in ((left, low), (right, ~low)):
            side[node] = len(axis)
            waiting.append((len(axis), rows[chosen]))
            for values, blank in ((axis, LEAF), (at, 0), (left, 0), (right, 0)):
                values.append(blank)
    return CutTree(*(np.array(values, dtype=np.int64) for values in (axis, at, left, right)))


def pack_leaves(tree: CutTree, counts: IntArray, most: int, least: int) -> Packing:
    """Make fragments of at most ``most`` rows: the largest subtrees that fit.

    A leaf that alone holds more is dealt out by hash; fragments below ``least`` rows join a
    neighbour in the order of the tree, whatever its size: company comes before limits.

    >>> tree = CutTree(*(np.array(a) for a in ([0, -1, -1], [7, 0, 0], [1, 0, 0], [2, 0, 0])))
    >>> pack_leaves(tree, np.array([0, 60, 50]), most=200, least=10).sizes.tolist()
    [110]
    >>> pack_leaves(tree, np.array([0, 60, 50]), most=100, least=10).sizes.tolist()
    [60, 50]
    """
    rows = _rows_below(tree, counts)
    pieces = [
        _Piece(leaves, int(counts[leaves].sum()))
        for leaves in _largest_fitting(tree, rows, most)
        if counts[leaves].sum()
    ]
    pieces = _join_small(pieces, least)
    first = np.zeros(tree.axis.size, dtype=np.int64)
    parts = np.ones(tree.axis.size, dtype=np.int64)
    sizes: list[int] = []
    for piece in pieces:
        # a hash deals unevenly: leave room above and below
        wanted = math.ceil(piece.rows / (_ROOM * most)) if piece.rows > most else 1
        dealt = min(wanted, max(1, piece.rows // max(1, 4 * least)))
        dealt = dealt if len(piece.leaves) == 1 else 1
        first[piece.leaves], parts[piece.leaves] = len(sizes), dealt
        sizes += [piece.rows // dealt] * dealt
    return Packing(first, parts, np.array(sizes, dtype=np.int64))


class _Piece(NamedTuple):
    leaves: IntArray
    rows: int


def _rows_below(tree: CutTree, counts: IntArray) -> IntArray:
    rows = counts.copy()
    for node in range(tree.axis.size - 1, -1, -1):  # children come after their parents
        if tree.axis[node] != LEAF:
            rows[node] = rows[tree.left[node]] + rows[tree.right[node]]
    return rows


def _largest_fitting(tree: CutTree, rows: IntArray, most: int) -> list[IntArray]:
    found: list[IntArray] = []
    waiting = [0]
    while waiting:
        node = waiting.pop()
        if rows[node] <= most or tree.axis[node] == LEAF:
            found.append(_leaves_below(tree, node))
        else:
            waiting += [int(tree.right[node]), int(tree.left[node])]
    return found


def _leaves_below(tree: CutTree, node: int) -> IntArray:
    leaves, waiting = [], [node]
    while waiting:
        here = waiting.pop()
        if tree.axis[here] == LEAF:
            leaves.append(here)
        else:
            waiting += [int(tree.right[here]), int(tree.left[here])]
    return np.array(leaves, dtype=np.int64)


def _join_small(pieces: list[_Piece], least: int) -> list[_Piece]:
    while len(pieces) > 1:
        i = min(range(len(pieces)), key=lambda p: pieces[p].rows)
        if pieces[i].rows >= least:
            break
        beside = [j for j in (i - 1, i + 1) if 0 <= j < len(pieces)]
        j = min(beside, key=lambda p: pieces[p].rows)
        low, high = sorted((i, j))
        both = _Piece(
            np.concatenate([pieces[low].leaves, pieces[high].leaves]),
            pieces[low].rows + pieces[high].rows,
        )
        pieces[low : high + 1] = [both]
    return pieces


def best_cut(gains: FloatArray, below: IntArray, total: int) -> int | None:
    """Place of the largest gain that leaves enough rows on both sides; None if there is none."""
    least = SMALLEST_SIDE * total
    gains = np.where((below >= least) & (total - below >= least), gains, -np.inf)
    at = int(gains.argmax()) if gains.size else 0
    return at if gains.size and gains[at] > 0 else None
