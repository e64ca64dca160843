"""An append-only journal in one SQLite file."""

from __future__ import annotations

import hmac
import os
import sqlite3
import threading
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from os import PathLike
from pathlib import Path
from secrets import token_hex
from typing import Any, Self

from shoal.audit._chain import (
    REDACTED,
    ChainVerification,
    Entry,
    Link,
    canonical,
    commit,
    read_chain,
)
from shoal.audit._witness import Witness
from shoal.exceptions import InputError, InvalidParameterError, OutputError

APPLICATION = 0x53484F4C  # "SHOL": what SQLite knows such a file by
SCHEMA = """
CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS entries (
    number INTEGER PRIMARY KEY, time TEXT NOT NULL, actor TEXT NOT NULL, kind TEXT NOT NULL,
    body TEXT NOT NULL, salt TEXT NOT NULL, digest TEXT NOT NULL,
    previous TEXT NOT NULL, mac TEXT NOT NULL
);
"""
COLUMNS = "number, time, actor, kind, body, salt, digest, previous, mac"
_LINKS = f"SELECT {COLUMNS} FROM entries WHERE number > ? ORDER BY number"
_LAST = "SELECT number, mac FROM entries ORDER BY number DESC LIMIT 1"
_TABLES = "SELECT count(*) FROM sqlite_master"
PATIENCE = 30.0  # seconds to wait for another writer
_as_text = partial(str, encoding="utf-8", errors="surrogateescape")  # damage is found by its hash


