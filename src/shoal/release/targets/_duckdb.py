"""DuckDB as a target: one file, one transaction."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import polars as pl

from shoal.exceptions import OutputError
from shoal.release.targets._base import ReleaseTarget, in_batches
from shoal.release.targets._postgresql import PLAIN
from shoal.table.sources import open_duckdb, read_duckdb, told_by_duckdb

FREE = "SELECT free_blocks, block_size FROM pragma_database_size()"
ROW_GROUP = 122_880  # rows; the last group stays in memory until it is full
_ROUNDS = 10


class DuckDBTarget(ReleaseTarget):
    """A table of a DuckDB file, which is made if it is not there."""

    kind = "duckdb"
    plain = (*PLAIN, pl.UInt8, pl.UInt16, pl.UInt32, pl.UInt64)

    @contextmanager
    def _connected(self) -> Iterator[Any]:
        file = self.lies_in
        assert file is not None  # that is what DuckDB is
        if not file.parent.is_dir():
            raise OutputError(f"The folder that should hold {file.name!r} does not exist.")
        new, empty = not file.exists(), False
        try:
            with told_by_duckdb(file.name), open_duckdb(file, read_only=False) as connection:
                connection.execute("BEGIN")
                yield connection
                ((tables,),) = connection.execute("SELECT count(*) FROM duckdb_tables()").fetchall()
                empty = tables == 0
        except BaseException:
            empty = True
            raise
        finally:
            if new and empty and file.exists():
                file.unlink()

    def run(self, connection: Any, sql: str) -> list[tuple[Any, ...]]:
        """Run SQL."""
        return list(connection.execute(sql).fetchall())

    def fill(self, connection: Any, table: str, frame: pl.DataFrame) -> None:
        """Create the table from the rows."""
        connection.register("shoal_rows", in_batches(frame))
        connection.execute(f"CREATE TABLE {self.quoted(table)} AS SELECT * FROM shoal_rows")
        connection.unregister("shoal_rows")

    def parts(self, connection: Any, query: str) -> Iterator[pl.DataFrame]:
        """Read some rows at a time."""
        return read_duckdb(connection, query)[1]

    def exists(self, connection: Any) -> bool:
        """Look for a table or a view of this name, in whatever case."""
        return self.width(connection) > 0

    def width(self, connection: Any) -> int:
        """Count columns."""
        found = connection.execute(
            "SELECT count(*) FROM information_schema.columns WHERE lower(table_name) = lower(?)"
            " AND table_schema = ?",
            [self.table, self.schema or "main"],
        ).fetchall()
        return int(found[0][0])

    def commit(self, connection: Any) -> None:
        """End the transaction; what does not fit on the disk shows here at the latest."""
        import duckdb

        try:
            connection.execute("COMMIT")
        except duckdb.Error as error:
            if "No space left" in str(error):
                raise OutputError("The release was not written. The disk is full.") from None
            raise

    def overwrite(self, connection: Any) -> None:
        """Write over the blocks that are free now, in a transaction that is undone.

        DuckDB fills free blocks before the file grows, large inserts before they are committed.
        """
        with suppress(Exception):
            connection.execute("CHECKPOINT")  # which frees them
            connection.execute("SET force_compression = 'uncompressed'")
            connection.execute("BEGIN")
            connection.execute("CREATE TABLE shoal_filler (i BIGINT)")
            for _ in range(_ROUNDS):
                ((free, size),) = connection.execute(FREE).fetchall()
                if free == 0:
                    break
                rows = free * size // 8 + ROW_GROUP
                connection.execute(f"INSERT INTO shoal_filler SELECT range FROM range({rows})")
            connection.execute("ROLLBACK")
            connection.execute(f"COMMENT ON TABLE {self.quoted()} IS NULL")
            connection.execute("CHECKPOINT")  # which cuts off what was not free before

    def _undo(self, connection: Any) -> None:
        with suppress(Exception):
            connection.execute("ROLLBACK")
