"""A family: tables about the same people, joined by their key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from shoal._words import plural
from shoal.exceptions import InputError, InvalidParameterError
from shoal.linked._plan import LinkedPlan
from shoal.table import Table, fold_texts
from shoal.typing import BoolArray, IntArray


@dataclass(frozen=True, eq=False)
class Family:
    """Tables joined by the people they are about.

    Attributes
    ----------
    root : str
        The table with one row for each person.
    tables : mapping of str to Table
        All tables, the table of people first.
    people : mapping of str to IntArray
        For each row of each table its person: a row of the table of people.
    facts : mapping of str to tuple of str
        Columns of the other tables that say again what is known of the person.
    dropped : int
        Rows of nobody that were left out.
    """

    root: str
    tables: Mapping[str, Table]
    people: Mapping[str, IntArray]
    facts: Mapping[str, tuple[str, ...]]
    dropped: int = 0

    @classmethod
    def read(cls, plan: LinkedPlan) -> Family:
        """Read the tables of a plan and join them; what does not fit is told in a sentence."""
        return cls.join({name: part.table() for name, part in plan.tables.items()}, plan)

    @classmethod
    def join(cls, tables: Mapping[str, Table], plan: LinkedPlan) -> Family:
        """Join tables that were read."""
        keys = {name: _keys(tables[name], plan, name) for name in tables}
        root = _root(tables, keys)
        names = keys[root]
        people: dict[str, IntArray] = {root: np.arange(tables[root].n_rows)}
        kept, dropped = {root: tables[root]}, 0
        for name in (name for name in tables if name != root):
            table, who = tables[name], _places(keys[name], names)
            lost = who < 0
            if lost.any() and plan.orphans == "refuse":
                raise _orphans(name, root, lost, tables)
            dropped += int(lost.sum())
            kept[name] = table.take(~lost) if lost.any() else table
            people[name] = who[~lost]
        facts = {name: _facts(kept, root, name, people[name]) for name in kept if name != root}
        return cls(root, kept, people, facts, dropped)

    @property
    def others(self) -> list[str]:
        """The tables of rows: all but that of people."""
        return [name for name in self.tables if name != self.root]

    @property
    def n_people(self) -> int:
        """How many people there are."""
        return self.tables[self.root].n_rows

    @property
    def n_rows(self) -> int:
        """Rows of all tables together."""
        return sum(table.n_rows for table in self.tables.values())

    def own(self, name: str) -> Table:
        """A table with the quasi-identifiers of its rows alone, without facts of the person."""
        table = self.tables[name]
        again = self.facts.get(name, ())
        kept = tuple(n for n in table.roles.quasi_identifiers if n not in again)
        drop = tuple(n for n in again if n not in table.roles.quasi_identifiers)
        if not drop and len(kept) == len(table.roles.quasi_identifiers):
            return table
        return table.with_roles(replace(table.roles, quasi_identifiers=kept))

    def take(self, name: str, rows: BoolArray) -> Family:
        """Keep some rows of a table."""
        tables = {**self.tables, name: self.tables[name].take(rows)}
        return replace(self, tables=tables, people={**self.people, name: self.people[name][rows]})


def _keys(table: Table, plan: LinkedPlan, name: str) -> pl.Series:
    """The key of each row, in the one spelling that was declared; null is nobody."""
    person = plan.keys[name]
    disguise = plan.disguise()
    return fold_texts(table.text(person), disguise.cleaners(person)).alias("key")


def _root(tables: Mapping[str, Table], keys: Mapping[str, pl.Series]) -> str:
    """Find the table of people: the first with one row for each."""
    for name, key in keys.items():
        if not key.null_count() and key.n_unique() == len(key):
            return name
    first = next(iter(tables))
    key = keys[first].drop_nulls()
    twice = len(key) - key.n_unique()
    lost = keys[first].null_count()
    what = f"{plural(twice, 'row')} of somebody who has one already" if twice else ""
    what = what or f"{plural(lost, 'row')} without a key"
    raise InputError(
        f"No table has one row for each person; {first!r} has {what}.",
        hint="Give a table of people with each key once; others may have it as often as they like.",
    )


def _places(keys: pl.Series, names: pl.Series) -> IntArray:
    places = pl.DataFrame({"key": names, "at": np.arange(len(names))})
    found = pl.DataFrame({"key": keys}).join(places, on="key", how="left", maintain_order="left")
    return found.get_column("at").fill_null(-1).to_numpy()


def _orphans(
    name: str, root: str, lost: BoolArray, tables: Mapping[str, Table]
) -> InputError | InvalidParameterError:
    kinds = [_type(tables[n]) for n in (root, name)]
    if lost.all() or (kinds[0] != kinds[1] and lost.mean() > 0.5):
        told = f": they are {kinds[0]} there and {kinds[1]} here" if kinds[0] != kinds[1] else ""
        return InputError(
            f"The keys of {name!r} are not those of {root!r}{told}.",
            hint="Give both the same type and spelling; leading zeros count ([clean] takes blanks"
            " and case).",
        )
    return InputError(
        f"{plural(int(lost.sum()), 'row')} of {name!r} belong to nobody in {root!r}.",
        hint='Add these people, or leave the rows out: [release] orphans = "drop".',
    )


def _type(table: Table) -> str:
    dtype = table.frame.schema[str(table.roles.person)]
    return "numbers" if dtype.is_numeric() else "text" if dtype == pl.String else "something else"


def _facts(tables: Mapping[str, Table], root: str, name: str, people: IntArray) -> tuple[str, ...]:
    """Columns of a table that a quasi-identifier of the person is told by again."""
    table, known = tables[name], tables[root]
    shared = [
        column
        for column in known.roles.quasi_identifiers
        if column in table.column_names and column not in table.roles.dropped
    ]
    for column in shared:
        same = known.text(column).gather(people).eq_missing(table.text(column))
        if not same.all():
            raise InputError(
                f"Column {column!r} of {name!r} differs from that of {root!r} in"
                f" {plural(int((~same).sum()), 'row')}: a person's own facts must read the same.",
                hint=f"Rename it if it is a fact of the row, or leave it out of {name!r} (drop).",
            )
    return tuple(shared)
