"""Large-neighbourhood search: pool a few neighbouring groups, grow them anew from random seeds.

What a step makes is kept if the total loss falls, or rises by no more than the *heat* of the
moment allows (annealing: Kirkpatrick et al. 1983). A search has its own random numbers, made from
a seed, so that the same steps make the same groups on every machine. Rows are single pieces here,
so that none has to be divided. A large group only lends some of its rows.

Companions of a group are those in which somebody sits who is like one of its members: who is like
whom never changes, so it is found once, and who sits where is known at every moment.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.kernels.compiling import njit
from shoal.kernels.groups import link, tighten, unlink
from shoal.kernels.losses import FORBIDDEN, box_loss, joined_loss, span_loss
from shoal.kernels.nearest import nearest_rows, point_rows
from shoal.kernels.rules import all_met, count_in, wipe
from shoal.kernels.slots import AFTER, CELL, GROUP, HEAD, IDS, LOSS, SIZE

NEAR = np.int64(32)  # cells most like a cell, itself included
TRIES = 8  # draws of a companion before a step makes do with fewer
MOST = 4  # groups pooled at once
WAYS = 4  # ways of widening a group that are compared by price per row
PRICED = 30  # rows of a group at which every other step compares prices; of larger ones, more do
LARGE = 4  # times k: a group of more rows lends k of them
FARTHEST_MEMBER = 64  # members of a group who are asked for somebody like them
NO_LIMIT = np.int64(1) << 60
TWO, SIX, EIGHT = np.int64(2), np.int64(6), np.int64(8)  # typed: see `shoal.kernels.growing`
COARSE = np.int64(256)  # how finely the exponential distribution is drawn from, in as many parts


class Surroundings(NamedTuple):
    """Who is like whom, who sits where, and which groups a search may change."""

    near: np.ndarray  # (cells, NEAR): cells most like a cell, -1 past the last
    members: np.ndarray  # pieces, cell by cell
    begins: np.ndarray  # where those of a cell begin, and one more
    owner: np.ndarray  # the part that a group belongs to


class RegrowingState(NamedTuple):
    """Buffers of one search."""

    chosen: np.ndarray  # groups pooled
    rows: np.ndarray  # (3, rows): pieces pooled, their new part, those not in a part yet
    costs: np.ndarray  # of a part, once a row joins it
    codes: np.ndarray  # (2, rows, attributes): of rows pooled, and what each would then lose
    fresh: np.ndarray  # attributes in which a part just grew
    parts: np.ndarray  # (parts, 3): rows, loss, and the group it becomes
    boxes: np.ndarray  # (parts, low and high, attributes)
    ways: np.ndarray  # places of rows that a part may be widened to, the cheapest first
    wide: np.ndarray  # (low and high, attributes): a part widened
    chances: np.ndarray  # the exponential distribution, times COARSE
    luck: np.ndarray  # where the random numbers have come to


def new_regrowing(groups, k: int) -> RegrowingState:
    """Allocate the buffers of a search."""
    most, d = MOST * LARGE * k, groups.codes.shape[1]
    middles = (np.arange(COARSE) + 0.5) / COARSE
    return RegrowingState(
        chosen=np.empty(MOST, np.int64),
        rows=np.empty((3, most), np.int64),
        costs=np.empty(most, np.int64),
        codes=np.empty((2, most, d), np.int32),
        fresh=np.empty(d, np.int64),
        parts=np.empty((MOST, 3), np.int64),
        boxes=np.empty((MOST, 2, d), np.int32),
        ways=np.empty(WAYS, np.int64),
        wide=np.empty((2, d), np.int32),
        chances=np.rint(-np.log(middles) * COARSE).astype(np.int64),
        luck=np.empty(1, np.uint64),
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
        g = alive[_draw(state, alive.size)]
        other = alive[_draw(state, alive.size)]
        if _weight(groups, other) > _weight(groups, g):
            g = other  # where more is lost, more can be won
        if groups.state[g, SIZE] == 0 or groups.state[g, SIZE] > LARGE * k:
            continue
        m = _companions(groups, k, g, free, around, part, state, pool)
        if m < 2:
            continue
        n, lenders, before = _gather(groups, k, m, pool)
        allowed = before + heat * pool.chances[_draw(state, COARSE)] // COARSE
        parts, after = _regrow(losses, k, n, m, lenders, allowed, state, pool)
        if after > allowed:
            continue
        if not free and not _all_meet(groups, rules, n, parts, pool, tally):
            continue
        gain += before - _apply(groups, losses, n, m, pool)
        kept += 1
    return gain, kept


@njit(cache=True, nogil=True, counted=False)
def _weight(groups, g):
    return groups.state[g, SIZE] * groups.state[g, LOSS]


@njit(cache=True, nogil=True, counted=False)
def _draw(state, n):
    """A number below ``n`` (SplitMix64)."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z ^= z >> np.uint64(31)
    return np.int64((z >> np.uint64(33)) % np.uint64(n))


