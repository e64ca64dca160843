"""Where tables are: files of many formats, packed or in parts, and databases.

A *source* is one way to read; `open_source` finds the one that fits a place. All of them pass
`shoal.testing.check_source`. Drivers and readers of other formats are imported when they are
needed, and what is not installed is said with the extra that brings it.
"""

from __future__ import annotations

from shoal._plugins import Members
from shoal.exceptions import InputError
from shoal.table._reading import Reading
from shoal.table.sources._arrow import ArrowFile
from shoal.table.sources._base import Place, TableSource, source_file
from shoal.table.sources._codebook import Codebook, Variable
from shoal.table.sources._connection import OpenConnection
from shoal.table.sources._delimited import DelimitedFile
from shoal.table.sources._duckdb import DuckDBFile
from shoal.table.sources._duckdb import opened as open_duckdb
from shoal.table.sources._duckdb import read_parts as read_duckdb
from shoal.table.sources._duckdb import told as told_by_duckdb
from shoal.table.sources._excel import ExcelWorkbook, sheet_names
from shoal.table.sources._ndjson import JsonLines
from shoal.table.sources._packed import PackedFile
from shoal.table.sources._parquet import ParquetFile
from shoal.table.sources._parts import FolderOfParts
from shoal.table.sources._postgresql import PostgreSQL, SharedSnapshot, shared_snapshot
from shoal.table.sources._postgresql import connected as connect_postgresql
from shoal.table.sources._postgresql import read_parts as read_postgresql
from shoal.table.sources._postgresql import told as told_by_postgresql
from shoal.table.sources._sas import SasFile
from shoal.table.sources._secrets import ask_with, given_password
from shoal.table.sources._spss import SpssFile
from shoal.table.sources._sql import quote, split_name
from shoal.table.sources._sqlalchemy import OtherDatabase
from shoal.table.sources._sqlite import SQLiteFile
from shoal.table.sources._sqlite import opened as open_sqlite
from shoal.table.sources._sqlite import read_parts as read_sqlite
from shoal.table.sources._sqlite import told as told_by_sqlite
from shoal.table.sources._stata import StataFile
from shoal.table.sources._statistics import is_missing

#: Sources by their kind. Each is asked whether it fits, those of plug-ins first, then these in
#: their order; the first that does reads.
SOURCES: Members[type[TableSource]] = Members(
    "shoal.sources",
    TableSource,
    {
        source.kind: source
        for source in (
            PostgreSQL,
            SQLiteFile,
            DuckDBFile,
            OtherDatabase,
            OpenConnection,
            FolderOfParts,
            PackedFile,
            ParquetFile,
            ArrowFile,
            JsonLines,
            ExcelWorkbook,
            SpssFile,
            StataFile,
            SasFile,
            DelimitedFile,
        )
    },
    lambda source: (source.kind, source),
)


def open_source(place: Place) -> TableSource:
    """Find the source that reads a place.

    >>> open_source(Place("patients.csv.gz")).kind
    'packed'
    >>> open_source(Place("sqlite:///ward.db", table="beds")).name
    'sqlite:///ward.db: beds'
    """
    theirs: list[type[TableSource]] = [
        plugin.member for plugin in SOURCES.plugins if plugin.fault is None
    ]
    for source in (*theirs, *SOURCES.values()):
        if source.fits(place):
            return source(place)
    raise InputError(
        f"A table cannot be read from an object of type {type(place.where).__name__!r}.",
        hint="Give a file, the address of a database, a connection, or a frame.",
    )


__all__ = [
    "SOURCES",
    "Codebook",
    "Place",
    "Reading",
    "SharedSnapshot",
    "TableSource",
    "Variable",
    "ask_with",
    "connect_postgresql",
    "given_password",
    "is_missing",
    "open_duckdb",
    "open_source",
    "open_sqlite",
    "quote",
    "read_duckdb",
    "read_postgresql",
    "read_sqlite",
    "shared_snapshot",
    "sheet_names",
    "source_file",
    "split_name",
    "told_by_duckdb",
    "told_by_postgresql",
    "told_by_sqlite",
]
