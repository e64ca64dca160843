"""Groups of people in a network, grown as Campan and Truta (2009) do.

A network is ``starts`` and ``friends``: those of person i are ``friends[starts[i]:starts[i + 1]]``.
Two people i and j are as far apart as there are others who know one of them and not the other:
``degree[i] + degree[j] - 2 * common - 2 * (1 if they know each other)``. ``shared[i]`` sums what is
taken off over the members of the group that grows, so that a person costs a few additions.

A person costs ``alpha`` times the loss of the group's box once they join, plus ``beta // members``
times the sum of the distances, in whole numbers; ties go to the smaller number.
"""

from __future__ import annotations

import numpy as np

from shoal.kernels.compiling import njit
from shoal.kernels.losses import joined_loss

NO_COST = np.int64(1) << 62


@njit(cache=True, nogil=True)
def grow_in_order(starts, friends, codes, losses, seeds, k, alpha, beta, most, labels, shared, at):
    """Grow up to ``most`` groups from ``seeds``, those already in a group passed over.

    ``at`` holds the place in ``seeds``, the number of groups, and of people left; all are kept for
    the next call. Stops where fewer than k people are left.
    """
    free = np.empty(labels.size, dtype=np.int64)
    members = np.empty(k, dtype=np.int64)
    grown = 0
    while grown < most and at[2] >= k and at[0] < seeds.size:
        seed = seeds[at[0]]
        at[0] += 1
        if labels[seed] >= 0:
            continue
        n_free = list_free(labels, free)
        grow_group(
            starts,
            friends,
            codes,
            losses,
            free[:n_free],
            seed,
            alpha,
            beta,
            labels,
            shared,
            members,
        )
        for i in members:
            labels[i] = at[1]
        at[1] += 1
        at[2] -= k
        grown += 1


@njit(cache=True, nogil=True)
def rate_starts(starts, friends, codes, losses, k, alpha, beta, begin, end, labels, shared, costs):
    """Cost of the group that each of ``begin`` to ``end`` would start, if nobody were in one."""
    free = np.empty(labels.size, dtype=np.int64)
    members = np.empty(k, dtype=np.int64)
    n_free = list_free(labels, free)
    for seed in range(begin, end):
        costs[seed] = grow_group(
            starts,
            friends,
            codes,
            losses,
            free[:n_free],
            seed,
            alpha,
            beta,
            labels,
            shared,
            members,
        )


@njit(cache=True, nogil=True)
def list_free(labels, free):
    n_free = 0
    for i in range(labels.size):
        if labels[i] < 0:
            free[n_free] = i
            n_free += 1
    return n_free


@njit(cache=True, nogil=True)
def grow_group(starts, friends, codes, losses, free, seed, alpha, beta, labels, shared, members):
    """Fill ``members`` from ``seed`` on; the cost of the whole group. ``shared`` is left clean."""
    k = members.size
    width = codes.shape[1]
    lo = codes[seed].copy()
    hi = codes[seed].copy()
    members[0] = seed
    labels[seed] = k  # any number that is not free
    degrees = starts[seed + 1] - starts[seed]
    share(starts, friends, seed, shared, 1)
    between = np.int64(0)
    for size in range(1, k):
        each = beta // size
        best = np.int64(-1)
        least = NO_COST
        nearest = np.int64(0)
        for i in free:
            if labels[i] >= 0:
                continue
            apart = size * (starts[i + 1] - starts[i]) + degrees - 2 * shared[i]
            cost = each * apart
            if cost >= least:
                continue
            if alpha > 0 and width > 0:
                enough = (least - cost) // alpha
                cost += alpha * joined_loss(losses, lo, hi, codes[i], enough)
            if cost < least:
                best, least, nearest = np.int64(i), cost, apart
        members[size] = best
        labels[best] = k
        between += nearest
        degrees += starts[best + 1] - starts[best]
        for j in range(width):
            lo[j] = min(lo[j], codes[best, j])
            hi[j] = max(hi[j], codes[best, j])
        if size + 1 < k:
            share(starts, friends, best, shared, 1)
    for size in range(k):
        labels[members[size]] = -1
        share(starts, friends, members[size], shared, 0)
    whole = joined_loss(losses, lo, hi, lo, NO_COST) if width else np.int64(0)
    return alpha * whole + beta // (k * (k - 1) // 2) * between


@njit(cache=True, nogil=True)
def share(starts, friends, person, shared, counts):
    """Count what others have in common with a person, or (``counts`` 0) clear it."""
    for at in range(starts[person], starts[person + 1]):
        friend = friends[at]
        shared[friend] = (shared[friend] + 1) * counts
        for to in range(starts[friend], starts[friend + 1]):
            shared[friends[to]] = (shared[friends[to]] + 1) * counts


@njit(cache=True, nogil=True)
def join_leftovers(starts, friends, codes, losses, left, alpha, beta, labels, lo, hi, sizes):
    """Let each of ``left`` join the group where that costs least; boxes and sizes follow."""
    n_groups = sizes.size
    common = np.zeros(n_groups, dtype=np.int64)
    degrees = np.zeros(n_groups, dtype=np.int64)
    for i in range(labels.size):
        if labels[i] >= 0:
            degrees[labels[i]] += starts[i + 1] - starts[i]
    for person in left:
        common[:] = 0
        _count_common(starts, friends, person, labels, common)
        degree = starts[person + 1] - starts[person]
        best = np.int64(-1)
        least = NO_COST
        for g in range(n_groups):
            apart = sizes[g] * degree + degrees[g] - 2 * common[g]
            cost = beta // sizes[g] * apart
            if alpha > 0 and codes.shape[1] > 0:
                cost += alpha * joined_loss(losses, lo[g], hi[g], codes[person], NO_COST)
            if cost < least:
                best, least = np.int64(g), cost
        labels[person] = best
        sizes[best] += 1
        degrees[best] += degree
        for j in range(codes.shape[1]):
            lo[best, j] = min(lo[best, j], codes[person, j])
            hi[best, j] = max(hi[best, j], codes[person, j])


@njit(cache=True, nogil=True)
def _count_common(starts, friends, person, labels, common):
    for at in range(starts[person], starts[person + 1]):
        friend = friends[at]
        if labels[friend] >= 0:
            common[labels[friend]] += 1
        for to in range(starts[friend], starts[friend + 1]):
            other = friends[to]
            if labels[other] >= 0:
                common[labels[other]] += 1
