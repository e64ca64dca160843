"""The trace of a release: who was in which crowd and what the crowd shows, all under a key.

Nothing in a trace is a value: people are keyed hashes of their rows, values are keyed hashes of
their texts. Without the key a trace cannot be compared with anything; with it, two traces tell
which people two releases share and which values remain possible for each. Traces lie in one SQLite
file, each sealed: what is on the disk tells nothing without the key, not even which rows are alike.
"""

from __future__ import annotations

import hmac
import io
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256, shake_256
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.lib.format import header_data_from_array_1_0, write_array_header_1_0

from shoal.exceptions import InputError, OutputError
from shoal.typing import BoolArray, FloatArray, IntArray

FORMAT = 2  # of packed traces; those of the first one cannot be held against later ones
_PER_ROW = ("rows", "people", "groups", "canonical", "known")
_LATER = (
    "rest",
    "boxes",
    "waiting",
    "waited",
    "forgot",
)  # traces of earlier versions do not have them


def sorted_once(numbers: IntArray) -> IntArray:
    """Return numbers in order, each once.

    Of a million numbers that are mostly different numpy's own, a hash table, takes twenty times as
    long, and where it counts them three times the memory.

    >>> sorted_once(np.array([3, 1, 3])).tolist()
    [1, 3]
    """
    ordered = np.sort(numbers)
    once: IntArray = ordered[np.append(True, ordered[1:] != ordered[:-1])[: ordered.size]]
    return once


@dataclass(frozen=True, eq=False)
class Shown:
    """What a release shows of a column that is published as it is.

    Attributes
    ----------
    starts, values : arrays
        Where the values of each crowd begin, and their keyed hashes.
    marks : uint32 array
        Keyed hash of the quasi-identifiers of each row together with its value, whatever the
        column is called; empty if only the cluster knew them.
    mode : float
        Share of the commonest value.
    """

    starts: IntArray
    values: IntArray
    marks: IntArray = field(default_factory=lambda: np.zeros(0, dtype=np.uint32))
    mode: float = 1.0


