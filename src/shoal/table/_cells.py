"""Cells: the frame as it was read, its printed texts, and the distinct ones of each column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import polars as pl
import polars.selectors as cs
import pyarrow as pa

from shoal.exceptions import UnknownColumnError
from shoal.kernels.hashing import hash_texts, mix_column
from shoal.typing import BoolArray, IntArray


@dataclass(frozen=True, eq=False, repr=False)
class Cells:
    """A frame and the texts that mean missing in it; distinct values are looked up once.

    >>> cells = Cells(pl.DataFrame({"pet": ["cat", "?", "cat"]}), missing=("?",))
    >>> cells.text("pet").to_list(), cells.distinct("pet").n_missing
    (['cat', None, 'cat'], 1)
    """

    frame: pl.DataFrame
    missing: tuple[str, ...] = ()
    missing_in: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # of one column
    _printed: dict[str, Distinct] = field(default_factory=dict)
    _distinct: dict[str, Distinct] = field(default_factory=dict)

    def text(self, name: str) -> pl.Series:
        """Print a column; null is missing."""
        text = as_text(self.series(name))
        absent = text.is_in([*self.missing, *self.missing_in.get(name, ())]).fill_null(False)
        return text.set(absent, None) if absent.any() else text

    def printed(self, name: str) -> Distinct:
        """Look up the distinct texts of a column as they stand, those that mean missing too."""
        if name not in self._printed:
            self._printed[name] = Distinct.of(self.series(name))
        return self._printed[name]

    def distinct(self, name: str) -> Distinct:
        """Look up the distinct values of a column: texts that mean missing are none."""
        if name not in self._distinct:
            absent = (*self.missing, *self.missing_in.get(name, ()))
            self._distinct[name] = self.printed(name).without(absent)
        return self._distinct[name]

    def take(self, rows: IntArray) -> Cells:
        """Keep some rows; what was looked up is not looked up again.

        >>> pets = Cells(pl.DataFrame({"pet": ["cat", "?", "cow"]}), missing=("?",))
        >>> pets.take(np.array([2, 1])).text("pet").to_list()
        ['cow', None]
        """
        return Cells(
            self.frame[rows],
            self.missing,
            self.missing_in,
            {name: found.take(rows) for name, found in self._printed.items() if self._alone(name)},
            {name: found.take(rows) for name, found in self._distinct.items() if self._alone(name)},
        )

    def _alone(self, name: str) -> bool:
        """Tell whether a cell prints alike beside any others; a timestamp may lose its time."""
        return not isinstance(self.frame.schema[name], pl.Datetime)

    def is_text(self, name: str) -> bool:
        """Tell whether a column was read as text, rather than as numbers, dates or truths."""
        return self.series(name).dtype == pl.String

    def series(self, name: str) -> pl.Series:
        """Return a column as it was read."""
        try:
            return self.frame.get_column(name)
        except pl.exceptions.ColumnNotFoundError:
            raise UnknownColumnError.among(name, self.frame.columns) from None


def hash_rows(of: pl.DataFrame | Cells) -> IntArray:
    """Hash each row: all its cells as text, in the order of columns; equal rows have one hash.

    >>> one, two, three = hash_rows(pl.DataFrame({"a": [1, 2, 1]}))
    >>> bool(one == three), bool(one == two)
    (True, False)
    """
    frame, printed = (of.frame, of.printed) if isinstance(of, Cells) else (of, None)
    columns = [printed(column.name) if printed else Distinct.of(column) for column in frame]
    rows = np.zeros(frame.height, dtype=np.uint64)
    texts = [text_buffers(column.texts) for column in columns]
    for column, buffers in zip(columns, texts, strict=True):
        mix_column(rows, hash_texts(*buffers), column.codes)
    return rows


@dataclass(frozen=True, eq=False)
class Distinct:
    """Distinct texts in order of appearance, and which one each row holds.

    >>> distinct = Distinct.of(pl.Series(["b", "a", None, "b"]))
    >>> distinct.texts.to_list(), distinct.codes.tolist()
    (['b', 'a'], [0, 1, 2, 0])
    >>> distinct.counts.tolist(), distinct.n_missing
    ([2, 1], 1)
    """

    texts: pl.Series  # no nulls
    codes: IntArray  # int32; a missing cell has code len(texts)
    #: Rows of the column, those that hold each text, and those with no value.
    n_rows: int = field(init=False, repr=False)
    counts: IntArray = field(init=False, repr=False)
    n_missing: int = field(init=False, repr=False)
    #: Whether every row has a value that no other row has.
    all_differ: bool = field(init=False, repr=False)

    def __post_init__(self) -> None:
        n_rows, n_texts = int(self.codes.size), len(self.texts)
        counts = np.bincount(self.codes, minlength=n_texts + 1)
        missing = int(counts[-1])
        self.__dict__.update(n_rows=n_rows, counts=counts[:-1], n_missing=missing)
        self.__dict__["all_differ"] = n_texts == n_rows > 1

    @classmethod
    def of(cls, column: pl.Series | pa.LargeStringArray) -> Distinct:
        """Look up the distinct values of a column, printed as they are published."""
        if isinstance(column, pl.Series):
            text = column if column.dtype == pl.String else as_text(column)
            name, array = column.name, text.to_arrow(compat_level=pl.CompatLevel.oldest())
        else:
            name, array = "", column
        encoded = array.cast(pa.large_string()).dictionary_encode()
        texts = pl.Series(name, encoded.dictionary, dtype=pl.String)
        indices = pl.Series(encoded.indices)  # pyarrow's own fill_null would import pandas
        codes = indices.fill_null(len(texts)).to_numpy()
        return cls(texts, codes.astype(np.int32, copy=False))

    def told_apart_among(self, people: int) -> float:
        """Share of people whom it tells from all others in a crowd so large, drawn at random.

        >>> Distinct.of(pl.Series(["a", "b"])).told_apart_among(2)
        0.5
        """
        shares = self.counts / max(1, self.n_rows)
        return float((shares * (1 - shares) ** (people - 1)).sum())

    def without(self, missing: Sequence[str]) -> Distinct:
        """Turn some of the texts into missing.

        >>> Distinct.of(pl.Series(["?", "a", None])).without(["?"]).codes.tolist()
        [1, 0, 1]
        """
        kept = ~self.texts.is_in(list(missing)).to_numpy()
        if kept.all():
            return self
        recode = np.full(kept.size + 1, kept.sum(), dtype=np.int32)
        recode[:-1][kept] = np.arange(kept.sum())
        return Distinct(self.texts.filter(kept), recode[self.codes])

    def column(self, rows: IntArray | None = None) -> pl.Series:
        """Write the column out, or some of its rows: cells share the buffers of the texts.

        >>> Distinct.of(pl.Series(["b", "a", None, "b"])).column().to_list()
        ['b', 'a', None, 'b']
        """
        codes = self.codes if rows is None else self.codes[rows]
        texts = self.texts.extend_constant(None, 1) if self.n_missing else self.texts
        return texts.gather(pl.Series(codes))

    def take(self, rows: IntArray) -> Distinct:
        """Keep some rows, and the texts they hold.

        >>> taken = Distinct.of(pl.Series(["b", "a", None, "c"])).take(np.array([3, 1]))
        >>> taken.texts.to_list(), taken.codes.tolist()
        (['a', 'c'], [1, 0])
        """
        codes = self.codes[rows]
        held = np.bincount(codes, minlength=len(self.texts) + 1)[:-1] > 0
        recode = np.append(np.cumsum(held) - 1, held.sum()).astype(np.int32)
        return Distinct(self.texts.filter(pl.Series(held)), recode[codes])

    def ranks(self) -> tuple[IntArray, int]:
        """Rank each cell by its text, from 0 for what is missing, and count the ranks."""
        by_text = self.texts.arg_sort().to_numpy()
        rank = np.zeros(by_text.size + 1, dtype=np.uint64)  # the last is of what is missing
        rank[by_text] = np.arange(1, by_text.size + 1)
        return rank[self.codes], by_text.size + 1

    def rows_with(self, flags: BoolArray) -> tuple[int, int]:
        """Count the rows whose text is flagged, and find the first (rows count from 1)."""
        if not flags.any():
            return 0, 0
        hit = np.append(flags, False)[self.codes]
        return int(hit.sum()), int(hit.argmax()) + 1


def frame_texts(texts: pl.Series) -> bytes:
    """Write each text after its length, in eight bytes: no two lists of texts read alike.

    >>> framed = frame_texts(pl.Series(["ab", ""]))
    >>> len(framed), framed[8:10]
    (18, b'ab')
    """
    bounds, data = text_buffers(texts)
    starts = bounds - bounds[0] + 8 * np.arange(bounds.size)
    heads = (starts[:-1, None] + np.arange(8)).ravel()
    framed = np.empty(int(starts[-1]), dtype=np.uint8)
    is_text = np.ones(framed.size, dtype=np.bool_)
    is_text[heads] = False
    framed[heads] = np.diff(bounds).astype("<u8").view(np.uint8)
    framed[is_text] = data[bounds[0] : bounds[-1]]
    return framed.tobytes()


def text_buffers(texts: pl.Series) -> tuple[IntArray, IntArray]:
    """Bounds and UTF-8 bytes of texts, for kernels."""
    array = texts.to_arrow(compat_level=pl.CompatLevel.oldest()).cast(pa.large_string())
    _, bounds, data = array.buffers()
    offsets = np.frombuffer(bounds, dtype=np.int64)[array.offset : array.offset + len(array) + 1]
    return offsets, np.frombuffer(data or b"", dtype=np.uint8)


SECONDS = "%Y-%m-%dT%H:%M:%S"


def as_text(series: pl.Series) -> pl.Series:
    """Print every cell as it is published; null is missing, and so is NaN.

    The same value prints the same from any type: 17 and 17.0 are ``17``, a date is ISO, a
    timestamp at midnight is its date.

    >>> as_text(pl.Series([17.0, 0.5, float("nan"), None])).to_list()
    ['17', '0.5', None, None]
    """
    if series.dtype.is_float():
        return _floats(series)
    if isinstance(series.dtype, pl.Datetime):
        return _timestamps(series)
    if isinstance(series.dtype, pl.Duration):
        return series.dt.to_string("iso")
    return series.cast(pl.String)


def _floats(series: pl.Series) -> pl.Series:
    """Print floats as Python does (the shortest text that reads back), but 17.0 as ``17``.

    Every distinct value is printed once, by Python and not by polars, whose text may change.
    """
    values = series.to_numpy() + 0.0  # null is NaN now, and negative zero is zero
    distinct, codes = np.unique(values, return_inverse=True)
    printed: list[str | None] = [str(value).removesuffix(".0") for value in distinct]
    if distinct.size and np.isnan(distinct[-1]):  # sorted last
        printed[-1] = None
    return pl.Series(series.name, printed, dtype=pl.String).gather(pl.Series(codes))


def _timestamps(series: pl.Series) -> pl.Series:
    zone = "+00:00" if series.dtype.time_zone else ""  # type: ignore[attr-defined]
    moments = series.dt.convert_time_zone("UTC") if zone else series
    if not zone and (moments.dt.date().cast(series.dtype) == moments).all():
        return moments.dt.strftime("%Y-%m-%d")
    fraction = "%.f" if (moments.dt.nanosecond() != 0).any() else ""
    return moments.dt.strftime(SECONDS + fraction + zone)


def drop_zero_signs(frame: pl.DataFrame) -> pl.DataFrame:
    """Turn every -0.0 of a frame into 0.0.

    They compare as equal, so that sorting leaves them in the order of the input.

    >>> drop_zero_signs(pl.DataFrame({"x": [-0.0, 0.0, -1.5]}))["x"].to_list()
    [0.0, 0.0, -1.5]
    """
    floats = cs.float()
    return frame.with_columns(pl.when(floats == 0).then(0.0).otherwise(floats).name.keep())
