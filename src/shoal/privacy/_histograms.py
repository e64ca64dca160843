"""Who has which sensitive value in which group: the counts that most models read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np

from shoal.exceptions import EmptyTableError, NeverPossibleError
from shoal.hierarchies import Hierarchy
from shoal.kernels.diversity import count_distinct, histograms
from shoal.privacy._base import Constraint, PrivacyModel
from shoal.table import CodedTable, Column, Grouping
from shoal.typing import FloatArray, IntArray
from shoal.verifier import Claim

TOO_FEW = (
    "Ask for a smaller l, or leave the column out; a preset that asks for more values than there"
    " are does not fit it."
)
ALL_ALIKE = (
    "All people share one value of {0!r}, so that no crowd can show another. Leave the column out"
    " (--drop), or take it from the sensitive ones and accept that it tells the same of everybody"
    " (publish_as_is)."
)


@dataclass(frozen=True, eq=False)
class Histograms:
    """How often each value occurs in each group, compressed.

    Group g shows the values ``codes[starts[g]:starts[g + 1]]`` (ascending), ``counts`` times each.
    A missing value is a value of its own, with the code ``missing`` (-1 if none is missing).
    ``totals`` is the sum of a group's counts, ``members`` its people: both are the group's rows
    unless one person has several.
    """

    starts: IntArray
    codes: IntArray
    counts: IntArray
    totals: IntArray
    members: IntArray
    n_codes: int
    missing: int

    @property
    def distinct(self) -> IntArray:
        """Distinct values of each group; a missing value is none, for it may repeat another."""
        shown = np.diff(self.starts)
        if self.missing < 0:
            return shown
        return shown - np.add.reduceat(self.codes == self.missing, self.starts[:-1])

    @property
    def commonest(self) -> IntArray:
        """Count of the commonest value of each group."""
        result: IntArray = np.maximum.reduceat(self.counts, self.starts[:-1])
        return result


@dataclass(frozen=True, eq=False)
class SensitiveColumn:
    """A sensitive column of a table whose rows are grouped: what `measure_column` reads.

    Attributes
    ----------
    column : Column
        The column itself.
    counted : Histograms
        How often each value occurs in each group.
    reference : IntArray
        How often each value occurs in the table.
    hierarchy : Hierarchy or None
        The tree of its values, if one is known.
    """

    column: Column
    counted: Histograms
    reference: IntArray
    hierarchy: Hierarchy | None = None


def count_values(table: CodedTable, grouping: Grouping, name: str) -> Histograms:
    """Count the values of a column in each group; people instead of rows where known."""
    if grouping.n_groups == 0:
        raise EmptyTableError.nothing_to_judge()
    column = table.column(name)
    members = grouping.sizes
    labels, codes = grouping.labels, column.codes
    if table.roles.person is not None:
        members = count_distinct(table.codes(table.roles.person), grouping.order, grouping.starts)
        kept = _once_per_person(table, labels, codes)
        grouping, codes = Grouping(labels[kept]), codes[kept]
    counted = histograms(codes, grouping.order, grouping.starts)
    return Histograms(*counted, grouping.sizes, members, column.n_codes, column.missing)


def count_members(table: CodedTable, grouping: Grouping) -> IntArray:
    """Count the rows of each group, or its distinct people where known.

    Rows that name nobody may belong to anybody in the group, so they add no person; a group of
    nothing else has one.
    """
    if table.roles.person is None:
        return grouping.sizes
    person = table.column(table.roles.person)
    found = count_distinct(person.codes, grouping.order, grouping.starts, person.missing)
    return np.maximum(found, 1)


def reference_counts(table: CodedTable, name: str, rows: IntArray | None = None) -> IntArray:
    """Count each value of a column in the whole table, or in the rows given."""
    column = table.column(name)
    codes, n_codes = column.codes, column.n_codes
    if name in table.references:  # a part of a larger table is compared with the whole
        inside = np.arange(codes.size) if rows is None else rows
        left_out = np.setdiff1d(np.arange(codes.size), inside)
        return table.references[name] - np.bincount(codes[left_out], minlength=n_codes)
    labels = np.zeros(codes.size, dtype=np.int64)
    if rows is not None:
        labels[:] = -1
        labels[rows] = 0
    kept = labels >= 0 if table.roles.person is None else _once_per_person(table, labels, codes)
    return np.bincount(codes[kept], minlength=n_codes)


def references(table: CodedTable, grouping: Grouping, name: str) -> Iterator[IntArray]:
    """Give the distributions that groups are compared with: all rows, then released rows.

    They differ once rows are suppressed. An attacker may know either, so models use the one that
    makes a group look worse.
    """
    yield reference_counts(table, name)
    if grouping.n_suppressed:
        yield reference_counts(table, name, grouping.order)


class ColumnModel(PrivacyModel):
    """A model that asks one number of one sensitive column; kernels and verifier know it by name.

    Attributes
    ----------
    rule : str
        What kernels call it while they group (`shoal.kernels.rules.RULES`).
    claimed : str
        What the verifier recounts (`shoal.verifier.MEASURES`).
    takes_l : bool
        Whether both take the model's l beside the threshold.
    shows_l : bool
        Whether every group must show l values.
    missing_counts : bool
        Whether a missing value is one of them.
    """

    __slots__ = ()

    rule: ClassVar[str]
    claimed: ClassVar[str]
    takes_l: ClassVar[bool] = False
    shows_l: ClassVar[bool] = False
    missing_counts: ClassVar[bool] = True
    sensitive: str
    l: Any

    def constraint(self, table: CodedTable) -> Constraint | None:
        """Return the rule; None where kernels would have to tell people apart."""
        if table.roles.person is not None and self.rule != "distinct":
            return None
        counts = reference_counts(table, self.sensitive)
        shares: FloatArray = counts / counts.sum()
        column = table.column(self.sensitive)
        told = (column.codes, column.n_codes, shares, column.missing)
        bound = float(getattr(self, fields(self)[0].name))  # type: ignore[arg-type]
        return Constraint(self.rule, bound, self.l if self.takes_l else 0, *told)

    def claims(self, table: CodedTable) -> tuple[Claim, ...]:
        """Claim what the verifier calls it, with the order of the column."""
        column, l = table.column(self.sensitive), self.l if self.takes_l else 0
        ordered = self.claimed == "t_ordered" or column.kind == "ordinal"
        order = "numeric" if column.kind == "numeric" else column.labels if ordered else ()
        bound = float(getattr(self, fields(self)[0].name))  # type: ignore[arg-type]
        return (Claim(self.claimed, bound, column.name, l=l, order=order, label=str(self)),)

    def check_possible(self, table: CodedTable) -> None:
        """Raise `ImpossibleError` if the whole table shows fewer values than every group must."""
        if not self.shows_l:
            PrivacyModel.check_possible(self, table)
            return
        column = table.column(self.sensitive)
        values = column.n_codes if self.missing_counts else len(column.labels)
        if values < self.l:
            raise NeverPossibleError(
                f"Every group must show {float(self.l):g} values of {self.sensitive!r}, which has"
                f" {values}.",
                hint=ALL_ALIKE.format(self.sensitive) if values < 2 else TOO_FEW,
            )


def distinct_people(table: CodedTable, least: int) -> Constraint:
    """Hand the column of people to grouping kernels: every group must hold ``least`` of them."""
    people = table.column(str(table.roles.person))
    shares: FloatArray = np.bincount(people.codes, minlength=people.n_codes) / table.n_rows
    told = (people.codes, people.n_codes, shares, people.missing)
    return Constraint("distinct", float(least), 0, *told)


def _once_per_person(table: CodedTable, labels: IntArray, codes: IntArray) -> IntArray:
    """Keep one row of each group, person and value; suppressed rows go."""
    rows = np.flatnonzero(labels >= 0)
    people = table.codes(str(table.roles.person))
    triples = Grouping.from_keys([labels[rows], people[rows], codes[rows]], rows.size)
    _, first = np.unique(triples.labels, return_index=True)
    return rows[first]
