"""PostgreSQL through ADBC: read only, one snapshot, Arrow batches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any
from urllib.parse import quote as url_quote

import polars as pl

from shoal.exceptions import InputError, ShoalError
from shoal.table._frames import read_frame
from shoal.table._reading import Reading
from shoal.table.sources._base import Place
from shoal.table.sources._secrets import asked_password, given_password
from shoal.table.sources._sql import (
    Database,
    by_position,
    in_frames,
    needing,
    unreadable,
    with_names,
)

#: Types that Arrow holds as they are; all others are printed by the server.
PLAIN = {
    *("int2", "int4", "int8", "float4", "float8", "bool", "text", "varchar", "bpchar", "name"),
    *("date", "timestamp", "timestamptz"),
}
NESTED = ("A", "C")  # what the server calls arrays and rows
ONE_SNAPSHOT = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY"
PRINT_ALIKE = ("SET LOCAL lock_timeout = '20s'", "SET LOCAL intervalstyle = 'iso_8601'")
TABLES = """SELECT CASE WHEN pg_table_is_visible(c.oid) THEN c.relname::text
    ELSE n.nspname::text || '.' || c.relname::text END
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'v', 'm', 'p', 'f') AND n.nspname NOT LIKE 'pg\\_%'
    AND n.nspname <> 'information_schema'
    UNION SELECT n.nspname::text || '.' || c.relname::text
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'v', 'm', 'p', 'f') AND n.nspname NOT LIKE 'pg\\_%'
    AND n.nspname <> 'information_schema'"""


class PostgreSQL(Database):
    """A table, a view or a query of a PostgreSQL server, as it stands at one moment."""

    kind = "postgresql"

    @classmethod
    def fits(cls, place: Place) -> bool:
        """Tell by the address."""
        return place.address is not None and place.address.scheme == "postgresql"

    def fetch(self) -> Reading:
        """Read in one transaction that cannot write."""
        with connected(self.place) as connection, told(), connection.cursor() as cursor:
            cursor.execute(ONE_SNAPSHOT)
            for setting in PRINT_ALIKE:
                cursor.execute(setting)
            frame = read_query(cursor, self.asked(t for (t,) in rows_of(cursor, TABLES)))
            notes = (how_connected(cursor),)
        reading = read_frame(frame)
        return Reading(reading.frame, notes)


@dataclass(frozen=True)
class SharedSnapshot:
    """A query that other connections may run, too, as the table stood at one moment.

    ``begin`` is what each of them must say first; ``names`` are those of the columns c0, c1, ...
    """

    query: str
    names: tuple[str, ...]
    begin: str


@contextmanager
def shared_snapshot(place: Place) -> Iterator[SharedSnapshot]:
    """Hold a snapshot open, for as long as others read what was asked for."""
    with connected(place) as connection, told(), connection.cursor() as cursor:
        cursor.execute(ONE_SNAPSHOT)
        for setting in PRINT_ALIKE:
            cursor.execute(setting)
        asked = PostgreSQL(place).asked(t for (t,) in rows_of(cursor, TABLES))
        names, query = _typed(cursor, asked)
        ((exported,),) = rows_of(cursor, "SELECT pg_export_snapshot()")
        begin = [ONE_SNAPSHOT, f"SET TRANSACTION SNAPSHOT '{exported}'", *PRINT_ALIKE]
        yield SharedSnapshot(query, tuple(names), "; ".join(begin))


def read_query(cursor: Any, query: str) -> pl.DataFrame:
    """Read a query."""
    names, frames = read_parts(cursor, query)
    return with_names([*frames], names)


def read_parts(cursor: Any, query: str) -> tuple[list[str], Iterator[pl.DataFrame]]:
    """Read a query some rows at a time; what Arrow has no type for is printed by the server."""
    names, typed = _typed(cursor, query)
    cursor.execute(typed)
    return names, in_frames(cursor.fetch_record_batch(), names)


def _typed(cursor: Any, query: str) -> tuple[list[str], str]:
    """Find the names of a query's columns, and the query that prints what has no plain type."""
    cursor.execute(f"SELECT * FROM (\n{query}\n) AS asked LIMIT 0")
    names = [field[0] for field in cursor.description or ()]
    kinds = _kinds(cursor, query, names)
    chosen = ", ".join(
        f"c{i}" if kind in PLAIN else f"c{i}::text AS c{i}" for i, kind in enumerate(kinds)
    )
    return names, f"SELECT {chosen} FROM {by_position(query, len(names))}"


