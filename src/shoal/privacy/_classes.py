"""Groups as an attacker sees them: rows whose quasi-identifiers read the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.exceptions import (
    EmptyTableError,
    InputError,
    InvalidParameterError,
    UnknownColumnError,
)
from shoal.privacy._histograms import count_members
from shoal.table import CodedTable, Grouping, Table
from shoal.typing import IntArray


def group_by_text(table: Table, names: Sequence[str] | None = None) -> Grouping:
    """Group rows that read the same in all columns named (default: the quasi-identifiers).

    Cells are compared as the text that is published, byte for byte, since that is what an
    attacker compares: ``1`` and ``1.0`` differ, so do ``Paris`` and ``paris``. A missing cell is
    a value, and so is ``*``: rows suppressed but kept are a group like any other.

    >>> import polars as pl
    >>> from shoal.table import Roles, read_table
    >>> table = read_table(pl.DataFrame({"zip": ["80**", "*", "80**", None]}))
    >>> group_by_text(table, ["zip"]).sizes.tolist()
    [2, 1, 1]
    """
    names = table.roles.quasi_identifiers if names is None else names
    return _group_alike(_text_frame(table, names), table.n_rows)


@dataclass(frozen=True, eq=False)
class Matched:
    """A release against the population it was drawn from.

    ``sample[c]`` people of the release and ``population[c]`` people of the population read the
    same on the quasi-identifiers; the first ``n_released`` classes are those of the release.
    """

    sample: IntArray
    population: IntArray
    n_released: int


def match_population(table: CodedTable, grouping: Grouping, population: Table) -> Matched:
    """Count the population in each group of a release, and in the classes the release lacks.

    The population must hold the quasi-identifiers of the table, generalized like them.

    Raises
    ------
    InputError
        A group reads differently from row to row (judge the released table, not the original), or
        holds more people than the population does.
    """
    if not isinstance(table, Table):
        raise InvalidParameterError("A population is compared with a table that is in one place.")
    names = table.roles.quasi_identifiers
    for name in names:
        if name not in population.column_names:
            raise UnknownColumnError.among(name, population.column_names, what="population column")
    if grouping.n_groups == 0:
        raise EmptyTableError.nothing_to_judge()
    kept = grouping.order
    cells = pl.concat([_text_frame(table, names, kept), _text_frame(population, names)])
    alike = _group_alike(cells, kept.size + population.n_rows)
    released = _class_of_group(alike.labels[: kept.size], grouping)
    in_population = alike.labels[kept.size :]
    order = np.concatenate([released, np.setdiff1d(in_population, released)])
    sample = np.zeros(order.size, dtype=np.int64)
    sample[: released.size] = count_members(table, grouping)
    people = _count_by_class(population, in_population, alike.n_groups)[order]
    _refuse_smaller(people, sample)
    return Matched(sample, people, int(released.size))


def _text_frame(table: Table, names: Sequence[str], rows: IntArray | None = None) -> pl.DataFrame:
    """Put cells as text into a frame whose columns are named by position."""
    texts = (table.text(name) for name in names)
    parts = (text if rows is None else text.gather(rows) for text in texts)
    return pl.DataFrame({str(place): part for place, part in enumerate(parts)})


def _group_alike(cells: pl.DataFrame, n_rows: int) -> Grouping:
    if not cells.width or not n_rows:
        return Grouping.from_keys([], n_rows)
    numbered = cells.with_row_index("row")
    first = numbered.select(pl.col("row").min().over(cells.columns)).to_series().to_numpy()
    opens = first == np.arange(n_rows)
    return Grouping((np.cumsum(opens) - 1)[first])


def _class_of_group(classes: IntArray, grouping: Grouping) -> IntArray:
    """Find what each group reads; ``classes`` speaks of the rows in the order of the grouping."""
    low = np.minimum.reduceat(classes, grouping.starts[:-1])
    high = np.maximum.reduceat(classes, grouping.starts[:-1])
    mixed = int((low != high).sum())
    if mixed:
        raise InputError(
            f"{mixed} groups do not read the same in every row.",
            hint="Compare the released table with a population, not the original one.",
        )
    if np.unique(low).size < low.size:
        raise InputError(
            "Several groups read the same on all quasi-identifiers.",
            hint="Group the released table by what it reads (group_by_text).",
        )
    return low


def _count_by_class(population: Table, classes: IntArray, n_classes: int) -> IntArray:
    """Count the people of the population in each class, 0 where there is none."""
    present, labels = np.unique(classes, return_inverse=True)
    counts = np.zeros(n_classes, dtype=np.int64)
    if present.size:
        counts[present] = count_members(population, Grouping(labels))
    return counts


def _refuse_smaller(people: IntArray, sample: IntArray) -> None:
    short = int((people < sample).sum())
    if short:
        raise InputError(
            f"{short} groups of the table hold more people than the population has of their kind.",
            hint="The population must contain everybody in the table, generalized the same way.",
        )
