"""The best lower bound on the loss that can be proven in the time that grouping takes.

Charge every row something. If no box is *overcharged* (in each box that holds at least k rows, the
k dearest rows are charged on average no more than the box loses), then no grouping loses less than
all charges together: a group of k or more rows lies in its box, so the mean charge of its rows is
at most that of its k dearest, which is at most the loss of the box (the argument is ours; it is the
dual of the set-partition program over all groups).

Charges are *found* by guessing: what each row loses in our own groups, corrected by the boxes that
turn out to be overcharged. They are *proven* by looking for an overcharged box from every row
until there is none, by exhaustive search with exact whole numbers.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import NamedTuple

import numpy as np

from shoal._progress import SILENT, Progress, in_chunks
from shoal.grouping._base import Problem
from shoal.grouping._bound import Cheapest, cheapest_boxes
from shoal.kernels.losses import FORBIDDEN
from shoal.kernels.proof.charges import ascend, lower_charges
from shoal.kernels.proof.overcharged import BoxSearch, find_cuts, mark_reached, new_box_search
from shoal.kernels.proof.sides import losses_along_lines
from shoal.kernels.slots import COPIES, FULL, IDS
from shoal.spaces import group_boxes
from shoal.table import Grouping
from shoal.typing import FloatArray, IntArray

STEPS = 500  # seeds between two looks at the wish to stop; also what shares a purse of work
WORK_PER_ROW, WORK_PER_K, MOST_K = 54_000, 1_500, 100  # some 2.5 ns each; grouping takes longer
MOST_ROWS = 80_000  # that work is given for: a row of a larger table takes grouping less time
MARKING = 4  # work for each pair of a seed that is stuck and a cell
ROUNDS, MOST_ROUNDS = 6, 24  # of correcting the guess: more where boxes are found soon
PARTS, MOST_PARTS = 3, 96  # in each round one seed of so many looks for a box
FINISHED = 0.3  # share of these that should come to an end
ASCENT = 200  # steps of each
RISE = 1.3  # how much the charge of such a seed may rise in one round
TOLERATED = (103, 100)  # a guess may overcharge a box that much: the proof corrects it
SHRINKING = tuple(range(97, 37, -2))  # in hundredths: smaller charges are faster to prove
AGAIN = 2  # times that a seed with an overcharged box is expected to look once more
LEFT_OUT = 0.02  # share of rows that may be stuck: they fall back to their cheapest box
EVERY = 50  # of so many seeds one is tried to see how long a proof would take
TRIES = 6  # of a proof, each without those who were stuck before
PATIENCE = 20  # rounds of a proof, before what is overcharged falls to the floor at once


class Cuts(NamedTuple):
    """Overcharged boxes, one for each seed that has one: their k dearest rows and their loss."""

    cells: IntArray  # (cuts, k), of which the first ``facts[:, 0]`` count
    counts: IntArray
    facts: IntArray  # cells, loss, charge, work, whether the search was completed

    def some(self, which: IntArray) -> Cuts:
        """Return a selection."""
        return Cuts(self.cells[which], self.counts[which], self.facts[which])


class Proven(NamedTuple):
    """Charges that overcharge no box, by cell, in whole numbers of the losses' unit."""

    bound: float
    charges: IntArray
    cheapest: Cheapest


