"""When to stop asking: once knowing the weights better would hardly change who joins whom."""

from __future__ import annotations

import math

import numpy as np

from shoal.session._pool import Pool
from shoal.session._products import products
from shoal.session.learners import Belief
from shoal.typing import FloatArray

ENOUGH = 0.05  # of the loss that matters, still to be saved by knowing the weights exactly
DRAWS = 50
USUAL_RATE = 0.1  # by which each answer lowers the logarithm of the regret, from simulations
USUAL_ANSWERS = 5  # that the usual rate counts as much as
POINT_ANSWERS = 25  # decisions of the papers' experiments, for rules that know no doubt


def regret(belief: Belief, pool: Pool) -> float:
    """Share of the weighted loss that knowing the weights exactly is expected to save.

    Every row of the pool joins the group that is cheapest under the mean weights; under weights
    that are still likely another group might have been cheaper. 0 says that doubt about the
    weights changes nothing in who joins whom.
    """
    draws = belief.draws[:: max(1, len(belief.draws) // DRAWS)]
    likely = _weighted(pool, draws)
    by_mean = _weighted(pool, belief.mean[None])[..., 0].argmin(axis=1)
    taken = np.take_along_axis(likely, by_mean[:, None, None], axis=1)[:, 0]
    best = likely.min(axis=1)
    total = float(best.sum())
    return float((taken - best).sum()) / total if total > 0 else 0.0


def sureness(first: float, now: float) -> float:
    """From 0 at the first regret to 1 at the regret that is small enough, on a log scale.

    >>> sureness(0.5, 0.5), sureness(0.5, 0.02), round(sureness(0.5, 0.16), 1)
    (0.0, 1.0, 0.5)
    """
    if now <= ENOUGH:
        return 1.0
    way = math.log(first / ENOUGH) if first > ENOUGH else 1.0
    return min(1.0, max(0.0, 1 - math.log(now / ENOUGH) / way))


def answers_left(first: float, now: float, answers: int) -> int:
    """About how many more answers it takes, at the pace of those so far and the usual one.

    >>> answers_left(0.5, 0.5, 0), answers_left(0.5, 0.1, 15), answers_left(0.5, 0.04, 20)
    (24, 7, 0)
    """
    if now <= ENOUGH:
        return 0
    gone = max(0.0, math.log(first / now)) if first > 0 else 0.0
    rate = (gone + USUAL_RATE * USUAL_ANSWERS) / (answers + USUAL_ANSWERS)
    return max(1, math.ceil(math.log(now / ENOUGH) / rate))


def _weighted(pool: Pool, weights: FloatArray) -> FloatArray:
    """Weighted loss of each row, group and weight vector; what is forbidden costs endlessly."""
    usable = pool.allowed.any(axis=1)
    found = products(pool.cost[usable], weights)
    return np.where(pool.allowed[usable][..., None], found, np.inf)
