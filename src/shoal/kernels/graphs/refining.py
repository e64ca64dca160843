"""Refinement of groups in a network: people move or change places while the sum falls.

The sum is ``alpha`` times the loss of all boxes, each as often as it has members, plus ``beta``
times the structural loss of Campan and Truta (2009): 2e (1 - e / pairs) of the e edges inside a
group and between two groups. A step concerns two groups, home and another, and nothing but the
edges of their members: how many go to each group is a row of ``edges``, counted once for a pair.

Groups are rows of ``members`` with ``sizes`` entries each; ``labels`` says the same by person.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.kernels.compiling import njit
from shoal.kernels.losses import joined_loss, span_loss

NOISE = 1e-12  # a sum that falls by less is the same
NEAR, ALIKE = 6, 6  # groups tried: those with most friends of friends, those that lose least
HOME, OTHER, MINE, THEIRS = 0, 1, 2, 3  # rows of ``edges``: of two groups and of two people


class NetworkGroups(NamedTuple):
    """Who is with whom, and scratch to count in."""

    labels: np.ndarray
    members: np.ndarray
    sizes: np.ndarray
    lo: np.ndarray
    hi: np.ndarray
    edges: np.ndarray  # to every group, of a group or a person; cleared after use
    touched: np.ndarray  # groups with edges in that row
    n_touched: np.ndarray
    common: np.ndarray


def new_groups(labels: np.ndarray, codes: np.ndarray, n_groups: int) -> NetworkGroups:
    """Lay out groups for `refine_people`."""
    sizes = np.bincount(labels, minlength=n_groups)
    members = np.full((n_groups, 2 * int(sizes.max()) + 1), -1, dtype=np.int64)
    order = np.argsort(labels, kind="stable")
    begins = np.concatenate([[0], np.cumsum(sizes)])
    members[labels[order], np.arange(labels.size) - begins[labels[order]]] = order
    lo = np.empty((n_groups, codes.shape[1]), dtype=codes.dtype)
    hi = np.empty_like(lo)
    if codes.shape[1]:
        lo = np.minimum.reduceat(codes[order], begins[:-1], axis=0)
        hi = np.maximum.reduceat(codes[order], begins[:-1], axis=0)
    return NetworkGroups(
        labels, members, sizes, lo, hi, np.zeros((4, n_groups), dtype=np.int64),
        np.empty((4, n_groups), dtype=np.int64), np.zeros(4, dtype=np.int64),
        np.zeros(n_groups, dtype=np.int64),
    )  # fmt: skip


@njit(cache=True, nogil=True)
def refine_people(
    starts, friends, codes, losses, k, alpha, beta, begin, end, budget, groups, spent
):  # fmt: skip
    """Try better places for ``begin`` to ``end``; the number of steps taken.

    ``spent[0]`` counts friends looked at; beyond ``budget`` nobody else is tried.
    """
    chosen = np.empty(NEAR + ALIKE, dtype=np.int64)
    steps = 0
    for person in range(begin, end):
        if spent[0] > budget:
            break
        home = groups.labels[person]
        n_chosen = _candidates(starts, friends, codes, losses, person, alpha, beta, groups, chosen)
        if beta > 0:
            _count_group(starts, friends, home, HOME, groups, spent)
            _count_person(starts, friends, person, MINE, groups)
        least = -NOISE
        into = np.int64(-1)
        partner = np.int64(-1)
        for c in range(n_chosen):
            found, change = best_step(
                starts, friends, codes, losses, k, alpha, beta, person, chosen[c], least, groups,
                spent,
            )  # fmt: skip
            if change < least:
                least, into, partner = change, chosen[c], found
        _clear(HOME, groups)
        _clear(MINE, groups)
        if into >= 0:
            take_step(person, partner, into, groups)
            _fit_box(codes, into, groups)
            _fit_box(codes, home, groups)
            steps += 1
    return steps


@njit(cache=True, nogil=True)
def best_step(
    starts, friends, codes, losses, k, alpha, beta, person, into, enough, groups, spent
):  # fmt: skip
    """Best partner to change places with (-1: move without), and how the sum changes by it.

    The rows HOME and MINE are counted; what cannot fall below ``enough`` is not looked into.
    """
    home = groups.labels[person]
    best, least = np.int64(-1), enough
    before = np.int64(0)
    if alpha > 0:
        before = groups.sizes[home] * _loss_with(codes, losses, home, -1, -1, groups)
        before += groups.sizes[into] * _loss_with(codes, losses, into, -1, -1, groups)
    if beta > 0:
        _count_group(starts, friends, into, OTHER, groups, spent)
    degree = starts[person + 1] - starts[person]
    first = -1 if groups.sizes[home] > k and groups.sizes[into] < groups.members.shape[1] else 0
    for m in range(first, groups.sizes[into]):
        partner = groups.members[into, m] if m >= 0 else np.int64(-1)
        change = 0.0
        if alpha > 0:
            moves = 1 if partner < 0 else 0
            after = (groups.sizes[home] - moves) * _loss_with(
                codes, losses, home, person, partner, groups
            )
            after += (groups.sizes[into] + moves) * _loss_with(
                codes, losses, into, partner, person, groups
            )
            change += alpha * (after - before)
        if beta > 0 and partner >= 0:
            both = degree + starts[partner + 1] - starts[partner]
            if change - 4.0 * both * beta >= least:  # an edge can take no more than that off
                continue
            spent[0] += both
            _count_person(starts, friends, partner, THEIRS, groups)
            change += beta * _change_by_swap(starts, friends, person, partner, home, into, groups)
            _clear(THEIRS, groups)
        elif beta > 0:
            change += beta * _change_by_move(home, into, groups)
        if change < least - NOISE:
            best, least = partner, change
    _clear(OTHER, groups)
    return best, least


@njit(cache=True, nogil=True)
def take_step(person, partner, into, groups):
    """Move a person into a group, and the partner, if any, to where the person was."""
    home = groups.labels[person]
    place = 0
    while groups.members[home, place] != person:
        place += 1
    if partner >= 0:
        there = 0
        while groups.members[into, there] != partner:
            there += 1
        groups.members[home, place] = partner
        groups.members[into, there] = person
        groups.labels[partner] = home
    else:
        last = groups.sizes[home] - 1
        groups.members[home, place] = groups.members[home, last]
        groups.sizes[home] = last
        groups.members[into, groups.sizes[into]] = person
        groups.sizes[into] += 1
    groups.labels[person] = into


@njit(cache=True, nogil=True)
def _change_by_swap(starts, friends, person, partner, home, into, groups):
    """How the structural loss changes if two people change places."""
    edges, sizes = groups.edges, groups.sizes
    total = 0.0
    for row in (MINE, THEIRS):
        for t in range(groups.n_touched[row]):
            to = groups.touched[row, t]
            if to == home or to == into or (row == THEIRS and edges[MINE, to] > 0):
                continue
            moved = edges[MINE, to] - edges[THEIRS, to]
            total += _changed(edges[HOME, to], -moved, sizes[home] * sizes[to])
            total += _changed(edges[OTHER, to], moved, sizes[into] * sizes[to])
    know = 0  # each other
    for at in range(starts[person], starts[person + 1]):
        if friends[at] == partner:
            know = 1
    in_home = edges[THEIRS, home] - edges[MINE, home] - know
    in_other = edges[MINE, into] - edges[THEIRS, into] - know
    size, others = sizes[home], sizes[into]
    total += _changed(edges[HOME, home] // 2, in_home, size * (size - 1) // 2)
    total += _changed(edges[OTHER, into] // 2, in_other, others * (others - 1) // 2)
    return total + _changed(edges[HOME, into], -in_home - in_other, size * others)


@njit(cache=True, nogil=True)
def _change_by_move(home, into, groups):
    """How the structural loss changes if the person moves: every possible pair counts anew."""
    edges, sizes = groups.edges, groups.sizes
    size, others = sizes[home], sizes[into]
    total = 0.0
    for row in (HOME, OTHER):
        for t in range(groups.n_touched[row]):
            to = groups.touched[row, t]
            if to != home and to != into:
                if row == HOME:
                    left = edges[HOME, to] - edges[MINE, to]
                    total += uncertain(left, (size - 1) * sizes[to])
                    total -= uncertain(edges[HOME, to], size * sizes[to])
                else:
                    total -= uncertain(edges[OTHER, to], others * sizes[to])
                    total += uncertain(edges[OTHER, to] + edges[MINE, to], (others + 1) * sizes[to])
    for t in range(groups.n_touched[MINE]):  # where nobody of the other group had an edge to
        to = groups.touched[MINE, t]
        if to != home and to != into and edges[OTHER, to] == 0:
            total += uncertain(edges[MINE, to], (others + 1) * sizes[to])
    inside, there, across = edges[HOME, home] // 2, edges[OTHER, into] // 2, edges[HOME, into]
    mine, theirs = edges[MINE, home], edges[MINE, into]
    total += uncertain(inside - mine, (size - 1) * (size - 2) // 2)
    total -= uncertain(inside, size * (size - 1) // 2)
    total += uncertain(there + theirs, (others + 1) * others // 2)
    total -= uncertain(there, others * (others - 1) // 2)
    total += uncertain(across + mine - theirs, (size - 1) * (others + 1))
    return total - uncertain(across, size * others)


@njit(cache=True, nogil=True)
def uncertain(edges, pairs):
    return 2.0 * edges * (1.0 - edges / pairs) if edges > 0 else 0.0


@njit(cache=True, nogil=True)
def _changed(edges, more, pairs):
    if more == 0:
        return 0.0
    return uncertain(edges + more, pairs) - uncertain(edges, pairs)


@njit(cache=True, nogil=True)
def _count_group(starts, friends, group, row, groups, spent):
    for m in range(groups.sizes[group]):
        person = groups.members[group, m]
        spent[0] += starts[person + 1] - starts[person]
        _count_person(starts, friends, person, row, groups)


@njit(cache=True, nogil=True)
def _count_person(starts, friends, person, row, groups):
    for at in range(starts[person], starts[person + 1]):
        to = groups.labels[friends[at]]
        if groups.edges[row, to] == 0:
            groups.touched[row, groups.n_touched[row]] = to
            groups.n_touched[row] += 1
        groups.edges[row, to] += 1


@njit(cache=True, nogil=True)
def _clear(row, groups):
    for t in range(groups.n_touched[row]):
        groups.edges[row, groups.touched[row, t]] = 0
    groups.n_touched[row] = 0


@njit(cache=True, nogil=True)
def _loss_with(codes, losses, group, without, joining, groups):
    """Loss of a group's box without one person, and with another."""
    total = np.int64(0)
    for j in range(codes.shape[1]):
        low = codes[joining, j] if joining >= 0 else np.int32(2**31 - 1)
        high = codes[joining, j] if joining >= 0 else np.int32(-1)
        for m in range(groups.sizes[group]):
            person = groups.members[group, m]
            if person != without:
                low = min(low, codes[person, j])
                high = max(high, codes[person, j])
        total += span_loss(losses, j, low, high)
    return total


