"""Exposure: what everything that is published tells of people, and who said that it may."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np

from shoal._words import listing
from shoal.privacy import ModelResult
from shoal.risk._dependencies import TwinColumns, find_twins
from shoal.risk._singling import TOO_MANY, SinglingColumn, SinglingOut, measure_singling_out
from shoal.table import Table
from shoal.typing import IntArray

WAYS_OUT = (
    "For each column: make it a quasi-identifier (--quasi), leave it out (--drop), or accept it by"
    " name (--publish-as-is)."
)
_NAMED = 4  # columns in a sentence; the rest is counted


@dataclass(frozen=True)
class Exposure:
    """Who is alone on all that is published, and what of it nobody accepted.

    Attributes
    ----------
    found : SinglingOut
        Measured on everything that is published.
    unaccepted : float
        Share of people whom the crowds and the columns that nobody accepted tell from all others.
    twins : tuple of TwinColumns
        Columns that tell a generalized one again.
    accepted : tuple of str
        Columns published as they are that were accepted by name.
    """

    found: SinglingOut
    unaccepted: float = 0.0
    twins: tuple[TwinColumns, ...] = ()
    accepted: tuple[str, ...] = ()
    #: Columns that nobody accepted and that single people out; all, if only together.
    open_columns: tuple[SinglingColumn, ...] = field(init=False)
    #: Secrets that nobody accepted and that are so exact that they tell who somebody is.
    open_secrets: tuple[SinglingColumn, ...] = field(init=False)
    #: Twins that nobody accepted.
    open_twins: tuple[TwinColumns, ...] = field(init=False)
    #: Names of the columns that need an answer.
    open: tuple[str, ...] = field(init=False)
    #: One sentence about what nobody accepted; empty if there is nothing.
    warning: str = field(init=False)

    def __post_init__(self) -> None:
        columns: tuple[SinglingColumn, ...] = ()
        if self.unaccepted > TOO_MANY:
            alone = tuple(c for c in self._left if c.name in self.found.singling)
            columns = alone or self._left
        twins = tuple(twin for twin in self.twins if twin.telling not in self.accepted)
        secrets = tuple(c for c in self.found.exact if c.name not in self.accepted)
        told = (*(c.name for c in (*columns, *secrets)), *(t.telling for t in twins))
        object.__setattr__(self, "open_columns", columns)
        object.__setattr__(self, "open_secrets", secrets)
        object.__setattr__(self, "open_twins", twins)
        object.__setattr__(self, "open", tuple(dict.fromkeys(told)))
        object.__setattr__(self, "warning", f"{self._sentence}. {WAYS_OUT}" if told else "")

    @property
    def _left(self) -> tuple[SinglingColumn, ...]:
        return tuple(column for column in self.found.columns if column.name not in self.accepted)

    @property
    def _only_together(self) -> bool:
        """Whether no column, nor any small set of them, singles out half of those who are."""
        names = {column.name for column in self._left}
        single = [max(column.alone, column.with_crowds) for column in self._left]
        sets = [one.share for one in self.found.sets if names.issuperset(one.columns)]
        return len(names) > 1 and max((*single, *sets), default=0.0) < self.unaccepted / 2

    def told_by(self, fewest: int, *, step: int = 1) -> Exposure:
        """The same for others: twins need originals, so they are told of so many people or not.

        Shares are told in whole ``step`` people, rounded down: whose rows are whose nobody can see
        in a release, so that a share of people must not tell of one of them.
        """
        told = replace(self, twins=tuple(twin for twin in self.twins if twin.people >= fewest))
        if step == 1:
            return told
        unaccepted = self.found.round_down(self.unaccepted, step)
        return replace(told, found=self.found.rounded(step), unaccepted=unaccepted)

    @property
    def _sentence(self) -> str:
        parts = []
        if self.open_columns:
            parts.append(
                f"{_percent(self.unaccepted)} of people are singled out by columns nobody accepted"
                f"{self._by_which}"
            )
        if self.open_secrets:
            exact = [_said(column) for column in self.open_secrets]
            parts.append(
                "sensitive columns are so exact that whoever knows one of their values finds the"
                f" person: {listing(exact, _NAMED)}"
            )
        if self.open_twins:
            told = [_tells(twin) for twin in self.open_twins]
            parts.append(f"what was generalized is told again: {listing(told, _NAMED)}")
        return "; ".join(parts)

    @property
    def _by_which(self) -> str:
        """Say which columns do it: each by itself, or the smallest sets, or all together."""
        names = [repr(column.name) for column in self._left]
        if not self._only_together:
            return f": {listing(self._culprits or sorted(names), _NAMED)}"
        most = f"; most of all {listing(self._culprits, 2)}" if self._culprits else ""
        return f", all {len(names)} together with the crowds: {listing(names, _NAMED)}{most}"

    @property
    def _culprits(self) -> list[str]:
        singling = [_said(c) for c in self.open_columns if c.name in self.found.singling]
        names = {column.name for column in self.open_columns}
        sets = [one for one in self.found.sets if names.issuperset(one.columns)]
        return singling or [
            f"{' with '.join(map(repr, s.columns))} ({_percent(s.share)})" for s in sets
        ]

    def result(self) -> AccountedResult:
        """The same as the result of a privacy model, for the verdict of a release to others."""
        return AccountedResult(
            model=f"at most {_percent(TOO_MANY)} singled out by columns not accepted",
            parameter=TOO_MANY,
            holds=not self.open,
            worst=round(self.unaccepted, 6),
            statistic=self._sentence or "singled out",
            groups=1,
            groups_failing=int(bool(self.open)),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the exact numbers as plain JSON values: for the owner of the table alone."""
        return {
            **asdict(self.found),
            "singling": list(self.found.singling),
            "share_unaccepted": self.unaccepted,
            "twins": [twin.to_dict() for twin in self.twins],
            "accepted": list(self.accepted),
            "open": list(self.open),
        }


