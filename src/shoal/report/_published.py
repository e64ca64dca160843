"""Released columns: their distinct texts, what each covers, and what each loses.

Losses are measured against what is published and nothing else, so that whoever has ``data.csv``
and the hierarchies can recompute them, and a row that was left out has no part in them.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import cached_property

import numpy as np
import polars as pl

from shoal.spaces import IntervalSpace, Space
from shoal.table import Column
from shoal.typing import BoolArray, FloatArray, IntArray

HIDDEN = "*"


@dataclass(frozen=True, eq=False)
class GroupBoxes:
    """The groups of a release in one quasi-identifier.

    ``lo`` and ``hi`` are the smallest and largest code of each group; ``codes`` and ``groups``
    are code and group of each released row.
    """

    space: Space
    lo: IntArray
    hi: IntArray
    codes: IntArray
    groups: IntArray


@dataclass(frozen=True, eq=False)
class PublishedColumn:
    """A released column by its distinct texts, in the order of the alphabet.

    Parameters
    ----------
    texts : tuple of str or None
        The distinct texts, None for an empty cell.
    ids : IntArray
        The text of each row.
    counts : IntArray
        Rows under each text.
    hidden : BoolArray
        Which texts say nothing.
    boxes : GroupBoxes, optional
        What the groups have in common; without it every text is a value as it stands.

    Examples
    --------
    >>> published = PublishedColumn.read(pl.Series(["b", None, "b", "*"]))
    >>> published.texts, published.ids.tolist(), published.counts.tolist()
    ((None, '*', 'b'), [2, 0, 2, 1], [1, 1, 2])
    """

    texts: tuple[str | None, ...]
    ids: IntArray
    counts: IntArray
    hidden: BoolArray
    boxes: GroupBoxes | None = None

    @classmethod
    def read(cls, column: pl.Series, boxes: GroupBoxes | None = None) -> PublishedColumn:
        """Number the distinct texts of a column."""
        texts = column.cast(pl.String).rename("text").to_frame()
        distinct = texts.unique().sort("text", nulls_last=False).with_row_index("id")
        ids = texts.join(distinct, on="text", how="left", nulls_equal=True, maintain_order="left")
        numbers = ids["id"].to_numpy().astype(np.int64)
        names = tuple(distinct["text"].to_list())
        counts = np.bincount(numbers, minlength=len(names))
        hidden = np.array([name == HIDDEN for name in names], dtype=np.bool_)
        return cls(names, numbers, counts, hidden, boxes)

    @cached_property
    def spans(self) -> tuple[IntArray, IntArray]:
        """First and last code of the groups under each text."""
        assert self.boxes is not None
        lo = np.full(len(self.texts), self.boxes.space.n_codes, dtype=np.int64)
        hi = np.full(len(self.texts), -1, dtype=np.int64)
        np.minimum.at(lo, self.ids, self.boxes.lo[self.boxes.groups])
        np.maximum.at(hi, self.ids, self.boxes.hi[self.boxes.groups])
        return lo, hi

    @cached_property
    def losses(self) -> FloatArray:
        """Share of the detail that each text gives up, 0 to 1."""
        assert self.boxes is not None
        return self.boxes.space.released_loss(*self.spans)

    def ends(self, column: Column) -> tuple[FloatArray, FloatArray]:
        """Both ends of what each text covers on the scale of a column; infinite if unknown.

        A label of a tree covers what it says (``[20, 29]``, ``2020-Q1``): which of these values
        occur is known to its owner alone.
        """
        assert column.numbers is not None
        if self.boxes is None:
            return _ends_of_values(self.texts, column)
        space = self.boxes.space
        if not isinstance(space, IntervalSpace):
            return _ends_of_labels(self.texts, column)
        lo, hi = self.spans
        inside = (hi != space.missing_code) & (len(space.lows) > 0)
        lows, highs = np.full(lo.size, np.inf), np.full(lo.size, -np.inf)
        lows[inside], highs[inside] = space.starts[lo[inside]], space.ends[hi[inside]]
        return lows, highs


def _ends_of_labels(texts: tuple[str | None, ...], column: Column) -> tuple[FloatArray, FloatArray]:
    """Read what labels say of themselves."""
    from shoal.utility import DateScale, NumberScale

    scale = DateScale() if column.kind == "date" else NumberScale()
    first = float(date(1970, 1, 1).toordinal()) if column.kind == "date" else 0.0
    unknown = (np.inf, -np.inf)
    ends = [(text and scale.read(text)) or unknown for text in texts]
    lows, highs = np.array(ends, dtype=np.float64).reshape(-1, 2).T
    return lows + first, highs + first


def _ends_of_values(texts: tuple[str | None, ...], column: Column) -> tuple[FloatArray, FloatArray]:
    """Place values that stand as they are; a value that the column does not have is read."""
    assert column.numbers is not None
    known = dict(zip(column.labels, column.numbers.tolist(), strict=True))
    places = [np.nan if text is None else known.get(text, _place(text, column)) for text in texts]
    ends = np.array(places, dtype=np.float64)
    return np.where(np.isnan(ends), np.inf, ends), np.where(np.isnan(ends), -np.inf, ends)


def _place(text: str, column: Column) -> float:
    try:
        return float(date.fromisoformat(text).toordinal()) if column.kind == "date" else float(text)
    except ValueError:
        return float("nan")
