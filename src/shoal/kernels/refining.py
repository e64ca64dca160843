"""Making groups better after they were made: dissolve them, move rows out of them.

Every step lowers the total loss or is undone, so the order of steps decides only how far the
search gets. ``stamp[g]`` is the round in which a group last changed: what did not change since
it was last tried is not tried again.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.kernels.compiling import njit
from shoal.kernels.groups import (
    NOBODY,
    best_host,
    least_with,
    link,
    loosen,
    tighten,
    unlink,
    widen,
)
from shoal.kernels.losses import FORBIDDEN, box_loss
from shoal.kernels.rules import all_met, count_in, may_break, wipe
from shoal.kernels.slots import (
    AFTER,
    BEGIN,
    CELL,
    COUNT,
    END,
    GROUP,
    HEAD,
    LEFT,
    LOSS,
    RIGHT,
    SIZE,
)
from shoal.kernels.splitting import cover

NO_LIMIT = np.int64(1) << 60
SUPPRESSED = np.int64(-2)


class RefiningState(NamedTuple):
    """Buffers of the refinement."""

    trail: np.ndarray  # (2, levels): nodes still to visit and their bounds
    moved: np.ndarray  # (pieces, 3): piece, host, and the loss the host had
    saved: np.ndarray  # (pieces, low and high, attributes): the box the host had
    stamp: np.ndarray
    histogram: np.ndarray
    tally: np.ndarray  # (2, rules): distinct values and rows counted


def new_workbench(groups, index, rules) -> RefiningState:
    """Allocate the buffers of a refinement."""
    n, d = len(groups.pieces), groups.codes.shape[1]
    return RefiningState(
        trail=np.empty((2, int(index.depth[0]) + 4), np.int64),
        moved=np.empty((n, 3), np.int64),
        saved=np.empty((n, 2, d), np.int32),
        stamp=np.zeros(len(groups.state), np.int64),
        histogram=np.zeros(int(rules.meta[:, SIZE].sum()), np.int64),
        tally=np.zeros((2, len(rules.meta)), np.int64),
    )


@njit(cache=True, nogil=True, counted=False)
def disperse(groups, index, losses, rules, pieces, full, budget, bench):
    """Give pieces that are in no group to the groups where they cost least.

    Up to ``budget`` rows are suppressed instead where that costs less (``full`` a row) or where
    limits leave no host. Returns (rows suppressed, rows that found no place).
    """
    suppressed = np.int64(0)
    homeless = np.int64(0)
    guarded = may_break(rules)
    for piece in pieces:
        count = groups.pieces[piece, COUNT]
        h, added = NOBODY, NO_LIMIT
        if guarded:
            h, added = _host_that_meets(groups, index, losses, rules, piece, bench)
        if h < 0:
            h, added, _ = best_host(
                groups, index, losses, groups.pieces[piece, CELL], count, NOBODY, NO_LIMIT,
                bench.trail[0], bench.trail[1],
            )  # fmt: skip
        forbidden = h < 0
        if (forbidden or added > full * count) and suppressed + count <= budget:
            groups.pieces[piece, GROUP] = SUPPRESSED
            suppressed += count
            continue
        if forbidden:
            groups.pieces[piece, GROUP] = SUPPRESSED
            homeless += count
            continue
        link(groups, piece, h)
        widen(groups, losses, h, groups.pieces[piece, CELL])
        if guarded and not meets(groups, rules, h, NOBODY, bench):
            bench.stamp[h] = 1  # left to the caller, who merges what fails
    return suppressed, homeless


@njit(cache=True, nogil=True, counted=False)
def meets(groups, rules, g, more, bench):
    """Whether a group meets all rules, once the piece ``more`` has joined it (-1: as it is)."""
    if rules.meta.shape[0] == 0:
        return True
    bench.tally[0, :] = 0
    bench.tally[1, :] = 0
    for part in range(2):
        piece = groups.state[g, HEAD] if part == 0 else more
        while piece >= 0:
            count_in(
                rules, groups.pieces[piece, CELL], groups.pieces[piece, COUNT], bench.histogram,
                bench.tally[0], bench.tally[1],
            )  # fmt: skip
            piece = groups.pieces[piece, AFTER] if part == 0 else NOBODY
    met = all_met(rules, bench.histogram, bench.tally[0], bench.tally[1])
    for part in range(2):
        piece = groups.state[g, HEAD] if part == 0 else more
        while piece >= 0:
            wipe(rules, groups.pieces[piece, CELL], bench.histogram)
            piece = groups.pieces[piece, AFTER] if part == 0 else NOBODY
    return met


@njit(cache=True, nogil=True, inline="always")
def _host_that_meets(groups, index, losses, rules, piece, bench):
    """The cheapest group that meets all rules with a piece, and what it would cost; -1 if none."""
    stack, bounds = bench.trail[0], bench.trail[1]
    cell, count = groups.pieces[piece, CELL], groups.pieces[piece, COUNT]
    codes = groups.codes[cell]
    best, best_added = NOBODY, NO_LIMIT
    stack[0], bounds[0], top = 0, 0, 1
    while top > 0:
        top -= 1
        if bounds[top] * count > best_added:
            continue
        node = stack[top]
        left, right = index.nodes[node, LEFT], index.nodes[node, RIGHT]
        if left >= 0:
            enough = best_added // count + 1
            near = least_with(losses, codes, codes, index.box[left, 0], index.box[left, 1], enough)
            far = least_with(losses, codes, codes, index.box[right, 0], index.box[right, 1], enough)
            if far < near:
                left, right, near, far = right, left, far, near
            stack[top], bounds[top] = right, far
            stack[top + 1], bounds[top + 1] = left, near
            top += 2
            continue
        for i in range(index.nodes[node, BEGIN], index.nodes[node, END]):
            g = index.order[i]
            size, old = groups.state[g, SIZE], groups.state[g, LOSS]
            if size == 0:
                continue
            enough = (best_added + size * old) // (size + count) + 1
            new = least_with(losses, codes, codes, groups.box[g, 0], groups.box[g, 1], enough)
            added = (size + count) * new - size * old
            cheaper = added < best_added or (added == best_added and g < best)
            if new < FORBIDDEN and cheaper and meets(groups, rules, g, piece, bench):
                best, best_added = g, added
    return best, best_added


@njit(cache=True, nogil=True, counted=False)
def dissolve_some(groups, index, losses, rules, which, turn, bench):
    """Dissolve each of the groups ``which`` if that lowers the total; return the gain."""
    gain = np.int64(0)
    for g in which:
        if groups.state[g, SIZE] > 0 and bench.stamp[g] >= turn - 1:
            gain += _dissolve(groups, index, losses, rules, g, turn, bench)
    return gain


@njit(cache=True, nogil=True, inline="always")
def _dissolve(groups, index, losses, rules, g, turn, bench):
    gain = groups.state[g, SIZE] * groups.state[g, LOSS]
    if gain == 0:
        return np.int64(0)
    guarded = may_break(rules)
    spent = np.int64(0)
    n = 0
    piece = groups.state[g, HEAD]
    while piece >= 0:
        following = groups.pieces[piece, AFTER]
        h, added, _ = best_host(
            groups, index, losses, groups.pieces[piece, CELL], groups.pieces[piece, COUNT], g,
            gain - spent, bench.trail[0], bench.trail[1],
        )  # fmt: skip
        if h < 0 or spent + added >= gain:
            break
        bench.moved[n, 0] = piece
        bench.moved[n, 1] = h
        bench.moved[n, 2] = groups.state[h, LOSS]
        for j in range(groups.codes.shape[1]):
            bench.saved[n, 0, j] = groups.box[h, 0, j]
            bench.saved[n, 1, j] = groups.box[h, 1, j]
        n += 1
        unlink(groups, piece)
        link(groups, piece, h)
        widen(groups, losses, h, groups.pieces[piece, CELL])
        spent += added
        if guarded and not meets(groups, rules, h, NOBODY, bench):
            break
        piece = following
    if groups.state[g, SIZE] == 0 and (
        n == 0 or not guarded or meets(groups, rules, h, NOBODY, bench)
    ):
        groups.state[g, LOSS] = 0
        for i in range(n):
            bench.stamp[bench.moved[i, 1]] = turn
        return gain - spent
    for i in range(n - 1, -1, -1):
        piece, h = bench.moved[i, 0], bench.moved[i, 1]
        unlink(groups, piece)
        link(groups, piece, g)
        groups.state[h, LOSS] = bench.moved[i, 2]
        for j in range(groups.codes.shape[1]):
            groups.box[h, 0, j] = bench.saved[i, 0, j]
            groups.box[h, 1, j] = bench.saved[i, 1, j]
    return np.int64(0)


@njit(cache=True, nogil=True, counted=False)
def move_some(groups, index, losses, rules, k, which, turn, bench):
    """Move pieces at the edge of groups larger than k to better hosts; return the gain."""
    gain = np.int64(0)
    for g in which:
        if groups.state[g, SIZE] > k and bench.stamp[g] >= turn - 1:
            gain += _move_out(groups, index, losses, rules, k, g, turn, bench)
    return gain


@njit(cache=True, nogil=True, inline="always")
def _move_out(groups, index, losses, rules, k, g, turn, bench):
    total = np.int64(0)
    again = True
    while again and groups.state[g, SIZE] > k:
        again = False
        piece = groups.state[g, HEAD]
        while piece >= 0:
            following = groups.pieces[piece, AFTER]
            count = groups.pieces[piece, COUNT]
            if groups.state[g, SIZE] - count >= k:
                smaller = _loss_without(groups, losses, g, piece, bench)
                gain = (
                    groups.state[g, SIZE] * groups.state[g, LOSS]
                    - (groups.state[g, SIZE] - count) * smaller
                )
                if smaller < groups.state[g, LOSS]:
                    won = _rehouse(groups, index, losses, rules, piece, gain, turn, bench)
                    total += won
                    again = again or won > 0
            piece = following
    return total


@njit(cache=True, nogil=True, inline="always")
def _rehouse(groups, index, losses, rules, piece, gain, turn, bench):
    """Move one piece to its best host if that costs less than ``gain``; return what is won."""
    g = groups.pieces[piece, GROUP]
    h, added, _ = best_host(
        groups, index, losses, groups.pieces[piece, CELL], groups.pieces[piece, COUNT], g, gain,
        bench.trail[0], bench.trail[1],
    )  # fmt: skip
    if h < 0 or added >= gain:
        return np.int64(0)
    unlink(groups, piece)
    link(groups, piece, h)
    if not (meets(groups, rules, g, NOBODY, bench) and meets(groups, rules, h, NOBODY, bench)):
        unlink(groups, piece)
        link(groups, piece, g)
        return np.int64(0)
    widen(groups, losses, h, groups.pieces[piece, CELL])
    tighten(groups, losses, g)
    loosen(index, groups, g)
    bench.stamp[g] = turn
    bench.stamp[h] = turn
    return gain - added


@njit(cache=True, nogil=True, inline="always")
def _loss_without(groups, losses, g, but, bench):
    d = groups.codes.shape[1]
    cell = groups.pieces[but, CELL]
    edge = False
    for j in range(d):
        c = groups.codes[cell, j]
        if groups.box[g, 0, j] < groups.box[g, 1, j] and (
            c == groups.box[g, 0, j] or c == groups.box[g, 1, j]
        ):
            edge = True
    if not edge:
        return groups.state[g, LOSS]
    lo, hi = bench.saved[0, 0], bench.saved[0, 1]
    piece = groups.state[g, HEAD]
    first = True
    while piece >= 0:
        if piece != but:
            cover(groups.codes, groups.pieces[piece, CELL], lo, hi, first)
            first = False
        piece = groups.pieces[piece, AFTER]
    return np.int64(0) if first else box_loss(losses, lo, hi)
