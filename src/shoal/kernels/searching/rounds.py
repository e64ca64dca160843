"""Rounds of the search for less loss: groups are cut into parts that are searched side by side.

What is drawn comes from a hash of the rows: the same table and the same number of steps give the
same groups, on every machine, with any number of cores and in any order of rows. Nor do the first
steps depend on how many follow, so that a search that was stopped can be repeated.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from shoal._progress import at_once
from shoal.kernels.groups import make_groups
from shoal.kernels.kdtree import build_tree
from shoal.kernels.searching.parts import new_pool
from shoal.kernels.searching.regrowing import (
    NEAR,
    Surroundings,
    find_near,
    regrow_some,
)
from shoal.kernels.slots import CELL, COUNT, GROUP, IDS, LOSS, SIZE

PART = 100  # groups of a part, at least; parts are searched side by side
MOST_PARTS = 8
PER_GROUP = 2  # steps of a round, for each group that loses something
SHORTEST_ROUND, LONGEST_ROUND = 5_000, 200_000
LEAST_ROUNDS = 16  # of a cooling
SLOWER = 4  # times as long as the one before lasts each cooling
SPREAD = 0xD1342543DE82EF95  # an odd number that sets the seeds of parts apart
CHUNK = 2_000  # cells whose like are looked for at once


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
        self.groups = _single_rows(codes, losses, pieces, k if manner.splits else 0)
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
            length = min(self._round_length(), -(-cooling // LEAST_ROUNDS), cooling - done)
            number, done = number + 1, done + length
            taken = min(steps, length)
            self._advance(number, 1 - done / cooling, taken)
            self.until_cold = cooling - done
            yield taken
            steps -= taken
            if done == cooling:
                done, cooling = 0, SLOWER * cooling
                self.heats = self.heats[1:] or self.heats

    def _round_length(self) -> int:
        lossy = int((self.searched & (self.lost > 0)).sum())
        return min(max(SHORTEST_ROUND, PER_GROUP * lossy), LONGEST_ROUND)

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
        jobs = zip(range(len(parts)), alive, np.diff(ends, prepend=0).tolist(), strict=True)
        at_once(lambda job: self._search(number, heat, *job), list(jobs))
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
    middles = groups.box.sum(axis=1, dtype=np.int64)
    parts = [alive]
    axis = turn
    while len(parts) < MOST_PARTS and alive.size >= 2 * len(parts) * PART:
        parts = [half for part in parts for half in _halves(part, middles, axis)]
        axis += 1
    return [np.sort(part) for part in parts]


def _halves(part, middles, axis: int):
    ranked = part[np.lexsort((part, middles[part, axis % middles.shape[1]]))]
    return ranked[: part.size // 2], ranked[part.size // 2 :]


def _single_rows(codes, losses, pieces, least_size: int):
    """Groups of single rows: (cell, copies, group) pieces, those in no group left out.

    There are as many as could be of a ``least_size``, if that is given, most of them with rows.
    """
    housed = pieces[pieces[:, 2] >= 0]
    single = np.repeat(housed[:, [0, 2]], housed[:, 1], axis=0)
    single = single[np.lexsort((single[:, 0], single[:, 1]))]
    rows = np.column_stack([single[:, 0], np.ones(len(single), np.int64), single[:, 1]])
    n_groups = int(single[:, 1].max(initial=-1)) + 1
    most = len(rows) // least_size if least_size else 0
    return make_groups(codes, rows, max(n_groups, most), losses)


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