class AccountedResult(ModelResult):
    """What is published beside the crowds, in the place of a model: it speaks of columns."""

    hint = WAYS_OUT

    def __str__(self) -> str:
        return super().__str__() if self.holds else self.statistic


def measure_exposure(
    table: Table, crowds: IntArray | None = None, *, groups: IntArray | None = None
) -> Exposure:
    """Measure what all that is published tells of people.

    Parameters
    ----------
    table : Table
        The original table, with roles.
    crowds : array of int, optional
        The published group of each row, -1 for rows left out; the table as it is if not given.
    groups : array of int, optional
        Who was grouped with whom, where values were moved: what a crowd shows is not counted
        then (re-linkage is measured instead), only columns published as they are.

    Examples
    --------
    >>> import numpy as np
    >>> import polars as pl
    >>> from shoal.table import Roles, read_table
    >>> frame = pl.DataFrame({"age": [30, 31, 30, 31], "case": [1, 2, 3, 4]})
    >>> table = read_table(frame, roles=Roles(quasi_identifiers="age"))
    >>> print(measure_exposure(table, np.zeros(4, dtype=int)).warning)
    100 % of people are singled out by columns nobody accepted: 'case' (100 %). For each column:
    make it a quasi-identifier (--quasi), leave it out (--drop), or accept it by name
    (--publish-as-is).
    >>> roles = Roles(quasi_identifiers="age", publish_as_is="case")
    >>> measure_exposure(table.with_roles(roles), np.zeros(4, dtype=int)).open
    ()
    """
    accepted = table.roles.publish_as_is
    formed = crowds if groups is None else groups
    if groups is not None and crowds is not None:
        crowds = np.where(crowds < 0, -1, 0)
    found = measure_singling_out(table, crowds=crowds)
    rest = [column.name for column in found.columns if column.name not in accepted]
    unaccepted = found.share_unique_plain
    if accepted and rest:
        unaccepted = measure_singling_out(table, crowds=crowds, columns=rest).share_unique_plain
    twins = find_twins(table, formed) if found.columns else ()
    return Exposure(found, unaccepted if rest else 0.0, twins, accepted)


def _said(column: SinglingColumn) -> str:
    return f"{column.name!r} ({_percent(max(column.alone, column.with_crowds))})"


def _tells(twin: TwinColumns) -> str:
    return f"{twin.telling!r} tells {twin.told!r} ({_percent(twin.share)})"


def _percent(share: float) -> str:
    return f"{100 * float(f'{share:.2g}'):.3g} %"
