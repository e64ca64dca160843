"""Twin columns: a column published as it is that tells a generalized one again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.random import Generator

from shoal.risk._singling import TOO_MANY, RowOwners, published_as_is, published_rows
from shoal.table import COLUMN_KINDS, Column, Table
from shoal.typing import BoolArray, FloatArray, IntArray

SURE = 0.95  # of the rows with one value of the telling column
LUCK = 0.01  # chance that rows agree on a value because most people have it
NARROWER = 0.5  # of what the crowd shows, or
NARROW = 0.1  # of the people, where there are no crowds yet
_FEWEST = 5  # rows that a value is judged by; rarer values are judged with their neighbours
_HANDFUL = 10  # rows that are told by chance where hardly any row is hidden
_SHUFFLES = 6
_ROWS = 20_000  # more are sampled


@dataclass(frozen=True)
class TwinColumns:
    """A column that tells another one, which was generalized.

    Attributes
    ----------
    telling : str
        The column that is published as it is.
    told : str
        The quasi-identifier that it tells.
    share : float
        Share of the rows where ``told`` is hidden (their crowd has several values of it) for which
        ``telling`` gives the value, or a range at most half as wide as the crowd's.
    people : int
        People of whom one or more such rows are told, among the rows that were judged.
    """

    telling: str
    told: str
    share: float
    people: int

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain JSON values."""
        return asdict(self)


def find_twins(
    table: Table, crowds: IntArray | None = None, *, columns: Iterable[str] | None = None
) -> tuple[TwinColumns, ...]:
    """Find columns published as they are that tell what was generalized, worst first.

    A value of the telling column tells a quasi-identifier if 95 % of the rows that show it have one
    value of the quasi-identifier, or values in a range at most half as wide as the crowd shows.
    Values of fewer than five rows are judged together with their neighbours in order: birth dates
    tell an age, and ZIP codes a county, though hardly two are alike. What a shuffled column tells
    is chance, and no twin tells less than 5 % of rows more than that. Tables of more than 20,000
    rows are judged by so many.

    Parameters
    ----------
    table : Table
        The original table, with roles.
    crowds : array of int, optional
        The published group of each row, -1 for rows left out. Not given: everybody is taken to
        hide among all, and a range tells if it holds no more than a tenth of people.
    columns : iterable of str, optional
        The columns that are published as they are; all that have no role, or are accepted.

    Examples
    --------
    >>> import numpy as np
    >>> import polars as pl
    >>> from shoal.table import Roles, read_table
    >>> frame = pl.DataFrame({"county": ["A", "B"] * 20, "town": ["a", "b"] * 20})
    >>> table = read_table(frame, roles=Roles(quasi_identifiers="county"))
    >>> find_twins(table, np.repeat([0, 1], 20))
    (TwinColumns(telling='town', told='county', share=1.0, people=40),)
    """
    names = published_as_is(table) if columns is None else tuple(columns)
    random = np.random.default_rng(0)
    rows = published_rows(table, crowds)
    rows = rows[np.argsort(table.row_hash()[rows], kind="stable")]  # not as they happened to come
    if rows.size > _ROWS:
        rows = rows[np.sort(random.choice(rows.size, _ROWS, replace=False))]
    found, everybody = [], RowOwners.of(table)
    for told in [table.column(name) for name in table.roles.quasi_identifiers]:
        hidden = _hidden(told, rows, crowds)
        for telling in names if hidden.rows.size else ():
            rows_told = _told(hidden, table.codes(telling)[hidden.rows], random)
            if rows_told is not None:
                people = everybody.take(hidden.rows[rows_told]).count
                found.append(TwinColumns(telling, told.name, float(rows_told.mean()), people))
    return tuple(sorted(found, key=lambda twin: (-twin.share, twin.telling, twin.told)))


@dataclass(frozen=True, eq=False)
class _Hidden:
    """Rows whose crowd shows several values of a quasi-identifier, and where that puts them."""

    rows: IntArray
    values: IntArray
    crowd: IntArray
    scale: FloatArray | None  # where each value lies; None if values have no order
    narrow: float  # part of the crowd's range that a range may span to tell


