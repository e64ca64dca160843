"""Exchanging single pieces between neighbouring groups that cannot spare one."""

from __future__ import annotations

import numpy as np

from shoal.kernels.compiling import njit
from shoal.kernels.groups import link, loosen, nearest_groups, tighten, unlink
from shoal.kernels.losses import FORBIDDEN, box_loss, joined_loss
from shoal.kernels.refining import meets
from shoal.kernels.slots import AFTER, CELL, COUNT, HEAD, LOSS, SIZE
from shoal.kernels.splitting import cover


@njit(cache=True, nogil=True)
def swap_some(groups, index, losses, rules, k, which, reach, turn, bench, work):
    """Exchange pieces of each group with its nearest if the total falls; return the gain."""
    gain = np.int64(0)
    for g in which:
        if groups.state[g, SIZE] == 0:
            continue
        n = nearest_groups(
            groups, index, losses, g, reach, bench.trail[0], bench.trail[1], bench.near[0],
            bench.near[1],
        )  # fmt: skip
        for i in range(n):
            h = bench.near[1, i]
            if bench.stamp[g] < turn - 1 and bench.stamp[h] < turn - 1:
                continue
            while True:
                won = _best_swap(groups, index, losses, rules, k, g, h, turn, bench, work)
                gain += won
                if won == 0:
                    break
    return gain


@njit(cache=True, nogil=True, inline="always")
def _best_swap(groups, index, losses, rules, k, g, h, turn, bench, work):
    now = (
        groups.state[g, SIZE] * groups.state[g, LOSS]
        + groups.state[h, SIZE] * groups.state[h, LOSS]
    )
    best = now
    leaves = np.int64(-1)
    comes = np.int64(-1)
    lo, hi = work.box[0], work.box[1]
    olo, ohi = work.box[2], work.box[3]
    p = groups.state[g, HEAD]
    while p >= 0:
        if _without(groups, losses, g, p, lo, hi) < groups.state[g, LOSS]:
            q = groups.state[h, HEAD]
            while q >= 0:
                gsize = groups.state[g, SIZE] - groups.pieces[p, COUNT] + groups.pieces[q, COUNT]
                hsize = groups.state[h, SIZE] - groups.pieces[q, COUNT] + groups.pieces[p, COUNT]
                if gsize >= k and hsize >= k:
                    mine = joined_loss(
                        losses, lo, hi, groups.codes[groups.pieces[q, CELL]], best // gsize
                    )
                    if gsize * mine < best and mine < FORBIDDEN:
                        _without(groups, losses, h, q, olo, ohi)
                        yours = joined_loss(
                            losses, olo, ohi, groups.codes[groups.pieces[p, CELL]], best // hsize
                        )
                        total = gsize * mine + hsize * yours
                        if total < best and yours < FORBIDDEN:
                            best, leaves, comes = total, p, q
                q = groups.pieces[q, AFTER]
        p = groups.pieces[p, AFTER]
    if leaves < 0:
        return np.int64(0)
    unlink(groups, leaves)
    unlink(groups, comes)
    link(groups, leaves, h)
    link(groups, comes, g)
    if not (meets(groups, rules, g, work) and meets(groups, rules, h, work)):
        unlink(groups, leaves)
        unlink(groups, comes)
        link(groups, leaves, g)
        link(groups, comes, h)
        return np.int64(0)
    for group in (g, h):
        tighten(groups, losses, group)
        loosen(index, groups, group)
        bench.stamp[group] = turn
    return now - best


@njit(cache=True, nogil=True)
def _without(groups, losses, g, but, lo, hi):
    piece = groups.state[g, HEAD]
    first = True
    while piece >= 0:
        if piece != but:
            cover(groups.codes, groups.pieces[piece, CELL], lo, hi, first)
            first = False
        piece = groups.pieces[piece, AFTER]
    if first:
        for j in range(lo.size):
            lo[j] = 1 << 30
            hi[j] = -1
        return np.int64(0)
    return box_loss(losses, lo, hi)
