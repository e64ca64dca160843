"""Suspicions about roles: people who may be named, or counted twice. Counts, never values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from shoal.table._cells import Cells
from shoal.table._roles import Roles
from shoal.typing import Kind


def find_suspicions(cells: Cells, kinds: Mapping[str, Kind], roles: Roles) -> list[str]:
    """Say which columns may name people in a release, and where people have several rows.

    >>> import polars as pl
    >>> cells = Cells(pl.DataFrame({"name": ["Ann", "Bo", "Ann"], "mail": ["a@x", "b@x", "c@x"]}))
    >>> kinds = {"name": "nominal", "mail": "nominal"}
    >>> for suspicion in find_suspicions(cells, kinds, Roles(identifiers="name")):
    ...     print(suspicion)
    Column 'mail' has another value in every row and would be published; is it an identifier?
    2 rows share their 'name' with another row; if it tells people apart, give person='name'.
    """
    if not roles.named:  # nobody said anything yet
        return []
    return [*_unprotected(cells, kinds, roles), *_repeated(cells, roles)]


def _unprotected(cells: Cells, kinds: Mapping[str, Kind], roles: Roles) -> Iterator[str]:
    for name in cells.frame.columns:
        telling = kinds[name] in ("nominal", "code") and cells.distinct(name).all_differ
        if telling and roles.role_of(name) == "other":
            yield (
                f"Column {name!r} has another value in every row and would be published; "
                "is it an identifier?"
            )


def _repeated(cells: Cells, roles: Roles) -> Iterator[str]:
    if roles.person is not None:
        repeated = _rows_sharing(cells, roles.person)
        if repeated:
            yield f"{repeated:,} rows belong to people with several rows; people are counted once."
        missing = cells.distinct(roles.person).n_missing
        if missing:
            yield f"{missing:,} rows have no {roles.person!r}; together they count as one person."
        return
    for name in roles.identifiers:
        repeated = _rows_sharing(cells, name)
        if repeated:
            yield (
                f"{repeated:,} rows share their {name!r} with another row; if it tells people "
                f"apart, give person={name!r}."
            )


def _rows_sharing(cells: Cells, name: str) -> int:
    counts = cells.distinct(name).counts
    return int(counts[counts > 1].sum())
