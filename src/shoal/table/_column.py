"""A coded column: small integers in the order of its kind, and what each of them says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from shoal.exceptions import InvalidParameterError, ValueKindError
from shoal.table._dates import MICROSECONDS_PER_DAY, read_dates
from shoal.table._distinct import Distinct
from shoal.table._numbers import are_numbers, order_numbers, to_floats
from shoal.typing import BoolArray, FloatArray, IntArray, Kind

NOT_FINITE = r"(?i)^\s*[+-]?(inf|infinity|nan)\s*$"


@dataclass(frozen=True, eq=False)
class Column:
    """A column as codes: ``labels[codes[row]]`` is what the row holds.

    Attributes
    ----------
    name : str
        The column's name in the table.
    kind : Kind
        What its order means: numeric and date by value, ordinal by the order given, nominal
        and code by the text itself (by code point).
    codes : int32 array
        One code per row, 0 to ``len(labels) - 1``; a missing cell has code ``len(labels)``.
    labels : tuple of str
        The distinct values as text, missing excluded. Texts that are equal as numbers or
        dates are one label: the shortest, then the smallest of them.
    numbers : float array or None
        Value of each label: the number, the proleptic ordinal day (with the fraction of the
        day for timestamps), the rank in the order given; None for nominal and code.
    has_missing : bool
        Whether any cell is missing.

    Examples
    --------
    >>> import polars as pl
    >>> from shoal.table import read_table
    >>> age = read_table(pl.DataFrame({"age": ["9", "10", None, "9.0"]})).column("age")
    >>> age.labels, age.codes.tolist(), age.missing_code
    (('9', '10'), [0, 1, 2, 0], 2)
    """

    name: str
    kind: Kind
    codes: IntArray
    labels: tuple[str, ...]
    numbers: FloatArray | None
    has_missing: bool

    @property
    def missing_code(self) -> int:
        """The code of a missing cell, one past the last label."""
        return len(self.labels)

    @property
    def n_codes(self) -> int:
        """Codes that can occur: one per label, and one more if a cell is missing."""
        return len(self.labels) + self.has_missing

    def __repr__(self) -> str:  # the default would show the values of people
        missing = ", some missing" if self.has_missing else ""
        return f"Column({self.name!r}, {self.kind}, {len(self.labels)} distinct{missing})"


def code_column(name: str, kind: Kind, distinct: Distinct, order: Sequence[str] = ()) -> Column:
    """Code a column by its kind; ``order`` is needed by an ordinal column."""
    if kind == "numeric":
        return _code_numbers(name, distinct)
    if kind == "date":
        return _code_dates(name, distinct)
    if kind == "ordinal":
        return _code_ranks(name, distinct, order)
    by_text = distinct.texts.arg_sort().to_numpy()
    return _coded(name, kind, distinct, by_text, np.arange(by_text.size))


def take_rows(column: Column, rows: IntArray, distinct: Distinct) -> Column:
    """Code some rows of a coded column, whose texts are ``distinct``, without reading them again.

    Values that no row holds any more have no code; the others keep their order.
    """
    by_text = np.zeros(len(distinct.texts) + 1, dtype=np.int64)
    by_text[distinct.codes] = column.codes[rows]
    order = np.argsort(by_text[:-1], kind="stable")
    held, numbers = np.unique(by_text[order], return_inverse=True)
    taken = _coded(column.name, column.kind, distinct, order, numbers)
    return replace(taken, numbers=None if column.numbers is None else column.numbers[held])


def _code_numbers(name: str, distinct: Distinct) -> Column:
    _refuse_non_numbers(name, distinct)
    order, numbers = order_numbers(distinct.texts)
    column = _coded(name, "numeric", distinct, order, numbers)
    return replace(column, numbers=to_floats(pl.Series(column.labels, dtype=pl.String)))


def _code_dates(name: str, distinct: Distinct) -> Column:
    dates = read_dates(distinct.texts)
    _refuse(name, "date", distinct, ~dates.valid, "are not dates")
    if dates.ambiguous:
        raise ValueKindError(
            f"The dates of column {name!r} can be read in more than one way.",
            hint="Write them as YYYY-MM-DD, timestamps all with or all without a time zone.",
        )
    order = np.argsort(dates.moments, kind="stable")
    moments, numbers = np.unique(dates.moments[order], return_inverse=True)
    column = _coded(name, "date", distinct, order, numbers)
    return replace(column, numbers=moments / MICROSECONDS_PER_DAY)


def _code_ranks(name: str, distinct: Distinct, order: Sequence[str]) -> Column:
    if not order:
        raise InvalidParameterError(
            f"Column {name!r} is ordinal but its order is not given.",
            hint=f"Name its values from low to high: orders={{{name!r}: [...]}}.",
        )
    rank = {label: place for place, label in enumerate(order)}
    ranks = np.array([rank.get(text, -1) for text in distinct.texts], dtype=np.int64)
    _refuse(name, "ordinal", distinct, ranks < 0, "are not in the order given")
    by_rank = np.argsort(ranks, kind="stable")
    column = _coded(name, "ordinal", distinct, by_rank, np.arange(by_rank.size))
    return replace(column, numbers=ranks[by_rank].astype(np.float64))


def _coded(name: str, kind: Kind, distinct: Distinct, order: IntArray, numbers: IntArray) -> Column:
    """Number the distinct texts: the one at ``order[i]`` gets code ``numbers[i]``, ascending."""
    n_labels = int(numbers[-1]) + 1 if numbers.size else 0
    recode = np.full(len(distinct.texts) + 1, n_labels, dtype=np.int32)
    recode[order] = numbers
    labels = distinct.texts.gather(pl.Series(order)).to_list()
    if n_labels < len(labels):
        labels = _shortest(labels, numbers)
    codes = recode[distinct.codes]
    return Column(name, kind, codes, tuple(labels), None, distinct.n_missing > 0)


def _shortest(labels: list[str], numbers: IntArray) -> list[str]:
    """Keep one text of each number: the shortest, then the smallest, whatever was read first."""
    kept: dict[int, str] = {}
    for number, label in zip(numbers.tolist(), labels, strict=True):
        best = kept.setdefault(number, label)
        if (len(label), label) < (len(best), best):
            kept[number] = label
    return list(kept.values())


def _refuse_non_numbers(name: str, distinct: Distinct) -> None:
    bad = ~are_numbers(distinct.texts)
    if not bad.any():
        return
    endless = distinct.texts.str.contains(NOT_FINITE).to_numpy()
    _refuse(name, "numeric", distinct, bad & endless, "are infinite or NaN")
    _refuse(name, "numeric", distinct, bad, "are not numbers Shoal can hold")


def _refuse(name: str, kind: Kind, distinct: Distinct, bad: BoolArray, what: str) -> None:
    count, first = distinct.rows_with(bad)
    if count:
        raise ValueKindError(
            f"Column {name!r} is {kind} but has cells that {what}: {count:,}, "
            f"the first in row {first}.",
            hint="Say which texts mean missing (missing=...), or give the column another kind.",
        )
