"""Counting the files of linked tables again, joined by their key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from shoal.exceptions import EmptyTableError, UnknownColumnError
from shoal.verifier._claims import Claim, Outcome
from shoal.verifier._recount import Recount, database, judge_claims, load, measure_members

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


@dataclass(frozen=True)
class LinkedFiles:
    """Written tables: their files, which one is of people, keys and quasi-identifiers of each.

    ``claims`` says of each table what its sensitive columns must hold in every row's cell, joined;
    ``facts`` which of its columns say again what the table of people says, ``others`` which ones
    are published as they are.
    """

    files: Mapping[str, Path]
    root: str
    keys: Mapping[str, str]
    quasi_identifiers: Mapping[str, Sequence[str]]
    claims: Mapping[str, Sequence[Claim]] = field(default_factory=dict)
    facts: Mapping[str, Sequence[str]] = field(default_factory=dict)
    others: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def columns(self, name: str) -> list[str]:
        """What is read of a table beside its quasi-identifiers: key, claimed columns, the rest."""
        claimed = _claimed(self.claims.get(name, ()))
        rest = [*self.facts.get(name, ()), *self.others.get(name, ())]
        return list(dict.fromkeys([self.keys[name], *claimed, *rest]))


@dataclass(frozen=True)
class LinkedRecount:
    """What was recounted across files.

    Attributes
    ----------
    people, crowds : int
        Rows of the table of people, and how many combinations of its quasi-identifiers.
    rows : mapping of str to int
        Rows of each table.
    joined : mapping of str to int
        Fewest people who share a row of a table joined with the facts of its person.
    combined : int
        Fewest people who share any combination of up to m rows of one person.
    strangers : int
        Rows that belong to nobody in the table of people, and people who are in it twice.
    outcomes : mapping of str to tuple of Outcome
        The claims of each table beside what was recounted of them, people counted.
    unlike : int
        Rows that say otherwise of their person than the table of people.
    unique : mapping of str to float
        Of each table the share of its people whom some row tells from all others, with all that
        is published beside it, joined.
    """

    people: int
    crowds: int
    rows: Mapping[str, int]
    joined: Mapping[str, int]
    combined: int
    strangers: int = 0
    outcomes: Mapping[str, tuple[Outcome, ...]] = field(default_factory=dict)
    unlike: int = 0
    unique: Mapping[str, float] = field(default_factory=dict)

    @property
    def k(self) -> int:
        """Fewest people who share whatever one row tells, joined."""
        return min(self.joined.values())


def recount_linked(told: LinkedFiles, m: int = 1, scratch: Path | None = None) -> LinkedRecount:
    """Read written tables again, join them, and count people.

    A row is compared with others as text, together with the quasi-identifiers of its person in
    the table of people. For ``m`` above 1, combinations of up to m rows of one person are counted
    as well; a second row that reads the same is another one.
    """
    with database(scratch) as connection:
        root = told.root
        rows = {root: _load(connection, told, root, "people")}
        known = [f"q{i}" for i in range(len(told.quasi_identifiers[root]))]
        crowd = f"dense_rank() OVER (ORDER BY {', '.join(known) or '1'})"
        facts = "".join(f", {q} AS h{i}" for i, q in enumerate(known))
        connection.execute(
            f"CREATE TABLE homes AS SELECT s0 AS who, {crowd} AS crowd{facts} FROM people"
        )
        ((people, crowds, twice),) = connection.execute(
            "SELECT count(*), count(DISTINCT crowd), count(*) - count(DISTINCT who) FROM homes"
        ).fetchall()
        if not people:
            raise EmptyTableError("The table of people has no rows to count.")
        ((joined_root,),) = connection.execute(
            "SELECT min(n) FROM (SELECT count(DISTINCT who) AS n FROM homes GROUP BY crowd)"
        ).fetchall()
        connection.execute("CREATE TABLE items (who VARCHAR, tab INTEGER, cell BIGINT)")
        joined, strangers, unlike = {root: int(joined_root)}, int(twice), 0
        unique = {root: _unique(connection, told, root, "people")}
        outcomes = {root: _judged(connection, told, root, "people", "crowd", joined[root])}
        for number, name in enumerate(name for name in told.files if name != root):
            rows[name] = _load(connection, told, name, "part")
            joined[name], lost = _join(connection, number, len(told.quasi_identifiers[name]))
            strangers, unlike = strangers + lost, unlike + _unlike(connection, told, name)
            unique[name] = _unique(connection, told, name, "part")
            cell = f"dense_rank() OVER (ORDER BY {_cell(len(told.quasi_identifiers[name]))})"
            if rows[name]:
                outcomes[name] = _judged(connection, told, name, "part", cell, joined[name])
            if not rows[name]:
                joined[name] = int(people)
        combined = _combined(connection, m) if m > 1 else min(joined.values())
    counted = (int(people), int(crowds), rows, joined, combined, strangers, outcomes)
    return LinkedRecount(*counted, unlike, unique)


def linked_script_source() -> str:
    """Give the text of ``verify.py`` for linked tables.

    >>> linked_script_source().splitlines()[0]
    '#!/usr/bin/env python3'
    """
    return files("shoal.verifier").joinpath("_linked_script.py").read_text(encoding="utf-8")


def _load(connection: DuckDBPyConnection, told: LinkedFiles, name: str, into: str) -> int:
    connection.execute(f"DROP TABLE IF EXISTS {into}")
    load(connection, told.files[name], told.quasi_identifiers[name], told.columns(name), None)
    connection.execute(f"ALTER TABLE written RENAME TO {into}")
    ((rows,),) = connection.execute(f"SELECT count(*) FROM {into}").fetchall()
    return int(rows)


def _join(connection: DuckDBPyConnection, number: int, width: int) -> tuple[int, int]:
    """Count who shares the rows of a table, joined; keep its rows as items."""
    cell = f"dense_rank() OVER (ORDER BY {_cell(width)})"
    connection.execute(
        f"""CREATE OR REPLACE TABLE joined AS
        SELECT who, {cell} AS cell FROM part JOIN homes ON s0 = who"""
    )
    connection.execute(f"INSERT INTO items SELECT who, {number}, cell FROM joined")
    ((fewest,),) = connection.execute(
        "SELECT min(n) FROM (SELECT count(DISTINCT who) AS n FROM joined GROUP BY cell)"
    ).fetchall()
    ((lost,),) = connection.execute(
        "SELECT count(*) FROM part LEFT JOIN homes ON s0 = who WHERE who IS NULL"
    ).fetchall()
    return int(fewest or 0), int(lost)


def _unlike(connection: DuckDBPyConnection, told: LinkedFiles, name: str) -> int:
    """Count the rows of a table that do not say of their person what the table of people says."""
    columns, known = told.columns(name), list(told.quasi_identifiers[told.root])
    differs = ["false"]
    for fact in told.facts.get(name, ()):
        if fact not in known:
            raise UnknownColumnError.among(fact, known)
        here, there = columns.index(fact), known.index(fact)
        differs.append(f"s{here} IS DISTINCT FROM h{there}")
    ((rows,),) = connection.execute(
        f"SELECT count(*) FROM part JOIN homes ON s0 = who WHERE {' OR '.join(differs)}"
    ).fetchall()
    return int(rows)


def _unique(connection: DuckDBPyConnection, told: LinkedFiles, name: str, loaded: str) -> float:
    """Share of the people of a table whom one of its rows, as published, tells from all others."""
    columns, width = told.columns(name), len(told.quasi_identifiers[name])
    shown = [f"q{i}" for i in range(width)]
    shown += [f"s{columns.index(other)}" for other in told.others.get(name, ())]
    look = ", ".join(["crowd", *(f"coalesce({cell}, '')" for cell in shown)])
    rows = f"{loaded} JOIN homes ON s0 = who"
    ((everybody, alone),) = connection.execute(
        f"""SELECT (SELECT count(DISTINCT who) FROM {rows}), (SELECT count(DISTINCT who) FROM
        (SELECT min(who) AS who FROM {rows} GROUP BY {look} HAVING count(DISTINCT who) = 1))"""
    ).fetchall()
    return alone / everybody if everybody else 0.0


def _cell(width: int) -> str:
    return ", ".join(["crowd", *(f"q{i}" for i in range(width))])


def _claimed(claims: Sequence[Claim]) -> list[str]:
    return list(dict.fromkeys(claim.column for claim in claims if claim.column))


def _judged(
    connection: DuckDBPyConnection, told: LinkedFiles, name: str, loaded: str, group: str, k: int
) -> tuple[Outcome, ...]:
    """Measure the sensitive columns of a table, joined; a value counts once for each person."""
    claims = told.claims.get(name, ())
    columns = _claimed(claims)
    if not claims:
        return ()
    values = "".join(f", s{i + 1} AS s{i}" for i in range(len(columns)))
    connection.execute(
        f"""CREATE OR REPLACE TABLE members AS SELECT {group} AS g,
        dense_rank() OVER (ORDER BY who) AS person{values} FROM {loaded} JOIN homes ON s0 = who"""
    )
    wanted = {c: [claim.name for claim in claims if claim.column == c] for c in columns}
    orders = {claim.column: claim.order for claim in claims if claim.order}
    found = measure_members(connection, wanted, orders, people=True)
    return judge_claims(claims, Recount(0, 0, k, True, found)).outcomes


def _combined(connection: DuckDBPyConnection, m: int) -> int:
    """Count who shares combinations of 1 to m items; an item is a cell and its number in it."""
    connection.execute(
        """CREATE OR REPLACE TABLE held AS
        SELECT who, dense_rank() OVER (ORDER BY tab, cell, nth) AS item
        FROM (SELECT *, row_number() OVER (PARTITION BY who, tab, cell) AS nth FROM items)"""
    )
    fewest = []
    for size in range(1, m + 1):
        tables = ", ".join(f"held AS h{i}" for i in range(size))
        same = [f"h0.who = h{i}.who AND h{i - 1}.item < h{i}.item" for i in range(1, size)]
        where = f"WHERE {' AND '.join(same)}" if same else ""
        by = ", ".join(f"h{i}.item" for i in range(size))
        ((found,),) = connection.execute(
            f"""SELECT min(n) FROM (SELECT count(DISTINCT h0.who) AS n FROM {tables} {where}
            GROUP BY {by})"""
        ).fetchall()
        fewest += [int(found)] if found is not None else []
    return min(fewest, default=0)
