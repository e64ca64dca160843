"""Tables of counts: small cells, and hidden ones that the totals give away.

A cell of a published table of counts is somebody if it is small. Whoever hides it must hide others
with it, or a total minus what is left is the cell again. What a hidden cell can be lies between the
smallest and the largest value that all totals allow (a linear program, as in the audit of cell
suppression; Fischetti and Salazar, Management Science 2001).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import polars as pl

from shoal.exceptions import InputError, InvalidParameterError
from shoal.typing import FloatArray

SMALLEST_CELL = 5
TOTALS = re.compile(
    r"^\W*(grand |sub)?(totals?|all|sum|gesamt|insgesamt|summe|somme|suma)\W*$", re.I
)
HIDDEN = re.compile(r"^(\*+|[.x–—-]+|\(?[cs]\)?|<\s*\d+|n/?a)?$", re.I)
ROUNDING = 1e-6  # of the linear program
COUNT = re.compile(r"^\d{1,3}(,\d{3})+$|^\d+$")


@dataclass(frozen=True)
class SmallCell:
    """A cell that tells of few people, named by its place, never by its value."""

    row: int  # of the file, the header being 1
    column: str
    why: Literal["small", "worked out", "narrowed"]

    def __str__(self) -> str:
        told = {
            "small": "is published and small",
            "worked out": "is hidden, and the totals give it exactly",
            "narrowed": "is hidden, and the totals show that it is small",
        }
        return f"Row {self.row}, column {self.column!r} {told[self.why]}."


@dataclass(frozen=True)
class CountsAudit:
    """What a table of counts gives away."""

    least: int
    cells: int
    hidden: int
    totals: tuple[str, ...]
    found: tuple[SmallCell, ...]

    @property
    def holds(self) -> bool:
        """Whether no cell tells of fewer people than allowed."""
        return not self.found

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain JSON values."""
        found = [{"row": each.row, "column": each.column, "why": each.why} for each in self.found]
        kept = {"least": self.least, "cells": self.cells, "hidden": self.hidden}
        return {"holds": self.holds, **kept, "totals": list(self.totals), "found": found}


def audit_counts(frame: pl.DataFrame, least: int = SMALLEST_CELL) -> CountsAudit:
    """Audit a table of counts: one row and one column a category, totals among them.

    The first column, and those before the first that holds counts, are labels. Rows and columns
    called *total* (or *all*, *sum*, *gesamt*, ...) are the sums of the others; without any, only
    small cells are found.

    >>> frame = pl.DataFrame({"sex": ["f", "m", "Total"], "flu": ["<5", "20", "22"],
    ...                       "gout": ["30", "25", "55"]})
    >>> [str(cell) for cell in audit_counts(frame).found]
    ["Row 2, column 'flu' is hidden, and the totals give it exactly."]
    """
    if least < 2:
        raise InvalidParameterError("least must be a whole number, 2 or more.")
    counted = _read_counts(frame)
    found = [*_small(counted, least), *_worked_out(counted, least)]
    found.sort(key=lambda cell: (cell.row, counted.columns.index(cell.column)))
    return CountsAudit(
        least,
        counted.values.size,
        int(np.isnan(counted.values).sum()),
        counted.totals,
        tuple(found),
    )


@dataclass(frozen=True)
class _Counts:
    values: FloatArray  # rows by columns; NaN where hidden
    below: FloatArray  # what a hidden cell says it is below; infinite if it says nothing
    columns: tuple[str, ...]
    sum_rows: tuple[int, ...]
    sum_columns: tuple[int, ...]
    totals: tuple[str, ...]


def _read_counts(frame: pl.DataFrame) -> _Counts:
    texts = [frame[name].cast(pl.String).fill_null("").str.strip_chars() for name in frame.columns]
    later = range(min(1, len(texts) - 1), len(texts))  # the first column names the rows
    first = next((i for i in later if _are_counts(texts[i])), len(texts))
    names = tuple(frame.columns[first:])
    if not names:
        raise InputError("No column of this table holds counts.", hint="Is it a table of people?")
    for name, text in zip(names, texts[first:], strict=True):
        odd = [i for i, cell in enumerate(text) if not (COUNT.match(cell) or HIDDEN.match(cell))]
        if odd:
            raise InputError(
                f"Column {name!r} has {len(odd)} cells that are neither counts nor hidden; the "
                f"first is in row {odd[0] + 2}.",
                hint="Hidden cells are *, <5 or empty; labels stand left of all counts.",
            )
    values = np.array([[_number(cell) for cell in text] for text in texts[first:]]).T
    below = np.array([[_below(cell) for cell in text] for text in texts[first:]]).T
    labels = [[str(text[i]) for text in texts[:first]] for i in range(frame.height)]
    sum_rows = tuple(i for i, row in enumerate(labels) if any(map(TOTALS.match, row)))
    sum_columns = tuple(j for j, name in enumerate(names) if TOTALS.match(name))
    told = [f"row {i + 2}" for i in sum_rows] + [f"column {names[j]!r}" for j in sum_columns]
    return _Counts(values, below, names, sum_rows, sum_columns, tuple(told))


