"""Random tables of people that look for trouble: ties, gaps, constants, odd text, leading zeros."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

import numpy as np
import polars as pl
from numpy.random import Generator

from shoal.hierarchies import Calendar, Hierarchy, Intervals, Taxonomy
from shoal.table import Roles, Table, read_table
from shoal.typing import KINDS, IntArray, Kind

SENSITIVE = "illness"
ORDERED = "salary"
PERSON = "person"
_FIRST_DAY = date(1999, 12, 20)


def random_table(
    rng: Generator,
    *,
    n_rows: int = 40,
    n_quasi: int = 4,
    n_values: int = 6,
    kinds: Sequence[Kind] = KINDS,
    missing: float = 0.1,
    duplicates: float = 0.3,
    person: bool = False,
) -> Table:
    """Make up a table of mixed kinds with ties, gaps, duplicates and now and then a constant.

    Parameters
    ----------
    rng : Generator
        Where chance comes from: the same state makes the same table.
    n_rows, n_quasi : int
        Rows, and quasi-identifiers ``q0``, ``q1``, ...
    n_values : int
        Most distinct values of a quasi-identifier; a few of them are common.
    kinds : sequence of Kind
        Kinds to draw the quasi-identifiers from.
    missing : float
        Share of missing cells; above 0, a column may be missing altogether.
    duplicates : float
        Share of rows that repeat the quasi-identifiers of another.
    person : bool
        Whether there is a person column; most people then have two rows.

    Returns
    -------
    Table
        With the identifier ``name``, the sensitive columns ``illness`` (text) and ``salary`` (a
        number), and a ``note`` that has no role.

    Examples
    --------
    >>> random_table(np.random.default_rng(7), n_rows=30, n_quasi=3)
    Table(30 rows, 7 columns: 1 identifier, 3 quasi-identifiers, 2 sensitive)
    """
    names = [f"q{j}" for j in range(n_quasi)]
    drawn = [kinds[int(pick)] for pick in rng.integers(len(kinds), size=n_quasi)]
    distinct = max(1, round(n_rows * (1 - duplicates)))
    rows = np.concatenate([np.arange(distinct), rng.integers(distinct, size=n_rows - distinct)])
    columns = [pl.Series("name", [f"Ms {chr(65 + i % 26)}{i}" for i in range(n_rows)])]
    for name, kind in zip(names, drawn, strict=True):
        cells = _with_gaps(rng, _draw(rng, kind, distinct, n_values), missing)
        columns.append(cells.gather(rows).alias(name))
    columns += _other_columns(rng, n_rows, missing)
    if person:
        people = rng.integers(max(1, n_rows // 2), size=n_rows)
        columns.append(pl.Series(PERSON, [f"p{number}" for number in people]))
    frame = pl.DataFrame(columns)[rng.permutation(n_rows)]
    given: dict[str, Kind] = dict.fromkeys(frame.columns, "nominal")
    given |= {ORDERED: "numeric", **dict(zip(names, drawn, strict=True))}
    return read_table(
        frame,
        roles=Roles("name", names, [SENSITIVE, ORDERED], person=PERSON if person else None),
        kinds=given,
        orders={name: _grades(n_values) for name, kind in given.items() if kind == "ordinal"},
    )


def random_hierarchies(rng: Generator, table: Table) -> dict[str, Hierarchy]:
    """Make up trees for about half of the quasi-identifiers that can have one.

    >>> rng = np.random.default_rng(5)
    >>> random_hierarchies(rng, random_table(rng, kinds=["nominal"]))
    {'q0': Taxonomy(6 leaves, height 3)}
    """
    found: dict[str, Hierarchy] = {}
    for name in table.roles.quasi_identifiers:
        column = table.column(name)
        if rng.random() < 0.5 or not column.labels:
            continue
        if column.kind == "nominal":
            found[name] = Taxonomy.from_ladder(_ladder(rng, column.labels))
        elif column.kind == "date":
            found[name] = Calendar()
        elif column.kind == "numeric":
            found[name] = Intervals([5, 10, 50])
    return found


def shuffled(rng: Generator, table: Table) -> Table:
    """Return the same table with its rows in another order."""
    return with_frame(table, table.frame[rng.permutation(table.n_rows)])


def with_frame(table: Table, frame: pl.DataFrame) -> Table:
    """Return a table of other rows with the same columns, kinds, orders and roles."""
    ordinal = {name: order for name, order in table.orders.items() if name in frame.columns}
    return read_table(frame, roles=table.roles, kinds=table.kinds, orders=ordinal)


def _draw(rng: Generator, kind: Kind, n: int, n_values: int) -> pl.Series:
    size = 1 if rng.random() < 0.1 else n_values
    codes = _skewed(rng, n, size)
    match kind:
        case "numeric":
            return _numbers(rng, codes, size)
        case "ordinal":
            return pl.Series(_grades(n_values)).gather(codes)
        case "date":
            steps = np.sort(rng.choice(40 * size, size=size, replace=False))
            days = [_FIRST_DAY + timedelta(days=int(steps[code])) for code in codes]
            return pl.Series(days, dtype=pl.Date)
        case "code":
            zips = rng.choice(99_999, size=size, replace=False)
            texts = [f"{number:05d}"[1 - min(number % 5, 1) :] for number in zips.tolist()]
            return pl.Series(texts).gather(codes)
    return pl.Series([f"{'ÄB,c'[code % 4]} {code}" for code in codes.tolist()])


def _numbers(rng: Generator, codes: IntArray, size: int) -> pl.Series:
    values = np.sort(rng.choice(20 * size, size=size, replace=False)) - 5 * size
    if rng.random() < 0.5:
        return pl.Series(values[codes], dtype=pl.Int64)
    return pl.Series([f"{value / 4:.2f}" for value in values[codes].tolist()])


def _skewed(rng: Generator, n: int, size: int) -> IntArray:
    """Codes of which a few are common, so that rows tie."""
    common = rng.integers(size, size=max(1, size // 3))
    codes: IntArray = np.where(
        rng.random(n) < 0.5, rng.choice(common, n), rng.integers(size, size=n)
    )
    return codes


def _with_gaps(rng: Generator, cells: pl.Series, missing: float) -> pl.Series:
    everywhere = missing > 0 and rng.random() < 0.05
    holes = pl.Series(rng.random(len(cells)) < (1 if everywhere else missing))
    return pl.select(pl.when(~holes).then(cells)).to_series()


def _other_columns(rng: Generator, n: int, missing: float) -> list[pl.Series]:
    ills = pl.Series(["flu", "cold", "gout", "none", 'a "quote", a comma'])
    illness = _with_gaps(rng, ills.gather(_skewed(rng, n, len(ills))), missing / 2)
    salary = pl.Series(ORDERED, 100 * rng.integers(5, size=n))
    notes: list[Any] = [f"nota bene, {'čšž'[i % 3]}" for i in rng.integers(9, size=n)]
    return [illness.alias(SENSITIVE), salary, pl.Series("note", notes)]


def _grades(n_values: int) -> list[str]:
    return [f"grade {place}" for place in range(max(n_values, 2), 0, -1)]


def _ladder(rng: Generator, labels: Sequence[str]) -> list[tuple[str, ...]]:
    """Put each label below one of a few nodes, and those below fewer."""
    small = rng.integers(max(1, len(labels) // 2), size=len(labels)).tolist()
    return [
        (label, f"node {node}", f"branch {node % 2}", "*")
        for label, node in zip(labels, small, strict=True)
    ]