@dataclass(eq=False, repr=False)
class Journal:
    """What happened, in order, each entry chained to the one before by a keyed hash.

    An entry is on the disk when `append` returns, whole, or it is not there at all: one
    transaction each, in SQLite's write-ahead log, synchronized. Several processes and threads may
    append to one journal. Open it with `Journal.open`; it is a context manager.

    Examples
    --------
    >>> import tempfile, os
    >>> path = os.path.join(tempfile.mkdtemp(), "audit.journal")
    >>> with Journal.open(path, key=b"k" * 32) as journal:
    ...     _ = journal.append("opened", {"rows": 3}, actor="ada")
    ...     _ = journal.append("closed", {})
    ...     print(journal.verify(), [entry.kind for entry in journal.entries()])
    2 entries, all as they were written ['opened', 'closed']
    """

    path: Path
    _connection: sqlite3.Connection
    _key: bytes
    id: str = ""  # the random name it got when it was made
    _genesis: str = ""  # what the first entry is chained to
    _lock: threading.RLock = field(default_factory=threading.RLock)

    @classmethod
    def open(cls, path: str | PathLike[str], key: bytes, *, create: bool = True) -> Self:
        """Open a journal; a new one is made, readable by this user only, if ``create``.

        A journal that was written with another key is refused.
        """
        path = Path(path)
        if not path.exists():
            _make_file(path, create)
        if path.is_dir():
            raise InputError(
                f"The journal {path.name!r} is a folder.", hint="Move it away, or name another."
            )
        try:
            connection = sqlite3.connect(
                path, timeout=PATIENCE, isolation_level=None, check_same_thread=False
            )
        except sqlite3.Error:
            raise _no_journal(path) from None
        connection.text_factory = _as_text
        journal = cls(path, connection, key)
        try:
            journal._prepare(create)
        except sqlite3.Error:
            journal.close()
            raise _no_journal(path) from None
        except BaseException:
            journal.close()
            raise
        return journal

    @property
    def head(self) -> str:
        """Keyed hash of the last entry."""
        return self.seen().head

    def __len__(self) -> int:
        return self.seen().entries

    def key_for(self, purpose: str) -> bytes:
        """Derive a key for something else from the key of this journal."""
        return hmac.new(self._key, f"shoal key for {purpose}".encode(), sha256).digest()

    def append(self, kind: str, body: Mapping[str, Any], actor: str = "") -> Entry:
        """Write an entry; it is safe on the disk when this returns.

        ``body`` must be plain JSON and hold no cell value.
        """
        text, salt = canonical(dict(body)), token_hex(16)
        with self.alone() as connection:
            last = connection.execute(_LAST).fetchone()
            number, previous = (last[0] + 1, last[1]) if last else (1, self._genesis)
            time = datetime.now(UTC).isoformat(timespec="microseconds")
            said = (number, time, actor, kind, text, salt, commit(text, salt), previous)
            link = Link(*said, Link(*said, "").seal(self._key, previous))
            connection.execute(
                f"INSERT INTO entries ({COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?)", (*said, link.mac)
            )
        return link.entry()

    @contextmanager
    def alone(self) -> Iterator[sqlite3.Connection]:
        """Let nobody else append during a block: all it appends is on the disk after it, or none.

        A block in another one is part of it.
        """
        with self._lock:
            if self._connection.in_transaction:  # of this thread: it has the lock
                yield self._connection
                return
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException as error:
                if self._connection.in_transaction:
                    with suppress(sqlite3.Error):  # a damaged file may not even do that
                        self._connection.execute("ROLLBACK")
                if not isinstance(error, sqlite3.Error):
                    raise
                raise OutputError(
                    f"The journal {self.path.name!r} cannot be written ({error}).",
                    hint="Is another process using it? If not, bring it back from a copy.",
                ) from None

    def redact(self, numbers: Collection[int], why: str, actor: str = "") -> Entry:
        """Take out for good what some entries say; that it was done is an entry of its own.

        Their numbers, times, actors and kinds stay, and so does the chain: `verify` tells bodies
        that were taken out here from bodies that were tampered with. All in one transaction.
        """
        chosen = [link for row in self._ask(_LINKS, 0) if (link := Link(*row)).number in numbers]
        if len(chosen) < len(numbers) or any(link.kind == REDACTED for link in chosen):
            raise InvalidParameterError("These entries cannot be redacted.")
        if not all(link.digest for link in chosen):
            raise InputError(
                f"The journal {self.path.name!r} is from before entries could be redacted.",
                hint="Remove the journal itself; its session ends with it.",
            )
        with self.alone() as connection:
            entry = self.append(REDACTED, {"entries": sorted(numbers), "why": why}, actor)
            connection.executemany(
                "UPDATE entries SET body = '', salt = '' WHERE number = ?",
                [(number,) for number in sorted(numbers)],
            )
        self._ask("PRAGMA wal_checkpoint(TRUNCATE)")  # out of the write-ahead log too
        return entry

    def entries(self, after: int = 0) -> list[Entry]:
        """Read the entries in order, those numbered higher than ``after``."""
        try:
            return [Link(*row).entry() for row in self._ask(_LINKS, after)]
        except (TypeError, ValueError):
            raise InputError(
                f"An entry of {self.path.name!r} is damaged.", hint="Run 'shoal audit verify'."
            ) from None

    def verify(self, witness: Witness | str | PathLike[str] | None = None) -> ChainVerification:
        """Find the first entry that was changed, removed or reordered.

        A tail that was cut off leaves a shorter chain that is whole: only a ``witness`` (see
        `write_witness`) gives that away.
        """
        if witness is not None and not isinstance(witness, Witness):
            witness = Witness.read(witness)
        return self.verified(witness)[0]

    def verified(self, witness: Witness | None = None) -> tuple[ChainVerification, list[Entry]]:
        """Verify the chain, and give its entries; none if it does not hold."""
        chain = [Link(*row) for row in self._ask(_LINKS, 0)]
        found, entries = read_chain(chain, self._key, self._genesis)
        if witness is None or not found.holds:
            return found, entries
        place, reason = None, ""
        if witness.journal != self.id:
            reason = "the witness is of another journal"
        elif witness.entries > found.entries:
            place = found.entries + 1
            reason = f"was removed: the witness saw {witness.entries:,} entries"
        elif witness.head != (chain[witness.entries - 1].mac if witness.entries else self._genesis):
            place, reason = max(witness.entries, 1), "is not the entry that the witness saw"
        if reason:
            return ChainVerification(False, place, reason, found.entries), []
        return found, entries

    def write_witness(self, path: str | PathLike[str]) -> Witness:
        """Write the length and the head of the chain to a file, to be kept elsewhere."""
        witness = self.seen()
        witness.write(path)
        return witness

    def seen(self) -> Witness:
        """Tell the length and the head of the chain."""
        told = self._ask("SELECT (SELECT count(*) FROM entries), mac FROM (" + _LAST + ")")
        entries, head = told[0] if told else (0, self._genesis)
        return Witness(self.id, int(entries), str(head))

    def close(self) -> None:
        """Close the file; what was appended is on the disk already."""
        with self._lock:
            self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Journal({self.path.name!r})"

    def _prepare(self, create: bool) -> None:
        """Lay out a new file; make sure that an old one was sealed with this key."""
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = FULL")
        self._connection.execute("PRAGMA secure_delete = ON")  # what is redacted leaves no bytes
        if create and not self._connection.execute(_TABLES).fetchone()[0]:
            with self.alone() as connection:
                if not connection.execute(_TABLES).fetchone()[0]:  # nobody was faster
                    _lay_out(connection, self._key)
            # into the file itself, so that it can be told from others at once
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        columns = [row[1] for row in self._connection.execute("PRAGMA table_info(entries)")]
        if columns and "digest" not in columns:
            self._bring_up_to_date()
        about = dict(self._ask("SELECT name, value FROM about"))
        self.id = str(about.get("journal", ""))
        self._genesis = _seal(self._key, f"first entry of {self.id}")
        if not self.id or about.get("seal") != _seal(self._key, self.id):
            raise InputError(
                f"The journal {self.path.name!r} was not written with this key.",
                hint="Is SHOAL_HOME the folder it was written under?",
            )

    def _bring_up_to_date(self) -> None:
        """Give a journal of before there were digests the columns for them, empty."""
        with self.alone() as connection:
            there = {row[1] for row in connection.execute("PRAGMA table_info(entries)")}
            for name in {"salt", "digest"} - there:
                added = f"{name} TEXT NOT NULL DEFAULT ''"
                connection.execute(f"ALTER TABLE entries ADD COLUMN {added}")

    def _ask(self, question: str, *given: int) -> list[Any]:
        with self._lock:
            try:
                return self._connection.execute(question, given).fetchall()
            except sqlite3.Error:
                raise InputError(
                    f"The journal {self.path.name!r} cannot be read.",
                    hint="Bring it back from a copy.",
                ) from None


