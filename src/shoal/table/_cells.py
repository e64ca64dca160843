"""Cells: the frame as it was read, its printed texts, and the distinct ones of each column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import polars as pl
import polars.selectors as cs
import pyarrow as pa

from shoal.exceptions import UnknownColumnError
from shoal.kernels.hashing import hash_texts, mix_column
from shoal.typing import BoolArray, IntArray


@dataclass(frozen=True, eq=False, repr=False)
class CodedFrame:
    """Columns side by side; where texts were looked up, each text is held once.

    A cell takes one to four bytes so, and in a frame of polars sixteen: that one is written out
    only if somebody asks.

    >>> coded = CodedFrame({"pet": Distinct.of(pl.Series(["cat", "dog", "cat"]))}, 3)
    >>> coded.part(slice(1, 3)).rows()
    [('dog',), ('cat',)]
    """

    columns: Mapping[str, pl.Series | Distinct]
    height: int

    @classmethod
    def of(cls, frame: pl.DataFrame) -> CodedFrame:
        """Take the columns of a frame as they are."""
        return cls({column.name: column for column in frame}, frame.height)

    @cached_property
    def frame(self) -> pl.DataFrame:
        """All of it, written out."""
        return self.part(slice(None))

    @property
    def dtypes(self) -> dict[str, pl.DataType]:
        """The type of each column; what was looked up is text."""
        columns, text = self.columns.items(), pl.String()
        return {name: text if isinstance(c, Distinct) else c.dtype for name, c in columns}

    def part(self, rows: slice | IntArray) -> pl.DataFrame:
        """Write out some rows."""
        told = [
            (column.column(rows) if isinstance(column, Distinct) else column[rows]).alias(name)
            for name, column in self.columns.items()
        ]
        return pl.DataFrame(told)

    def words(self, names: Sequence[str]) -> pl.DataFrame:
        """Few numbers for each row that sort and differ as its cells do, missing first.

        Ranks of cells are packed: these sort many times faster, in a fraction of the memory.

        >>> pets = CodedFrame.of(pl.DataFrame({"n": [5, None, 7], "pet": ["b", "a", "b"]}))
        >>> pets.words(["n", "pet"]).rows()
        [(6,), (1,), (10,)]
        """
        packed: list[IntArray] = []
        room = 0
        for column in (self.columns[name] for name in names):
            ranks, n = column.ranks() if isinstance(column, Distinct) else _ranks(column)
            bits = max(1, int(n - 1).bit_length())
            if bits > room:
                packed.append(np.zeros(self.height, dtype=np.uint64))
                room = 64
            packed[-1] <<= np.uint64(bits)
            packed[-1] |= ranks
            room -= bits
        return pl.DataFrame({str(i): word for i, word in enumerate(packed)})

    def take(self, rows: IntArray) -> CodedFrame:
        """Keep some rows, in the order given."""
        taken = {
            name: column[rows] if isinstance(column, pl.Series) else column.take(rows)
            for name, column in self.columns.items()
        }
        return CodedFrame(taken, rows.size)


def _ranks(column: pl.Series) -> tuple[IntArray, int]:
    """Rank each cell, from 0 for what is missing, and count the ranks."""
    if column.null_count() == len(column):
        return np.zeros(len(column), dtype=np.uint64), 1
    if column.dtype.is_numeric() or column.dtype.is_temporal() or column.dtype == pl.Boolean:
        ranks: IntArray = column.rank("dense").fill_null(0).to_numpy().astype(np.uint64)
        return ranks, int(ranks.max()) + 1
    return Distinct.of(column.cast(pl.String)).ranks()


@dataclass(frozen=True, eq=False, repr=False)
class Cells:
    """A frame and the texts that mean missing in it; distinct values are looked up once.

    >>> cells = Cells(pl.DataFrame({"pet": ["cat", "?", "cat"]}), missing=("?",))
    >>> cells.text("pet").to_list(), cells.distinct("pet").n_missing
    (['cat', None, 'cat'], 1)
    """

    given: CodedFrame | pl.DataFrame
    missing: tuple[str, ...] = ()
    missing_in: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # of one column
    _printed: dict[str, Distinct] = field(default_factory=dict)
    _distinct: dict[str, Distinct] = field(default_factory=dict)
    coded: CodedFrame = field(init=False)
    #: Names of the columns, the type of each as it was read, and how many rows there are.
    names: tuple[str, ...] = field(init=False)
    dtypes: Mapping[str, pl.DataType] = field(init=False)
    n_rows: int = field(init=False)

    def __post_init__(self) -> None:
        given, text = self.given, pl.String()
        coded = CodedFrame.of(given) if isinstance(given, pl.DataFrame) else given
        columns = coded.columns.items()
        dtypes = {name: text if isinstance(c, Distinct) else c.dtype for name, c in columns}
        known = {"coded": coded, "names": tuple(dtypes), "dtypes": dtypes}
        self.__dict__.update(known, n_rows=coded.height)

    @property
    def frame(self) -> pl.DataFrame:
        """The frame exactly as it was read."""
        return self.coded.frame

    def text(self, name: str) -> pl.Series:
        """Print a column; null is missing."""
        text = as_text(self.series(name))
        absent = text.is_in([*self.missing, *self.missing_in.get(name, ())]).fill_null(False)
        return text.set(absent, None) if absent.any() else text

    def printed(self, name: str) -> Distinct:
        """Look up the distinct texts of a column as they stand, those that mean missing too."""
        if name not in self._printed:
            known = self.coded.columns.get(name)
            found = known if isinstance(known, Distinct) else Distinct.of(self.series(name))
            self._printed[name] = found
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
            self.coded.take(rows),
            self.missing,
            self.missing_in,
            {name: found.take(rows) for name, found in self._printed.items() if self._alone(name)},
            {name: found.take(rows) for name, found in self._distinct.items() if self._alone(name)},
        )

    def _alone(self, name: str) -> bool:
        """Tell whether a cell prints alike beside any others; a timestamp may lose its time."""
        return not isinstance(self.dtypes[name], pl.Datetime)

    def is_text(self, name: str) -> bool:
        """Tell whether a column was read as text, rather than as numbers, dates or truths."""
        return self.series(name).dtype == pl.String

    def series(self, name: str) -> pl.Series:
        """Return a column as it was read."""
        column = self.coded.columns.get(name)
        if column is None:
            raise UnknownColumnError.among(name, self.names)
        return column.column().alias(name) if isinstance(column, Distinct) else column


def hash_rows(of: pl.DataFrame | Cells) -> IntArray:
    """Hash each row: all its cells as text, in the order of columns; equal rows have one hash.

    >>> one, two, three = hash_rows(pl.DataFrame({"a": [1, 2, 1]}))
    >>> bool(one == three), bool(one == two)
    (True, False)
    """
    if isinstance(of, Cells):
        columns = [of.printed(name) for name in of.names]
        told = [(text_buffers(column.texts), column.codes) for column in columns]
        rows = np.zeros(of.n_rows, dtype=np.uint64)
    else:
        texts = [column if column.dtype == pl.String else as_text(column) for column in of]
        each, last = np.arange(of.height, dtype=np.int32), np.int32(of.height)  # if missing
        numbers = [np.where(text.is_null().to_numpy(), last, each) for text in texts]
        told = [*zip(map(text_buffers, texts), numbers, strict=True)]
        rows = np.zeros(of.height, dtype=np.uint64)
    for buffers, codes in told:
        mix_column(rows, hash_texts(*buffers), codes.astype(np.int32, copy=False))
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
    codes: IntArray  # a missing cell has code len(texts); held in as few bytes as that needs
    #: Rows of the column, those that hold each text, and those with no value.
    n_rows: int = field(init=False, repr=False)
    counts: IntArray = field(init=False, repr=False)
    n_missing: int = field(init=False, repr=False)
    #: Whether every row has a value that no other row has.
    all_differ: bool = field(init=False, repr=False)

    def __post_init__(self) -> None:
        n_rows, n_texts = int(self.codes.size), len(self.texts)
        codes = self.codes.astype(np.min_scalar_type(n_texts), copy=False)
        counts = np.bincount(codes, minlength=n_texts + 1)
        missing = int(counts[-1])
        self.__dict__.update(codes=codes, n_rows=n_rows, counts=counts[:-1], n_missing=missing)
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
        return cls(texts, indices.fill_null(len(texts)).to_numpy())

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
        recode = np.full(kept.size + 1, kept.sum(), dtype=np.min_scalar_type(kept.sum()))
        recode[:-1][kept] = np.arange(kept.sum())
        return Distinct(self.texts.filter(kept), recode[self.codes])

    def column(self, rows: IntArray | slice = slice(None)) -> pl.Series:
        """Write the column out, or some of its rows: cells share the buffers of the texts.

        >>> Distinct.of(pl.Series(["b", "a", None, "b"])).column().to_list()
        ['b', 'a', None, 'b']
        """
        codes = pl.Series(self.codes[rows])
        if self.n_missing:
            codes = codes.set(codes == len(self.texts), None)
        return self.texts.gather(codes)

    def take(self, rows: IntArray) -> Distinct:
        """Keep some rows, and the texts they hold.

        >>> taken = Distinct.of(pl.Series(["b", "a", None, "c"])).take(np.array([3, 1]))
        >>> taken.texts.to_list(), taken.codes.tolist()
        (['a', 'c'], [1, 0])
        """
        codes = self.codes[rows]
        held = np.bincount(codes, minlength=len(self.texts) + 1)[:-1] > 0
        recode = np.append(np.cumsum(held) - 1, held.sum()).astype(np.min_scalar_type(held.sum()))
        return Distinct(self.texts.filter(pl.Series(held)), recode[codes])

    def ranks(self) -> tuple[IntArray, int]:
        """Rank each cell by its text, from 0 for what is missing, and count the ranks.

        >>> Distinct.of(pl.Series(["b", "a", None, "b"])).ranks()
        (array([2, 1, 0, 2], dtype=uint8), 3)
        """
        by_text = self.texts.arg_sort().to_numpy()
        rank = np.zeros(by_text.size + 1, dtype=np.min_scalar_type(by_text.size))
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


def drop_zero_signs(frame: CodedFrame) -> CodedFrame:
    """Turn every -0.0 of a frame into 0.0.

    They compare as equal, so that sorting leaves them in the order of the input.

    >>> frame = CodedFrame.of(pl.DataFrame({"x": [-0.0, 0.0, -1.5]}))
    >>> drop_zero_signs(frame).frame["x"].to_list()
    [0.0, 0.0, -1.5]
    """
    floats = [name for name, dtype in frame.dtypes.items() if dtype.is_float()]
    if not floats:
        return frame
    signless = pl.when(cs.all() == 0).then(0.0).otherwise(cs.all()).name.keep()
    plain = pl.DataFrame([frame.columns[name] for name in floats]).select(signless)
    return CodedFrame({**frame.columns, **CodedFrame.of(plain).columns}, frame.height)
