"""A connection that is open already: of ADBC, sqlite3, DuckDB, SQLAlchemy or any DB-API driver."""

from __future__ import annotations

import os
from typing import Any

from shoal.exceptions import InputError, InvalidParameterError
from shoal.table._frames import read_frame
from shoal.table._reading import Reading
from shoal.table.sources._base import Place
from shoal.table.sources._sql import Database, checked_query, quote, split_name
from shoal.table.sources._sqlalchemy import AT_ONCE, frame_of, read_rows


class OpenConnection(Database):
    """A table or a query through somebody's own connection, with the rights it has."""

    kind = "connection"

    @classmethod
    def fits(cls, place: Place) -> bool:
        """Tell by what it can do."""
        where = place.where
        if isinstance(where, (str, os.PathLike)):
            return False
        return hasattr(where, "cursor") or _is_sqlalchemy(where)

    @property
    def name(self) -> str:
        """What was read; nobody knows where."""
        return self.place.table or "a query"

    def fetch(self) -> Reading:
        """Read; transactions are left to whoever opened it."""
        where = self.place.where
        if self.place.table is None and self.place.query is None:
            raise InvalidParameterError("What of the connection?", hint="Give table= or query=.")
        try:
            return Reading(read_frame(self._rows(where)).frame)
        except (InputError, InvalidParameterError):
            raise
        except Exception as error:  # a driver's message may quote what it found
            raise InputError(
                f"The connection could not do that ({type(error).__name__})."
            ) from None

    def _rows(self, where: Any) -> Any:
        if _is_sqlalchemy(where):
            if hasattr(where, "begin") and not hasattr(where, "execute"):  # an engine
                with where.connect() as connection:
                    return read_rows(connection, self.place)
            return read_rows(where, self.place)
        module = type(where).__module__
        query = self._query()
        if "duckdb" in module:
            from shoal.table.sources._duckdb import read_query

            return read_query(where, query)
        cursor = where.cursor()
        try:
            if module.startswith("adbc_driver"):
                return _through_adbc(where, cursor, query)
            cursor.execute(query)
            names = [str(field[0]) for field in cursor.description]
            return frame_of(names, iter(lambda: cursor.fetchmany(AT_ONCE), []))
        finally:
            cursor.close()

    def _query(self) -> str:
        if self.place.query is not None:
            return checked_query(self.place)
        return f"SELECT * FROM {'.'.join(map(quote, split_name(str(self.place.table))))}"


def _through_adbc(connection: Any, cursor: Any, query: str) -> Any:
    from shoal.table.sources import _postgresql, _sqlite

    vendor = str(connection.adbc_get_info().get("vendor_name", ""))
    reader = _sqlite if "sqlite" in vendor.lower() else _postgresql
    return reader.read_query(cursor, query)


def _is_sqlalchemy(where: object) -> bool:
    return type(where).__module__.startswith("sqlalchemy.")
