"""What a published cell says: a point, a span, a set of values, anything."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

import numpy as np
import polars as pl

from shoal.typing import FloatArray, IntArray, Kind

HIDDEN = "*"
_SPAN = re.compile(r"\[(.+), (.+)\]", re.DOTALL)


@dataclass(frozen=True, eq=False)
class PublishedColumn:
    """The distinct texts of a released column, how often each occurs, and who is under it.

    ``ids[row]`` is the text of a row; ``texts[ids[row]]`` is None for an empty cell.
    """

    texts: tuple[str | None, ...]
    ids: IntArray

    @property
    def counts(self) -> IntArray:
        """Rows under each text."""
        return np.bincount(self.ids, minlength=len(self.texts))

    def count(self, text: str | None) -> int:
        """Rows under one text."""
        return int(self.counts[self.texts.index(text)]) if text in self.texts else 0

    @classmethod
    def read(cls, column: pl.Series) -> PublishedColumn:
        """Number the distinct texts of a column.

        >>> published = PublishedColumn.read(pl.Series(["a", None, "a", "*"]))
        >>> published.texts, published.ids.tolist()
        (('a', None, '*'), [0, 1, 0, 2])
        """
        texts = column.cast(pl.String).rename("text").to_frame()
        distinct = texts.unique(maintain_order=True).with_row_index("id")
        ids = texts.join(distinct, on="text", how="left", nulls_equal=True, maintain_order="left")
        return cls(tuple(distinct["text"].to_list()), ids["id"].to_numpy().astype(np.int64))


def spans(
    published: PublishedColumn, codes: IntArray, numbers: FloatArray, kind: Kind
) -> tuple[FloatArray, FloatArray]:
    """Give both ends of what each text covers, on the scale of ``numbers``.

    Ends are read from the text; where it is a label (a year, ``*``), they are those of the
    values found under it.

    >>> published = PublishedColumn.read(pl.Series(["[17, 25]", "40", "*"]))
    >>> lows, highs = spans(published, np.array([0, 2, 1]), np.array([18.0, 30, 40]), "numeric")
    >>> lows.tolist(), highs.tolist()
    ([17.0, 40.0, 18.0], [25.0, 40.0, 40.0])
    """
    lows, highs = _seen_ends(published, codes, numbers)
    for i, text in enumerate(published.texts):
        if text == HIDDEN:
            lows[i], highs[i] = numbers[0], numbers[-1]
        elif text is not None:
            ends = _read_span(text, kind)
            if ends is not None:
                lows[i], highs[i] = ends
    return lows, highs


def _seen_ends(
    published: PublishedColumn, codes: IntArray, numbers: FloatArray
) -> tuple[FloatArray, FloatArray]:
    here = codes < numbers.size  # a missing cell has no place on the scale
    lows = np.full(len(published.texts), np.inf)
    highs = np.full(len(published.texts), -np.inf)
    np.minimum.at(lows, published.ids[here], numbers[codes[here]])
    np.maximum.at(highs, published.ids[here], numbers[codes[here]])
    return lows, highs


def _read_span(text: str, kind: Kind) -> tuple[float, float] | None:
    found = _SPAN.fullmatch(text)
    ends = found.groups() if found else (text, text)
    try:
        low, high = (_place(end, kind) for end in ends)
    except ValueError:
        return None
    return low, high


def _place(text: str, kind: Kind) -> float:
    return float(date.fromisoformat(text).toordinal()) if kind == "date" else float(text)
