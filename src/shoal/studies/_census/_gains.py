"""What weights change, averaged over people, and how far to trust it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from shoal.studies._census._experts import find_expert
from shoal.studies._drawing import COLOURS
from shoal.studies._verdicts import MeanEstimate
from shoal.typing import FloatArray, IntArray

Record = Mapping[str, Any]
#: Where weights come from, each in its colour: all alike, from sliders, from answers.
WAYS = {"equal": COLOURS[4], "bias": COLOURS[1], "iml": COLOURS[0]}


@dataclass(frozen=True)
class ScoreChange:
    """What an expert's weights change at one k: F1 above that of the base, mean of models.

    The base is a release of the same draw of rows with equal weights; all experts of a target who
    were given that draw are held against it.
    """

    expert: int
    target: str
    k: int
    gain: float
    draw: int = 0


@dataclass(frozen=True)
class Gain(MeanEstimate):
    """F1 above that of a base: the mean, and how well it is known.

    Changes share people of one mind or a base, and luck with either moves them together, so the
    variance is clustered both ways (A. C. Cameron, J. B. Gelbach, D. L. Miller, Robust inference
    with multiway clustering, JBES 2011), with a t quantile for the fewer clusters. Simulated
    experts who know a target, or go by a stereotype of it, are near-copies of each other: for each
    target they are one cluster, however many they are. Careless ones are each their own.
    """

    experts: int = 0

    @classmethod
    def of_changes(cls, changes: Sequence[ScoreChange]) -> Gain:
        """Average changes.

        >>> two = [ScoreChange(3, "income", 5, 0.01), ScoreChange(6, "income", 5, 0.03)]
        >>> Gain.of_changes(two).value
        0.02
        """
        gains = np.array([change.gain for change in changes])
        minds = _numbered([_mind(change.expert) for change in changes])
        bases = _numbered(_bases(changes))
        fewer = int(min(minds.max(), bases.max())) + 1
        experts = len({change.expert for change in changes})
        mean = float(gains.mean())
        if fewer < 2:
            return cls(mean, float("inf"), 1, experts)
        rest = gains - mean
        by_mind, by_base = (_squares(rest, groups) for groups in (minds, bases))
        both = by_mind + by_base - float((rest**2).sum())
        variance = max(both, by_mind, by_base) / len(changes) ** 2 * fewer / (fewer - 1)
        return cls(mean, float(np.sqrt(variance)), fewer - 1, experts)


def gain_of(
    changes: Sequence[ScoreChange], kind: str | None = None, target: str | None = None
) -> Gain | None:
    """Average what some of the experts change."""
    chosen = [
        change
        for change in changes
        if kind in (None, find_expert(change.expert).kind) and target in (None, change.target)
    ]
    return Gain.of_changes(chosen) if chosen else None


def gap_between(changes: Sequence[ScoreChange], kind: str, other: str) -> MeanEstimate | None:
    """How far two kinds of experts are apart, one number for each target: bases' luck cancels.

    People of one kind are near-copies, so that targets are what there are several of.
    """
    gaps = []
    for target in dict.fromkeys(change.target for change in changes):
        ours, theirs = (_means(changes, target, who) for who in (kind, other))
        if not ours or not theirs:
            return None
        gaps.append(float(np.mean(ours) - np.mean(theirs)))
    return MeanEstimate.of(gaps) if gaps else None


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


def _mind(number: int) -> tuple[str, str | int]:
    """Whose mind an expert has: the kind's, or a careless one's own."""
    person = find_expert(number)
    return person.target, number if person.kind == "careless" else person.kind


def _bases(changes: Sequence[ScoreChange]) -> list[tuple[str, int]]:
    """What luck with a base is shared by: a draw of rows, or one k where there is one draw."""
    several = len({change.draw for change in changes}) > 1
    return [(change.target, change.draw if several else change.k) for change in changes]
