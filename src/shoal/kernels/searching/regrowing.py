"""Large-neighbourhood search: pool a few neighbouring groups, grow them anew from random seeds.

What a step makes is kept if the total loss falls, or rises by no more than the *heat* of the
moment allows (annealing: Kirkpatrick et al. 1983). A search has its own random numbers, made from
a seed, so that the same steps make the same groups on every machine. Rows are single pieces here,
so that none has to be divided. A large group only lends some of its rows.

In most steps a group keeps a part of itself: somebody leaves, with all on the same side of one
attribute, so that its box shrinks there, and it takes others instead. In the rest, all groups that
were pooled are grown from single rows. One group fewer may come of a step, and where groups may be
split, one more: without that, a warm search would merge what it could never part again.

Companions of a group are those in which somebody sits who is like one of its members: who is like
whom never changes, so it is found once, and who sits where is known at every moment.

Groups are cut into parts that are searched side by side, round by round. What is drawn comes from
a hash of the rows: the same table and the same number of steps give the same groups, on every
machine, with any number of cores and in any order of rows. Nor do the first steps depend on how
many follow, so that a search that was stopped can be repeated.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from shoal._progress import at_once
from shoal.kernels.compiling import njit
from shoal.kernels.groups import link, make_groups, tighten, unlink
from shoal.kernels.kdtree import build_tree
from shoal.kernels.nearest import nearest_rows, point_rows
from shoal.kernels.rules import all_met, count_in, wipe
from shoal.kernels.searching.parts import (
    COARSE,
    LARGE,
    NO_LIMIT,
    TWO,
    WAYS,
    draw,
    farthest,
    grow,
    grow_kept,
    insert,
    new_pool,
    take_all,
)
from shoal.kernels.slots import AFTER, CELL, COUNT, GROUP, HEAD, IDS, LOSS, SIZE

NEAR = np.int64(32)  # cells most like a cell, itself included
PRICED = 30  # rows of a group at which every other step compares prices; of larger ones, more do
FARTHEST_MEMBER = 64  # members of a group who are asked for somebody like them
FOUR, EIGHT = np.int64(4), np.int64(8)  # typed: see `shoal.kernels.growing`
SHRUNK = 3  # of 8 companions of a group that keeps a part of itself, those that do so too
NOBODY = np.int64(-1)
PART = 100  # groups of a part, at least; parts are searched side by side
MOST_PARTS = 8
PER_GROUP = 2  # steps of a round, for each group that loses something
SHORTEST_ROUND, LONGEST_ROUND = 5_000, 200_000
LEAST_ROUNDS = 16  # of a cooling
SLOWER = 4  # times as long as the one before lasts each cooling
SPREAD = 0xD1342543DE82EF95  # an odd number that sets the seeds of parts apart
CHUNK = 2_000  # cells whose like are looked for at once


class Surroundings(NamedTuple):
    """Who is like whom, who sits where, which groups a search may change, and how many at once."""

    near: np.ndarray  # (cells, NEAR): cells most like a cell, -1 past the last
    members: np.ndarray  # pieces, cell by cell
    begins: np.ndarray  # where those of a cell begin, and one more
    owner: np.ndarray  # the part that a group belongs to
    spare: np.ndarray  # the next of the groups without rows, below each; empty if none is split
    top: np.ndarray  # the first of them in each part, -1 if there is none
    company: np.ndarray  # how many groups a step pools, the most last: one of these is drawn


class Manner(NamedTuple):
    """How a search goes about it."""

    heats: tuple[float, ...]  # of coolings at first, times the mean loss of a row; then the last
    heat_of_k: float  # the power of k that multiplies it
    company: tuple[int, ...]  # how many groups a step pools, the most last: one of these is drawn
    splits: bool  # whether a step may make one group more


SHORT = Manner(heats=(0.06,), heat_of_k=0.5, company=(2, 2, 2, 3, 3, 4), splits=False)
LONG = Manner(heats=(0.25, 1.0), heat_of_k=0.0, company=(6,), splits=True)


class Regrowth:
    """Groups under search, and the best that was found so far.

    ``pieces`` are (cell, copies, group); of a large table only a ``share`` of the groups is
    searched, those that lose most.
    """

    def __init__(
        self, codes, losses, rules, k: int, pieces, manner: Manner, share: float = 1.0
    ) -> None:
        self.losses, self.rules, self.k = losses, rules, k
        grouped = pieces[pieces[:, 2] >= 0]
        single = np.repeat(grouped[:, [0, 2]], grouped[:, 1], axis=0)  # (cell, group) of each row
        single = single[np.lexsort((single[:, 0], single[:, 1]))]
        rows = np.column_stack([single[:, 0], np.ones(len(single), np.int64), single[:, 1]])
        n_groups = int(single[:, 1].max(initial=-1)) + 1
        most = max(n_groups, len(rows) // k if manner.splits else 0)
        self.groups = make_groups(codes, rows, most, losses)
        self.lost = self.groups.state[:, LOSS] * self.groups.state[:, SIZE]
        self.searched = np.zeros(len(self.lost), np.bool_)
        most = max(1, round(share * len(self.lost)))
        self.searched[np.argsort(-self.lost, kind="stable")[:most]] = True
        self.around = _surroundings(codes, losses, self.groups, self.searched, manner)
        self.left_out = pieces[pieces[:, 2] < 0]
        self.best = self.groups.pieces[:, GROUP].copy()
        self.least = int(self.lost.sum())
        self.until_cold = 0  # steps
        some, rows = k**manner.heat_of_k, max(1, len(self.best))
        self.heats = [heat * some * self.least / rows for heat in manner.heats]
        place = np.arange(1, codes.size + 1, dtype=np.uint64)  # cells are in an order of content
        mixed = (codes.ravel().astype(np.uint64) + np.uint64(1)) * place
        self.seed = int(np.bitwise_xor.reduce(mixed * np.uint64(0x9E3779B97F4A7C15), initial=0))
        self.pools = [new_pool(self.groups, k) for _ in range(MOST_PARTS)]

    def rounds(self, steps: int, cooling: int) -> Iterator[int]:
        """Take ``steps`` steps, and say after every round how many it took.

        Heat falls to 0 in as many steps as the first ``cooling`` has, then again, ever slower.
        The first begins mild, so that whoever does not wait for long has something of it.
        """
        number, done = 0, 0
        while steps > 0:
            lossy = int((self.searched & (self.lost > 0)).sum())
            length = min(max(SHORTEST_ROUND, PER_GROUP * lossy), LONGEST_ROUND)
            length = min(length, -(-cooling // LEAST_ROUNDS), cooling - done)
            number, done = number + 1, done + length
            taken = min(steps, length)
            self._advance(number, 1 - done / cooling, taken)
            self.until_cold = cooling - done
            yield taken
            steps -= taken
            if done == cooling:
                done, cooling = 0, SLOWER * cooling
                self.heats = self.heats[1:] or self.heats

    def _advance(self, number: int, warmth: float, steps: int) -> None:
        """Take the steps of a round in all parts at once, and remember what is best."""
        parts, lossy = cut_groups(self.groups, number), self.searched & (self.lost > 0)
        alive = [part[lossy[part]] for part in parts]
        for i, part in enumerate(parts):
            self.around.owner[part] = i
        if self.around.spare.size:
            self._share_out_spare(len(parts))
        sizes = np.array([len(some) for some in alive])
        ends = np.rint(steps * np.cumsum(sizes) / max(1, sizes.sum())).astype(np.int64)
        heat = int(self.heats[0] * warmth)
        shares = np.diff(ends, prepend=0)
        longest_first = np.argsort(-shares, kind="stable").tolist()
        jobs = [(i, alive[i], int(shares[i])) for i in longest_first]
        at_once(lambda job: self._search(number, heat, *job), jobs)
        self.lost = self.groups.state[:, LOSS] * self.groups.state[:, SIZE]
        if self.lost.sum() < self.least:
            self.least, self.best = int(self.lost.sum()), self.groups.pieces[:, GROUP].copy()

    def _share_out_spare(self, n_parts: int) -> None:
        """Give each part as many of the groups without rows as any other."""
        empty, around = np.flatnonzero(self.groups.state[:, SIZE] == 0), self.around
        for i in range(n_parts):
            mine = np.append(-1, empty[i::n_parts])
            around.spare[mine[1:]], around.top[i] = mine[:-1], mine[-1]
            around.owner[mine[1:]] = i

    def _search(self, number: int, heat: int, part: int, alive, steps: int) -> None:
        histogram = np.zeros(int(self.rules.meta[:, SIZE].sum()), np.int64)
        tally = histogram, np.zeros((2, len(self.rules.meta)), np.int64)
        seed = np.uint64((self.seed + (number * MOST_PARTS + part) * SPREAD) % 2**64)
        regrow_some(
            self.groups, self.losses, self.rules, self.k, seed, steps, heat, self.around, part,
            alive, self.pools[part], tally,
        )  # fmt: skip

    def pieces(self) -> np.ndarray:
        """Return the best groups found, as (cell, copies, group) pieces, and who is in none."""
        grouped = np.column_stack([self.groups.pieces[:, [CELL, COUNT]], self.best])
        return np.concatenate([grouped, self.left_out])


def cut_groups(groups, turn: int) -> list[np.ndarray]:
    """Divide groups into parts of neighbours, halving along one attribute after the other.

    Each turn begins with another attribute, so that borders lie elsewhere.
    """
    alive = np.flatnonzero(groups.state[:, SIZE] > 0)
    parts = [alive]
    axis, d = turn, groups.box.shape[2]
    while len(parts) < MOST_PARTS and alive.size >= 2 * len(parts) * PART:
        middles = groups.box[:, 0, axis % d].astype(np.int64) + groups.box[:, 1, axis % d]
        ranks = middles * middles.size + np.arange(middles.size)
        parts = [half for part in parts for half in _halves(part, ranks[part])]
        axis += 1
    return [np.sort(part) for part in parts]


def _halves(part, ranks):
    middle = part.size // 2
    ranked = part[np.argpartition(ranks, middle)]  # every round does this: sorting takes thrice
    return ranked[:middle], ranked[middle:]


def _surroundings(codes, losses, groups, searched, manner) -> Surroundings:
    """Find who is like each member of the groups that are searched, and who sits where."""
    tree = build_tree(codes, np.ones(len(codes), np.int64), losses)
    wanted = np.zeros(len(codes), np.bool_)
    wanted[groups.pieces[searched[groups.pieces[:, GROUP]], CELL]] = True
    places = np.flatnonzero(wanted[tree.cells[:, IDS]])
    near = np.full((len(codes), NEAR), -1, np.int32)
    chunks = [places[at : at + CHUNK] for at in range(0, places.size, CHUNK)]
    at_once(lambda some: find_near(tree, losses, some, near), chunks)
    by_cell = np.argsort(groups.pieces[:, CELL], kind="stable")
    return Surroundings(
        near=near,
        members=by_cell,
        begins=np.searchsorted(groups.pieces[by_cell, CELL], np.arange(len(codes) + 1)),
        owner=np.full(len(groups.state), -1, np.int64),
        spare=np.full(len(groups.state) if manner.splits else 0, -1, np.int64),
        top=np.full(MOST_PARTS, -1, np.int64),
        company=np.array(manner.company, np.int64),
    )


@njit(cache=True, nogil=True)
def find_near(tree, losses, positions, found):
    """Set ``found`` of the cells at ``positions`` of a tree, each with one copy, to those nearest.

    Cells are called by their ids, in ``found`` and as its rows.
    """
    depth, d = tree.depth[0] + 4, tree.codes.shape[1]
    stack, bounds = np.empty(depth, np.int64), np.empty(depth, np.int64)
    costs, items = np.empty(NEAR + 2, np.int64), np.empty(NEAR + 2, np.int64)
    rows = np.empty(d, np.int64)
    for position in positions:
        point = tree.codes[position]
        point_rows(losses, point, rows)
        n, _ = nearest_rows(
            tree, losses, rows, point, NEAR, NO_LIMIT, stack, bounds, costs, items
        )  # fmt: skip
        for i in range(NEAR):
            found[tree.cells[position, IDS], i] = tree.cells[items[i], IDS] if i < n else -1


@njit(cache=True, nogil=True, counted=False)
def regrow_some(groups, losses, rules, k, seed, steps, heat, around, part, alive, pool, tally):
    """Take ``steps`` steps that begin at groups ``alive`` of a part; return (gain, steps kept)."""
    gain = np.int64(0)
    kept = np.int64(0)
    if alive.size == 0:
        return gain, kept
    free = rules.meta.shape[0] == 0
    state = pool.luck
    state[0] = seed
    for _ in range(steps):
        g = alive[draw(state, alive.size)]
        other = alive[draw(state, alive.size)]
        if _weight(groups, other) > _weight(groups, g):
            g = other  # where more is lost, more can be won
        if groups.state[g, SIZE] == 0 or groups.state[g, SIZE] > LARGE * k:
            continue
        m = _companions(groups, k, g, free, around, part, state, pool)
        if m < 2:
            continue
        n, lenders, before = _gather(groups, k, m, pool)
        allowed = before + heat * pool.chances[draw(state, COARSE)] // COARSE
        most = _weight(groups, g) + allowed - before  # that the first group may lose if it shrinks
        pool.chosen[m] = pool.parts[m, 2] = around.top[part]
        parts, after = _regrow(losses, k, n, m, lenders, allowed, most, state, pool)
        if after > allowed:
            continue
        if not free and not _all_meet(groups, rules, n, parts, pool, tally):
            continue
        gain += before - _apply(groups, losses, n, m, parts, around, part, pool)
        kept += 1
    return gain, kept


@njit(cache=True, nogil=True, counted=False)
def _weight(groups, g):
    return groups.state[g, SIZE] * groups.state[g, LOSS]


@njit(cache=True, nogil=True, counted=False)
def _companions(groups, k, g, free, around, part, state, pool):
    """Draw groups of the part in which somebody is like a member of ``g``.

    The member who is asked first may have to leave, so one group has somebody like it. Returns how
    many groups are pooled in all. Rules beside k may depend on rows that a large group
    would keep, so with rules those are left alone.
    """
    pool.chosen[0] = g
    m = np.int64(1)
    members = min(groups.state[g, SIZE], FARTHEST_MEMBER)
    pool.asked[0] = draw(state, members)
    wanted = around.company[draw(state, around.company.size)]  # the fewer, the faster
    for _ in range(2 * around.company[-1]):
        if m == wanted:
            break
        piece = groups.state[g, HEAD]
        for _ in range(pool.asked[0] if m == 1 else draw(state, members)):
            piece = groups.pieces[piece, AFTER]
        rank = min(draw(state, NEAR), draw(state, NEAR))
        like = around.near[groups.pieces[piece, CELL], rank]
        if like < 0:
            continue
        begin, end = around.begins[like], around.begins[like + 1]
        if begin == end:
            continue  # it is suppressed
        h = groups.pieces[around.members[begin + draw(state, end - begin)], GROUP]
        if h < 0 or around.owner[h] != part:
            continue  # another part's, on its way from one group to the next
        if not free and groups.state[h, SIZE] > LARGE * k:
            continue
        known = False
        for i in range(m):
            known = known or pool.chosen[i] == h
        if not known:
            pool.chosen[m] = h
            m += 1
    return m


@njit(cache=True, nogil=True, counted=False)
def _gather(groups, k, m, pool):
    """Pool the rows of ``pool.chosen[:m]``; return (rows, lenders, loss of all these groups).

    What a large group does not lend is a part from the beginning.
    """
    n = np.int64(0)
    lenders = np.int64(0)
    before = np.int64(0)
    for i in range(m):
        h = pool.chosen[i]
        size, loss = groups.state[h, SIZE], groups.state[h, LOSS]
        before += size * loss
        count = size
        if size > LARGE * k:
            count = k
            pool.parts[lenders, 0] = size - count
            pool.parts[lenders, 1] = loss
            pool.parts[lenders, 2] = h
            for j in range(pool.fresh.size):
                pool.boxes[lenders, 0, j] = groups.box[h, 0, j]
                pool.boxes[lenders, 1, j] = groups.box[h, 1, j]
            lenders += 1
        piece = groups.state[h, HEAD]
        for _ in range(count):
            pool.rows[0, n] = piece
            pool.rows[1, n] = -1
            pool.rows[3, n] = i
            cell = groups.pieces[piece, CELL]
            for j in range(pool.fresh.size):
                pool.codes[0, n, j] = groups.codes[cell, j]
            n += 1
            piece = groups.pieces[piece, AFTER]
    at = lenders
    for i in range(m):
        h = pool.chosen[i]
        if groups.state[h, SIZE] <= LARGE * k:
            pool.parts[at, 2] = h
            at += 1
    return n, lenders, before


@njit(cache=True, nogil=True, counted=False)
def _regrow(losses, k, n, m, lenders, allowed, most, state, pool):
    """Grow groups of k from drawn rows or what groups keep, give the rest to where it costs least.

    Returns (parts, total loss); parts are left in ``pool.rows[1]``. What would cost more than is
    ``allowed``, or break a limit, is given up at once.
    """
    wanted = min(n // k, m - lenders)
    if wanted < m - lenders - 1:
        return np.int64(0), NO_LIMIT
    if n >= (m - lenders + 1) * k and pool.chosen[m] >= 0 and draw(state, TWO) == 0:
        wanted += 1
    elif wanted + lenders > 1 and draw(state, EIGHT) == 0:
        wanted -= 1
    if wanted + lenders == 0:
        return np.int64(0), NO_LIMIT
    total = np.int64(0)
    for p in range(lenders):
        total += pool.parts[p, 0] * pool.parts[p, 1]
    left = n
    for i in range(n):
        pool.rows[2, i] = i
    parts = lenders
    shrinks = lenders == 0 and draw(state, FOUR) > 0
    far = not shrinks and draw(state, TWO) == 0
    ways = WAYS if draw(state, k + PRICED) < k else 1
    while parts < lenders + wanted and left >= k:
        room = allowed - total
        if left == k and parts == lenders + wanted - 1:
            left = take_all(losses, parts, left, pool)
        elif shrinks:
            nth = pool.asked[0]
            if parts == 0:
                room = most
            else:
                nth = draw(state, k) if draw(state, EIGHT) < SHRUNK else NOBODY
            left = grow_kept(losses, k, parts, nth, left, room, ways, pool)
        else:
            seed = farthest(left, pool) if far and parts > lenders else draw(state, left)
            left = grow(losses, k, parts, seed, left, room, far, ways, pool)
        if left >= 0:
            total += pool.parts[parts, 0] * pool.parts[parts, 1]
        if left < 0 or total > allowed:
            return parts, NO_LIMIT
        parts += 1
    for i in range(left):
        total += insert(losses, pool.rows[2, i], parts, pool)
        if total > allowed:
            return parts, NO_LIMIT
    return parts, total


@njit(cache=True, nogil=True, counted=False)
def _all_meet(groups, rules, n, parts, pool, tally):
    """Whether every part meets all rules; ``tally`` is (histogram, distinct and counted)."""
    histogram, counted = tally
    for p in range(parts):
        counted[0, :] = 0
        counted[1, :] = 0
        for i in range(n):
            if pool.rows[1, i] == p:
                cell = groups.pieces[pool.rows[0, i], CELL]
                count_in(rules, cell, np.int64(1), histogram, counted[0], counted[1])
        met = all_met(rules, histogram, counted[0], counted[1])
        for i in range(n):
            if pool.rows[1, i] == p:
                wipe(rules, groups.pieces[pool.rows[0, i], CELL], histogram)
        if not met:
            return False
    return True


@njit(cache=True, nogil=True, counted=False)
def _apply(groups, losses, n, m, parts, around, part, pool):
    """Make the parts groups, in the places of the old ones; return what they lose in all.

    One more takes a group without rows, and a group that is left without any can be taken.
    """
    if parts > m:
        around.top[part] = around.spare[pool.chosen[m]]
    for i in range(n):
        unlink(groups, pool.rows[0, i])
    for i in range(n):
        link(groups, pool.rows[0, i], pool.parts[pool.rows[1, i], 2])
    total = np.int64(0)
    for i in range(max(m, parts)):
        g = pool.chosen[i]
        tighten(groups, losses, g)
        total += _weight(groups, g)
        if around.spare.size > 0 and groups.state[g, SIZE] == 0:
            around.spare[g] = around.top[part]
            around.top[part] = g
    return total
