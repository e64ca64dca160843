"""Where a search begins: equal weights, and weights from what the target depends on.

A column that tells much about the target should keep its detail. Two ways to tell how much, both
from train rows alone: mutual information with the target, and how much worse a model on the
originals gets when the column is shuffled (permutation importance; Breiman 2001). Raised to several
powers they range from nearly equal weights to almost only the best column.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from shoal._random import spawn
from shoal.tuning._effort_runner import EffortRunner
from shoal.typing import FloatArray, IntArray

POWERS = (0.5, 1.0, 2.0)
MOST_ROWS = 8_000  # enough to tell which columns matter
BINS = 16


def starting_weights(
    runner: EffortRunner, seed: int = 0, *, informed: bool = True
) -> list[dict[str, float]]:
    """Weights worth trying first; equal ones lead, then both sources by turns, mildest first."""
    names = runner.parts.train.roles.quasi_identifiers
    equal = dict.fromkeys(names, 1.0)
    if len(names) < 2 or not informed:
        return [equal]
    sources = permutation_importance(runner, seed), mutual_information(runner)
    told = [source for source in sources if max(source.values()) > 0]
    return [equal, *(_raised(source, power) for power in POWERS for source in told)]


def mutual_information(runner: EffortRunner) -> dict[str, float]:
    """Bits that each quasi-identifier tells about the target, on the train rows."""
    train = runner.parts.train
    answers = _binned(runner.judge.target.values(train))
    return {
        name: _information(_binned(train.codes(name)), answers)
        for name in train.roles.quasi_identifiers
    }


def permutation_importance(runner: EffortRunner, seed: int = 0) -> dict[str, float]:
    """Loss of score when the features of one quasi-identifier are shuffled; never below 0.

    The model learns from one half of (some of) the train rows and is asked about the other.
    """
    train, judge = runner.parts.train, runner.judge
    encoder = runner.encoder().fit(train)
    rng = spawn(seed, "importance")
    rows = rng.permutation(train.n_rows)[:MOST_ROWS]
    features, answers = encoder.transform(train)[rows], judge.target.values(train)[rows]
    half = rows.size // 2
    with judge.alone():
        model = judge.quick_model().fit(features[:half], answers[:half])
    asked, right = features[half:], answers[half:]
    before = judge.measure(model, asked, right)
    ends = np.cumsum([len(f.names) for f in encoder.features_.values()])
    lost: dict[str, float] = {}
    for name, end, part in zip(encoder.features_, ends, encoder.features_.values(), strict=True):
        shuffled = asked.copy()
        place = slice(end - len(part.names), end)
        shuffled[:, place] = asked[rng.permutation(len(asked)), place]
        lost[name] = max(0.0, before - judge.measure(model, shuffled, right))
    return {name: lost.get(name, 0.0) for name in train.roles.quasi_identifiers}


def _raised(told: Mapping[str, float], power: float) -> dict[str, float]:
    largest = max(told.values())
    return {name: (value / largest) ** power for name, value in told.items()}


def _binned(values: Any) -> IntArray:
    """Number values; more than a few become bins that hold equally many rows."""
    distinct, codes = np.unique(values, return_inverse=True)
    if distinct.size <= 4 * BINS:
        return codes
    ranks = np.argsort(np.argsort(values, kind="stable"), kind="stable")
    binned: IntArray = np.minimum(ranks * BINS // len(values), BINS - 1)
    return binned


def _information(one: IntArray, other: IntArray) -> float:
    """Mutual information in bits.

    >>> _information(np.array([0, 0, 1, 1]), np.array([0, 0, 1, 1]))
    1.0
    """
    pairs = np.unique(np.column_stack([one, other]), axis=0, return_counts=True)[1]
    sides = [np.bincount(side) for side in (one, other)]
    return max(0.0, sum(map(_entropy, sides)) - _entropy(pairs))


def _entropy(counts: FloatArray | IntArray) -> float:
    shares = counts[counts > 0] / counts.sum()
    return float(-(shares * np.log2(shares)).sum())
