"""Where traces lie: one SQLite file, each trace sealed, each error a sentence.

Sealed: what lies on the disk tells nothing without the key, not even which rows are alike.
"""

from __future__ import annotations

import hmac
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256, shake_256
from pathlib import Path

import numpy as np

from shoal.exceptions import InputError, OutputError
from shoal.ledger._trace import OldTraceError

_SCHEMA = (
    "CREATE TABLE IF NOT EXISTS traces (id TEXT PRIMARY KEY, trace BLOB NOT NULL)",
    "CREATE TABLE IF NOT EXISTS forgetting (mark TEXT PRIMARY KEY) WITHOUT ROWID",
)
MEND = "Bring its files back from a copy, or start anew knowingly: 'shoal ledger reset --yes'."
PATIENCE = 30.0  # seconds to wait for another process
MARK = b"shoal trace 2\0\0\0"
_UNSEALED = b"\x93NUMPY"  # how traces of the first version begin
_TAG = 16


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

    def drop(self, *names: str) -> None:
        """Throw traces away."""
        with self._asking():
            gone = [(name,) for name in names]
            self._connection.executemany("DELETE FROM traces WHERE id = ?", gone)

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


def seal(data: bytes, key: bytes) -> bytes:
    """Hide some bytes under a key, the same way each time.

    The tag is a keyed hash of the content and the start of the key stream at once (P. Rogaway,
    T. Shrimpton, Deterministic authenticated encryption, EUROCRYPT 2006).

    >>> sealed = seal(b"who was where", b"key")
    >>> b"where" in sealed, unseal(sealed, b"key")
    (False, b'who was where')
    """
    tag = _tag(data, key)
    return MARK + tag + _hidden(data, tag, key)


def unseal(sealed: bytes, key: bytes) -> bytes:
    """Bring the bytes back; whatever was not sealed with this key is an `InputError`."""
    if sealed.startswith(_UNSEALED):
        raise OldTraceError("A trace in the ledger is of another version of Shoal.")
    begin = len(MARK) + _TAG
    tag = sealed[len(MARK) : begin]
    data = _hidden(sealed[begin:], tag, key)
    if not (sealed.startswith(MARK) and hmac.compare_digest(tag, _tag(data, key))):
        raise InputError("A trace in the ledger is damaged.", hint="Run 'shoal ledger verify'.")
    return data


def digest(sealed: bytes) -> str:
    """SHA-256 of a sealed trace."""
    return sha256(sealed).hexdigest()


def _tag(data: bytes, key: bytes) -> bytes:
    return hmac.new(key, b"shoal trace tag" + data, sha256).digest()[:_TAG]


def _hidden(data: bytes, tag: bytes, key: bytes) -> bytes:
    stream = shake_256(hmac.new(key, b"shoal trace stream" + tag, sha256).digest())
    mask = np.frombuffer(stream.digest(len(data)), dtype=np.uint8)
    return (np.frombuffer(data, dtype=np.uint8) ^ mask).tobytes()
