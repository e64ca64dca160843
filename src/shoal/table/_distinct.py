"""The distinct texts of a column: each is looked at once, however many rows share it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl
import pyarrow as pa

from shoal.typing import BoolArray, IntArray


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

    @classmethod
    def of(cls, text: pl.Series) -> Distinct:
        """Look up the distinct values of a series of text."""
        encoded = _large_strings(text).dictionary_encode()
        texts = pl.Series(text.name, encoded.dictionary, dtype=pl.String)
        indices = pl.Series(encoded.indices)  # pyarrow's own fill_null would import pandas
        codes = indices.fill_null(len(texts)).to_numpy()
        return cls(texts, codes.astype(np.int32, copy=False))

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

    @property
    def n_rows(self) -> int:
        """Rows of the column."""
        return int(self.codes.size)

    @cached_property
    def _all_counts(self) -> IntArray:
        return np.bincount(self.codes, minlength=len(self.texts) + 1)

    @property
    def counts(self) -> IntArray:
        """Rows that hold each text."""
        return self._all_counts[:-1]

    @property
    def n_missing(self) -> int:
        """Rows with no value."""
        return int(self._all_counts[-1])

    @property
    def all_differ(self) -> bool:
        """Tell whether every row has a value that no other row has."""
        return len(self.texts) == self.n_rows > 1

    def rows_with(self, flags: BoolArray) -> tuple[int, int]:
        """Count the rows whose text is flagged, and find the first (rows count from 1)."""
        if not flags.any():
            return 0, 0
        hit = np.append(flags, False)[self.codes]
        return int(hit.sum()), int(hit.argmax()) + 1

    def buffers(self) -> tuple[IntArray, IntArray]:
        """Bounds and UTF-8 bytes of the texts, for kernels."""
        return _string_buffers(_large_strings(self.texts))


def _large_strings(text: pl.Series) -> pa.LargeStringArray:
    array = text.to_arrow(compat_level=pl.CompatLevel.oldest())
    return array.cast(pa.large_string())


def _string_buffers(array: pa.LargeStringArray) -> tuple[IntArray, IntArray]:
    _, bounds, data = array.buffers()
    offsets = np.frombuffer(bounds, dtype=np.int64)[array.offset : array.offset + len(array) + 1]
    return offsets, np.frombuffer(data or b"", dtype=np.uint8)
