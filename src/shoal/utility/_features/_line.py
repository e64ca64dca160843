"""Numbers, dates and ordinals: the midpoint of what is published, and how wide it is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from shoal.exceptions import ValueKindError
from shoal.typing import BoolArray, FloatArray, IntArray
from shoal.utility._features._base import Features, is_star
from shoal.utility._features._scales import Scale, Span

_LARGEST = float(np.finfo(np.float32).max)


@dataclass(frozen=True)
class LineFeatures(Features):
    """Midpoint, width and a flag for missing; a single value has width 0.

    ``*`` and a missing value are the whole domain, from ``low`` to ``high``. The width can be left
    out (``widths``); ``scaled`` measures both in half domains, the middle of the domain at 0.

    >>> from shoal.utility._features._scales import NumberScale
    >>> age = LineFeatures("age", NumberScale(), 17.0, 90.0)
    >>> age.names
    ('age (midpoint)', 'age (width)', 'age (missing)')
    >>> age.encode(["[20, 30]", "*"])[0].tolist()
    [[25.0, 10.0, 0.0], [53.5, 73.0, 0.0], [53.5, 73.0, 1.0]]
    >>> scaled = LineFeatures("age", NumberScale(), 20, 80, scaled=True)
    >>> scaled.encode(["20", "[50, 80]"])[0].tolist()
    [[-1.0, 0.0, 0.0], [0.5, 1.0, 0.0], [0.0, 2.0, 1.0]]
    """

    name: str
    scale: Scale
    low: float
    high: float
    widths: bool = True
    scaled: bool = False

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
        ends, unread = self._ends(texts)
        middle = ends[:, 0] / 2 + ends[:, 1] / 2  # halves first: the sum may overflow
        missing = np.arange(len(ends)) == len(texts)
        return self._rows(middle, ends[:, 1] - ends[:, 0], missing), unread

    def draw(self, texts: Sequence[str], codes: IntArray, rng: np.random.Generator) -> FloatArray:
        """Draw a place between the ends of what each row says; a single place has no width."""
        low, high = self._ends(texts)[0][codes].T
        share = rng.random(codes.size)
        return self._rows(
            low * (1 - share) + high * share, np.zeros(codes.size), codes == len(texts)
        )

    def _ends(self, texts: Sequence[str]) -> tuple[FloatArray, BoolArray]:
        """Both ends of each text, and of a missing value; which texts could not be read."""
        found = [self.scale.read(text) for text in texts]
        unread = [
            span is None and not is_star(text) for span, text in zip(found, texts, strict=True)
        ]
        whole = (self.low, self.high)
        ends = np.array([*(span or whole for span in found), whole], dtype=np.float64)
        return ends, np.array(unread, dtype=np.bool_)

    def _rows(self, places: FloatArray, widths: FloatArray, missing: BoolArray) -> FloatArray:
        if self.scaled:
            quarter = (self.high / 4 - self.low / 4) or 0.5
            places = (places / 2 - (self.low / 4 + self.high / 4)) / quarter
            widths = widths / 2 / quarter
        parts = (places, widths, missing) if self.widths else (places, missing)
        rows: FloatArray = np.clip(np.column_stack(parts), -_LARGEST, _LARGEST)
        return rows
