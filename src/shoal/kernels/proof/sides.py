"""Sets of boxes around a point, told by how far they reach at least and at most on every side.

In a hierarchy a box reaches as far as its dearest member: one side, measured by its loss. Where
losses add up along a line, as those of numbers do, there are two, each measured by its loss as
well. All other attributes have two that are measured in codes, for the loss of one depends on the
other. Whoever may join a box of a set is on its list, dearest first.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.kernels.compiling import njit
from shoal.kernels.losses import LINEAR, TABLE, span_loss
from shoal.kernels.slots import KIND, OFFSET, REACH_AT, SIZE
from shoal.kernels.slots import MISSING as MISSING_CODE

# Columns of Sets.facts: where the list begins, how long it is, what a box of the set loses at
# least, what the widest loses, the side the set was split on (-1: on none), and what is beyond
BEGIN, COUNT, LEAST, MOST, SPLIT, BEYOND = range(6)
BY_LOSS, LEFT, RIGHT = 0, 1, 2
NOBODY = np.int64(1) << 60
DEEPEST = 400  # splits in splits
LISTS = 16  # times all candidates: lists in lists
ROUNDING = 2  # by so much a loss in fixed point may miss the sum of its halves


class Lines(NamedTuple):
    """Attributes whose losses add up: ``until[j]`` first codes do, and lie at ``places``."""

    until: np.ndarray
    begin: np.ndarray
    places: np.ndarray


class Sets(NamedTuple):
    """Buffers of one thread: sets of boxes, each split off the one before it."""

    away: np.ndarray  # (sides, candidates): how far out each is on this side
    attribute: np.ndarray  # of each side
    kind: np.ndarray
    across: np.ndarray  # the other side of the same attribute, if its loss depends on it; or -1
    inner: np.ndarray  # (depth, sides): how far out a box reaches at least
    outer: np.ndarray  # (depth, sides): and at most
    width: np.ndarray  # (depth, sides): what that much more costs
    facts: np.ndarray  # (depth, 6)
    lists: np.ndarray  # of all sets, one after another
    need: np.ndarray  # what a box of the set loses at least that holds each of them
    work: np.ndarray  # one number


def new_sets(attributes, candidates) -> Sets:
    """Allocate the buffers one thread needs."""
    sides = 2 * attributes
    return Sets(
        away=np.empty((sides, candidates), np.int64),
        attribute=np.empty(sides, np.int64),
        kind=np.empty(sides, np.int64),
        across=np.empty(sides, np.int64),
        inner=np.empty((DEEPEST, sides), np.int64),
        outer=np.empty((DEEPEST, sides), np.int64),
        width=np.empty((DEEPEST, sides), np.int64),
        facts=np.empty((DEEPEST, 6), np.int64),
        lists=np.empty(LISTS * candidates, np.int32),
        need=np.empty(LISTS * candidates, np.int64),
        work=np.zeros(1, np.int64),
    )


@njit(cache=True, nogil=True)
def losses_along_lines(losses):
    """Find the attributes whose losses add up along a line of codes, missing values aside.

    No span loses less than the places of its ends are apart, so that what is proven with them
    holds; it may lose more by what rounding takes.
    """
    d = losses.meta.shape[0]
    sizes = losses.meta[:, SIZE].astype(np.int64)
    begin = np.cumsum(sizes) - sizes
    places = np.zeros(sizes.sum(), np.int64)
    until = np.zeros(d, np.int64)
    for j in range(d):
        here = places[begin[j] : begin[j] + sizes[j]]
        if losses.meta[j, KIND] == LINEAR and losses.meta[j, REACH_AT] < 0:
            base = losses.meta[j, OFFSET]
            here[:] = losses.values[base : base + sizes[j]]
            missing = losses.meta[j, MISSING_CODE]
            until[j] = missing if missing >= 0 else sizes[j]
        elif losses.meta[j, KIND] == TABLE:
            until[j] = _along_line(losses, j, here)
    return Lines(until, begin, places)


@njit(cache=True, nogil=True)
def _along_line(losses, j, places):
    """Lay codes of a table out on a line; return how many of the first ones lie there exactly."""
    for c in range(places.size):
        if span_loss(losses, j, c, c) != 0:
            return c
        if c > 0:
            places[c] = NOBODY
        for a in range(c):
            places[c] = min(places[c], places[a] + span_loss(losses, j, a, c))
        for a in range(c):
            if span_loss(losses, j, a, c) > places[c] - places[a] + ROUNDING:
                return c
    return np.int64(places.size)


@njit(cache=True, nogil=True, counted=False)
def all_boxes(tree, losses, by_level, lines, point, cells, n, f):
    """Set up the set of all boxes around a point; return how many sides they have."""
    facts = f.facts
    facts[0, BEGIN], facts[0, COUNT], facts[0, LEAST], facts[0, SPLIT] = 0, n, 0, -1
    for i in range(n):
        f.lists[i] = i
        f.need[i] = 0
    sides = np.int64(0)
    for j in range(point.size):
        alone = span_loss(losses, j, point[j], point[j])
        facts[0, LEAST] += alone
        for i in range(n):
            f.need[i] += alone
        if by_level[j]:
            sides = _by_level(tree, losses, j, point, alone, cells, n, sides, f)
        elif _on_line(tree, lines, j, point, cells, n):
            places = lines.begin[j]
            for i in range(n):
                code = tree.codes[cells[i], j]
                out = lines.places[places + code] - lines.places[places + point[j]]
                f.away[sides, i] = out
                f.need[i] += abs(out)
            sides = _two_sides(j, BY_LOSS, BY_LOSS, n, sides, f)
        else:
            for i in range(n):
                code = np.int64(tree.codes[cells[i], j])
                f.away[sides, i] = code - point[j]
                f.need[i] += span_loss(losses, j, min(point[j], code), max(point[j], code)) - alone
            sides = _two_sides(j, LEFT, RIGHT, n, sides, f)
    facts[0, MOST] = facts[0, LEAST]
    for t in range(sides):
        f.width[0, t] = _between(losses, point, t, 0, f)
        if f.across[t] < t:
            other = f.outer[0, f.across[t]] if f.across[t] >= 0 else np.int64(0)
            facts[0, MOST] += _span(losses, point, t, f.outer[0, t], other, f)
            facts[0, MOST] -= _span(losses, point, t, np.int64(0), np.int64(0), f)
    f.work[0] += 3 * n * point.size
    return sides


@njit(cache=True, nogil=True, counted=False)
def _by_level(tree, losses, j, point, alone, cells, n, t, f):
    most = np.int64(0)
    for i in range(n):
        code = np.int64(tree.codes[cells[i], j])
        out = span_loss(losses, j, min(point[j], code), max(point[j], code)) - alone
        f.away[t, i] = out
        f.need[i] += out
        most = max(most, out)
    return _side(j, BY_LOSS, most, t, f) if most > 0 else t


@njit(cache=True, nogil=True, counted=False)
def _on_line(tree, lines, j, point, cells, n):
    if point[j] >= lines.until[j]:
        return False
    for i in range(n):
        if tree.codes[cells[i], j] >= lines.until[j]:
            return False
    return True


@njit(cache=True, nogil=True, counted=False)
def _two_sides(j, left, right, n, t, f):
    """Part what is to the left and to the right; there are no sides where nobody is."""
    below, above = np.int64(0), np.int64(0)
    for i in range(n):
        below, above = max(below, -f.away[t, i]), max(above, f.away[t, i])
    if below > 0 and above > 0:
        for i in range(n):
            f.away[t + 1, i] = max(np.int64(0), f.away[t, i])
            f.away[t, i] = max(np.int64(0), -f.away[t, i])
        t = _side(j, right, above, _side(j, left, below, t, f), f)
        if left != BY_LOSS:
            f.across[t - 2], f.across[t - 1] = t - 1, t - 2
        return t
    if below > 0:
        for i in range(n):
            f.away[t, i] = -f.away[t, i]
        return _side(j, left, below, t, f)
    return _side(j, right, above, t, f) if above > 0 else t


@njit(cache=True, nogil=True, counted=False)
def _side(j, kind, most, t, f):
    f.attribute[t], f.kind[t], f.across[t] = j, kind, -1
    f.inner[0, t], f.outer[0, t] = 0, most
    return t + 1


@njit(cache=True, nogil=True, counted=False)
def _span(losses, point, t, out, other, f):
    """What an attribute loses if a side reaches so far out, and the other side so far."""
    if f.kind[t] == BY_LOSS:
        return out
    j = f.attribute[t]
    if f.kind[t] == LEFT:
        return span_loss(losses, j, point[j] - out, point[j] + other)
    return span_loss(losses, j, point[j] - other, point[j] + out)


@njit(cache=True, nogil=True, counted=False)
def _between(losses, point, t, s, f):
    """What it costs that a side reaches as far out as it may, not just as far as it must."""
    if f.kind[t] == BY_LOSS:
        return f.outer[s, t] - f.inner[s, t]
    other = f.inner[s, f.across[t]] if f.across[t] >= 0 else np.int64(0)
    return _span(losses, point, t, f.outer[s, t], other, f) - _span(
        losses, point, t, f.inner[s, t], other, f
    )


@njit(cache=True, nogil=True, counted=False)
def widest_side(sides, s, f):
    """The side on which the boxes of a set differ most; -1 if there is only one box."""
    side, widest = np.int64(-1), np.int64(0)
    for t in range(sides):
        if f.outer[s, t] > f.inner[s, t] and (side < 0 or f.width[s, t] > widest):
            side, widest = t, f.width[s, t]
    return side


@njit(cache=True, nogil=True, counted=False)
def draw_in(losses, point, t, outer, s, f):
    """Let the boxes of a set reach no farther than that on a side."""
    other = f.outer[s, f.across[t]] if f.across[t] >= 0 else np.int64(0)
    f.facts[s, MOST] -= _span(losses, point, t, f.outer[s, t], other, f)
    f.facts[s, MOST] += _span(losses, point, t, outer, other, f)
    f.outer[s, t] = outer
    f.width[s, t] = _between(losses, point, t, s, f)


@njit(cache=True, nogil=True, counted=False)
def split_off(losses, point, sides, side, within, s, f):
    """Put the boxes that stay within on a side on top of the set; False if there is no room."""
    start, n = f.facts[s, BEGIN] + f.facts[s, COUNT], f.facts[s, COUNT]
    if s + 1 >= DEEPEST or start + n > f.lists.size:
        return False
    for t in range(sides):
        f.inner[s + 1, t], f.outer[s + 1, t] = f.inner[s, t], f.outer[s, t]
        f.width[s + 1, t] = f.width[s, t]
    for fact in range(SPLIT):
        f.facts[s + 1, fact] = f.facts[s, fact]
    f.facts[s + 1, BEGIN] = start
    f.facts[s + 1, COUNT] = _within(side, within, f.facts[s, BEGIN], n, start, f)
    f.facts[s + 1, SPLIT] = -1
    draw_in(losses, point, side, within, s + 1, f)
    return True


@njit(cache=True, nogil=True, counted=False)
def stay_within(losses, point, side, within, s, f):
    """Leave out of a set all boxes that do not stay within on a side."""
    begin = f.facts[s, BEGIN]
    f.facts[s, COUNT] = _within(side, within, begin, f.facts[s, COUNT], begin, f)
    draw_in(losses, point, side, within, s, f)


@njit(cache=True, nogil=True, counted=False)
def _within(side, within, begin, n, to, f):
    """Copy who is within from one place of the lists to another; return how many these are."""
    kept = np.int64(0)
    for at in range(begin, begin + n):
        i = f.lists[at]
        if f.away[side, i] <= within:
            f.lists[to + kept], f.need[to + kept] = i, f.need[at]
            kept += 1
    f.work[0] += 2 * n
    return kept


@njit(cache=True, nogil=True, counted=False)
def cost_beyond(losses, point, t, beyond, s, f):
    """What it costs that a side reaches beyond, and not just as far as it must."""
    other = f.inner[s, f.across[t]] if f.across[t] >= 0 else np.int64(0)
    return _span(losses, point, t, beyond, other, f) - _span(
        losses, point, t, f.inner[s, t], other, f
    )


@njit(cache=True, nogil=True, counted=False)
def reach_beyond(losses, point, s, f):
    """Make of a set that was split its other half: boxes that reach beyond."""
    t, begin, n = f.facts[s, SPLIT], f.facts[s, BEGIN], f.facts[s, COUNT]
    old, new, across = f.inner[s, t], f.facts[s, BEYOND], f.across[t]
    f.facts[s, SPLIT] = -1
    f.facts[s, LEAST] += cost_beyond(losses, point, t, new, s, f)
    f.inner[s, t] = new
    f.width[s, t] = _between(losses, point, t, s, f)
    if across >= 0:
        f.width[s, across] = _between(losses, point, across, s, f)
    f.work[0] += 2 * n
    if f.kind[t] == BY_LOSS:
        for at in range(begin, begin + n):
            out = f.away[t, f.lists[at]]
            if out < new:
                f.need[at] += new - max(old, out)
        return
    least = f.inner[s, across] if across >= 0 else np.int64(0)
    for at in range(begin, begin + n):
        i = f.lists[at]
        if f.away[t, i] < new:
            other = max(least, f.away[across, i]) if across >= 0 else np.int64(0)
            f.need[at] += _span(losses, point, t, new, other, f)
            f.need[at] -= _span(losses, point, t, max(old, f.away[t, i]), other, f)