def _kinds(cursor: Any, query: str, names: Sequence[str]) -> list[str]:
    """Look up the types of the columns; an empty table has them too."""
    typed = ", ".join(f"pg_typeof(c{i})::oid::bigint AS c{i}" for i in range(len(names)))
    cursor.execute(
        f"SELECT {typed} FROM (SELECT 1) AS one LEFT JOIN {by_position(query, len(names))} ON false"
    )
    (oids,) = cursor.fetchall()
    listed = ", ".join(map(str, sorted({int(oid) for oid in oids})))
    about = {
        int(oid): (str(name), str(category))
        for oid, name, category in rows_of(
            cursor,
            "SELECT oid::bigint, typname::text, typcategory::text FROM pg_type"
            f" WHERE oid IN ({listed})",
        )
    }
    for name, oid in zip(names, oids, strict=True):
        kind, category = about[int(oid)]
        if category in NESTED or kind in ("bytea", "record"):
            raise unreadable(name, kind.removeprefix("_") + "[]" * (category == "A"))
    return [about[int(oid)][0] for oid in oids]


def rows_of(cursor: Any, query: str) -> list[tuple[Any, ...]]:
    """Run a query of ours and return its rows."""
    cursor.execute(query)
    return list(cursor.fetchall())


def how_connected(cursor: Any) -> str:
    """Say how the server is reached: what is read travels there."""
    found = rows_of(
        cursor,
        "SELECT s.ssl::text, s.version, (a.client_addr IS NULL)::text FROM pg_stat_ssl s"
        " JOIN pg_stat_activity a USING (pid) WHERE s.pid = pg_backend_pid()",
    )
    secured, version, local = found[0] if found else ("false", None, "false")
    if secured == "true":
        return f"Read over {version}."
    return "Read over a local socket." if local == "true" else "Read without TLS (sslmode=require)."


@contextmanager
def connected(place: Place) -> Iterator[Any]:
    """Connect; a password is asked for only if the server wants one that nobody gave."""
    with needing("databases"):
        driver: Any = import_module("adbc_driver_postgresql.dbapi")

    address = place.address
    assert address is not None  # it fitted
    text = address.text.replace("postgres://", "postgresql://", 1)
    try:
        with told():
            connection = driver.connect(_with_password(text, given_password()))
    except _PasswordWantedError as wanted:
        password = asked_password(str(address))
        if password is None:
            raise InputError(str(wanted), hint=wanted.hint) from None
        with told():
            connection = driver.connect(_with_password(text, password))
    try:
        yield connection
    finally:
        connection.close()


def _with_password(text: str, password: str | None) -> str:
    if password is None:
        return text
    return f"{text}{'&' if '?' in text else '?'}password={url_quote(password, safe='')}"


class _PasswordWantedError(InputError):
    """The server wants a password, and none was given."""


@contextmanager
def told() -> Iterator[None]:
    """Turn what the server says into a sentence of ours: its own may quote cells or secrets."""
    import adbc_driver_manager
    import pyarrow as pa

    try:
        yield
    except ShoalError:
        raise
    except (adbc_driver_manager.Error, pa.ArrowException, OSError) as error:
        raise explained_error(getattr(error, "sqlstate", None) or "", str(error)) from None