@dataclass(frozen=True, eq=False)
class Trace:
    """Who was in which crowd of a release, and what each crowd shows.

    Attributes
    ----------
    rows : uint64 array
        Keyed hash of each released row as it stood in the table.
    people : uint64 array
        Keyed hash of the person behind it: the person column, else the identifiers, else the row.
    groups : int32 array
        The crowd of each row.
    shown : mapping of str to Shown
        For each published column that is no quasi-identifier, what it shows.
    k : int
        The k of the release; 0 if it promised none.
    lost : int32 array
        How many people of each crowd have been forgotten since; one with rows in two crowds left
        both.
    identity : str
        The columns that tell people apart, empty if rows do.
    canonical : uint64 array
        Keyed hash of each row in canonical form, whatever the order of its columns.
    known : uint64 array
        Keyed hash of the quasi-identifiers, whatever they are called and in whatever order.
    rest : uint64 array
        Keyed hash of all but the quasi-identifiers, where names tell people apart; else empty. A
        row that has moved is known by it.
    quasi : tuple of str
        Names of the quasi-identifiers.
    alignment : str
        What lets whoever has two releases align their people (a keyed digest of the pseudonyms'
        key and domain); empty if nothing does.
    boxes : uint64 array
        Keyed hash of what each crowd publishes of its quasi-identifiers; empty if it was not told.
    waiting : uint64 array
        Who (as in ``people``) was not published yet, for lack of others who fit.
    waited : int32 array
        Through how many deliveries each of them has waited, this one included.
    forgot : int64 array
        How many people have been forgotten, where that is not the sum of ``lost``; else empty.
    """

    rows: IntArray
    people: IntArray
    groups: IntArray
    shown: Mapping[str, Shown] = field(default_factory=dict)
    k: int = 0
    lost: IntArray = field(default_factory=lambda: np.zeros(0, dtype=np.int32))
    identity: str = ""
    canonical: IntArray = field(default_factory=lambda: np.zeros(0, dtype=np.uint64))
    known: IntArray = field(default_factory=lambda: np.zeros(0, dtype=np.uint64))
    rest: IntArray = field(default_factory=lambda: np.zeros(0, dtype=np.uint64))
    quasi: tuple[str, ...] = ()
    alignment: str = ""
    boxes: IntArray = field(default_factory=lambda: np.zeros(0, dtype=np.uint64))
    waiting: IntArray = field(default_factory=lambda: np.zeros(0, dtype=np.uint64))
    waited: IntArray = field(default_factory=lambda: np.zeros(0, dtype=np.int32))
    forgot: IntArray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))

    @property
    def n_groups(self) -> int:
        """Number of crowds."""
        return int(max(self.groups.max(initial=-1) + 1, self.lost.size))

    @property
    def forgotten(self) -> int:
        """People who were in it and have been forgotten since."""
        return int(self.forgot.sum() if self.forgot.size else self.lost.sum())

    @cached_property
    def sizes(self) -> IntArray:
        """People that each crowd was published with."""
        sizes = np.bincount(self.groups, minlength=self.lost.size)
        sizes[: self.lost.size] += self.lost
        return sizes

    @cached_property
    def once(self) -> bool:
        """Whether people are named, and everybody has one row."""
        return bool(self.identity) and sorted_once(self.people).size == self.people.size

    def without(self, people: IntArray, rows: IntArray) -> Trace:
        """Forget people, known by their own hashes or those of their rows; the number stays."""
        gone = np.isin(self.people, people) | np.isin(self.rows, rows)
        still = ~np.isin(self.waiting, people) & ~np.isin(self.waiting, rows)
        if not gone.any() and still.all():
            return self
        names = sorted_once(self.people[gone])
        kept: BoolArray = ~np.isin(self.people, names)
        who = np.searchsorted(names, self.people[~kept])  # hashes would not survive beside groups
        places = np.unique(np.stack([who, self.groups[~kept].astype(np.int64)]), axis=1)
        lost = np.bincount(places[1], minlength=self.n_groups)
        lost[: self.lost.size] += self.lost
        number = self.forgotten + names.size
        forgot = np.array([number] if number != lost.sum() else [], dtype=np.int64)
        arrays: dict[str, Any] = {n: _rows_of(getattr(self, n), kept) for n in (*_PER_ROW, "rest")}
        shown = {
            name: replace(column, marks=_rows_of(column.marks, kept))
            for name, column in self.shown.items()
        }
        arrays |= {"waiting": self.waiting[still], "waited": self.waited[still]}
        return replace(self, **arrays, shown=shown, lost=lost.astype(np.int32), forgot=forgot)

    def to_bytes(self) -> bytes:
        """Pack the trace, the same bytes for the same trace."""
        return b"".join(self.packed())

    def packed(self) -> Iterator[bytes | memoryview]:
        """Pack the trace piece by piece; its arrays are not copied."""
        names = list(self.shown)
        texts = {
            "names": "\0".join([self.identity, *names]),
            "quasi": "\0".join(self.quasi),
            "alignment": self.alignment,
        }
        arrays: dict[str, IntArray | FloatArray] = {
            "numbers": np.array([FORMAT, self.k], dtype=np.int64),
            **{name: np.frombuffer(text.encode(), np.uint8) for name, text in texts.items()},
            "lost": self.lost,
            **{name: getattr(self, name) for name in _PER_ROW},
            **{name: getattr(self, name) for name in _LATER if getattr(self, name).size},
            "modes": np.array([self.shown[name].mode for name in names], dtype=np.float64),
        }
        for number, name in enumerate(names):
            column = self.shown[name]
            parts = {"starts": column.starts, "values": column.values, "marks": column.marks}
            arrays |= {f"{part}{number}": array for part, array in parts.items()}
        for name, array in arrays.items():
            head = io.BytesIO()
            np.save(head, np.array([len(name.encode())]), allow_pickle=False)
            head.write(name.encode())
            write_array_header_1_0(head, header_data_from_array_1_0(array))  # as `np.save` does
            yield head.getvalue()
            yield np.ascontiguousarray(array).reshape(-1).view(np.uint8).data

    @classmethod
    def from_bytes(cls, data: bytes) -> Trace:
        """Unpack a trace; one of an earlier version of Shoal is an `OldTraceError`."""
        try:
            none = np.zeros(0, dtype=np.uint8)
            arrays = {"quasi": none, "alignment": none} | dict(_unpack(io.BytesIO(data), len(data)))
            identity, *names = arrays["names"].tobytes().decode().split("\0")
            *version, k = arrays["numbers"].tolist()
            if version != [FORMAT]:
                raise OldTraceError("A trace in the ledger is of another version of Shoal.")
            shown = {name: _shown(arrays, number) for number, name in enumerate(names)}
            per_row: dict[str, Any] = {name: arrays[name] for name in _PER_ROW}
            told: dict[str, Any] = {"identity": identity, "quasi": tuple(_cut(arrays["quasi"]))}
            told["alignment"] = arrays["alignment"].tobytes().decode()
            told |= {name: arrays[name] for name in _LATER if name in arrays}
            return cls(**per_row, shown=shown, k=k, lost=arrays["lost"], **told)
        except OldTraceError:
            raise
        except (KeyError, ValueError, TypeError, IndexError, EOFError, OSError, MemoryError):
            raise InputError(
                "A trace in the ledger is damaged.", hint="Run 'shoal ledger verify'."
            ) from None


