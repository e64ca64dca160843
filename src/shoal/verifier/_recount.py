"""Counting a written file again, from its bytes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from importlib.resources import files
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shoal.exceptions import EmptyTableError
from shoal.verifier import _measures, _reading
from shoal.verifier._claims import Order, plain_number

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


@dataclass(frozen=True)
class Measures:
    """What was recounted of one sensitive column, the worst group each time.

    Ratios of counts are exact (`fractions.Fraction`); "no bound would hold" is ``inf``.
    """

    distinct_l: int
    recursive_c: Mapping[int, Fraction | float]
    t_equal: Fraction
    t_ordered: Fraction | None
    alpha: Fraction
    basic_beta: Fraction
    enhanced_beta: Fraction | float
    delta_disclosure: float
    delta_disclosure_present: float
    lowest_entropy: tuple[tuple[int, ...], ...]

    @cached_property
    def entropy_l(self) -> float:
        """The exponential of the lowest entropy of a group."""
        return min(math.exp(_entropy(counts)) for counts in self.lowest_entropy)

    def to_dict(self) -> dict[str, Any]:
        """Give plain numbers under the names of the command line's JSON."""
        numbers = {
            "distinct_l": self.distinct_l,
            "entropy_l": plain_number(self.entropy_l),
            "recursive_c": {str(l): plain_number(c) for l, c in self.recursive_c.items()},
            "t_equal": plain_number(self.t_equal),
            "alpha": plain_number(self.alpha),
            "basic_beta": plain_number(self.basic_beta),
            "enhanced_beta": plain_number(self.enhanced_beta),
            "delta_disclosure": plain_number(self.delta_disclosure),
            "delta_disclosure_present": plain_number(self.delta_disclosure_present),
        }
        if self.t_ordered is not None:
            numbers["t_ordered"] = plain_number(self.t_ordered)
        return numbers


@dataclass(frozen=True)
class Recount:
    """What was recounted of a file.

    Parameters
    ----------
    rows, groups : int
        Rows of the file, and how many groups of rows equal on all quasi-identifiers.
    k : int
        Size of the smallest group: in people if people were given, else in rows.
    people : bool
        Whether people were counted.
    sensitive : mapping of str to Measures
        The measures of each sensitive column.
    """

    rows: int
    groups: int
    k: int
    people: bool
    sensitive: Mapping[str, Measures]


def recount(
    path: str | PathLike[str],
    *,
    quasi_identifiers: Sequence[str],
    sensitive: Sequence[str] = (),
    orders: Mapping[str, Order] | None = None,
    people: Sequence[int] | None = None,
    scratch: Path | None = None,
) -> Recount:
    """Read a written release again and count it.

    Groups are rows whose quasi-identifiers are equal as text; a missing cell is a value like any
    other, and rows published as ``*`` count as the group they form.

    Parameters
    ----------
    path : path
        A ``.csv`` (UTF-8, commas) or ``.parquet`` file.
    quasi_identifiers, sensitive : sequence of str
        The columns by role.
    orders : mapping, optional
        For sensitive columns with an order: ``"numeric"``, or the values from low to high. Only
        these get ``t_ordered``. A missing value comes last.
    people : sequence of int, optional
        A number for the person behind each row, in the order of the file, negative where that is
        not known (such rows add no person). Then k counts people, and a sensitive value counts
        once per person in a group, and once per person in the table.
    scratch : Path, optional
        Where to spill what does not fit in memory; a private temporary folder by default.

    Returns
    -------
    Recount

    >>> import pathlib, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = pathlib.Path(folder.name, "data.csv")
    >>> _ = path.write_text("age,disease\\n30-39,flu\\n30-39,cold\\n*,flu\\n*,flu\\n*,cold\\n")
    >>> counted = recount(path, quasi_identifiers=["age"], sensitive=["disease"])
    >>> counted.rows, counted.groups, counted.k, counted.sensitive["disease"].distinct_l
    (5, 2, 2, 2)
    >>> counted.sensitive["disease"].alpha
    Fraction(2, 3)
    >>> folder.cleanup()
    """
    file, orders = Path(path), orders or {}
    with _reading.database(scratch) as connection:
        _reading.load(connection, file, quasi_identifiers, sensitive, people)
        rows = _reading.count(connection, "written")
        if not rows:
            raise EmptyTableError("The file has no rows to count.")
        _group(connection, len(quasi_identifiers), len(sensitive), people=people is not None)
        groups, k = connection.execute("SELECT count(*), min(size) FROM groups").fetchall()[0]
        measures = {
            name: _measure(connection, i, orders.get(name, ()), people=people is not None)
            for i, name in enumerate(sensitive)
        }
    return Recount(rows, int(groups), int(k), people is not None, measures)


def script_source() -> str:
    """Give the text of ``verify.py``: the recount anyone can run with nothing but Python.

    >>> script_source().splitlines()[0]
    '#!/usr/bin/env python3'
    """
    return files("shoal.verifier").joinpath("_script.py").read_text(encoding="utf-8")


def _group(connection: DuckDBPyConnection, width: int, sensitive: int, *, people: bool) -> None:
    """Build ``groups`` (a number and a size each) and ``members`` (every row with its group)."""
    keys = [f"q{i}" for i in range(width)]
    known = "greatest(1, count(DISTINCT person) FILTER (person >= 0))"
    size = known if people else "count(*)"
    by = f"GROUP BY {', '.join(keys)}" if keys else ""
    chosen = "".join(f"{key}, " for key in keys)
    connection.execute(
        f"""CREATE TABLE groups AS SELECT row_number() OVER () AS g, *
        FROM (SELECT {chosen}{size} AS size FROM written {by})"""
    )
    if not sensitive:
        return
    same = " AND ".join(f"w.{key} IS NOT DISTINCT FROM groups.{key}" for key in keys) or "true"
    kept = ", ".join([f"s{i}" for i in range(sensitive)] + ["person"] * people)
    connection.execute(
        f"CREATE TABLE members AS SELECT g, {kept} FROM written AS w JOIN groups ON {same}"
    )


def _measure(
    connection: DuckDBPyConnection, column: int, order: Order, *, people: bool
) -> Measures:
    _measures.prepare(connection, column, order, people=people)
    return Measures(
        distinct_l=_measures.distinct_l(connection),
        recursive_c=_measures.recursive_c(connection),
        t_equal=_measures.t_equal(connection),
        t_ordered=_measures.t_ordered(connection) if order else None,
        alpha=_measures.alpha(connection),
        basic_beta=_measures.basic_beta(connection),
        enhanced_beta=_measures.enhanced_beta(connection),
        delta_disclosure=_measures.delta_disclosure(connection),
        delta_disclosure_present=_measures.delta_disclosure_present(connection),
        lowest_entropy=_measures.lowest_entropy(connection),
    )


def _entropy(counts: Sequence[int]) -> float:
    n = sum(counts)
    return math.log(n) - math.fsum(c * math.log(c) for c in counts) / n
