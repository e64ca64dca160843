"""DuckDB files: read only, Arrow batches."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import polars as pl

from shoal.exceptions import InputError
from shoal.table.sources._sql import (
    DatabaseFile,
    by_position,
    in_frames,
    unreadable,
    with_names,
)

#: Types that Arrow holds as they are; all others are printed by DuckDB.
PLAIN = {
    *("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT"),
    *("FLOAT", "DOUBLE", "VARCHAR", "BOOLEAN", "DATE"),
    *("TIMESTAMP", "TIMESTAMP WITH TIME ZONE", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS"),
}
NESTED = re.compile(r"\]$|^(STRUCT|MAP|UNION|LIST|BLOB|BIT|GEOMETRY)\b")
TABLES = (
    "SELECT table_name FROM information_schema.tables UNION"
    " SELECT table_schema || '.' || table_name FROM information_schema.tables"
)
CLOSED = {  # nothing is fetched from elsewhere, nothing of the house read by a query
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "enable_external_access": "false",
}


class DuckDBFile(DatabaseFile):
    """A table, a view or a query of a DuckDB file."""

    kind = "duckdb"

    def frame(self, file: Path) -> pl.DataFrame:
        """Read through a connection that cannot write."""
        with file.open("rb") as stream:
            if stream.read(12)[8:] != b"DUCK":
                raise InputError(f"{file.name!r} is not a DuckDB database.")
        with told(file.name), opened(file, read_only=True) as connection:
            connection.execute("BEGIN")
            tables = [str(name) for (name,) in connection.execute(TABLES).fetchall()]
            return read_query(connection, self.asked(tables))


def read_query(connection: Any, query: str) -> pl.DataFrame:
    """Read a query."""
    names, frames = read_parts(connection, query)
    return with_names([*frames], names)


def read_parts(connection: Any, query: str) -> tuple[list[str], Iterator[pl.DataFrame]]:
    """Read a query some rows at a time; what Arrow has no exact type for is printed by DuckDB."""
    described = connection.execute(f"DESCRIBE SELECT * FROM (\n{query}\n) AS asked").fetchall()
    names = [str(row[0]) for row in described]
    chosen = []
    for i, (name, kind) in enumerate((str(row[0]), str(row[1])) for row in described):
        if NESTED.search(kind):
            raise unreadable(name, kind.partition("(")[0])
        plain = kind in PLAIN
        chosen.append(f"c{i}" if plain else f"CAST(c{i} AS VARCHAR) AS c{i}")
    chosen_of = f"SELECT {', '.join(chosen)} FROM {by_position(query, len(names))}"
    return names, in_frames(connection.sql(chosen_of).to_arrow_reader(100_000), names)


def opened(file: Path, *, read_only: bool) -> closing[Any]:
    """Open a file."""
    import duckdb

    return closing(duckdb.connect(str(file), read_only=read_only, config=dict(CLOSED)))


@contextmanager
def told(name: str) -> Iterator[None]:
    """Turn what DuckDB says into a sentence of ours."""
    import duckdb

    try:
        yield
    except duckdb.Error as error:
        for kind, words, sentence in SENTENCES:
            if isinstance(error, getattr(duckdb, kind)) and words in str(error):
                raise InputError(sentence.format(repr(name))) from None
        raise InputError(
            f"{name!r} could not be read as a DuckDB database.",
            hint="Is the query right? Was it written by another version of DuckDB?",
        ) from None


SENTENCES = (
    ("Error", "No space left", "The disk is full."),
    ("IOException", "set lock", "Another program has locked {}."),
    ("IOException", "not a valid DuckDB", "{} is not a DuckDB database."),
    ("CatalogException", "", "The query names a table that is not there."),
    ("BinderException", "", "The query names a column that is not there."),
    ("ParserException", "", "The query is not SQL that DuckDB understands."),
    ("PermissionException", "", "The query would read something else than this file."),
)
