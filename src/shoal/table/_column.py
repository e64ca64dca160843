"""A coded column: small integers in the order of its kind, and what a kind of column is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np
import polars as pl

from shoal.exceptions import ValueKindError
from shoal.table._cells import Distinct
from shoal.typing import BoolArray, FloatArray, IntArray, Kind


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

    #: The code of a missing cell, one past the last label.
    missing_code: int = field(init=False)
    #: Codes that can occur: one per label, and one more if a cell is missing.
    n_codes: int = field(init=False)
    #: The code of a missing cell, -1 if no cell is missing.
    missing: int = field(init=False)

    def __post_init__(self) -> None:
        last = len(self.labels)
        missing = last if self.has_missing else -1
        self.__dict__.update(missing_code=last, n_codes=last + self.has_missing, missing=missing)

    @property
    def known(self) -> IntArray:
        """The code of each row, -1 where its cell is missing."""
        return np.where(self.codes == self.missing_code, -1, self.codes)

    def __repr__(self) -> str:  # the default would show the values of people
        missing = ", some missing" if self.has_missing else ""
        return f"Column({self.name!r}, {self.kind}, {len(self.labels)} distinct{missing})"


@dataclass(frozen=True, eq=False)
class Values:
    """The distinct values of a column before its kind is known, and whether it was read as text."""

    name: str
    dtype: pl.DataType
    texts: pl.Series
    are_text: bool

    def all_match(self, wanted: str | Callable[[pl.Series], bool]) -> bool:
        """Tell whether every text matches a pattern, or all of them pass a test.

        A few are looked at first, then all of them: most columns are spared the full look.
        """
        looks = [self.texts.head(SAMPLE)]
        looks += [self.texts] if len(self.texts) > SAMPLE else []
        if callable(wanted):
            return all(wanted(some) for some in looks)
        return all(bool(some.str.contains(wanted).all()) for some in looks)


SAMPLE = 256  # texts
Recognize: TypeAlias = Callable[[Values], str | None]
Code: TypeAlias = Callable[[str, Distinct, Sequence[str]], Column]


@dataclass(frozen=True)
class ColumnKind:
    """A kind of column: how it is recognized and coded, and what others may do with its values.

    Attributes
    ----------
    name : Kind
        The word for it in plans, on the command line and on screens.
    recognize : function of Values
        Why a column is of this kind, in one sentence that shows no value; None if it is not.
    code : function of name, Distinct and order
        Makes the `Column`; texts that do not fit end in a `ValueKindError` (`refuse`).
    ordered : bool
        Whether values lie on a line, so that a group may publish an interval of them.
    measured : bool
        Whether the difference of two values means something (and so does their mean).
    prefixed : bool
        Whether values that begin alike are alike, so that they are masked from the right.
    names_people : bool
        Whether values that differ in every row may be those of a key.
    read_together : bool
        Whether one value can be read in two ways, and the others decide.
    looks : str, optional
        What every text of such a column has in it: a pattern that spares all others the full look.
    """

    name: Kind
    recognize: Recognize
    code: Code
    ordered: bool = False
    measured: bool = False
    prefixed: bool = False
    names_people: bool = False
    read_together: bool = False
    looks: str | None = None


def number_texts(
    name: str, kind: Kind, distinct: Distinct, order: IntArray, numbers: IntArray
) -> Column:
    """Number the distinct texts: the one at ``order[i]`` gets code ``numbers[i]``, ascending."""
    n_labels = int(numbers[-1]) + 1 if numbers.size else 0
    recode = np.full(len(distinct.texts) + 1, n_labels, dtype=np.int32)
    recode[order] = numbers
    labels = distinct.texts.gather(pl.Series(order)).to_list()
    if n_labels < len(labels):
        labels = _shortest(labels, numbers)
    codes = recode[distinct.codes]
    return Column(name, kind, codes, tuple(labels), None, distinct.n_missing > 0)


def take_rows(column: Column, rows: IntArray, distinct: Distinct) -> Column:
    """Code some rows of a coded column, whose texts are ``distinct``, without reading them again.

    Values that no row holds any more have no code; the others keep their order.
    """
    by_text = np.zeros(len(distinct.texts) + 1, dtype=np.int64)
    by_text[distinct.codes] = column.codes[rows]
    order = np.argsort(by_text[:-1], kind="stable")
    held, numbers = np.unique(by_text[order], return_inverse=True)
    taken = number_texts(column.name, column.kind, distinct, order, numbers)
    return replace(taken, numbers=None if column.numbers is None else column.numbers[held])


def refuse_texts(name: str, kind: Kind, distinct: Distinct, bad: BoolArray, what: str) -> None:
    """Raise if any row holds a text that is bad for the kind; count them, never show them."""
    count, first = distinct.rows_with(bad)
    if count:
        raise ValueKindError(
            f"Column {name!r} is {kind} but has cells that {what}: {count:,}, "
            f"the first in row {first}.",
            hint="Say which texts mean missing (missing=...), or give the column another kind.",
        )


def _shortest(labels: list[str], numbers: IntArray) -> list[str]:
    """Keep one text of each number: the shortest, then the smallest, whatever was read first."""
    kept: dict[int, str] = {}
    for number, label in zip(numbers.tolist(), labels, strict=True):
        best = kept.setdefault(number, label)
        if (len(label), label) < (len(best), best):
            kept[number] = label
    return list(kept.values())