def _hidden(column: Column, rows: IntArray, crowds: IntArray | None) -> _Hidden:
    rows = rows[column.codes[rows] != column.missing_code]
    values = column.codes[rows].astype(np.int64)
    labels = np.zeros(rows.size, dtype=np.int64) if crowds is None else crowds[rows]
    crowd = np.unique(labels, return_inverse=True)[1]
    seen = _Seen.of(crowd, values, spared=0.0)
    mixed = (seen.high > seen.low)[crowd]
    scale = column.numbers if COLUMN_KINDS[column.kind].ordered else None
    if scale is not None and crowds is None:  # no range is published yet: people are counted
        scale = np.cumsum(np.bincount(values, minlength=len(column.labels))).astype(np.float64)
    narrow = NARROW if crowds is None else NARROWER
    crowd = np.unique(crowd[mixed], return_inverse=True)[1]
    return _Hidden(rows[mixed], values[mixed], crowd, scale, narrow)


def _told(hidden: _Hidden, codes: IntArray, random: Generator) -> BoolArray | None:
    """Which of the hidden rows a column tells; None if a shuffled one tells as many."""
    groups = _groups(codes)
    told = _tells(hidden, groups)
    share = float(told.mean())
    handful = share * hidden.rows.size < _HANDFUL and share < SURE
    if share <= TOO_MANY or handful:
        return None
    chance = [_tells(hidden, random.permutation(groups)).mean() for _ in range(_SHUFFLES)]
    return told if share > np.mean(chance) + 4 * np.std(chance) + TOO_MANY else None


def _tells(hidden: _Hidden, groups: IntArray) -> BoolArray:
    seen = _Seen.of(groups, hidden.values, spared=1 - SURE)
    crowd = _Seen.of(hidden.crowd, hidden.values, spared=0.0)
    common = np.bincount(hidden.values) / hidden.values.size
    by_luck = common[seen.top] ** seen.top_count
    pure = ((seen.top_count >= SURE * seen.size) & (by_luck <= LUCK))[groups]
    right = hidden.values == seen.top[groups]
    guessed = hidden.values == crowd.top[hidden.crowd]  # what the crowd alone suggests
    told: BoolArray = pure & right
    if (pure & ~right).sum() > (pure & ~guessed).sum() / 2:
        told[:] = False
    if hidden.scale is None:
        return told
    low, high = seen.low[groups], seen.high[groups]
    crowd_low, crowd_high = crowd.low[hidden.crowd], crowd.high[hidden.crowd]
    inside = (low <= hidden.values) & (hidden.values <= high)
    left = hidden.scale[np.minimum(high, crowd_high)] - hidden.scale[np.maximum(low, crowd_low)]
    width = hidden.scale[crowd_high] - hidden.scale[crowd_low]
    told |= inside & (left <= hidden.narrow * width)
    return told


def _groups(codes: IntArray) -> IntArray:
    """Number the values of a column; rare ones share a number with their neighbours in order."""
    counts = np.bincount(codes)
    rare = np.where(counts < _FEWEST, counts, 0)
    shared = counts.size + (np.cumsum(rare) - rare) // _FEWEST
    numbers = np.where(counts < _FEWEST, shared, np.arange(counts.size))
    return np.unique(numbers[codes], return_inverse=True)[1]


@dataclass(frozen=True, eq=False)
class _Seen:
    """Of each group: rows, the commonest value, how common it is, and the ends of most values."""

    size: IntArray
    top: IntArray
    top_count: IntArray
    low: IntArray
    high: IntArray

    @classmethod
    def of(cls, groups: IntArray, values: IntArray, *, spared: float) -> _Seen:
        """Look at each group; ``spared`` is the share of values left outside of the ends."""
        wide = int(values.max(initial=0)) + 1
        pairs = np.sort(groups * wide + values)
        size = np.bincount(groups)
        last = np.cumsum(size)
        outside = (size * spared / 2).astype(np.int64)
        found, counts = np.unique_counts(pairs)
        by_count = np.lexsort((-found, counts))  # the last of a group is its commonest value
        by_count = by_count[np.argsort(found[by_count] // wide, kind="stable")]
        best = by_count[np.cumsum(np.bincount(found // wide)) - 1]
        return cls(
            size,
            found[best] % wide,
            counts[best],
            pairs[last - size + outside] % wide,
            pairs[last - 1 - outside] % wide,
        )