class OldTraceError(InputError):
    """A trace of an earlier version of Shoal, which knew people by other hashes."""


def _cut(names: IntArray) -> list[str]:
    return names.tobytes().decode().split("\0") if names.size else []


def _rows_of(array: IntArray, kept: BoolArray) -> IntArray:
    """The kept ones, of an array that has an entry for each row or none at all."""
    return array[kept] if array.size else array


def _shown(arrays: Mapping[str, IntArray], number: int) -> Shown:
    starts, values, marks = (arrays[f"{part}{number}"] for part in ("starts", "values", "marks"))
    return Shown(starts, values, marks, float(arrays["modes"][number]))


def _unpack(packed: io.BytesIO, size: int) -> Iterator[tuple[str, IntArray]]:
    while packed.tell() < size:
        length = int(np.load(packed, allow_pickle=False)[0])
        name = packed.read(length).decode()
        yield name, np.load(packed, allow_pickle=False)


_SCHEMA = (
    "CREATE TABLE IF NOT EXISTS traces (id TEXT PRIMARY KEY, trace BLOB NOT NULL)",
    "CREATE TABLE IF NOT EXISTS forgetting (mark TEXT PRIMARY KEY) WITHOUT ROWID",
)
MEND = "Bring its files back from a copy, or start anew knowingly: 'shoal ledger reset --yes'."
PATIENCE = 30.0  # seconds to wait for another process
MARK, _ONE_STREAM = b"shoal trace 3\0\0\0", b"shoal trace 2\0\0\0"
_UNSEALED = b"\x93NUMPY"  # how traces of the first version begin
TAGGED, _TAGGING = slice(len(MARK), len(MARK) + 16), b"shoal trace tag"
_AT_ONCE = 1 << 22  # bytes


@dataclass(frozen=True, eq=False)
class TraceStore:
    """The packed traces of releases by their ids, and the marks of people being forgotten."""

    connection: sqlite3.Connection

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

    def put(self, name: str, sealed: Sealed | bytes) -> str:
        """Keep a trace, or another one in its place, piece by piece; return its SHA-256."""
        room = "INSERT OR REPLACE INTO traces VALUES (?, zeroblob(?))"
        pieces = [sealed] if isinstance(sealed, bytes) else sealed.pieces()
        size = len(sealed) if isinstance(sealed, bytes) else sealed.size
        digest = sha256()
        with self._asking():
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                row = self.connection.execute(room, (name, size)).lastrowid
                with self.connection.blobopen("traces", "trace", row or 0) as blob:
                    for piece in pieces:
                        blob.write(piece)
                        digest.update(piece)
                self.connection.execute("COMMIT")
            except BaseException:
                self.connection.rollback()
                raise
        return digest.hexdigest()

    def drop(self, *names: str) -> None:
        """Throw traces away."""
        with self._asking():
            gone = [(name,) for name in names]
            self.connection.executemany("DELETE FROM traces WHERE id = ?", gone)

    def read(self) -> tuple[dict[str, bytes], int]:
        """Every trace by its id, and how many people are being forgotten and not yet gone."""
        with self._asking():
            found = self.connection.execute("SELECT id, trace FROM traces").fetchall()
            (begun,) = self.connection.execute("SELECT count(*) FROM forgetting").fetchone()
        return {str(name): data for name, data in found if isinstance(data, bytes)}, int(begun)

    def begin_forgetting(self, marks: Sequence[str]) -> None:
        """Remember whom to forget until it is done."""
        with self._asking():
            self.connection.executemany(
                "INSERT OR IGNORE INTO forgetting VALUES (?)", [(mark,) for mark in marks]
            )

    def end_forgetting(self, marks: Sequence[str]) -> None:
        """It is done."""
        with self._asking():
            self.connection.executemany(
                "DELETE FROM forgetting WHERE mark = ?", [(mark,) for mark in marks]
            )

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


