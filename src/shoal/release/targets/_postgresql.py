"""PostgreSQL as a target: COPY through ADBC, inside one transaction."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import polars as pl

from shoal.exceptions import OutputError
from shoal.release.targets._base import ReleaseTarget, in_batches
from shoal.table.sources import (
    Place,
    connect_postgresql,
    read_postgresql,
    told_by_postgresql,
)

PLAIN = (
    *(pl.Int8, pl.Int16, pl.Int32, pl.Int64, pl.Float32, pl.Float64),
    *(pl.String, pl.Boolean, pl.Date, pl.Datetime),
)
SETTINGS = ("SET LOCAL lock_timeout = '20s'", "SET LOCAL synchronous_commit = 'on'")


#: The server itself quotes the names of its users.
GRANTS = """SELECT 'GRANT ' || privilege_type || ' ON TABLE ' || {table} || ' TO '
    || CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END
    || CASE WHEN is_grantable THEN ' WITH GRANT OPTION' ELSE '' END
    FROM pg_class, aclexplode(relacl) WHERE oid = to_regclass({table}) AND grantee <> relowner"""


class PostgreSQLTarget(ReleaseTarget):
    """A table of a PostgreSQL server."""

    kind = "postgresql"
    plain = PLAIN

    @contextmanager
    def _connected(self) -> Iterator[Any]:
        with connect_postgresql(Place(self.address.text)) as connection, told_by_postgresql():
            for setting in SETTINGS:
                self.run(connection, setting)
            yield connection

    def run(self, connection: Any, sql: str) -> list[tuple[Any, ...]]:
        """Run SQL; numbers of any size come back as such."""
        with connection.cursor() as cursor:
            cursor.execute(sql)
            return list(cursor.fetchall()) if cursor.description else []

    def fill(self, connection: Any, table: str, frame: pl.DataFrame) -> None:
        """Create the table and copy the rows."""
        where = {} if self.schema is None else {"db_schema_name": self.schema}
        with connection.cursor() as cursor:
            cursor.adbc_ingest(table, in_batches(frame), mode="create", **where)

    def check_rights(self, connection: Any) -> None:
        """Ask the server whether this user may create tables there."""
        schema = "current_schema()"
        if self.schema is not None:
            schema = "'" + self.schema.replace("'", "''") + "'"
        query = f"SELECT has_schema_privilege({schema}, 'CREATE')"
        if self.run(connection, query)[0][0] is not True:
            raise OutputError(
                "The database gives this user no right to create a table there.",
                hint="Ask whoever runs it: GRANT CREATE ON SCHEMA ...",
            )

    def parts(self, connection: Any, query: str) -> Iterator[pl.DataFrame]:
        """Read some rows at a time."""
        with connection.cursor() as cursor:
            yield from read_postgresql(cursor, query)[1]

    def exists(self, connection: Any) -> bool:
        """Look for anything of this name: a table, a view, an index."""
        ((found,),) = self.run(connection, f"SELECT to_regclass({self._literal}) IS NOT NULL")
        return bool(found)

    def width(self, connection: Any) -> int:
        """Count columns."""
        ((found,),) = self.run(
            connection,
            "SELECT count(*) FROM pg_attribute WHERE attnum > 0 AND NOT attisdropped"
            f" AND attrelid = to_regclass({self._literal})",
        )
        return int(found)

    def grants(self, connection: Any) -> list[str]:
        """Look up who may do what; rows that are hidden from some would be shown to all."""
        which = f"WHERE oid = to_regclass({self._literal})"
        ((secured,),) = self.run(connection, f"SELECT relrowsecurity FROM pg_class {which}")
        if secured:
            raise OutputError(
                f"The table {self.name!r} has row security, which a new one would not have.",
                hint="Name another table (--into).",
            )
        return [sql for (sql,) in self.run(connection, GRANTS.format(table=self._literal))]

    @property
    def _literal(self) -> str:
        return "'" + self.quoted().replace("'", "''") + "'"

    def commit(self, connection: Any) -> None:
        """End the transaction."""
        connection.commit()

    def _undo(self, connection: Any) -> None:
        with suppress(Exception):  # the server undoes it by itself if it cannot be told
            connection.rollback()