def find_journals(folder: str | PathLike[str]) -> list[Path]:
    """Find all journals in a folder and below it, by the mark in their first bytes."""
    return sorted(path for path in Path(folder).rglob("*") if is_journal(path))


def is_journal(path: Path) -> bool:
    """Tell whether a file is a journal, or was one before it was damaged."""
    try:
        with path.open("rb") as file:
            head = file.read(72)
    except OSError:
        return False
    return head[:15] == b"SQLite format 3" and head[68:] == APPLICATION.to_bytes(4, "big")


def _lay_out(connection: sqlite3.Connection, key: bytes) -> None:
    for statement in SCHEMA.split(";"):
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    name = token_hex(16)
    about = [("journal", name), ("seal", _seal(key, name)), ("version", "2")]
    connection.executemany("INSERT INTO about VALUES (?, ?)", about)


def _seal(key: bytes, text: str) -> str:
    return hmac.new(key, f"shoal journal: {text}".encode(), sha256).hexdigest()


def _no_journal(path: Path) -> InputError:
    return InputError(
        f"{path.name!r} is not a journal, or it is damaged.", hint="Is it the right file?"
    )


def _make_file(path: Path, create: bool) -> None:
    if not create:
        raise InputError(f"There is no journal {path.name!r}.")
    try:
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
    except OSError as error:
        reason = error.strerror
        raise OutputError(f"The journal {path.name!r} cannot be made: {reason}.") from None
