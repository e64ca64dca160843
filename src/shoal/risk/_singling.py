"""Singling out: how many people are alone on everything that is published, not only the crowds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np

from shoal.exceptions import InvalidParameterError
from shoal.risk._alone import RowOwners, keys_of, keys_of_codes, together
from shoal.risk._singling_sets import TOO_MANY, SinglingSet, find_singling_sets
from shoal.table import Table
from shoal.typing import IntArray

_LISTED = 20  # sets


@dataclass(frozen=True)
class SinglingColumn:
    """Share of people whom one column tells from all others: alone, and within their crowds."""

    name: str
    role: str
    alone: float
    with_crowds: float


@dataclass(frozen=True)
class SinglingOut:
    """Who is alone on what is published.

    Attributes
    ----------
    people : int
        People published: persons if there is a person column, rows otherwise.
    share_unique : float
        Share of people whom all that is published tells from all others: their crowd, what is
        published as it is, sensitive columns and the target.
    share_unique_plain : float
        The same without sensitive columns and target.
    columns : tuple of SinglingColumn
        Every column that is published as it is, those that single out most first.
    sets : tuple of SinglingSet
        The smallest combinations of them that single out more than 5 % of people by themselves,
        at most 20. `exhaustive` tells whether all sets were looked at.
    helps_most : str or None
        The column that, made a quasi-identifier, frees most people; None if none frees any.
    freed : float
        Share of people that it frees.
    exhaustive : bool
        Whether no set of up to three columns (four of at most 12) was left out.
    """

    people: int
    share_unique: float
    share_unique_plain: float
    columns: tuple[SinglingColumn, ...]
    sets: tuple[SinglingSet, ...]
    helps_most: str | None
    freed: float
    exhaustive: bool
    #: Columns that single out more than 5 % of people, alone or with the crowds.
    singling: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        worst = (c.name for c in self.columns if max(c.alone, c.with_crowds) > TOO_MANY)
        object.__setattr__(self, "singling", tuple(worst))

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers as plain JSON values."""
        return {**asdict(self), "singling": list(self.singling)}

    def rounded(self, step: int) -> SinglingOut:
        """Give the same with every share in whole ``step`` people."""

        def down(share: float) -> float:
            return self.round_down(share, step)

        columns = [
            replace(c, alone=down(c.alone), with_crowds=down(c.with_crowds)) for c in self.columns
        ]
        sets = [replace(one, share=down(one.share)) for one in self.sets]
        return replace(
            self,
            share_unique=down(self.share_unique),
            share_unique_plain=down(self.share_unique_plain),
            columns=tuple(sorted(columns, key=_worst_first)),
            sets=list_sets(one for one in sets if one.share > TOO_MANY),
            helps_most=self.helps_most if down(self.freed) else None,
            freed=down(self.freed),
        )

    def round_down(self, share: float, step: int) -> float:
        """Round a share of people down to whole ``step`` of them.

        >>> found = SinglingOut(40, 0.3, 0.3, (), (), None, 0.0, exhaustive=True)
        >>> found.round_down(9 / 40, 5) * 40, found.round_down(4 / 40, 5)
        (5.0, 0.0)
        """
        return round(share * self.people) // step * step / max(1, self.people)


def measure_singling_out(
    table: Table, *, crowds: IntArray | None = None, columns: Iterable[str] | None = None
) -> SinglingOut:
    """Count who is alone on everything that is published.

    Parameters
    ----------
    table : Table
        The original table, with roles.
    crowds : array of int, optional
        The published group of each row, -1 for rows that are left out. Not given: the
        quasi-identifiers as they are in the table.
    columns : iterable of str, optional
        The columns that are published as they are; all that have no role, or are accepted.

    Notes
    -----
    Shares of single columns and of everything are exact. Sets are looked for among at most 5,000
    combinations of each size, on the rows of 2,000 people, where nobody is less alone than in the
    whole table; those that stand out are counted in all rows, up to 10 million cells of each size.

    Examples
    --------
    >>> import numpy as np
    >>> import polars as pl
    >>> from shoal.table import Roles, read_table
    >>> frame = pl.DataFrame({"age": [30, 31, 30, 31], "case": [1, 2, 3, 4], "pet": list("ccdd")})
    >>> table = read_table(frame, roles=Roles(quasi_identifiers="age"))
    >>> found = measure_singling_out(table, crowds=np.array([0, 0, 0, 0]))
    >>> found.share_unique, found.singling, found.sets, found.helps_most
    (1.0, ('case',), (SinglingSet(columns=('case',), share=1.0),), 'case')
    """
    names = published_as_is(table) if columns is None else tuple(columns)
    rows = published_rows(table, crowds)
    everybody = RowOwners.of(table).take(rows)
    keys = {name: key[rows] for name, key in keys_of(table, names, as_written=True).items()}
    if crowds is None:
        quasi = keys_of(table, table.roles.quasi_identifiers)
        crowd = together(quasi.values(), table.n_rows)
    else:
        crowd = keys_of_codes(crowds[rows], "the crowd")
    target = () if table.roles.target is None else (table.roles.target,)
    secret = [name for name in (*table.roles.sensitive, *target) if name not in names]
    secrets = together(keys_of(table, secret, as_written=True).values(), table.n_rows)[rows]
    plain = crowd + together(keys.values(), crowd.size)
    share = everybody.share_alone
    without = {name: share(plain - key) for name, key in keys.items()}
    alone = {name: share(key) for name, key in keys.items()}
    found = [
        SinglingColumn(name, table.roles.role_of(name), alone[name], share(crowd + key))
        for name, key in keys.items()
    ]
    best = min(without, key=lambda name: without[name], default=None)
    unique = share(plain)
    freed = 0.0 if best is None else unique - without[best]
    sets, exhaustive = find_singling_sets(keys, alone, everybody) if keys else ([], True)
    return SinglingOut(
        people=everybody.count,
        share_unique=share(plain + secrets),
        share_unique_plain=unique,
        columns=tuple(sorted(found, key=_worst_first)),
        sets=list_sets(sets),
        helps_most=best if freed > 0 else None,
        freed=freed,
        exhaustive=exhaustive,
    )


def _worst_first(column: SinglingColumn) -> tuple[float, str]:
    return -max(column.alone, column.with_crowds), column.name


def list_sets(sets: Iterable[SinglingSet]) -> tuple[SinglingSet, ...]:
    """Order sets, the smallest first, and leave out what nobody would read to the end."""
    return tuple(sorted(sets, key=lambda s: (len(s.columns), -s.share, s.columns))[:_LISTED])


def published_as_is(table: Table) -> tuple[str, ...]:
    """Name the columns that are published as they are, without sensitive ones and the target."""
    plain = ("other", "publish_as_is")
    return tuple(name for name in table.column_names if table.roles.role_of(name) in plain)


def published_rows(table: Table, crowds: IntArray | None) -> IntArray:
    """List the rows that are in a crowd; all if there are none yet."""
    if crowds is None:
        return np.arange(table.n_rows)
    if crowds.shape != (table.n_rows,):
        raise InvalidParameterError(f"{crowds.size:,} crowds for {table.n_rows:,} rows.")
    return np.flatnonzero(crowds >= 0)