def _are_counts(text: pl.Series) -> bool:
    return any(COUNT.match(cell) for cell in text) and all(
        COUNT.match(cell) or HIDDEN.match(cell) for cell in text
    )


def _number(cell: str) -> float:
    return float(cell.replace(",", "")) if COUNT.match(cell) else np.nan


def _below(cell: str) -> float:
    return float(cell.lstrip("< ")) if cell.startswith("<") else np.inf


def _small(counted: _Counts, least: int) -> Iterator[SmallCell]:
    for i, j in np.argwhere((counted.values > 0) & (counted.values < least)):
        yield SmallCell(int(i) + 2, counted.columns[j], "small")


def _worked_out(counted: _Counts, least: int) -> Iterator[SmallCell]:
    """Bound each hidden cell by all totals at once."""
    hidden = [(int(i), int(j)) for i, j in np.argwhere(np.isnan(counted.values))]
    equations = [*_equations(counted)]
    if not hidden or not equations:
        return
    at = {cell: number for number, cell in enumerate(hidden)}
    left = np.zeros((len(equations), len(hidden)))
    right = np.zeros(len(equations))
    for row, (total, parts) in enumerate(equations):
        for cell, sign in [(total, -1.0), *((part, 1.0) for part in parts)]:
            if cell in at:
                left[row, at[cell]] += sign
            else:
                right[row] -= sign * counted.values[cell]
    below = np.array([counted.below[cell] for cell in hidden])
    for (i, j), (low, high) in zip(hidden, _bounds(left, right, below), strict=True):
        if low == high and 0 < high < least:
            yield SmallCell(i + 2, counted.columns[j], "worked out")
        elif low > 0 and high < least and np.isinf(counted.below[i, j]):
            yield SmallCell(i + 2, counted.columns[j], "narrowed")


def _equations(counted: _Counts) -> Iterator[tuple[tuple[int, int], list[tuple[int, int]]]]:
    rows, columns = counted.values.shape
    plain_rows = [i for i in range(rows) if i not in counted.sum_rows]
    plain_columns = [j for j in range(columns) if j not in counted.sum_columns]
    for j in range(columns) if len(counted.sum_rows) == 1 else ():
        yield (counted.sum_rows[0], j), [(i, j) for i in plain_rows]
    for i in range(rows) if len(counted.sum_columns) == 1 else ():
        yield (i, counted.sum_columns[0]), [(i, j) for j in plain_columns]


def _bounds(left: FloatArray, right: FloatArray, below: FloatArray) -> list[tuple[float, float]]:
    """Find the least and the largest whole number that each hidden cell can be.

    A cell that says ``<5`` is taken to be 1 to 4; where no such table exists, 0 to 4.
    """
    most = np.where(np.isinf(below), np.inf, below - 1)
    for somebody in (1.0, 0.0):
        least = np.where(np.isinf(below), 0.0, somebody)
        ends = [*zip(least, most, strict=True)]
        found = [_ends(number, left, right, ends) for number in range(left.shape[1])]
        if None not in found:
            return [each for each in found if each is not None]
    raise InputError(
        "The totals are not the sums of the other cells.",
        hint="Rounded totals cannot be audited; give the exact ones, or leave them out.",
    )


def _ends(
    number: int, left: FloatArray, right: FloatArray, ends: list[tuple[float, float]]
) -> tuple[float, float] | None:
    from scipy.optimize import linprog

    goal = np.zeros(left.shape[1])
    goal[number] = 1.0
    low = linprog(goal, A_eq=left, b_eq=right, bounds=ends, method="highs")
    if low.status != 0:
        return None
    high = linprog(-goal, A_eq=left, b_eq=right, bounds=ends, method="highs")
    top = np.inf if high.status == 3 else float(np.floor(-high.fun + ROUNDING))
    return float(np.ceil(low.fun - ROUNDING)), top