class Sealed(NamedTuple):
    """Some bytes to be hidden under a key, the same way each time, and never all of them at once.

    The tag is a keyed hash of the content and the start of the key stream at once (P. Rogaway,
    T. Shrimpton, Deterministic authenticated encryption, EUROCRYPT 2006).
    """

    plain: Sequence[bytes | memoryview]
    tag: bytes
    key: bytes
    size: int

    def pieces(self) -> Iterator[bytes]:
        """Hide them piece by piece."""
        return chain([MARK + self.tag], _hidden(self.plain, self.tag, self.key, MARK))


def seal(pieces: Iterable[bytes | memoryview], key: bytes) -> Sealed:
    """Make some bytes ready to be hidden.

    >>> sealed = seal([b"who was", b" where"], b"key")
    >>> hidden = b"".join(sealed.pieces())
    >>> b"where" in hidden, unseal(hidden, b"key")
    (False, b'who was where')
    """
    plain = list(pieces)
    return Sealed(plain, _tag(plain, key), key, TAGGED.stop + sum(map(len, plain)))


def unseal(sealed: bytes, key: bytes) -> bytes:
    """Bring the bytes back; whatever was not sealed with this key is an `InputError`."""
    if sealed.startswith(_UNSEALED):
        raise OldTraceError("A trace in the ledger is of another version of Shoal.")
    mark, tag = sealed[: TAGGED.start], sealed[TAGGED]
    data = b"".join(_hidden([memoryview(sealed)[TAGGED.stop :]], tag, key, mark))
    if mark not in (MARK, _ONE_STREAM) or not hmac.compare_digest(tag, _tag([data], key)):
        raise InputError("A trace in the ledger is damaged.", hint="Run 'shoal ledger verify'.")
    return data


def _tag(pieces: Iterable[bytes | memoryview], key: bytes) -> bytes:
    digest = hmac.new(key, _TAGGING, sha256)
    for piece in pieces:
        digest.update(piece)
    return digest.digest()[: TAGGED.stop - TAGGED.start]


def _hidden(
    pieces: Iterable[bytes | memoryview], tag: bytes, key: bytes, mark: bytes
) -> Iterator[bytes]:
    """Hide pieces under the key stream of a tag, block by block: traces are large."""
    plain, at, mask = list(pieces), 0, np.zeros(0, dtype=np.uint8)
    total = sum(map(len, plain))
    size = max(1, total) if mark == _ONE_STREAM else _AT_ONCE
    named = hmac.new(key, b"shoal trace stream" + tag, sha256).digest()
    for piece in plain:
        begin = 0
        while begin < len(piece):
            block, inside = divmod(at, size)
            if not inside:
                told = b"" if mark == _ONE_STREAM else block.to_bytes(8, "little")
                stream = shake_256(named + told).digest(min(size, total - at))
                mask = np.frombuffer(stream, dtype=np.uint8)
            some = np.frombuffer(piece[begin : begin + size - inside], dtype=np.uint8)
            yield (some ^ mask[inside : inside + some.size]).tobytes()
            begin += some.size
            at += some.size
