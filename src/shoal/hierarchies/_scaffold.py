"""Scaffolds: a first ladder for a column, to be bettered by somebody who knows it."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from shoal.exceptions import InvalidParameterError, OutputError, UnknownColumnError
from shoal.hierarchies._similarity import similarity_rows, spelling_rows
from shoal.hierarchies.ready import OTHER, READY, ReadyLadder, recognize_ladder
from shoal.table import Table

WAYS = ("spelling", "similarity")
SEVERAL = "several"  # what stands above a value that has more than one parent


@dataclass(frozen=True, eq=False, repr=False)
class Scaffold:
    """A ladder for all values of a column, and what is left to a human.

    Attributes
    ----------
    rows : list of tuple of str
        The ladder: each value, its steps, ``*``.
    by : str
        What it was built by: ``spelling``, ``similarity``, ``columns`` or a ready ladder.
    uncovered : tuple of str
        Values that stand under ``other``, or have several parents.
    """

    rows: list[tuple[str, ...]]
    by: str
    uncovered: tuple[str, ...] = ()

    def __repr__(self) -> str:  # rows are cell values and stay out of logs
        return f"Scaffold({len(self.rows)} values by {self.by}, {len(self.uncovered)} uncovered)"

    def ladder_text(self) -> str:
        """Write the ladder as the text of a CSV file."""
        text = io.StringIO(newline="")
        csv.writer(text, delimiter=";").writerows(self.rows)
        return text.getvalue()

    def write(self, path: Path, *, force: bool = False) -> Path | None:
        """Write the ladder, and values that are uncovered to a file beside it, both private.

        Returns the path of the latter, None if everything is covered.
        """
        write_private(path, self.ladder_text(), force=force)
        beside = path.with_suffix(".uncovered.txt")
        if not self.uncovered:
            return None
        write_private(beside, "".join(f"{value}\n" for value in self.uncovered), force=True)
        return beside


def scaffold(
    table: Table, column: str, *, by: str | None = None, above: Sequence[str] = ()
) -> Scaffold:
    """Propose a ladder for a column.

    Parameters
    ----------
    table : Table
        The table; its quasi-identifiers and target say whose people are alike.
    column : str
        The column.
    by : str, optional
        ``spelling``, ``similarity`` (of the people who have a value), or a ready ladder such as
        ``icd10``. By default the ready ladder that fits, else similarity, else spelling.
    above : sequence of str, optional
        Columns that hold the steps above, finest first: ``["county", "state"]`` for towns. A
        value that several of them stand above hangs under ``several`` until one alone does.

    Examples
    --------
    >>> import polars as pl
    >>> from shoal.table import read_table
    >>> towns = pl.DataFrame({"town": ["Springfield", "Springfield", "Joliet"],
    ...                       "county": ["Sangamon", "Clark", "Will"], "state": ["IL", "OH", "IL"]})
    >>> made = scaffold(read_table(towns), "town", above=["county", "state"])
    >>> made.rows
    [('Joliet', 'Will', 'IL', '*'), ('Springfield', 'several', 'several', '*')]
    >>> made
    Scaffold(2 values by columns, 1 uncovered)
    """
    for name in (column, *above):
        if name not in table.column_names:
            raise UnknownColumnError.among(name, table.column_names)
    labels = table.column(column).labels
    if above:
        return _by_columns(table, column, above)
    if by is None:
        found = recognize_ladder(column, labels)
        others = {*table.roles.quasi_identifiers, table.roles.target} - {column, None}
        by = found.word if found is not None else "similarity" if others else "spelling"
    if by in WAYS:
        rows = (spelling_rows if by == "spelling" else similarity_rows)(table, column)
        return Scaffold(rows, by)
    ladder = READY.get(by)
    if not isinstance(ladder, ReadyLadder):
        known = [*WAYS, *(word for word, found in READY.items() if isinstance(found, ReadyLadder))]
        raise InvalidParameterError(
            f"There is no way {by!r} to build a ladder.", hint=f"There are {', '.join(known)}."
        )
    unknown = tuple(label for label in labels if ladder.climb(label) is None)
    return Scaffold(ladder.ladder_rows(labels), by, unknown)


def _by_columns(table: Table, column: str, above: Sequence[str]) -> Scaffold:
    """Read the steps above each value from other columns of the same rows."""
    labels = table.column(column).labels
    texts = {str(i): table.text(name).fill_null(OTHER) for i, name in enumerate(above)}
    distinct = pl.DataFrame({"code": table.codes(column), **texts}).unique()
    parents: list[list[set[str]]] = [[set() for _ in above] for _ in labels]
    for code, *steps in distinct.filter(pl.col("code") < len(labels)).iter_rows():
        for seen, step in zip(parents[code], steps, strict=True):
            seen.add(step)
    rows = [(label, *_climb(found), "*") for label, found in zip(labels, parents, strict=True)]
    torn = [label for label, found in zip(labels, parents, strict=True) if len(found[0]) > 1]
    return Scaffold(_mended(rows), "columns", tuple(torn))


def _climb(found: Sequence[set[str]]) -> tuple[str, ...]:
    """One label a step; where several stand above a value, the first step that has one names it."""
    steps: list[str] = []
    for seen in reversed(found):
        higher = f" of {steps[-1]}" if steps and steps[-1] != SEVERAL else ""
        steps.append(next(iter(seen)) if len(seen) == 1 else f"{SEVERAL}{higher}")
    return tuple(reversed(steps))


def _mended(rows: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Name a step after those above it where one label would lead two ways.

    >>> _mended([("a", "Clark", "OH", "*"), ("b", "Clark", "IN", "*"), ("c", "Will", "IL", "*")])
    [('a', 'Clark, OH', 'OH', '*'), ('b', 'Clark, IN', 'IN', '*'), ('c', 'Will', 'IL', '*')]
    """
    mended = [list(row) for row in rows]
    for level in range(len(rows[0]) - 2 if rows else 0, 0, -1):
        parents: dict[str, set[str]] = {}
        for row in mended:
            parents.setdefault(row[level], set()).add(row[level + 1])
        for row in mended:
            if len(parents[row[level]]) > 1:
                row[level] = f"{row[level]}, {row[level + 1]}"
    return [tuple(row) for row in mended]


def write_private(path: Path, text: str, *, force: bool = False) -> None:
    """Write cell values to a file that nobody else on the machine may read."""
    if path.exists() and not force:
        raise OutputError(
            f"There is a file {path.name!r} already.", hint="Name another with -o, or use --force."
        )
    try:
        path.parent.mkdir(exist_ok=True)
        path.unlink(missing_ok=True)  # an older one may be open to others
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(text.encode())
    except OSError as error:
        reason = error.strerror or "unwritable"
        raise OutputError(f"The file {path.name!r} could not be written: {reason}.") from None