@njit(cache=True, nogil=True)
def _fit_box(codes, group, groups):
    for j in range(codes.shape[1]):
        low = codes[groups.members[group, 0], j]
        high = low
        for m in range(1, groups.sizes[group]):
            code = codes[groups.members[group, m], j]
            low = min(low, code)
            high = max(high, code)
        groups.lo[group, j] = low
        groups.hi[group, j] = high


@njit(cache=True, nogil=True)
def _candidates(starts, friends, codes, losses, person, alpha, beta, groups, chosen):
    """Groups worth trying: with most friends of friends; whose box loses least by the person."""
    home = groups.labels[person]
    first = 0
    if beta > 0:
        first = _near_groups(starts, friends, person, home, groups, chosen)
    if alpha == 0 or codes.shape[1] == 0:
        return first
    costs = np.empty(ALIKE, dtype=np.int64)
    found = 0
    for g in range(groups.sizes.size):
        enough = costs[ALIKE - 1] if found == ALIKE else np.int64(1) << 60
        cost = joined_loss(losses, groups.lo[g], groups.hi[g], codes[person], enough)
        if g == home or cost >= enough:
            continue
        at = min(found, ALIKE - 1)
        while at > 0 and costs[at - 1] > cost:
            costs[at] = costs[at - 1]
            chosen[first + at] = chosen[first + at - 1]
            at -= 1
        costs[at] = cost
        chosen[first + at] = g
        found = min(found + 1, ALIKE)
    return first + found


@njit(cache=True, nogil=True)
def _near_groups(starts, friends, person, home, groups, chosen):
    """The groups with most people who have a friend in common with the person; a sample if many."""
    touched, common = groups.touched[THEIRS], groups.common
    n_touched = 0
    some = min(np.int64(64), starts[person + 1] - starts[person])
    for at in range(starts[person], starts[person] + some):
        friend = friends[at]
        few = min(np.int64(64), starts[friend + 1] - starts[friend])
        for to in range(starts[friend], starts[friend] + few):
            g = groups.labels[friends[to]]
            if common[g] == 0:
                touched[n_touched] = g
                n_touched += 1
            common[g] += 1
    common[home] = 0
    n_chosen = 0
    while n_chosen < NEAR:
        best = np.int64(-1)
        for t in range(n_touched):
            g = touched[t]
            if common[g] == 0:
                continue
            if best < 0 or common[g] > common[best] or (common[g] == common[best] and g < best):
                best = g
        if best < 0:
            break
        chosen[n_chosen] = best
        common[best] = 0
        n_chosen += 1
    for t in range(n_touched):
        common[touched[t]] = 0
    return n_chosen
