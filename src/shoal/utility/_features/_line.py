"""Numbers, dates and ordinals: the midpoint of what is published, and how wide it is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from shoal.exceptions import ValueKindError
from shoal.typing import BoolArray, FloatArray
from shoal.utility._features._base import Features, is_star
from shoal.utility._features._scales import Scale, Span

_LARGEST = float(np.finfo(np.float32).max)


@dataclass(frozen=True)
class LineFeatures(Features):
    """Midpoint, width and a flag for missing; a single value has width 0.

    ``*`` and a missing value are the whole domain, from ``low`` to ``high``. The width can be left
    out (``widths``).

    >>> from shoal.utility._features._scales import NumberScale
    >>> age = LineFeatures("age", NumberScale(), 17.0, 90.0)
    >>> age.names
    ('age (midpoint)', 'age (width)', 'age (missing)')
    >>> age.encode(["[20, 30]", "*"])[0].tolist()
    [[25.0, 10.0, 0.0], [53.5, 73.0, 0.0], [53.5, 73.0, 1.0]]
    """

    name: str
    scale: Scale
    low: float
    high: float
    widths: bool = True

    @classmethod
    def learn(
        cls, name: str, scale: Scale, texts: Sequence[str], known: Iterable[Span] = ()
    ) -> LineFeatures:
        """Learn the domain: from the smallest to the largest end of all texts and known spans."""
        told = [text for text in texts if not is_star(text)]
        read = [span for span in map(scale.read, told) if span is not None]
        if told and not read:
            raise ValueKindError(
                f"None of the {len(told):,} distinct values of column {name!r} can be read.",
                hint="Say what the column holds: kinds={...}, orders={...} or hierarchies={...}.",
            )
        spans = [*read, *known]
        low = min((low for low, _ in spans), default=0.0)
        return cls(name, scale, low, max((high for _, high in spans), default=low))

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the features."""
        parts = ("midpoint", "width", "missing") if self.widths else ("midpoint", "missing")
        return tuple(f"{self.name} ({part})" for part in parts)

    def encode(self, texts: Sequence[str]) -> tuple[FloatArray, BoolArray]:
        """Place each text on the line."""
        found = [self.scale.read(text) for text in texts]
        stars = np.fromiter(map(is_star, texts), dtype=np.bool_, count=len(texts))
        unread = np.fromiter((span is None for span in found), dtype=np.bool_, count=len(texts))
        whole = (self.low, self.high)
        ends = np.array([*(span or whole for span in found), whole], dtype=np.float64)
        rows = np.zeros((len(ends), 3), dtype=np.float64)
        rows[:, 0] = ends[:, 0] / 2 + ends[:, 1] / 2  # halves first: the sum may overflow
        rows[:, 1] = ends[:, 1] - ends[:, 0]
        rows[-1, 2] = 1.0
        told = rows if self.widths else rows[:, [0, 2]]
        return np.clip(told, -_LARGEST, _LARGEST), unread & ~stars
