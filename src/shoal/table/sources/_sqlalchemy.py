"""Any other database that SQLAlchemy speaks to: row by row, so slower than the others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

import polars as pl

from shoal.exceptions import InputError, MissingExtraError
from shoal.table._frames import read_frame
from shoal.table._reading import Reading
from shoal.table.sources._base import Place
from shoal.table.sources._secrets import asked_password, given_password
from shoal.table.sources._sql import (
    Database,
    checked_query,
    needing,
    no_table,
    split_name,
    unreadable,
    with_names,
)

AT_ONCE = 10_000
SLOWLY = "Read row by row through SQLAlchemy: slower than PostgreSQL, SQLite and DuckDB are."


class OtherDatabase(Database):
    """A table, a view or a query of a database that SQLAlchemy has a driver for."""

    kind = "sqlalchemy"

    @classmethod
    def fits(cls, place: Place) -> bool:
        """Take every other address."""
        return place.address is not None

    def fetch(self) -> Reading:
        """Read row by row; nothing is committed."""
        with needing("databases"):
            import sqlalchemy
        engine = self._engine(sqlalchemy)
        try:
            with engine.connect() as connection:
                frame = read_rows(connection, self.place)
        except sqlalchemy.exc.NoSuchTableError:
            raise no_table(str(self.place.table), []) from None
        except sqlalchemy.exc.SQLAlchemyError as error:
            raise InputError(
                f"The database could not do that ({type(error).__name__}).",
                hint=f"The password is taken from {'SHOAL_DATABASE_PASSWORD'} or asked for.",
            ) from None
        finally:
            engine.dispose()
        return Reading(read_frame(frame).frame, (SLOWLY,))

    def _engine(self, sqlalchemy: Any) -> Any:
        address = self.place.address
        assert address is not None  # it fitted
        try:
            url = sqlalchemy.make_url(address.text)
            if url.username is not None and url.host is not None:
                url = url.set(password=given_password() or asked_password(str(address)))
            return sqlalchemy.create_engine(url, hide_parameters=True)
        except ImportError:
            raise MissingExtraError(
                f"No driver for {address.scheme!r} is installed.",
                hint="Install the one that SQLAlchemy names for it.",
            ) from None
        except sqlalchemy.exc.SQLAlchemyError:
            raise InputError(
                f"No table is read from an address that begins with {address.scheme!r}.",
                hint="Databases have addresses such as postgresql://host/db or sqlite:///file.db;"
                " files are read where they are: fetch it first.",
            ) from None


def read_rows(connection: Any, place: Place) -> pl.DataFrame:
    """Read what was asked for through a connection of SQLAlchemy."""
    import sqlalchemy

    if place.query is not None:
        statement: Any = sqlalchemy.text(checked_query(place))
    else:
        known = sqlalchemy.inspect(connection)
        there = [*known.get_table_names(), *known.get_view_names()]
        if place.table is None:
            raise InputError("Which table of the database?", hint=f"There are: {', '.join(there)}.")
        *schema, name = split_name(place.table)
        if not schema and name not in there:
            raise no_table(place.table, there)
        table = sqlalchemy.Table(
            name,
            sqlalchemy.MetaData(),
            autoload_with=connection,
            schema=schema[0] if schema else None,
        )
        statement = sqlalchemy.select(table)
    result = connection.execution_options(stream_results=True).execute(statement)
    return frame_of(list(result.keys()), (list(part) for part in result.partitions(AT_ONCE)))


def frame_of(names: Sequence[str], parts: Iterator[Sequence[Sequence[Any]]]) -> pl.DataFrame:
    """Make columns of rows of Python values; a column must hold values of one type."""
    cells: list[list[Any]] = [[] for _ in names]
    for part in parts:
        for column, values in zip(cells, zip(*part, strict=True), strict=True):
            column.extend(map(_plain, values))
    columns = [_series(n, i, c) for i, (n, c) in enumerate(zip(names, cells, strict=True))]
    return with_names([pl.DataFrame(columns)], names)


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, Decimal) or type(value).__module__ == "uuid" else value


def _series(name: str, position: int, values: list[Any]) -> pl.Series:
    if any(
        isinstance(value, (bytes, bytearray, memoryview, list, dict, tuple)) for value in values
    ):
        raise unreadable(name, "bytes or lists")
    try:
        return pl.Series(f"c{position}", values, strict=True)
    except (TypeError, OverflowError, pl.exceptions.PolarsError):
        texts = [None if value is None else str(value) for value in values]
        return pl.Series(f"c{position}", texts, dtype=pl.String)
