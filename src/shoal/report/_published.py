"""What was released: the people behind its rows; its columns, what each text covers and loses.

Losses are measured against what is published and nothing else, so that whoever has ``data.csv``
and the hierarchies can recompute them, and a row that was left out has no part in them. A number
speaks of enough people, or is not told.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

import numpy as np
import polars as pl

from shoal.report._words import DASH
from shoal.spaces import IntervalSpace, Space
from shoal.table import Column, Distinct
from shoal.typing import BoolArray, FloatArray, IntArray

_WANTED = 8
_PUBLIC = 11  # who hides among so many is at no more risk than regulators accept in public
_STEPS = (1, 5, 10, 20, 50, 100)  # percent left out


@dataclass(frozen=True, eq=False)
class People:
    """The people behind the rows of a table.

    Parameters
    ----------
    ids : IntArray, optional
        A number for the person of each row, negative if nobody is named (such rows add no
        person); without it every row is another person.
    least : int
        Fewest people that a number in a report may speak of.

    Examples
    --------
    >>> people = People(np.array([7, 7, 8]), least=2)
    >>> people.count(np.array([True, True, False])), people.count(np.array([True, False, True]))
    (1, 2)
    >>> people.by_code(np.array([0, 0, 1]), 2).tolist()
    [1, 1]
    """

    ids: IntArray | None
    least: int

    def count(self, rows: BoolArray) -> int:
        """Count the people behind the rows that are true."""
        if self.ids is None:
            return int(np.count_nonzero(rows))
        found = np.unique(self.ids[rows])
        return int(np.count_nonzero(found >= 0))

    def by_code(self, codes: IntArray, size: int) -> IntArray:
        """Count the people that have each code 0 to ``size - 1``."""
        if self.ids is None:
            return np.bincount(codes, minlength=size)
        named = self.ids >= 0
        pairs = np.unique(self.ids[named].astype(np.int64) * size + codes[named])
        return np.bincount(pairs % size, minlength=size)


def suppressed_step(gone: int, total: int, least: int) -> str:
    """Say roughly how many are left out, in steps that are at least ``least`` people wide.

    Nobody left out reads like one: whether a single person is in the table cannot be told.

    >>> [suppressed_step(gone, 400, 10) for gone in (0, 1, 19, 20)]
    ['fewer than 5 %', 'fewer than 5 %', 'fewer than 5 %', 'fewer than 10 %']
    """
    for percent in _STEPS:
        if percent * total >= 100 * least and 100 * gone < percent * total:
            return f"fewer than {percent} %"
    return "some"


@dataclass(frozen=True)
class SizeSlot:
    """Groups of some size: how many, and the share of the rows that is in them."""

    label: str
    groups: int
    share: float


@dataclass(frozen=True)
class GroupSizes:
    """Sizes of groups, in people where they are known, else in rows.

    ``alone`` and ``under_eleven`` are shares of them in groups of one, and of fewer than eleven;
    ``squares`` is the sum of squared sizes.
    Rows can be counted in the release by anybody; people cannot, so that all but the smallest
    number of them has two digits.

    >>> frame = pl.DataFrame({"age": ["[20, 29]"] * 2 + ["[30, 39]"] * 3 + ["*"] * 3})
    >>> sizes = GroupSizes.count(frame, ["age"])
    >>> sizes.groups, sizes.smallest, sizes.largest, [slot.label for slot in sizes.slots]
    (3, 2, 3, ['2', '3'])
    """

    groups: int
    smallest: int
    largest: int
    average: float
    slots: tuple[SizeSlot, ...]
    alone: float = 0.0
    under_eleven: float = 0.0
    squares: int = 0

    @classmethod
    def count(
        cls,
        released: pl.DataFrame,
        names: tuple[str, ...] | list[str],
        people: IntArray | None = None,
    ) -> GroupSizes:
        """Count the rows that are equal on the columns named, or their people.

        A negative number names nobody; a group of only such rows has one person.
        """
        if not names:
            everyone = (
                np.zeros(released.height) if people is None else np.unique(people[people >= 0])
            )
            return cls.of(np.array([max(1, everyone.size)]), rough=people is not None)
        fresh = "#" + "".join(names)  # longer than any of them, so the name of none
        frame, size = released.select(names), pl.len()
        if people is not None:
            frame = frame.with_columns(pl.Series(fresh, people))
            size = pl.col(fresh).filter(pl.col(fresh) >= 0).n_unique().clip(1)
        counted = frame.group_by(names).agg(size.alias(f"{fresh}#"))
        sizes = counted.to_series(-1).to_numpy().astype(np.int64)
        return cls.of(sizes, rough=people is not None)

    @classmethod
    def of(cls, sizes: IntArray, *, rough: bool = False) -> GroupSizes:
        """Sum up sizes that were counted elsewhere; rough ones have two digits."""
        if sizes.size == 0:
            return cls(0, 0, 0, 0.0, ())
        smallest, largest = int(sizes.min()), int(sizes.max())
        total = int(sizes.sum())
        usual = int(np.quantile(sizes, 0.95))  # even steps up to here, an open one beyond
        step = -(-(usual - smallest + 1) // _WANTED)
        places = np.minimum((sizes - smallest) // step, _WANTED)
        slots = []
        for place in range(int(places.max()) + 1):
            here = sizes[places == place]
            low, high = smallest + place * step, smallest + (place + 1) * step - 1
            label = f"{low}" if low == high else f"{low}{DASH}{high}"
            label = f"{low}+" if place == _WANTED else label
            share = round(float(here.sum() / total), 2 if rough else 4)
            slots.append(SizeSlot(label, int(here.size), share))
        return cls(
            sizes.size,
            smallest,
            max(smallest, int(two_digits(largest))) if rough else largest,
            two_digits(float(sizes.mean())) if rough else float(sizes.mean()),
            tuple(slots),
            alone=round(int(sizes[sizes == 1].sum()) / total, 2 if rough else 6),
            under_eleven=round(int(sizes[sizes < _PUBLIC].sum()) / total, 2 if rough else 6),
            squares=0 if rough else int((sizes.astype(np.int64) ** 2).sum()),
        )


def two_digits(number: float) -> float:
    """Keep two digits of a number.

    >>> two_digits(0.07654), two_digits(12.34), two_digits(1234)
    (0.077, 12.0, 1200.0)
    """
    return float(f"{number:.2g}")


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
    spans : pair of IntArray
        First and last code of the groups under each text; of no meaning without boxes.
    boxes : GroupBoxes, optional
        What the groups have in common; without it every text is a value as it stands.

    Examples
    --------
    >>> column = Distinct.of(pl.Series(["b", None, "b", "*"]))
    >>> published = PublishedColumn.read(column, column.ranks()[0])
    >>> published.texts, published.ids.tolist(), published.counts.tolist()
    ((None, '*', 'b'), [2, 0, 2, 1], [1, 1, 2])
    """

    texts: tuple[str | None, ...]
    ids: IntArray
    counts: IntArray
    hidden: BoolArray
    spans: tuple[IntArray, IntArray]
    boxes: GroupBoxes | None = None

    @classmethod
    def read(
        cls, column: Distinct, ranks: IntArray, boxes: GroupBoxes | None = None
    ) -> PublishedColumn:
        """Number the distinct texts of a column by the ranks of its cells."""
        numbers = ranks if column.n_missing else ranks - 1  # if none is missing, none has rank 0
        names = (*([None] if column.n_missing else []), *column.texts.sort().to_list())
        counts = np.bincount(numbers, minlength=len(names))
        hidden = np.array([name == HIDDEN for name in names], dtype=np.bool_)
        first = 0 if boxes is None else boxes.space.n_codes
        lo, hi = np.full((2, len(names)), [[first], [-1]], dtype=np.int64)
        if boxes is not None:
            np.minimum.at(lo, numbers, boxes.lo.astype(np.int64)[boxes.groups])  # one type: quick
            np.maximum.at(hi, numbers, boxes.hi.astype(np.int64)[boxes.groups])
        return cls(names, numbers, counts, hidden, (lo, hi), boxes)

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
        inside = (hi != space.missing) & (len(space.lows) > 0)
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