def explained_error(state: str, message: str) -> InputError:
    """Find the sentence for an error by its code, or by libpq's own words.

    >>> explained_error("42501", "permission denied for table patients")
    InputError('The database gives this user no right to do that.')
    """
    for words, sentence, hint in OF_CONNECTING if not state or state.startswith("28") else ():
        if words in message:
            wants = words == "no password supplied"
            return (_PasswordWantedError if wants else InputError)(sentence, hint=hint)
    sentence, hint = (
        OF_STATES.get(state)
        or OF_STATES.get(state[:2])
        or (
            f"The database could not do that{f' (its code is {state})' if state else ''}.",
            "Its own log says more.",
        )
    )
    return InputError(sentence, hint=hint)


_FROM_WHERE = "Set PGPASSWORD, write ~/.pgpass or a pg service, or run it where it can be asked."
#: While connecting, and between batches, there is no code but only words.
OF_CONNECTING = (
    ("no password supplied", "The server wants a password.", _FROM_WHERE),
    ("FATAL:  database", "There is no database of this name on the server.", None),
    ("FATAL:  role", "The server does not know this user.", None),
    ("password authentication failed", "The server did not accept the password.", _FROM_WHERE),
    (
        "Connection refused",
        "No server answers at this address.",
        "Is it running? Is the port right?",
    ),
    ("No such file or directory", "No server answers on this socket.", "Is it running?"),
    ("could not translate host name", "There is no host of this name.", None),
    ("timeout expired", "The server did not answer in time.", None),
    ("server does not support SSL", "The server offers no TLS, and sslmode asks for it.", None),
    (
        "certificate",
        "The server's certificate is not one that sslmode accepts.",
        "Is the host the one in it? Its issuer is named by sslrootcert= or PGSSLROOTCERT.",
    ),
    ("no pg_hba.conf entry", "The server lets nobody in from here as this user.", None),
    ("definition of service", "There is no pg service of this name.", None),
    (
        "invalid URI query parameter",
        "The address has a setting that PostgreSQL does not know.",
        "After the ? come names such as sslmode=, service= or connect_timeout=.",
    ),
    (
        "unrecognized configuration parameter",
        "The address has an option that the server does not know.",
        None,
    ),
    ("read-only transaction", "The query would change something; a table is only read.", None),
    ("permission denied", "The database gives this user no right to do that.", None),
    ("invalid input syntax", "A value of the query does not fit its type.", None),
    ("No space left", "The disk of the database is full.", None),
    ("terminating connection", "The server was shut down.", "Run it again when it is back."),
    ("canceling statement", "The server stopped the query.", None),
    ("server closed the connection", "The connection to the server was lost.", "Run it again."),
    ("no connection to the server", "The connection to the server was lost.", "Run it again."),
    ("connection to server was lost", "The connection to the server was lost.", "Run it again."),
)
OF_STATES: dict[str, tuple[str, str | None]] = {
    "28": ("The server does not let this user in.", _FROM_WHERE),
    "3D000": ("There is no database of this name on the server.", None),
    "3F000": ("There is no schema of this name in the database.", None),
    "42P01": ("There is no table of this name in the database.", None),
    "42P07": ("There is a table of this name already.", "Name another, or replace it (--force)."),
    "42501": ("The database gives this user no right to do that.", "Ask whoever runs it."),
    "42601": ("The query is not SQL that the database understands.", None),
    "42703": ("The query names a column that is not there.", None),
    "42": ("The query is not one that the database can answer.", None),
    "25006": ("The query would change something; a table is only read.", "Give a SELECT."),
    "0A": ("The database cannot do that in a query that is only read.", "Give a SELECT."),
    "55P03": ("Another session has locked the table.", "Try again when it is done."),
    "40": ("Another session changed the same things meanwhile.", "Run it again."),
    "53100": ("The disk of the database is full.", None),
    "53": ("The server has no room for that now.", "Try again later."),
    "57014": ("The server stopped the query.", None),
    "57": ("The server was shut down.", "Run it again when it is back."),
    "08": ("The connection to the server was lost.", "Run it again."),
    "22": ("A value of the query does not fit its type.", "Its own log says which."),
    "54": ("That is more than the database can hold in one table.", None),
}
