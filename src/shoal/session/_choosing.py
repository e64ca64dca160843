"""Choosing: a pool of real rows and half-built groups, and the question in it that teaches most."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from shoal.exceptions import ImpossibleError
from shoal.session.learners import Belief, products
from shoal.spaces import WeightedSpaces
from shoal.table import Grouping
from shoal.typing import BoolArray, FloatArray, IntArray

PAIRS = 12_000  # candidates drawn
RATED = 400  # candidates whose worth is computed, after a cheaper look at all
SEEN = 0.02  # a difference of costs below this goes unnoticed
CLEAR = 0.05  # each side is better by this much in some attribute
MOST = 4  # attributes that a person weighs against each other at once; half of all if more
CLEAREST = 100  # of them: candidates whose answer is foretold most surely, if that is worth a thing
ROUGHLY, FINELY = 0.02, 0.01  # weighted losses that a person tells apart, surely and just so
WORN = 0.3  # how much less a question is worth that is about the same attributes as the last ones


class Candidate(NamedTuple):
    """A row and two groups, as places in a pool."""

    row: int
    a: int
    b: int


def choose(
    pool: Pool,
    belief: Belief,
    chance: Generator,
    *,
    recent: Sequence[FloatArray] = (),
    informative: bool = True,
    proof: float = 0.0,
) -> Candidate:
    """Choose the row and the two groups of the next question.

    The value of a question is how much nearer its answer is expected to bring the weights
    (`teaching`), made smaller if it is about what the last questions (``recent``: their gains)
    were about. ``proof`` says what it is worth beside that an answer can be foretold: answers
    that nobody could foretell say nothing about whether the person looks.
    """
    row, a, b = _draw_pairs(pool, chance)
    gains = pool.cost[row, b] - pool.cost[row, a]
    readable = _readable(gains, pool.after[row, b] - pool.after[row, a])
    place = readable[0]
    if informative:
        rated = readable[_promising(belief, gains[readable], clear=proof > 0)]
        worth = teaching(belief, gains[rated], proof) * _freshness(gains[rated], recent)
        place = rated[worth.argmax()]
    return Candidate(int(row[place]), int(a[place]), int(b[place]))


def teaching(belief: Belief, gains: FloatArray, proof: float = 0.0) -> FloatArray:
    """How much nearer the answer to each question is expected to bring the weights, in nats.

    Draws that agree have a mean direction nearly as long as each of theirs: its length is the
    highest expected cosine to the hidden weights that any weights have. Mutual information
    (Houlsby et al., *Bayesian Active Learning for Classification and Preference Learning*, 2011)
    would pay as much for bits about attributes that hardly weigh. What is short of 1 is variance,
    and halving it in n - 1 dimensions takes (n - 1) / 2 bits. Added is ``proof`` times what each
    answer is foretold better than by a coin, in nats too.

    >>> from shoal.session.learners import Posterior
    >>> import numpy as np
    >>> belief = Posterior.start(2, seed=1)
    >>> told, known = teaching(belief, np.array([[0.5, -0.5], [0.5, 0.5]]))
    >>> bool(told > known)  # that losing more of everything is worse needs no asking
    True
    """
    chances = np.clip(belief.chance(gains), 1e-12, 1 - 1e-12)
    directions = _directions(belief.draws)
    now, one = directions.mean(axis=0), products(chances.T, directions.T) / len(directions)
    length = np.linalg.norm(one, axis=1) + np.linalg.norm(now - one, axis=1)
    short = np.maximum(1 - length, 1e-9) / max(1 - np.linalg.norm(now), 1e-9)
    foretold = math.log(2) - _entropy(chances.mean(axis=0))
    return np.asarray(-(gains.shape[1] - 1) / 2 * np.log(short) + proof * foretold)


def _promising(belief: Belief, gains: FloatArray, *, clear: bool) -> IntArray:
    """Candidates that move the mean direction most, going by mean and covariance.

    And those whose answer is clear, if ``clear`` answers are wanted too.
    """
    worth, surely = _first_look(belief, gains)
    if not clear:
        return np.argsort(-worth, kind="stable")[:RATED]
    undecided = np.argsort(-worth, kind="stable")[: RATED - CLEAREST]
    return np.union1d(undecided, np.argsort(-surely, kind="stable")[:CLEAREST])


def _first_look(belief: Belief, gains: FloatArray) -> tuple[FloatArray, FloatArray]:
    """How far each answer moves the mean direction, as if all were Gaussian; and how clear it is.

    Directions follow what is saved as in a regression; the sign of a normal variable tells
    about its value in proportion to exp(-0.6 z²), z being its mean in deviations.
    """
    draws, saved = belief.draws, products(gains, belief.mean[None])[:, 0]
    apart = draws - draws.mean(axis=0)
    spread = products(apart.T, apart.T) / (len(draws) - 1)
    follows = products(_directions(draws).T, apart.T) / (len(draws) - 1)
    deviation = np.sqrt(np.maximum((products(gains, spread) * gains).sum(axis=1), 1e-30))
    told_apart = np.hypot(deviation, FINELY)
    moved = (products(gains, follows) ** 2).sum(axis=1) / told_apart**2
    surely = np.abs(saved) / np.hypot(deviation, ROUGHLY)
    return moved * np.exp(-0.6 * (saved / told_apart) ** 2), surely


def _directions(weights: FloatArray) -> FloatArray:
    """Weights as vectors of length 1."""
    return np.asarray(weights / np.linalg.norm(weights, axis=1, keepdims=True))


def _draw_pairs(pool: Pool, chance: Generator) -> tuple[IntArray, IntArray, IntArray]:
    n_rows, n_groups = pool.allowed.shape
    row = chance.integers(n_rows, size=PAIRS)
    a = chance.integers(n_groups, size=PAIRS)
    b = (a + chance.integers(1, n_groups, size=PAIRS)) % n_groups
    usable = pool.allowed[row, a] & pool.allowed[row, b]
    if np.unique(pool.groups).size > 1:
        usable &= pool.groups[a] != pool.groups[b]
    return row[usable], a[usable], b[usable]


def _readable(gains: FloatArray, looks: FloatArray) -> IntArray:
    """Candidates that a person can weigh: something for A, something for B, not too much at once.

    What differs must also show in how the two groups would look, so that no two sides look alike.
    """
    weighable = _trade_off(gains) & _trade_off(looks)
    most = max(MOST, gains.shape[1] // 2)
    few = weighable & ((np.abs(gains) > SEEN).sum(axis=1) <= most)
    for wanted in (few, weighable, _trade_off(gains)):
        found = np.flatnonzero(wanted)
        if found.size:
            return found
    raise ImpossibleError(
        "There is no question to ask: no row has two groups that cost it different attributes.",
        hint="Weights matter only where attributes compete; set them with sliders instead.",
    )


def _trade_off(differences: FloatArray) -> BoolArray:
    if not differences.size:
        return np.zeros(len(differences), dtype=np.bool_)
    return np.asarray((differences.max(axis=1) > CLEAR) & (differences.min(axis=1) < -CLEAR))


def _freshness(gains: FloatArray, recent: Sequence[FloatArray]) -> FloatArray:
    """From 1 down: the more of its attributes the last questions had, the less."""
    if not recent:
        return np.ones(len(gains))
    about = np.abs(gains) > SEEN
    before = np.mean([np.abs(gain) > SEEN for gain in recent], axis=0)
    shared = np.where(about, before, 0.0).sum(axis=1) / np.maximum(about.sum(axis=1), 1)
    return np.asarray(1 - WORN * shared)


def _entropy(chance: FloatArray) -> FloatArray:
    return np.asarray(-(chance * np.log(chance) + (1 - chance) * np.log1p(-chance)))


#: People in a partly built group: one is no crowd yet, more are hard to take in at a glance.
SMALLEST, LARGEST = 2, 4


@dataclass(frozen=True, eq=False)
class Pool:
    """Rows times groups.

    Attributes
    ----------
    rows : IntArray
        Positions of the rows in the table.
    groups : IntArray
        Numbers of the groups in the grouping; a group may be there twice, built differently.
    members : tuple of IntArray
        The rows in each group so far.
    after : FloatArray
        Loss of each group (second axis) in each attribute (third) once each row (first) is in it.
    cost : FloatArray
        Added loss, on average over all in the joined group.
    allowed : BoolArray
        Whether a row is outside a group and may join it under the limits.
    """

    rows: IntArray
    groups: IntArray
    members: tuple[IntArray, ...]
    after: FloatArray
    cost: FloatArray
    allowed: BoolArray


def draw_pool(
    spaces: WeightedSpaces,
    grouping: Grouping,
    chance: Generator,
    *,
    k: int,
    order: IntArray,
    n_rows: int = 48,
    n_groups: int = 64,
) -> Pool:
    """Draw rows and groups; each group is caught with a few of its members.

    ``order`` lists the rows by content, so that where they stand in the table plays no part.
    """
    if not grouping.n_groups:
        raise ImpossibleError("There is no group to ask about: all rows are left out.")
    codes = spaces.codes
    place = np.empty_like(order)
    place[order] = np.arange(order.size)
    rows = order[chance.choice(order.size, min(n_rows, order.size), replace=False)]
    groups = chance.choice(
        grouping.n_groups, n_groups, replace=grouping.n_groups < n_groups, shuffle=False
    )
    least = min(SMALLEST, max(1, k - 1))
    sizes = chance.integers(least, max(least + 1, min(k, LARGEST + 1)), size=n_groups)
    people, starts = grouping.order, grouping.starts
    members = tuple(
        order[chance.permutation(np.sort(place[people[starts[group] : starts[group + 1]]]))[:size]]
        for group, size in zip(groups.tolist(), sizes.tolist(), strict=True)
    )
    lo, hi = _boxes(codes, members)
    return _priced(spaces, rows, groups, members, lo, hi)


def _priced(
    spaces: WeightedSpaces,
    rows: IntArray,
    groups: IntArray,
    members: tuple[IntArray, ...],
    lo: IntArray,
    hi: IntArray,
) -> Pool:
    codes = spaces.codes[rows][:, None]
    shape = (rows.size, groups.size, codes.shape[2])
    low = np.minimum(codes, lo).reshape(-1, shape[2])
    high = np.maximum(codes, hi).reshape(-1, shape[2])
    after = spaces.loss_by_attribute(low, high).reshape(shape)
    before = spaces.loss_by_attribute(lo, hi)
    sizes = np.array([part.size for part in members])
    allowed = _outside(rows, members) & _within_limits(spaces, low, high).reshape(shape[:2])
    return Pool(rows, groups, members, after, added_loss(before, after, sizes), allowed)


def added_loss(before: FloatArray, after: FloatArray, sizes: IntArray) -> FloatArray:
    """What everybody in a joined group loses beyond what they had lost before, on average.

    The members lose ``after - before``, the row that joins loses ``after``: the rise of the GIL
    of Malle et al. (2017), divided by the people it concerns.

    >>> added_loss(np.array([[0.2]]), np.array([[[0.4]]]), np.array([3])).round(3).tolist()
    [[[0.25]]]
    """
    share = (sizes / (sizes + 1))[:, None]
    return np.asarray(after - share * before)


def _boxes(codes: IntArray, members: tuple[IntArray, ...]) -> tuple[IntArray, IntArray]:
    rows = np.concatenate(members)
    starts = np.cumsum([0, *(part.size for part in members[:-1])])
    low = np.minimum.reduceat(codes[rows], starts, axis=0)
    return low, np.maximum.reduceat(codes[rows], starts, axis=0)


def _outside(rows: IntArray, members: tuple[IntArray, ...]) -> BoolArray:
    """Whether each row is none of the members of each group."""
    padded = np.full((len(members), LARGEST), -1)
    for place, part in enumerate(members):
        padded[place, : part.size] = part
    return np.asarray((rows[:, None, None] != padded).all(axis=2))


def _within_limits(spaces: WeightedSpaces, low: IntArray, high: IntArray) -> BoolArray:
    within = np.ones(len(low), dtype=np.bool_)
    for j, space in enumerate(spaces.spaces):
        reach = space.reach()
        if reach is not None:
            within &= high[:, j] <= reach[low[:, j]]
    return within
