"""SQLite as a target: one file, one transaction."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import polars as pl

from shoal.exceptions import OutputError
from shoal.release.targets._base import ReleaseTarget, in_batches
from shoal.table.sources import open_sqlite, quote, read_sqlite, told_by_sqlite


class SQLiteTarget(ReleaseTarget):
    """A table of an SQLite file, which is made if it is not there; it knows numbers and text."""

    kind = "sqlite"
    plain = (pl.Int8, pl.Int16, pl.Int32, pl.Int64, pl.Float32, pl.Float64, pl.String)

    @contextmanager
    def _connected(self) -> Iterator[Any]:
        file = self.lies_in
        assert file is not None  # that is what SQLite is
        if not file.parent.is_dir():
            raise OutputError(f"The folder that should hold {file.name!r} does not exist.")
        new = not file.exists()
        try:
            with told_by_sqlite(file.name), open_sqlite(file, write=True) as connection:
                self.run(connection, "PRAGMA busy_timeout = 20000")
                # what a table held before must not be read in the free pages of its file
                self.run(connection, "PRAGMA secure_delete = ON")
                yield connection
        finally:
            self._repair(file)
            if new and file.exists() and file.stat().st_size == 0:
                file.unlink()

    def _repair(self, file: Path) -> None:
        """Let SQLite undo what a full disk did not let it undo: nobody could only read the file."""
        if file.with_name(f"{file.name}-journal").exists():
            with suppress(Exception), open_sqlite(file, write=True) as connection:
                self.run(connection, "SELECT count(*) FROM sqlite_master")

    def run(self, connection: Any, sql: str) -> list[tuple[Any, ...]]:
        """Run SQL."""
        with connection.cursor() as cursor:
            cursor.execute(sql)
            return list(cursor.fetchall()) if cursor.description else []

    def fill(self, connection: Any, table: str, frame: pl.DataFrame) -> None:
        """Create the table and insert the rows."""
        with connection.cursor() as cursor:
            cursor.adbc_ingest(table, in_batches(frame), mode="create")

    def parts(self, connection: Any, query: str) -> Iterator[pl.DataFrame]:
        """Read some rows at a time."""
        with connection.cursor() as cursor:
            yield from read_sqlite(cursor, query)[1]

    def exists(self, connection: Any) -> bool:
        """Look for a table or a view of this name, in whatever case."""
        name = "'" + self.table.replace("'", "''") + "'"
        query = f"SELECT count(*) FROM sqlite_master WHERE lower(name) = lower({name})"
        return bool(self.run(connection, query)[0][0])

    def width(self, connection: Any) -> int:
        """Count columns."""
        name = "'" + self.table.replace("'", "''") + "'"
        return int(self.run(connection, f"SELECT count(*) FROM pragma_table_info({name})")[0][0])

    def quoted(self, table: str | None = None) -> str:
        """Name the table; a schema can only be ``main``."""
        if self.schema not in (None, "main"):
            raise OutputError(f"SQLite has no schema {self.schema!r}.", hint="Name the table only.")
        return quote(self.table if table is None else table)

    def commit(self, connection: Any) -> None:
        """End the transaction."""
        connection.commit()

    def _undo(self, connection: Any) -> None:
        with suppress(Exception):
            connection.rollback()
