"""Counts of a table in memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from shoal.exceptions import InvalidParameterError, UnknownColumnError
from shoal.selection._discretize import GRID, cells_of_grid, equal_frequency_cuts, mdl_cuts
from shoal.selection._uncertainty import Tally, tally
from shoal.table import COLUMN_KINDS, Column, Table
from shoal.typing import FloatArray, IntArray

LARGEST_DOMAIN = 100_000  # dates of more distinct values are taken as names


class TableCounts:
    """Count how often the values of a table occur together.

    Names, codes and ordinals count as they are, a missing value as a value of its own. Numbers
    and dates become classes first, by the cuts of `mdl_cuts` against the target (the target
    itself by ten classes of equal frequency); one with more than 4,096 distinct values is laid on
    a grid of 4,096 cells between its smallest and its largest before that.
    """

    def __init__(
        self,
        table: Table,
        target: str,
        columns: Sequence[str] | None = None,
        left_out: Sequence[str] = (),
    ) -> None:
        self.target = target
        self.columns = eligible(table.column_names, target, columns, left_out)
        self.rows = table.n_rows
        classes = bin_codes(table.column(target), equal_frequency_cuts_of)
        self._codes = {target: classes}
        for name in self.columns:
            self._codes[name] = bin_codes(table.column(name), _cuts_against(classes))

    def tallies(self, groups: Sequence[tuple[str, ...]]) -> list[Tally]:
        """Tally the combinations of values of each group of columns."""
        return [tally([self._codes[name] for name in group]) for group in groups]


def eligible(
    names: Sequence[str],
    target: str,
    columns: Sequence[str] | None = None,
    left_out: Sequence[str] = (),
) -> tuple[str, ...]:
    """Columns to choose from, in the order of the table: all but the target, or those named.

    >>> eligible(["name", "age", "sex", "ill"], "ill", left_out=["name"])
    ('age', 'sex')
    """
    for name in (target, *(columns or ()), *left_out):
        if name not in names:
            raise UnknownColumnError.among(name, names)
    if target in (columns or ()):
        raise InvalidParameterError(f"Column {target!r} is the target; it cannot be selected.")
    wanted = {*(names if columns is None else columns)} - {target, *left_out}
    chosen = tuple(name for name in names if name in wanted)
    if not chosen:
        raise InvalidParameterError("There is no column to select from.")
    return chosen


def bin_codes(column: Column, cuts: Callable[[IntArray, int], Sequence[int]]) -> IntArray:
    """Class of each row; ``cuts(codes, n)`` chooses among the ordered values that are there."""
    if not COLUMN_KINDS[column.kind].measured or column.numbers is None:
        return column.codes
    if column.kind == "date" and len(column.labels) > LARGEST_DOMAIN:
        return column.codes
    cells = _on_grid(np.asarray(column.numbers))
    n_cells = int(cells.max(initial=-1)) + 1
    place = np.append(cells, n_cells)[column.codes]
    known = place < n_cells
    chosen = cuts(np.where(known, place, -1), n_cells)
    classes = np.searchsorted(np.asarray(chosen, dtype=np.int64), place, side="right")
    return np.where(known, classes, len(chosen) + 1)


def equal_frequency_cuts_of(cells: IntArray, n_cells: int) -> list[int]:
    """Cuts of a target: classes of about as many rows each."""
    return equal_frequency_cuts(np.bincount(cells[cells >= 0], minlength=n_cells))


def _cuts_against(classes: IntArray) -> Callable[[IntArray, int], list[int]]:
    n_classes = int(classes.max(initial=0)) + 1

    def cuts(cells: IntArray, n_cells: int) -> list[int]:
        known = cells >= 0
        flat = cells[known] * n_classes + classes[known]
        counts = np.bincount(flat, minlength=n_cells * n_classes)
        return mdl_cuts(counts.reshape(n_cells, n_classes))

    return cuts


def _on_grid(numbers: FloatArray) -> IntArray:
    if numbers.size <= GRID:
        return np.arange(numbers.size)
    return cells_of_grid(numbers, float(numbers[0]), float(numbers[-1]))
