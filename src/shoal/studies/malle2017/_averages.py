"""Means of many datasets, and how far to trust them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from shoal.studies._base import Finished
from shoal.studies.malle2017._experts import find_expert
from shoal.studies.malle2017._models import MODELS

Record = Mapping[str, Any]


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


class Scores:
    """The scores of all datasets done, ready to be asked for."""

    def __init__(self, done: Finished) -> None:
        self.datasets = done.records("dataset")
        self.originals = done.records("original")

    @cached_property
    def arms(self) -> list[tuple[str, int]]:
        """Code and rows there are results for, in order."""
        return sorted({(r["code"], r["rows"]) for r in self.datasets})

    @property
    def most_rows(self) -> int:
        """Rows of the largest release of today's code for which most experts' vectors are done."""
        here = [r for r in self.datasets if r["code"] == "today"]
        for way in ("iml", "bias", "equal"):
            done = Counter(int(r["rows"]) for r in here if r["way"] == way)
            if done:
                return max(done, key=lambda rows: (done[rows], rows))
        return 0

    def original(self, target: str, rows: int, model: str, scoring: str) -> float | None:
        """Score of the un-anonymized table; None if it is not there."""
        for r in self.originals:
            if (r["target"], r["rows"]) == (target, rows):
                return float(r[scoring]["f1"][model])
        return None

    def mean(self, model: str, scoring: str, **wanted: Any) -> float | None:
        """Mean score of a model over all datasets with these settings; None if there is none."""
        found = [r[scoring]["f1"][model] for r in matching(self.datasets, wanted)]
        return float(np.mean(found)) if found else None

    def over_models(self, scoring: str, **wanted: Any) -> float:
        """Mean score over all models and datasets with these settings."""
        found = [
            r[scoring]["f1"][model] for r in matching(self.datasets, wanted) for model in MODELS
        ]
        return float(np.mean(found))

    def gains(self, code: str, rows: int, way: str, against: str = "equal") -> dict[int, float]:
        """What each expert's vectors gain over equal weights (or the expert's own sliders).

        The mean over all k and models; only k where both are done count.
        """
        mine: dict[int, list[float]] = defaultdict(list)
        base = self._bases(code, rows, against)
        for r in matching(self.datasets, {"code": code, "rows": rows, "way": way}):
            other = base.get((r["target"], r["k"], r["expert"] if against != "equal" else 0))
            if other is not None:
                mine[r["expert"]] += [r["proper"]["f1"][m] - other[m] for m in MODELS]
        return {expert: float(np.mean(gains)) for expert, gains in mine.items()}

    def gain(self, code: str, rows: int, way: str, **who: str) -> Gain | None:
        """Mean gain over equal weights of experts of a kind or target; None if there are none."""
        return gain_of(self.gains(code, rows, way), **who)

    def _bases(self, code: str, rows: int, way: str) -> dict[tuple[str, int, int], Record]:
        wanted = {"code": code, "rows": rows, "way": way}
        return {
            (r["target"], r["k"], r["expert"]): r["proper"]["f1"]
            for r in matching(self.datasets, wanted)
        }


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
