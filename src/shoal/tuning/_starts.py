"""Where a search begins: equal weights, and weights from what the target depends on.

A column that tells much about the target should keep its detail. Two ways to tell how much, both
from train rows alone: mutual information with the target, and how much worse a model on the
originals gets when the column is shuffled (permutation importance; Breiman 2001), which also knows
what a column tells that others do not. Raised to several powers they range from nearly equal
weights to almost only the best column. Beside them stand weights that let a few columns keep their
detail and all others give way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

import numpy as np

from shoal._random import spawn
from shoal.tuning._effort_runner import EffortRunner
from shoal.typing import FloatArray, IntArray

POWERS = (0.5, 1.0, 2.0)
FEW = (3, 2, 4, 1)  # columns that keep their detail while all others give way
GIVES_WAY = 1 / 64
MOST_ROWS = 8_000  # enough to tell which columns matter
BINS = 16
LEAST_CHANCE = 1e-3  # a class that was never learned is a surprise without being an infinite one


def starting_weights(
    runner: EffortRunner, seed: int = 0, *, informed: bool = True
) -> list[dict[str, float]]:
    """Weights worth trying first; equal ones lead, then sources, mildest first, and few columns."""
    names = runner.parts.train.roles.quasi_identifiers
    equal = dict.fromkeys(names, 1.0)
    if len(names) < 2 or not informed:
        return [equal]
    sources = permutation_importance(runner, seed), mutual_information(runner)
    told = [source for source in sources if max(source.values()) > 0]
    raised = [_raised(source, power) for power in POWERS for source in told]
    return [equal, *_by_turns(raised, _few(told, names))]


def mutual_information(runner: EffortRunner) -> dict[str, float]:
    """Bits that each quasi-identifier tells about the target, on the train rows."""
    train = runner.parts.train
    answers = _binned(runner.judge.target.values(train))
    return {
        name: _information(_binned(train.codes(name)), answers)
        for name in train.roles.quasi_identifiers
    }


def permutation_importance(runner: EffortRunner, seed: int = 0) -> dict[str, float]:
    """How much worse a model gets when the features of one quasi-identifier are shuffled.

    It learns from each half of (some of) the train rows and is asked about the other; never below
    0. Measured in surprise (log loss, squared error): a score that counts right answers hardly
    moves on a few hundred rows.
    """
    train, judge = runner.parts.train, runner.judge
    encoder = runner.encoder().fit(train)
    rng = spawn(seed, "importance")
    rows = rng.permutation(train.n_rows)[:MOST_ROWS]
    features, answers = encoder.transform(train)[rows], judge.target.values(train)[rows]
    sizes = {name: len(part.names) for name, part in encoder.features_.items()}
    places = _places(sizes)
    lost = dict.fromkeys(train.roles.quasi_identifiers, 0.0)
    for learned, asked in (np.array_split(np.arange(rows.size), 2)[::way] for way in (1, -1)):
        with judge.alone():
            model = judge.quick_model().fit(features[learned], answers[learned])
        before = _surprise(model, features[asked], answers[asked])
        for name in (n for n in lost if n in places):
            shuffled = features[asked]
            shuffled[:, places[name]] = shuffled[rng.permutation(asked.size), places[name]]
            lost[name] += _surprise(model, shuffled, answers[asked]) - before
    return {name: max(0.0, value) for name, value in lost.items()}


def _places(sizes: Mapping[str, int]) -> dict[str, slice]:
    ends = np.cumsum([*sizes.values()]).tolist()
    return {name: slice(end - n, end) for (name, n), end in zip(sizes.items(), ends, strict=True)}


def _surprise(model: Any, features: Any, answers: Any) -> float:
    """Mean log loss of classes, mean squared error of numbers."""
    if not hasattr(model, "predict_proba"):
        return float(np.mean((model.predict(features) - answers) ** 2))
    chances, known = model.predict_proba(features), list(model.classes_)
    right = [chances[i, known.index(a)] if a in known else 0.0 for i, a in enumerate(answers)]
    return float(-np.log(np.maximum(right, LEAST_CHANCE)).mean())


def _few(told: Sequence[Mapping[str, float]], names: Sequence[str]) -> list[dict[str, float]]:
    """Let the columns that tell most keep their detail, the others give way."""
    if not told:
        return []
    shares = {name: sum(s[name] / max(s.values()) for s in told) for name in names}
    ranked = sorted(names, key=lambda name: -shares[name])
    return [
        {name: 1.0 if name in ranked[:n] else GIVES_WAY for name in names}
        for n in FEW
        if n < len(names)
    ]


def _by_turns(*several: Sequence[dict[str, float]]) -> list[dict[str, float]]:
    return [one for turn in zip_longest(*several) for one in turn if one is not None]


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
