"""The scores of all datasets, ready to be asked for."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import Any

import numpy as np

from shoal.studies._base import Finished
from shoal.studies._census._gains import Gain, Record, ScoreChange, gain_of, matching
from shoal.studies._census._models import MODELS


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
    def sizes(self) -> list[int]:
        """Rows there are releases of by today's code."""
        return [rows for code, rows in self.arms if code == "today"]

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
        here = [r[scoring] for r in matching(self.datasets, wanted) if r[scoring] is not None]
        return float(np.mean([r["f1"][model] for r in here])) if here else None

    def over_models(self, scoring: str, **wanted: Any) -> float:
        """Mean score over all models and datasets with these settings."""
        found = [
            r[scoring]["f1"][model] for r in matching(self.datasets, wanted) for model in MODELS
        ]
        return float(np.mean(found))

    def gains(
        self, code: str, rows: int, way: str, against: str = "equal", scoring: str = "proper"
    ) -> list[ScoreChange]:
        """What experts' vectors change against equal weights (or the expert's own sliders).

        Means over models; only k and draws of rows where both are done count.
        """
        found = []
        base = self._bases(code, rows, against, scoring)
        for r in matching(self.datasets, {"code": code, "rows": rows, "way": way}):
            who = r["expert"] if against != "equal" else 0
            other = base.get((r["target"], r["k"], r["draw"], who))
            if other is not None and r[scoring] is not None:
                gain = float(np.mean([r[scoring]["f1"][m] - other[m] for m in MODELS]))
                found.append(ScoreChange(r["expert"], r["target"], r["k"], gain, r["draw"]))
        return found

    def gain(self, code: str, rows: int, way: str, **who: str) -> Gain | None:
        """Mean gain over equal weights of experts of a kind or target; None if there are none."""
        return gain_of(self.gains(code, rows, way), **who)

    def _bases(
        self, code: str, rows: int, way: str, scoring: str
    ) -> dict[tuple[str, int, int, int], Record]:
        wanted = {"code": code, "rows": rows, "way": way}
        return {
            (r["target"], r["k"], r["draw"], r["expert"]): r[scoring]["f1"]
            for r in matching(self.datasets, wanted)
            if r[scoring] is not None
        }
