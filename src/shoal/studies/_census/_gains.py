"""What weights change, averaged over people, and how far to trust it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from shoal.studies._census._experts import find_expert
from shoal.studies._drawing import COLOURS

Record = Mapping[str, Any]
#: Where weights come from, each in its colour: all alike, from sliders, from answers.
WAYS = {"equal": COLOURS[4], "bias": COLOURS[1], "iml": COLOURS[0]}


@dataclass(frozen=True)
class Gain:
    """Macro F1 above that of equal weights: mean over experts, and a 95 % interval of it.

    The interval speaks of other experts of the same kind, not of other tables.
    """

    mean: float
    low: float
    high: float
    experts: int

    @classmethod
    def of(cls, gains: Sequence[float]) -> Gain:
        """Average gains, one for each expert.

        >>> Gain.of([0.01, 0.03]).mean
        0.02
        """
        mean = float(np.mean(gains))
        error = float(np.std(gains, ddof=1) / np.sqrt(len(gains))) if len(gains) > 1 else np.inf
        return cls(mean, mean - 1.96 * error, mean + 1.96 * error, len(gains))

    def __str__(self) -> str:
        if not np.isfinite(self.low):
            return f"{self.mean:+.3f}"
        return f"{self.mean:+.3f} ({self.low:+.3f} to {self.high:+.3f})"


def gain_of(
    gains: Mapping[int, float], kind: str | None = None, target: str | None = None
) -> Gain | None:
    """Average the gains of some of the experts."""
    chosen = [
        gain
        for number, gain in gains.items()
        if kind in (None, find_expert(number).kind) and target in (None, find_expert(number).target)
    ]
    return Gain.of(chosen) if chosen else None


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
