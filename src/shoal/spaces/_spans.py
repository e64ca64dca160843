"""Spaces of intervals and of trees: what a group of values publishes, and what that loses.

Distances between numbers are those of their texts: a double may hold neither of two, nor the gap.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from decimal import ROUND_UP, Context, Decimal
from functools import cached_property
from typing import NamedTuple

import numpy as np

from shoal.hierarchies import Arrangement
from shoal.kernels.losses import LINEAR, SPARSE
from shoal.spaces._base import Space
from shoal.table import join_brackets
from shoal.typing import FloatArray, IntArray

# Away from zero: a gap is within a bound exactly if it still is when its 4,000th digit is rounded.
_GAPS = Context(prec=4000, rounding=ROUND_UP)
_WHOLE = 2**50  # whole numbers up to here are doubles, and so are their sums and differences
_DAY = 86_400_000_000  # microseconds; of days a double holds a tenth of those
_SHORT = 15  # two decimals of at most so many digits are different doubles (IEEE 754, binary64)


def limit_in_units(limit: float, decimals: int) -> int:
    """How many whole units a limit lets pass.

    >>> limit_in_units(0.3, 1), limit_in_units(2.5, 0)
    (3, 2)
    """
    return min(int(Decimal(str(limit)).scaleb(decimals)), _WHOLE)


def limit_in_microseconds(limit: float) -> int:
    """How many microseconds a limit in days lets pass.

    >>> limit_in_microseconds(0.5), limit_in_microseconds(1e-11), limit_in_microseconds(1e300)
    (43200000000, 0, 4611686018427387904)
    """
    return int(min(Decimal(str(limit)) * _DAY, Decimal(2**62)))


def gap(low: str, high: str) -> float:
    """The distance of two numbers, rounded once.

    >>> gap("1000000000000000000000000000001", "1000000000000000000000000000004")
    3.0
    """
    return float(_GAPS.subtract(Decimal(high), Decimal(low)))


def shares(texts: Sequence[str], low: str, high: str) -> FloatArray:
    """Where each number lies between two others: 0 is the first, 1 the second.

    >>> shares(["5e-400", "6e-400", "9e-400"], "5e-400", "9e-400").tolist()
    [0.0, 0.25, 1.0]
    """
    origin = Decimal(low)
    width = _GAPS.subtract(Decimal(high), origin)
    if not width:
        return np.zeros(len(texts))
    short = Context(prec=30)
    gaps = [_GAPS.subtract(Decimal(text), origin) for text in texts]
    return np.array([float(short.divide(g, width)) for g in gaps])


def furthest(starts: Sequence[str], ends: Sequence[str], limit: float) -> IntArray:
    """For each start, the last end that is no further from it than the limit; both ascend.

    >>> furthest(["0.1", "0.2", "0.4"], ["0.1", "0.2", "0.4"], 0.1).tolist()
    [1, 1, 2]
    """
    bound, highs = Decimal(str(limit)), [Decimal(end) for end in ends]
    last = np.arange(len(highs))  # a value alone is never too wide
    at = 0
    for place, start in enumerate(map(Decimal, starts)):
        at = max(at, place)
        while at + 1 < len(highs) and _GAPS.subtract(highs[at + 1], start) <= bound:
            at += 1
        last[place] = at
    return last


class _Scale(NamedTuple):
    """The ends of intervals in one unit; of numbers it is the last of so many ``decimals``."""

    starts: FloatArray
    ends: FloatArray
    width: float
    decimals: int | None = None


@dataclass(frozen=True, eq=False)
class IntervalSpace(Space):
    """Values on a line; the loss of an interval is its width over the width of the column.

    This is ``size(gen(cl)[N]) / size(min, max)`` in the GIL of Malle et al. (2017).

    Attributes
    ----------
    starts, ends : FloatArray
        The smallest and largest value a code may stand for; equal unless there is a grid.
    lows, highs : tuple of str
        The same as published text.
    width : float
        From the smallest to the largest value of the column.
    moments : IntArray, optional
        Of dates: the values in microseconds, against which limits are held.
    range : tuple of str
        These two values as text where both ends of every interval are numbers: distances are
        then those of the decimals, not of their nearest doubles. Empty for dates and ordinals.

    Examples
    --------
    >>> import numpy as np
    >>> ages = np.array([17.0, 25.0, 37.0])
    >>> text = ("17", "25", "37")
    >>> codes = np.array([0, 2, 1])
    >>> space = IntervalSpace("age", codes, 3, -1, None, ages, ages, text, text, 20.0)
    >>> space.publish(np.array([0, 0]), np.array([0, 1])), space.loss(np.array([0]), np.array([1]))
    (['17', '[17, 25]'], array([0.4]))
    """

    starts: FloatArray
    ends: FloatArray
    lows: tuple[str, ...]
    highs: tuple[str, ...]
    width: float
    range: tuple[str, ...] = ()
    moments: IntArray | None = None
    brackets: bool = False  # values are ranges themselves, such as 18-29: several are one range

    def loss(self, lo: IntArray, hi: IntArray) -> FloatArray:
        """Width of each interval over the width of the column."""
        top = len(self.lows) - 1
        if top < 0:
            return np.zeros(len(lo))
        starts, ends, width, _ = self._scale
        spread = ends[np.minimum(hi, top)] - starts[np.minimum(lo, top)]
        share = np.minimum(spread / width, 1.0) if width > 0 else np.zeros(len(lo))
        if self.missing >= 0:
            share = np.where(hi == self.missing, np.where(lo == hi, 0.0, 1.0), share)
        return np.asarray(share, dtype=np.float64)

    def released_loss(self, lo: IntArray, hi: IntArray) -> FloatArray:
        """Width over the reach of all intervals; numbers are placed as the decimals they are."""
        inside = hi != self.missing
        losses = np.where(lo == hi, 0.0, 1.0)  # nothing but missing, or missing beside values
        if not inside.any() or not self.lows:
            return losses
        lo, hi = lo[inside], hi[inside]
        starts, ends = self.starts[lo], self.ends[hi]
        if self.range:
            low, high = self.lows[int(lo.min())], self.highs[int(hi.max())]
            first, at_first = np.unique(lo, return_inverse=True)
            last, at_last = np.unique(hi, return_inverse=True)
            starts = shares([self.lows[code] for code in first.tolist()], low, high)[at_first]
            ends = shares([self.highs[code] for code in last.tolist()], low, high)[at_last]
        reach = float(ends.max() - starts.min())
        losses[inside] = (ends - starts) / reach if reach > 0 else 0.0
        return losses

    def publish(self, lo: IntArray, hi: IntArray) -> list[str | None]:
        """``[17, 25]``, a single value as it was, ``*`` beside a missing one."""
        texts: list[str | None] = []
        for a, b in zip(lo.tolist(), hi.tolist(), strict=True):
            if b == self.missing:
                texts.append(None if a == b else "*")
            else:
                low, high = self.lows[a], self.highs[b]
                joined = join_brackets(low, high) if self.brackets and low != high else None
                texts.append(low if low == high else joined or f"[{low}, {high}]")
        return texts

    def reach(self) -> IntArray | None:
        """Widest permitted interval from each code, in exact column units."""
        if self.limit is None:
            return None
        last: IntArray
        if self.moments is not None:
            most = limit_in_microseconds(self.limit)
            last = np.searchsorted(self.moments, self.moments + np.int64(most), side="right") - 1
        elif self.range and self._scale.decimals is None:
            last = furthest(self.lows, self.highs, self.limit)
        else:
            starts, ends, _, decimals = self._scale
            units = self.limit if decimals is None else limit_in_units(self.limit, decimals)
            last = np.searchsorted(ends, starts + units, side="right") - 1
            last = np.maximum(last, np.arange(last.size))  # a value alone is never too wide
        if self.missing >= 0:
            last = np.append(last, self.missing)
        return last.astype(np.int32)

    def large_form(self, full: int) -> tuple[int, IntArray]:
        """Running positions: the loss of a span is a difference (up to a constant on a grid)."""
        starts, _, width, _ = self._scale
        scale = full / width if width > 0 else 0.0
        running = np.minimum(np.round((starts - starts[0]) * scale), full)
        running = running.astype(np.int32)
        return LINEAR, np.append(running, full).astype(np.int32) if self.missing >= 0 else running

    @cached_property
    def _scale(self) -> _Scale:
        """Where the intervals begin and end, and the width of the column, in one exact unit.

        Of numbers that doubles hold as they are written it is the last of their decimals.
        """
        if not self.range:
            return _Scale(self.starts, self.ends, self.width)
        texts = self.lows if self.lows is self.highs else self.lows + self.highs
        if not any(len(text) > _SHORT or "e" in text or "E" in text for text in texts):
            decimals = max((len(text.partition(".")[2].rstrip()) for text in texts), default=0)
            unit = 10.0**decimals
            starts, ends = np.rint(self.starts * unit), np.rint(self.ends * unit)
            if bool((np.abs(np.append(starts, ends)) < _WHOLE).all()):
                return _Scale(starts, ends, float(np.rint(self.width * unit)), decimals)
        low, high = self.range
        return _Scale(
            shares(self.lows, low, high), shares(self.highs, low, high), float(low != high)
        )


@dataclass(frozen=True, eq=False)
class TreeSpace(Space):
    """Values at the leaves of a tree, numbered depth first.

    The loss of a node is the height of its subtree over the height of the tree:
    ``height(gen(cl)[C]) / height(H_C)`` in the GIL of Malle et al. (2017). Given
    ``node_losses``, it is one of these, ``measured_by`` what they count (`shoal.spaces.LOSSES`).

    Examples
    --------
    >>> import numpy as np
    >>> from shoal.hierarchies import Mask
    >>> tree = Mask().arrange(["8010", "8045", "1190"])
    >>> space = TreeSpace("zip", tree.position, 3, -1, None, tree)
    >>> space.publish(np.array([0, 1, 0]), np.array([0, 2, 2]))
    ['1190', '80**', '*']
    >>> space.loss(np.array([0, 1, 0]), np.array([0, 2, 2])).tolist()
    [0.0, 0.5, 1.0]
    """

    tree: Arrangement
    node_losses: FloatArray | None = None
    measured_by: str = field(default="height", kw_only=True)

    def by_height(self) -> TreeSpace:
        """Return the space whose nodes lose their height."""
        if self.node_losses is None:
            return self
        return replace(self, node_losses=None, measured_by="height")

    def loss(self, lo: IntArray, hi: IntArray) -> FloatArray:
        """Loss of the published node: its height, or what it covers."""
        of_nodes = self.tree.node_losses if self.node_losses is None else self.node_losses
        losses = of_nodes[self._nodes(lo, hi)]
        mixed = (hi == self.missing) & (lo != hi)
        return np.where(lo == hi, 0.0, np.where(mixed, 1.0, losses))

    def released_loss(self, lo: IntArray, hi: IntArray) -> FloatArray:
        """Height over that of the tree; of codes, stars over the longest code published."""
        plain = self if self.node_losses is None else self.by_height()
        heights = plain.loss(lo, hi)
        if not self.tree.grows:
            return heights
        texts = self.publish(lo, hi)
        longest = max((len(text) for text in texts if text and text != "*"), default=1)
        masked = np.minimum(heights * self.tree.height / longest, 1.0)
        return np.where([text == "*" for text in texts], 1.0, masked)

    def publish(self, lo: IntArray, hi: IntArray) -> list[str | None]:
        """Label of the lowest common ancestor of each span."""
        labels = self.tree.node_labels
        nodes = self._nodes(lo, hi).tolist()
        return [
            labels[node] if b != self.missing else (None if a == b else "*")
            for a, b, node in zip(lo.tolist(), hi.tolist(), nodes, strict=True)
        ]

    def covers(self, lo: IntArray, hi: IntArray) -> tuple[IntArray, IntArray]:
        """Leaves below each published node; missing values lie below the root too."""
        node, within = self._nodes(lo, hi), hi < self.tree.n_leaves
        begins, ends = self.tree.extents
        first, last = np.where(within, begins[node], lo), np.where(within, ends[node], hi)
        anything = (within & (node == self.tree.root)) | (~within & (lo != hi))
        return np.where(anything, 0, first), np.where(anything, self.n_codes - 1, last)

    def _nodes(self, lo: IntArray, hi: IntArray) -> IntArray:
        top = self.tree.n_leaves - 1
        if top < 0:
            return np.full(len(lo), self.tree.root)
        lo, hi = np.minimum(lo, top), np.minimum(hi, top)
        known = self.tree.node_of_span
        return np.asarray(self.tree.lca(lo, hi) if known is None else known[lo, hi])

    def reach(self) -> IntArray | None:
        """Last leaf below the same permitted ancestor as each leaf."""
        if self.limit is None or self.limit >= self.tree.node_levels[self.tree.root]:
            return None
        walls = np.flatnonzero(self.tree.node_levels[self.tree.gap_nodes] > self.limit)
        ends = np.append(walls, self.tree.n_leaves - 1)
        last = ends[np.searchsorted(ends, np.arange(self.tree.n_leaves))]
        if self.missing >= 0:
            last = np.append(last, self.missing)
        return last.astype(np.int32)

    def large_form(self, full: int) -> tuple[int, IntArray]:
        """Running maxima of the losses between neighbours, by powers of two."""
        of_nodes = self.tree.node_losses if self.node_losses is None else self.node_losses
        gaps = of_nodes[self.tree.gap_nodes]
        if self.missing >= 0 and self.tree.n_leaves:
            gaps = np.append(gaps, 1.0)
        level = np.zeros(self.n_codes, dtype=np.int32)
        level[: gaps.size] = np.round(gaps * full)
        levels = [level]
        step = 1
        while 2 * step <= gaps.size:
            wider = level.copy()
            wider[:-step] = np.maximum(level[:-step], level[step:])
            levels.append(wider)
            level, step = wider, 2 * step
        return SPARSE, np.concatenate(levels)
