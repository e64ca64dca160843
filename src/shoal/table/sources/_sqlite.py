"""SQLite files through ADBC: read only, one snapshot; a column may hold several types there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import polars as pl

from shoal.exceptions import InputError
from shoal.table.sources._sql import (
    DatabaseFile,
    in_frames,
    needing,
    quote,
    unreadable,
    with_names,
)

TABLES = "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')"
TYPES = ("integer", "real", "text", "blob")
EXACT = 2**53  # whole numbers up to here are doubles too
#: The shortest of two ways to print a double that reads back.
PRINTED = (
    "CASE WHEN typeof({0}) <> 'real' THEN CAST({0} AS TEXT)"
    " WHEN CAST(printf('%!.15g', {0}) AS REAL) = {0} THEN printf('%!.15g', {0})"
    " ELSE printf('%!.17g', {0}) END"
)


class SQLiteFile(DatabaseFile):
    """A table, a view or a query of an SQLite file."""

    kind = "sqlite"

    def frame(self, file: Path) -> pl.DataFrame:
        """Read in one transaction of a connection that cannot write."""
        with told(file.name), opened(file) as connection, connection.cursor() as cursor:
            cursor.execute(TABLES)
            tables = [str(name) for (name,) in cursor.fetchall()]
            return read_query(cursor, self.asked([*tables, *(f"main.{t}" for t in tables)]))


def read_query(cursor: Any, query: str) -> pl.DataFrame:
    """Read a query."""
    names, frames = read_parts(cursor, query)
    return with_names([*frames], names)


def read_parts(cursor: Any, query: str) -> tuple[list[str], Iterator[pl.DataFrame]]:
    """Read a query: a first look finds the types of every column, then it is read by those."""
    cursor.execute(f"SELECT * FROM (\n{query}\n) LIMIT 0")
    names = [str(field[0]) for field in cursor.description or ()]
    if len({name.lower() for name in names}) < len(names):
        with_names([pl.DataFrame()], [name.lower() for name in names])  # says so
    typed = [*map(_choose, names, _types(cursor, query, names))]
    first = ", ".join(f"{zero} AS c{i}" for i, (zero, _) in enumerate(typed))
    rest = ", ".join(how.format(quote(name)) for name, (_, how) in zip(names, typed, strict=True))
    # The driver takes types from the rows that come first, so one is sent ahead.
    cursor.execute(f"SELECT {first} UNION ALL SELECT {rest} FROM (\n{query}\n)")
    return names, _without_first(in_frames(cursor.fetch_record_batch(), names))


def _without_first(frames: Iterator[pl.DataFrame]) -> Iterator[pl.DataFrame]:
    yield next(frames)  # which has types and no rows
    yield next(frames)[1:]
    yield from frames


def _types(cursor: Any, query: str, names: Sequence[str]) -> Iterator[tuple[set[str], bool]]:
    """Find which types each column holds, and whether its whole numbers are all small."""
    looks = [
        ", ".join(
            [
                *(f"max(typeof({quote(name)}) = '{kind}')" for kind in TYPES),
                f"max(typeof({quote(name)}) = 'integer'"  # abs() of the smallest is an error
                f" AND {quote(name)} NOT BETWEEN -{EXACT} AND {EXACT})",
            ]
        )
        for name in names
    ]
    for start in range(0, len(looks), _AT_ONCE):
        some = looks[start : start + _AT_ONCE]
        cursor.execute(f"SELECT {', '.join(some)} FROM (\n{query}\n)")
        (row,) = cursor.fetchall()
        width = len(TYPES) + 1
        for i in range(len(some)):
            *held, large = row[i * width : (i + 1) * width]
            yield {kind for kind, there in zip(TYPES, held, strict=True) if there}, not large


_AT_ONCE = 300  # columns looked at in one pass; SQLite answers at most 2,000 values a row


def _choose(name: str, found: tuple[set[str], bool]) -> tuple[str, str]:
    """Choose how a column is read: a value of its type, and SQL around its name."""
    held, small = found
    if "blob" in held:
        raise unreadable(name, "blob")
    if held == {"integer"}:
        return "0", "{}"
    if held == {"real"} or (held == {"integer", "real"} and small):
        return "0.0", "CAST({} AS REAL)"
    if held == {"text"} or not held:
        return "''", "{}"
    return "''", PRINTED


def opened(file: Path, *, write: bool = False) -> closing[Any]:
    """Open a file; only what is written to may be changed."""
    with needing("databases"):
        driver: Any = import_module("adbc_driver_sqlite.dbapi")

    return closing(driver.connect(f"{file.absolute().as_uri()}?mode={'rwc' if write else 'ro'}"))


@contextmanager
def told(name: str) -> Iterator[None]:
    """Turn what SQLite says into a sentence of ours."""
    import adbc_driver_manager

    try:
        yield
    except adbc_driver_manager.Error as error:
        message = str(error)
        for words, sentence in SENTENCES.items():
            if words in message:
                raise InputError(sentence.format(repr(name))) from None
        raise InputError(
            f"{name!r} could not be read as an SQLite database.",
            hint="Is the query right? Is the file whole?",
        ) from None


SENTENCES = {
    "not a database": "{} is not an SQLite database.",
    "malformed": "{} is damaged.",
    "locked": "Another program has locked {}.",
    "no such column": "The query names a column that is not there.",
    "no such table": "The query names a table that is not there.",
    "syntax error": "The query is not SQL that SQLite understands.",
    "readonly database": "A program was cut off while it wrote to {}, which is whole again once it"
    " is opened by one that may write.",
    "disk is full": "The disk is full.",
    "reserved for internal use": "SQLite keeps names that begin with sqlite_ for itself.",
    "disk I/O": "The disk failed.",
}