@njit(cache=True, nogil=True, counted=False)
def _companions(groups, k, g, free, around, part, state, pool):
    """Draw one to three groups of the part in which somebody is like a member of ``g``.

    Returns how many groups are pooled in all. Rules beside k may depend on rows that a large group
    would keep, so with rules those are left alone.
    """
    pool.chosen[0] = g
    m = np.int64(1)
    luck = _draw(state, SIX)
    wanted = 2 if luck < 3 else 3 if luck < 5 else MOST  # the fewer, the faster
    for _ in range(TRIES):
        if m == wanted:
            break
        piece = groups.state[g, HEAD]
        for _ in range(_draw(state, min(groups.state[g, SIZE], FARTHEST_MEMBER))):
            piece = groups.pieces[piece, AFTER]
        rank = min(_draw(state, NEAR), _draw(state, NEAR))
        like = around.near[groups.pieces[piece, CELL], rank]
        if like < 0:
            continue
        begin, end = around.begins[like], around.begins[like + 1]
        if begin == end:
            continue  # it is suppressed
        h = groups.pieces[around.members[begin + _draw(state, end - begin)], GROUP]
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
def _regrow(losses, k, n, m, lenders, allowed, state, pool):
    """Grow groups of k from drawn seeds, give the rest to where it costs least.

    Returns (parts, total loss); parts are left in ``pool.rows[1]``. What would cost more than is
    ``allowed``, or break a limit, is given up at once.
    """
    wanted = min(n // k, m - lenders)
    if wanted < m - lenders - 1:
        return np.int64(0), NO_LIMIT
    if wanted + lenders > 1 and _draw(state, EIGHT) == 0:
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
    far = _draw(state, TWO) == 0
    ways = WAYS if _draw(state, k + PRICED) < k else 1
    seed = _draw(state, n)
    while parts < lenders + wanted and left >= k:
        if parts > lenders:
            seed = _farthest(left, pool) if far else _draw(state, left)
        left = _grow(losses, k, parts, seed, left, allowed - total, far, ways, pool)
        if left < 0:
            return parts, NO_LIMIT
        total += k * pool.parts[parts, 1]
        parts += 1
    for i in range(left):
        total += _insert(losses, pool.rows[2, i], parts, pool)
        if total > allowed:
            return parts, NO_LIMIT
    return parts, total


@njit(cache=True, nogil=True, counted=False)
def _farthest(left, pool):
    """The row left that would have cost the last group most."""
    pick = 0
    for at in range(1, left):
        if pool.costs[pool.rows[2, at]] > pool.costs[pool.rows[2, pick]]:
            pick = at
    return pick


@njit(cache=True, nogil=True, counted=False)
def _grow(losses, k, part, seed, left, room, far, ways, pool):
    """Grow a group of k rows from one of those left; return how many are left then.

    The ``ways`` cheapest to widen the group are compared by what they cost for each row that they
    let in, and whoever is inside then joins. Returns -1 as soon as the group loses more than there
    is ``room`` for. At the end it is known what each row left would cost, to tell who is ``far``.
    """
    lo, hi = pool.boxes[part, 0], pool.boxes[part, 1]
    for j in range(lo.size):
        lo[j] = hi[j] = pool.codes[0, pool.rows[2, seed], j]
        pool.fresh[j] = j
    size, grown = np.int64(1), lo.size
    left = _join(part, seed, left, pool)
    loss = box_loss(losses, lo, hi)  # on a grid, a row alone has a width
    while size < k or far:
        n = _rank_ways(losses, part, left, grown, size == 1, ways, pool)
        if size == k:
            break
        pick = _thriftiest(k, part, size, left, loss, room, n, pool)
        if pick < 0:
            return np.int64(-1)
        loss = pool.costs[pool.rows[2, pick]]
        grown = _widen(lo, hi, pool.rows[2, pick], pool)
        before, left = left, _join(part, pick, left, pool)
        left = _let_in(part, k - size - 1, left, loss, pool)
        size += before - left
    pool.parts[part, 0] = k
    pool.parts[part, 1] = loss
    return left


@njit(cache=True, nogil=True, counted=False)
def _join(part, at, left, pool):
    """Let the row at a place of those left join a part; the last takes its place."""
    pool.rows[1, pool.rows[2, at]] = part
    pool.rows[2, at] = pool.rows[2, left - 1]
    return left - 1


@njit(cache=True, nogil=True, inline="always")
def _let_in(part, most, left, loss, pool):
    """Let rows join that are inside a part, not more than ``most``; return how many are left."""
    lo, hi = pool.boxes[part, 0], pool.boxes[part, 1]
    last = left - most
    at = 0
    while at < left and left > last:
        r = pool.rows[2, at]  # what it cost before is no more than what it costs now
        if pool.costs[r] <= loss and _is_inside(pool.codes[0], r, lo, hi):
            left = _join(part, at, left, pool)
        else:
            at += 1
    return left


@njit(cache=True, nogil=True, inline="always")
def _rank_ways(losses, part, left, grown, first, ways, pool):
    """Reckon what each row left costs, and rank the cheapest, each cost once; return how many.

    A cost is computed anew only for the attributes in which the group just grew.
    """
    lo, hi = pool.boxes[part, 0], pool.boxes[part, 1]
    n = 0
    dearest = NO_LIMIT
    for at in range(left):
        r = pool.rows[2, at]
        if grown > 0:
            _reckon(losses, lo, hi, r, grown, first, pool)
        cost = pool.costs[r]
        if cost >= dearest:
            continue
        rank = n
        while rank > 0 and pool.costs[pool.rows[2, pool.ways[rank - 1]]] >= cost:
            rank -= 1
        if rank < n and pool.costs[pool.rows[2, pool.ways[rank]]] == cost:
            continue
        n = min(n + 1, ways)
        for way in range(n - 1, rank, -1):
            pool.ways[way] = pool.ways[way - 1]
        pool.ways[rank] = at
        if n == ways:
            dearest = pool.costs[pool.rows[2, pool.ways[n - 1]]]
    return n


@njit(cache=True, nogil=True, inline="always")
def _thriftiest(k, part, size, left, loss, room, n, pool):
    """Where the row is whose way costs least for each row let in; -1 if none has ``room``."""
    pick, added, count = np.int64(-1), np.int64(0), np.int64(1)
    for way in range(n):
        cost = pool.costs[pool.rows[2, pool.ways[way]]]
        if cost >= FORBIDDEN or k * cost > room:
            break
        if pick >= 0 and (cost - loss) * count >= added * (k - size):
            break  # dearer, even if it let in all that are wanted
        inside = np.int64(1)
        if n > 1:
            inside = _count_inside(part, pool.rows[2, pool.ways[way]], k - size, left, pool)
        if pick < 0 or (cost - loss) * count < added * inside:
            pick, added, count = pool.ways[way], cost - loss, inside
    return pick


@njit(cache=True, nogil=True, counted=False)
def _count_inside(part, r, most, left, pool):
    """Count the rows left, not more than ``most``, inside a group that is widened to row ``r``."""
    lo, hi = pool.wide[0], pool.wide[1]
    for j in range(lo.size):
        lo[j] = min(pool.boxes[part, 0, j], pool.codes[0, r, j])
        hi[j] = max(pool.boxes[part, 1, j], pool.codes[0, r, j])
    inside = np.int64(0)
    for at in range(left):
        other = pool.rows[2, at]
        if pool.costs[other] <= pool.costs[r] and _is_inside(pool.codes[0], other, lo, hi):
            inside += 1
            if inside == most:
                break
    return inside


@njit(cache=True, nogil=True, inline="always")
def _widen(lo, hi, r, pool):
    """Widen a box to a row; return in how many attributes it grew."""
    grown = 0
    for j in range(lo.size):
        c = pool.codes[0, r, j]
        if c < lo[j] or c > hi[j]:
            lo[j], hi[j] = min(lo[j], c), max(hi[j], c)
            pool.fresh[grown] = j
            grown += 1
    return grown


@njit(cache=True, nogil=True, counted=False)
def _is_inside(codes, r, lo, hi):
    for j in range(lo.size):
        if codes[r, j] < lo[j] or codes[r, j] > hi[j]:
            return False
    return True


@njit(cache=True, nogil=True, counted=False)
def _reckon(losses, lo, hi, r, grown, first, pool):
    """Set what a group costs once row ``r`` joins it, where the group grew."""
    total = np.int64(0) if first else pool.costs[r]
    for f in range(grown):
        j = pool.fresh[f]
        c = pool.codes[0, r, j]
        new = span_loss(losses, j, min(lo[j], c), max(hi[j], c))
        total += new if first else new - pool.codes[1, r, j]
        pool.codes[1, r, j] = new
    pool.costs[r] = total


@njit(cache=True, nogil=True, counted=False)
def _insert(losses, i, parts, pool):
    """Put one row where it raises the total least; return by how much."""
    codes = pool.codes[0, i]
    best = NO_LIMIT
    pick = np.int64(0)
    new_loss = np.int64(0)
    for p in range(parts):
        size, loss = pool.parts[p, 0], pool.parts[p, 1]
        new = joined_loss(losses, pool.boxes[p, 0], pool.boxes[p, 1], codes, NO_LIMIT)
        added = (size + 1) * new - size * loss
        if new < FORBIDDEN and added < best:
            best, pick, new_loss = added, p, new
    for j in range(codes.size):
        pool.boxes[pick, 0, j] = min(pool.boxes[pick, 0, j], codes[j])
        pool.boxes[pick, 1, j] = max(pool.boxes[pick, 1, j], codes[j])
    pool.rows[1, i] = pick
    pool.parts[pick, 0] += 1
    pool.parts[pick, 1] = new_loss
    return best


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
def _apply(groups, losses, n, m, pool):
    """Make the parts groups, in the places of the old ones; return what they lose in all."""
    for i in range(n):
        unlink(groups, pool.rows[0, i])
    for i in range(n):
        link(groups, pool.rows[0, i], pool.parts[pool.rows[1, i], 2])
    total = np.int64(0)
    for i in range(m):
        tighten(groups, losses, pool.chosen[i])
        total += _weight(groups, pool.chosen[i])
    return total
