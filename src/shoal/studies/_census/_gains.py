"""What weights change, averaged over people, and how far to trust it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from shoal.studies._census._experts import find_expert
from shoal.studies._drawing import COLOURS
from shoal.typing import FloatArray, IntArray

Record = Mapping[str, Any]
#: Where weights come from, each in its colour: all alike, from sliders, from answers.
WAYS = {"equal": COLOURS[4], "bias": COLOURS[1], "iml": COLOURS[0]}


@dataclass(frozen=True)
class ScoreChange:
    """What an expert's weights change at one k: macro F1 above that of the base, mean of models.

    The base, a release with equal weights, is the same for all experts of a target.
    """

    expert: int
    target: str
    k: int
    gain: float


@dataclass(frozen=True)
class Gain:
    """Macro F1 above that of a base: the mean, and a 95 % interval of it.

    Changes share an expert or a base, and luck with either moves them together, so the variance is
    clustered both ways (A. C. Cameron, J. B. Gelbach, D. L. Miller, Robust inference with multiway
    clustering, JBES 2011), with a t quantile for the fewer clusters.
    """

    mean: float
    low: float
    high: float
    experts: int

    @classmethod
    def of(cls, changes: Sequence[ScoreChange]) -> Gain:
        """Average changes.

        >>> Gain.of([ScoreChange(1, "income", 5, 0.01), ScoreChange(4, "income", 5, 0.03)]).mean
        0.02
        """
        gains = np.array([change.gain for change in changes])
        experts = _numbered([change.expert for change in changes])
        bases = _numbered([(change.target, change.k) for change in changes])
        fewer = int(min(experts.max(), bases.max())) + 1
        mean, half = float(gains.mean()), np.inf
        if fewer > 1:
            rest = gains - mean
            by_expert, by_base = (_squares(rest, groups) for groups in (experts, bases))
            both = by_expert + by_base - float((rest**2).sum())
            variance = max(both, by_expert, by_base) / len(changes) ** 2 * fewer / (fewer - 1)
            half = _quantile(fewer - 1) * float(np.sqrt(variance))
        return cls(mean, mean - half, mean + half, int(experts.max()) + 1)

    def __str__(self) -> str:
        if not np.isfinite(self.low):
            return f"{self.mean:+.3f}"
        return f"{self.mean:+.3f} ({self.low:+.3f} to {self.high:+.3f})"


def gain_of(
    changes: Sequence[ScoreChange], kind: str | None = None, target: str | None = None
) -> Gain | None:
    """Average what some of the experts change."""
    chosen = [
        change
        for change in changes
        if kind in (None, find_expert(change.expert).kind) and target in (None, change.target)
    ]
    return Gain.of(chosen) if chosen else None


def gap_between(changes: Sequence[ScoreChange], kind: str, other: str) -> Gain | None:
    """How far two kinds of experts are apart: they share their bases, whose luck cancels."""
    gaps, variances, experts = [], [], 0
    for target in dict.fromkeys(change.target for change in changes):
        ours, theirs = (_means(changes, target, who) for who in (kind, other))
        if min(len(ours), len(theirs)) < 2:
            return None
        gaps.append(float(np.mean(ours) - np.mean(theirs)))
        variances.append(float(np.var(ours, ddof=1) / len(ours)))
        variances.append(float(np.var(theirs, ddof=1) / len(theirs)))
        experts += len(ours) + len(theirs)
    if not gaps:
        return None
    mean = float(np.mean(gaps))
    half = _quantile(experts - 2 * len(gaps)) * float(np.sqrt(sum(variances))) / len(gaps)
    return Gain(mean, mean - half, mean + half, experts)


def matching(records: Iterable[Record], wanted: Mapping[str, Any]) -> list[Record]:
    """Keep records with these settings."""
    return [r for r in records if all(r[name] == value for name, value in wanted.items())]


def grouped_mean(
    records: Iterable[Record], keys: Sequence[str], value: str
) -> list[dict[str, Any]]:
    """Average a value over records that agree on the keys.

    >>> grouped_mean([{"k": 5, "f1": 0.5}, {"k": 5, "f1": 0.7}], ["k"], "f1")
    [{'k': 5, 'f1': 0.6, 'n': 2}]
    """
    found: dict[tuple[Any, ...], list[float]] = defaultdict(list)
    for record in records:
        found[tuple(record[key] for key in keys)].append(float(record[value]))
    return [
        {**dict(zip(keys, group, strict=True)), value: float(np.mean(values)), "n": len(values)}
        for group, values in found.items()
    ]


def _means(changes: Sequence[ScoreChange], target: str, kind: str) -> list[float]:
    """Each expert's mean change over all k."""
    found: dict[int, list[float]] = defaultdict(list)
    for change in changes:
        if (change.target, find_expert(change.expert).kind) == (target, kind):
            found[change.expert].append(change.gain)
    return [float(np.mean(gains)) for gains in found.values()]


def _numbered(names: Sequence[Any]) -> IntArray:
    number = {name: i for i, name in enumerate(dict.fromkeys(names))}
    return np.array([number[name] for name in names], dtype=np.int64)


def _squares(rest: FloatArray, groups: IntArray) -> float:
    """Sum of the squared sums of each group."""
    return float((np.bincount(groups, weights=rest) ** 2).sum())


def _quantile(freedom: int) -> float:
    from scipy.stats import t

    return float(t.ppf(0.975, freedom))
