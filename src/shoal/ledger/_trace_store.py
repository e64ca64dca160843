"""Where traces lie: one SQLite file, each trace sealed, each error a sentence."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from shoal.exceptions import InputError, OutputError

_SCHEMA = (
    "CREATE TABLE IF NOT EXISTS traces (id TEXT PRIMARY KEY, trace BLOB NOT NULL)",
    "CREATE TABLE IF NOT EXISTS forgetting (mark TEXT PRIMARY KEY) WITHOUT ROWID",
)
MEND = "Bring its files back from a copy, or start anew knowingly: 'shoal ledger reset --yes'."
PATIENCE = 30.0  # seconds to wait for another process


class TraceStore:
    """The packed traces of releases by their ids, and the marks of people being forgotten."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    @classmethod
    def open(cls, path: Path) -> TraceStore:
        """Open the file; a new one is made, readable by this user only."""
        try:
            if not path.exists():
                os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
            connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
        except (OSError, sqlite3.Error):
            raise OutputError("The traces of the ledger cannot be opened.", hint=MEND) from None
        store = cls(connection)
        try:
            with store._asking():
                connection.execute("PRAGMA secure_delete = ON")  # the forgotten leave no bytes
                for statement in _SCHEMA:
                    connection.execute(statement)
        except (InputError, OutputError):
            connection.close()
            raise
        return store

    def put(self, name: str, packed: bytes) -> None:
        """Keep a trace, or another one in its place."""
        with self._asking():
            self._connection.execute("INSERT OR REPLACE INTO traces VALUES (?, ?)", (name, packed))

    def drop(self, name: str) -> None:
        """Throw a trace away."""
        with self._asking():
            self._connection.execute("DELETE FROM traces WHERE id = ?", (name,))

    def all(self) -> dict[str, bytes]:
        """Every trace by its id."""
        with self._asking():
            found = self._connection.execute("SELECT id, trace FROM traces").fetchall()
        return {str(name): packed for name, packed in found if isinstance(packed, bytes)}

    def begin_forgetting(self, marks: Sequence[str]) -> None:
        """Remember whom to forget until it is done."""
        with self._asking():
            self._connection.executemany(
                "INSERT OR IGNORE INTO forgetting VALUES (?)", [(mark,) for mark in marks]
            )

    def end_forgetting(self, marks: Sequence[str]) -> None:
        """It is done."""
        with self._asking():
            self._connection.executemany(
                "DELETE FROM forgetting WHERE mark = ?", [(mark,) for mark in marks]
            )

    def being_forgotten(self) -> int:
        """People whose forgetting has begun and is not done."""
        with self._asking():
            (found,) = self._connection.execute("SELECT count(*) FROM forgetting").fetchone()
        return int(found)

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    @contextmanager
    def _asking(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:  # locked, full, read-only
            raise OutputError(
                f"The traces of the ledger cannot be used ({error}).", hint=MEND
            ) from None
        except sqlite3.Error:
            raise InputError("The traces of the ledger are damaged.", hint=MEND) from None