def prove_bound(problem: Problem, grouping: Grouping, progress: Progress = SILENT) -> Proven:
    """Prove how little any grouping must lose; the better the grouping, the better the proof.

    Never less than what `bound_loss` comes to without a grouping, up to rounding, and valid for
    every grouping of the rows with this k: rules beside k, people with several rows, and limits
    only raise the optimum.
    """
    cheapest = cheapest_boxes(problem, progress)
    rows = min(problem.table.n_rows, MOST_ROWS)
    work = rows * (WORK_PER_ROW + WORK_PER_K * min(problem.k, MOST_K))
    proof = _Proof(problem, cheapest, progress)
    guess = proof.guess(_losses_of_groups(problem, cheapest, grouping), work // 3)
    charges = proof.prove(guess, work - proof.work)
    cells = problem.table.n_rows * len(problem.spaces.spaces)
    total = int((charges * cheapest.tree.cells[:, COPIES]).sum()) - cells
    # a loss in fixed point may be half a unit too high in each cell, so a whole one is taken off
    return Proven(max(0.0, total / (cells * problem.spaces.unit)), charges, cheapest)


def _losses_of_groups(problem: Problem, cheapest: Cheapest, grouping: Grouping) -> FloatArray:
    """What the rows of each cell lose on average, in the order of the tree; left out, all."""
    full = int(cheapest.losses.meta[:, FULL].sum())
    lo, hi = group_boxes(problem.spaces.codes, grouping)
    by_group = problem.spaces.loss_by_attribute(lo, hi).sum(axis=1) * problem.spaces.unit
    loss = np.append(by_group, full)[grouping.labels]  # -1, left out, is the last
    of_row, copies = cheapest.cells.of_row, cheapest.cells.copies
    mean = np.bincount(of_row, weights=loss, minlength=copies.size) / copies
    losses: FloatArray = np.minimum(mean, full)[cheapest.tree.cells[:, IDS]]
    return losses


class _Proof:
    """Guesses and proves charges; remembers the work it took."""

    def __init__(self, problem: Problem, cheapest: Cheapest, progress: Progress) -> None:
        self.k = problem.k
        self.cheapest = cheapest
        self.progress = progress
        self.work = 0
        full = int(cheapest.losses.meta[:, FULL].sum())
        self.highest = full if problem.budget else FORBIDDEN - 1  # leaving a row out costs all
        self.floor = np.minimum(cheapest.costs, self.highest)
        self.copies = cheapest.tree.cells[:, COPIES]
        self.settled = self.copies >= self.k  # these lose nothing
        self.lines = losses_along_lines(cheapest.losses)

    def guess(self, charges: FloatArray, work: int) -> FloatArray:
        """Correct charges by the boxes they overcharge, until the work is used up."""
        parts = PARTS
        charges = np.where(self.settled, 0.0, np.maximum(charges, self.floor))
        known: list[Cuts] = []
        prices: FloatArray = np.zeros(0)
        for turn in range(MOST_ROUNDS):
            if turn >= ROUNDS and 3 * self.work >= 2 * work:
                break
            order = _dearest_first(charges.astype(np.int64))
            seeds = order[turn % parts :: parts]
            share = work * parts // (ROUNDS * max(1, charges.size))
            cuts = self.search(charges.astype(np.int64), seeds, _places(order), share, TOLERATED)
            if cuts.facts[:, 4].sum() < FINISHED * seeds.size and parts < MOST_PARTS:
                parts *= 2  # fewer look, and each may look for longer
            rise = np.ones(charges.size)  # of others not all is known
            rise[seeds[cuts.facts[:, 4] > 0]] = RISE
            known.append(cuts.some(np.flatnonzero(cuts.facts[:, 0])))
            prices = np.append(prices, np.zeros(len(known[-1].facts)))
            if prices.size:
                highest = np.minimum(np.maximum(charges, self.floor) * rise, self.highest)
                charges, prices = self._ascend(known, highest, charges, prices)
        return charges

    def _ascend(
        self, known: list[Cuts], highest: FloatArray, charges: FloatArray, prices: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        weight = np.where(self.settled, 0.0, self.copies)
        unit = float(self.cheapest.losses.meta[:, FULL].max())
        self.work += ASCENT * sum(int(cuts.facts[:, 0].sum()) for cuts in known)
        return _ascend(known, self.k, unit, weight, highest, charges, prices)

    def prove(self, guess: FloatArray, work: int) -> IntArray:
        """Lower charges until no box is overcharged; the floor where that takes too long."""
        shrunk = self._shrunk(guess, work)
        charges = np.clip(shrunk.astype(np.int64), self.floor, self.highest)
        seeds = _dearest_first(charges)
        places, reach = _places(seeds), charges.copy()
        for _ in range(TRIES):
            stuck = self._lower(charges, seeds, places, reach, work)
            if not stuck.size:
                return charges
            if MARKING * stuck.size * charges.size > work:
                break
            # A cell at the floor is below the loss of every box around it, so it need not be a
            # seed; but then it must be a candidate of all who could share an overcharged box with
            # it: such a box loses less than the dearest who looks in it was charged at first.
            charges[stuck] = self.floor[stuck]
            again = np.zeros(charges.size, dtype=np.bool_)
            mark_reached(self.cheapest.tree, self.cheapest.losses, reach, places, stuck, again)
            places[stuck] = charges.size
            again &= places < charges.size
            seeds = np.flatnonzero(again)[np.argsort(places[again])]
        return self.floor

    def _lower(
        self, charges: IntArray, seeds: IntArray, places: IntArray, reach: IntArray, work: int
    ) -> IntArray:
        """Lower charges (in place) until no seed finds a box; return seeds that never finished.

        Charges only fall, so a seed that found no box will not find one later. The fewer seeds
        are left, the more work each may take: these are the hard ones.
        """
        stuck: list[IntArray] = [np.zeros(0, dtype=np.int64)]
        turn = 0
        while seeds.size:
            share = max(1, 2 * work // seeds.size)
            cuts = self.search(charges, seeds, places, share, (1, 1), reach)
            found, done = cuts.facts[:, 0] > 0, cuts.facts[:, 4] > 0
            stuck.append(seeds[~found & ~done])
            cuts = cuts.some(np.flatnonzero(found))
            if turn == 0 and found.any():
                self._fit(charges, cuts)
            lower_charges(charges, self.floor, *cuts, self.k, turn > PATIENCE)
            seeds = seeds[found]
            turn += 1
        return np.concatenate(stuck)

    def _fit(self, charges: IntArray, cuts: Cuts) -> None:
        """Lower charges (in place) about as little as many boxes allow that overlap each other."""
        now = charges.astype(np.float64)
        fitted, _ = self._ascend([cuts], now, now, np.zeros(len(cuts.facts)))
        charges[:] = np.clip(fitted.astype(np.int64), self.floor, charges)

    def _shrunk(self, guess: FloatArray, work: int) -> FloatArray:
        """Return the guess, smaller where a proof of it would take too much work."""
        end = self.work + work
        easy = bisect_left(SHRINKING, True, key=lambda f: self._is_easy(guess * f / 100, end))
        return guess * SHRINKING[min(easy, len(SHRINKING) - 1)] / 100

    def _is_easy(self, guess: FloatArray, end: int) -> bool:
        """Tell by some of the seeds whether a proof would come to its end in time."""
        charges = np.clip(guess.astype(np.int64), self.floor, self.highest)
        seeds = _dearest_first(charges)
        some = seeds[EVERY // 2 :: EVERY]
        work = max(1, end - self.work)
        share = 4 * work // max(1, seeds.size) + 1
        cuts = self.search(charges, some, _places(seeds), share, (1, 1))
        times = 1 + AGAIN * (cuts.facts[:, 0] > 0)
        needed = EVERY * (cuts.facts[:, 3] * times).sum()
        stuck = (cuts.facts[:, 4] == 0).mean() if some.size else 0.0
        return bool(needed <= work and stuck <= LEFT_OUT)

    def search(
        self,
        charges: IntArray,
        seeds: IntArray,
        places: IntArray,
        share: int,
        over: tuple[int, int],
        reach: IntArray | None = None,
    ) -> Cuts:
        """Look for an overcharged box from every seed, on all cores."""
        cheapest, k = self.cheapest, self.k
        order = _mixed(seeds.size)
        seeds = seeds[order]
        empty = np.zeros((0, k), np.int32)
        parts = [Cuts(empty, empty, np.zeros((0, 5), np.int64))] * max(1, -(-seeds.size // STEPS))
        tree, losses, by_level = cheapest.tree, cheapest.losses, cheapest.by_level
        known = charges, places, charges if reach is None else reach, k, np.array(over)

        def look(begin: int, end: int, buffers: BoxSearch) -> None:
            shape = end - begin, k
            cuts = Cuts(
                np.zeros(shape, np.int32),
                np.zeros(shape, np.int32),
                np.zeros((end - begin, 5), np.int64),
            )
            find_cuts(
                tree, losses, by_level, self.lines, *known, seeds[begin:end], share, buffers, *cuts
            )
            parts[begin // STEPS] = cuts

        self.progress.phase("proving how little must be lost", seeds.size)
        in_chunks(seeds.size, STEPS, lambda: new_box_search(tree), look, self.progress)
        cuts = Cuts(*(np.concatenate([*column]) for column in zip(*parts, strict=True)))
        self.work += int(cuts.facts[:, 3].sum())
        return cuts.some(np.argsort(order))


def _dearest_first(charges: IntArray) -> IntArray:
    return np.lexsort((np.arange(charges.size), -charges))


def _mixed(n: int) -> IntArray:
    """An order in which every chunk gets of each kind: dear seeds take most of the work."""
    return np.argsort(np.arange(n) % max(1, -(-n // STEPS)), kind="stable")


def _places(seeds: IntArray) -> IntArray:
    places = np.empty(seeds.size, dtype=np.int64)
    places[seeds] = np.arange(seeds.size)
    return places


def _ascend(
    known: list[Cuts],
    k: int,
    unit: float,
    weight: FloatArray,
    highest: FloatArray,
    charges: FloatArray,
    prices: FloatArray,
) -> tuple[FloatArray, FloatArray]:
    """Raise the charges as far as all known cuts allow."""
    used = np.concatenate([cuts.facts[:, 0] for cuts in known])
    inside = [np.arange(k) < cuts.facts[:, :1] for cuts in known]
    cells = np.concatenate([c.cells[i] for c, i in zip(known, inside, strict=True)])
    counts = np.concatenate([c.counts[i] for c, i in zip(known, inside, strict=True)])
    limits = np.concatenate([k * cuts.facts[:, 1] / unit for cuts in known])
    starts = np.append(0, np.cumsum(used))
    own = np.repeat(np.arange(used.size), used)
    pace = max(float(charges.mean()) / unit, 1e-6)
    charges, prices = ascend(
        own, cells, counts.astype(np.float64), starts, limits, weight.astype(np.float64),
        highest / unit, ASCENT, pace, charges / unit, prices,
    )  # fmt: skip
    return charges * unit, prices
