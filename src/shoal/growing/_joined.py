"""Earlier rows and newcomers in one table, so that both go through the same spaces and models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import polars as pl

from shoal.exceptions import InvalidParameterError
from shoal.growing._earlier import Earlier
from shoal.growing._stand_ins import stand_ins
from shoal.hierarchies import Hierarchy
from shoal.recoding import Recoder
from shoal.table import Roles, Table, as_text, read_table
from shoal.typing import BoolArray, IntArray, Kind


@dataclass(frozen=True, eq=False)
class JoinedTables:
    """Rows of an earlier release, first, and rows of a table that come to them.

    Of the earlier rows quasi-identifiers are stand-ins, all else is as published. Which person is
    behind which row of a crowd is not known: they are dealt out as they come.

    Attributes
    ----------
    now : Table
        The table as it is.
    earlier : Earlier
        The earlier release.
    stays : BoolArray
        Which of its crowds stay.
    arriving : IntArray
        Rows of the table that come to them.
    people : IntArray
        Who is behind each row of the table.
    recoder : Recoder
        Whose hierarchies both are published by.
    pseudonyms : mapping of str to polars.Series
        What is published in the place of names, row by row of the table.
    """

    now: Table
    earlier: Earlier
    stays: BoolArray
    arriving: IntArray
    people: IntArray
    recoder: Recoder
    pseudonyms: Mapping[str, pl.Series] = field(default_factory=dict)

    @cached_property
    def rows(self) -> IntArray:
        """Rows of the earlier release that stay."""
        return np.flatnonzero(self.stays[self.earlier.crowds])

    @property
    def n_old(self) -> int:
        """How many they are."""
        return int(self.rows.size)

    @cached_property
    def numbers(self) -> IntArray:
        """What the trace calls the crowds that stay."""
        return np.unique(self.earlier.crowds[self.rows])

    @cached_property
    def old_crowds(self) -> IntArray:
        """The crowd of each row that stays, numbered without gaps."""
        return np.searchsorted(self.numbers, self.earlier.crowds[self.rows])

    @cached_property
    def published(self) -> pl.DataFrame:
        """What these rows publish of their quasi-identifiers."""
        return self.earlier.texts[self.rows]

    @cached_property
    def table(self) -> Table:
        """All of them as one table."""
        roles = self.now.roles
        names = list(self.earlier.release.table.column_names)
        columns = [self._column(name) for name in names]
        if roles.person is not None and roles.person not in names:
            names.append(roles.person)
            columns.append(self._persons(roles.person))
        told = {*names} - {roles.person} | {*self.pseudonyms}
        return read_table(
            pl.DataFrame(columns),
            roles=Roles(
                identifiers=[name for name in self.pseudonyms if name in roles.identifiers],
                quasi_identifiers=roles.quasi_identifiers,
                sensitive=roles.sensitive,
                target=roles.target,
                person=roles.person,
                publish_as_is=roles.publish_as_is,
            ),
            kinds={name: self._kind(name) for name in names if name in told},
            orders={name: order for name, order in self.now.orders.items() if name in names},
            missing=self.now.cells.missing,
        )

    def _kind(self, name: str) -> Kind:
        return "nominal" if name in self.pseudonyms else self.now.kinds[name]

    def _column(self, name: str) -> pl.Series:
        if name in self.earlier.quasi:
            came = self.now.text(name).gather(self.arriving)
            return pl.concat([self._stand_ins(name), came.cast(pl.String)]).alias(name)
        if name in self.pseudonyms:
            old = self.earlier.release.table.text(name).gather(self.rows)
            return pl.concat([old, self.pseudonyms[name].gather(self.arriving)]).alias(name)
        old = self.earlier.release.table.frame[name].gather(self.rows)
        return _alike(old, self.now.frame[name].gather(self.arriving)).alias(name)

    def _stand_ins(self, name: str) -> pl.Series:
        texts = self.published[name]
        distinct = texts.unique(maintain_order=True).to_list()
        tree: Hierarchy | None = (self.recoder.hierarchies or {}).get(name)
        found = stand_ins(distinct, self.now.column(name), tree)
        if any(values is None for values in found):
            raise InvalidParameterError(
                f"The boxes of the earlier release cannot be read any more, in {name!r}.",
                hint="Keep its hierarchies and kinds of columns, or release anew.",
            )
        ends = [[values[0], values[-1]] for values in found if values is not None]
        numbers = {text: number for number, text in enumerate(distinct)}
        which = np.array([numbers[text] for text in texts.to_list()], dtype=np.int64)
        flat = pl.Series([end for pair in ends for end in pair], dtype=pl.String)
        return flat.gather(2 * which + self._places % 2).alias(name)

    @cached_property
    def _places(self) -> IntArray:
        """The place of each earlier row within its crowd."""
        order = np.argsort(self.old_crowds, kind="stable")
        begins = np.searchsorted(self.old_crowds[order], self.old_crowds[order])
        places = np.empty(order.size, dtype=np.int64)
        places[order] = np.arange(order.size) - begins
        return places

    def _persons(self, name: str) -> pl.Series:
        """Keyed hashes in the place of names: of each crowd as many as it has people."""
        trace = self.earlier.trace
        theirs = trace.people[np.argsort(trace.groups, kind="stable")]
        begins = np.searchsorted(np.sort(trace.groups), self.earlier.crowds[self.rows])
        old = theirs[begins + self._places]
        hashes: Sequence[int] = np.append(old, self.people[self.arriving]).tolist()
        return pl.Series(name, [f"{number:016x}" for number in hashes], dtype=pl.String)


def _alike(old: pl.Series, new: pl.Series) -> pl.Series:
    """Join published text with cells of a table, in their type if the text can be read so."""
    if old.dtype != new.dtype:
        try:
            typed = old.cast(new.dtype, strict=False)
        except pl.exceptions.PolarsError:
            typed = old.clear()
        if typed.len() == old.len() and typed.null_count() == old.null_count():
            return pl.concat([typed, new])
        old, new = as_text(old), as_text(new)
    return pl.concat([old, new])
