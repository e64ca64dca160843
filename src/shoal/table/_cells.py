"""The cells of a table: the frame as it was read, its texts, and its distinct values."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import polars as pl

from shoal.exceptions import UnknownColumnError
from shoal.kernels.hashing import hash_texts, mix_column
from shoal.table._distinct import Distinct
from shoal.table._text import as_text
from shoal.typing import IntArray


@dataclass(frozen=True, eq=False, repr=False)
class Cells:
    """A frame and the texts that mean missing in it; distinct values are looked up once.

    >>> cells = Cells(pl.DataFrame({"pet": ["cat", "?", "cat"]}), missing=("?",))
    >>> cells.text("pet").to_list(), cells.distinct("pet").n_missing
    (['cat', None, 'cat'], 1)
    """

    frame: pl.DataFrame
    missing: tuple[str, ...] = ()
    _printed: dict[str, Distinct] = field(default_factory=dict)
    _distinct: dict[str, Distinct] = field(default_factory=dict)

    def text(self, name: str) -> pl.Series:
        """Print a column; null is missing."""
        text = as_text(self.series(name))
        absent = text.is_in(list(self.missing)).fill_null(False)
        return text.set(absent, None) if absent.any() else text

    def printed(self, name: str) -> Distinct:
        """Look up the distinct texts of a column as they stand, those that mean missing too."""
        if name not in self._printed:
            self._printed[name] = Distinct.of(as_text(self.series(name)))
        return self._printed[name]

    def distinct(self, name: str) -> Distinct:
        """Look up the distinct values of a column: texts that mean missing are none."""
        if name not in self._distinct:
            self._distinct[name] = self.printed(name).without(self.missing)
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
            {name: found.take(rows) for name, found in self._printed.items() if self._alone(name)},
            {name: found.take(rows) for name, found in self._distinct.items() if self._alone(name)},
        )

    def _alone(self, name: str) -> bool:
        """Tell whether a cell prints alike beside any others; a timestamp may lose its time."""
        return not isinstance(self.frame.schema[name], pl.Datetime)

    def row_hash(self) -> IntArray:
        """Hash each row: all its cells as they stand; equal rows have one hash."""
        rows = np.zeros(self.frame.height, dtype=np.uint64)
        for name in self.frame.columns:
            printed = self.printed(name)
            mix_column(rows, hash_texts(*printed.buffers()), printed.codes)
        return rows

    def is_text(self, name: str) -> bool:
        """Tell whether a column was read as text, rather than as numbers, dates or truths."""
        return self.series(name).dtype == pl.String

    def series(self, name: str) -> pl.Series:
        """Return a column as it was read."""
        try:
            return self.frame.get_column(name)
        except pl.exceptions.ColumnNotFoundError:
            raise UnknownColumnError.among(name, self.frame.columns) from None


def hash_rows(frame: pl.DataFrame) -> IntArray:
    """Hash each row of a frame: all its cells as text, in the order of columns.

    >>> one, two, three = hash_rows(pl.DataFrame({"a": [1, 2, 1]}))
    >>> bool(one == three), bool(one == two)
    (True, False)
    """
    return Cells(frame).row_hash()
