"""The trace of a release: who was in which crowd and what the crowd shows, all under a key.

Nothing in a trace is a value: people are keyed hashes of their rows, sensitive values are keyed
hashes of their texts. Without the key a trace cannot be compared with anything; with it, two
traces tell which people two releases share and which sensitive values remain possible for each.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import blake2b, sha256

import numpy as np

from shoal.exceptions import InputError
from shoal.table import Grouping, Table
from shoal.typing import BoolArray, IntArray


@dataclass(frozen=True, eq=False)
class Trace:
    """Who was in which crowd of a release, and what each crowd shows.

    Attributes
    ----------
    rows : uint64 array
        Keyed hash of each released row as it was in the table.
    people : uint64 array
        Keyed hash of the person behind it: the person column, else the identifiers, else the row.
    groups : int32 array
        The crowd of each row.
    secrets : mapping of str to tuple of arrays
        For each sensitive column where the values of each crowd begin, and their keyed hashes.
    k : int
        The k of the release; 0 if it promised none.
    lost : int32 array
        How many people of each crowd have been forgotten since.
    identity : str
        The columns that tell people apart, empty if rows do: only people told apart alike can be
        compared.
    """

    rows: IntArray
    people: IntArray
    groups: IntArray
    secrets: Mapping[str, tuple[IntArray, IntArray]] = field(default_factory=dict)
    k: int = 0
    lost: IntArray = field(default_factory=lambda: np.zeros(0, dtype=np.int32))
    identity: str = ""

    @property
    def n_groups(self) -> int:
        """Number of crowds."""
        return int(max(self.groups.max(initial=-1) + 1, self.lost.size))

    @property
    def forgotten(self) -> int:
        """People who were in it and have been forgotten since."""
        return int(self.lost.sum())

    def candidates(self, column: str) -> list[frozenset[int]]:
        """Values that each crowd shows in a sensitive column, as keyed hashes."""
        starts, values = self.secrets[column]
        return [
            frozenset(values[begin:end].tolist())
            for begin, end in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)
        ]

    def ids(self, other: Trace) -> tuple[IntArray, IntArray]:
        """What to compare people of two releases by: who they are, or else their rows."""
        named = self.identity == other.identity != ""
        if named and self._once and other._once:
            return self.people, other.people
        return self.rows, other.rows

    @cached_property
    def _once(self) -> bool:
        """Whether everybody has one row."""
        return bool(np.unique(self.people).size == self.people.size)

    def without(self, people: IntArray, rows: IntArray) -> Trace:
        """Forget people, known by their own hashes or those of their rows; the number stays."""
        gone = np.isin(self.people, people) | np.isin(self.rows, rows)
        if not gone.any():
            return self
        names, first = np.unique(self.people[gone], return_index=True)
        lost = np.bincount(self.groups[gone][first], minlength=self.n_groups)
        lost[: self.lost.size] += self.lost
        kept: BoolArray = ~np.isin(self.people, names)
        return replace(
            self,
            rows=self.rows[kept],
            people=self.people[kept],
            groups=self.groups[kept],
            lost=lost.astype(np.int32),
        )

    def to_bytes(self) -> bytes:
        """Pack the trace, the same bytes for the same trace."""
        names = list(self.secrets)
        arrays: dict[str, IntArray] = {
            "rows": self.rows,
            "people": self.people,
            "groups": self.groups,
            "lost": self.lost,
            "numbers": np.array([self.k], dtype=np.int64),
            "names": np.frombuffer("\0".join([self.identity, *names]).encode(), dtype=np.uint8),
        }
        for number, name in enumerate(names):
            arrays[f"starts{number}"], arrays[f"values{number}"] = self.secrets[name]
        packed = io.BytesIO()
        for name, array in arrays.items():
            np.save(packed, np.array([len(name.encode())]), allow_pickle=False)
            packed.write(name.encode())
            np.save(packed, array, allow_pickle=False)
        return packed.getvalue()

    @classmethod
    def from_bytes(cls, data: bytes) -> Trace:
        """Unpack a trace."""
        try:
            arrays = dict(_unpack(io.BytesIO(data), len(data)))
            identity, *names = arrays["names"].tobytes().decode().split("\0")
            (k,) = arrays["numbers"].tolist()
            secrets = {
                name: (arrays[f"starts{number}"], arrays[f"values{number}"])
                for number, name in enumerate(names)
            }
            plain = (arrays["rows"], arrays["people"], arrays["groups"])
            return cls(*plain, secrets, k, arrays["lost"], identity)
        except (KeyError, ValueError, EOFError, OSError):
            raise InputError("A trace in the ledger is damaged.") from None


def trace_release(table: Table, grouping: Grouping, key: bytes, *, k: int = 0) -> Trace:
    """Take the trace of a release from the table and the crowds it was published in.

    Parameters
    ----------
    table : Table
        The table as it was.
    grouping : Grouping
        Who looks alike in what is published; rows left out are in no group.
    key : bytes
        The key of the ledger.
    k : int
        The k promised; 0 if none.
    """
    kept = grouping.labels >= 0
    rows = keyed(table.row_hash()[kept].astype("<u8"), key, b"row")
    return Trace(
        rows=rows,
        people=_people(table, key, kept, rows),
        groups=grouping.labels[kept].astype(np.int32),
        secrets={name: _values(table, grouping, name, key) for name in secret_columns(table)},
        k=k,
        identity="\x1f".join(_naming(table)),
    )


def trace_crowds(
    rows: IntArray,
    crowds: IntArray,
    shown: Mapping[str, Sequence[tuple[int, str]]],
    key: bytes,
    *,
    k: int = 0,
) -> Trace:
    """Take the trace of a release whose table is elsewhere.

    Parameters
    ----------
    rows : uint64 array
        `Table.row_hash` of the released rows.
    crowds : IntArray
        Number of the crowd of each row, any whole number.
    shown : mapping of str to sequence of (int, str)
        For each sensitive column which crowd shows which text; an empty one is missing.
    key, k
        As for `trace_release`.
    """
    numbers, groups = np.unique(crowds, return_inverse=True)
    hashes = keyed(rows.astype("<u8"), key, b"row")
    secrets = {}
    for name, pairs in shown.items():
        known = {text: _value_hash(name, text, key) for _, text in pairs}
        where = np.searchsorted(numbers, np.array([crowd for crowd, _ in pairs], dtype=np.int64))
        values = np.array([known[text] for _, text in pairs], dtype=np.uint64)
        secrets[name] = _by_crowd(where, values, numbers.size)
    return Trace(hashes, hashes, groups.astype(np.int32), secrets, k)


@dataclass(frozen=True, eq=False)
class Marks:
    """What traces know some people by: hashes of who they are, and of their rows."""

    people: IntArray
    rows: IntArray


def marks_of(table: Table, column: str, keys: Sequence[str], key: bytes) -> Marks:
    """Find the people whose column holds one of the keys."""
    theirs = table.text(column).is_in(list(keys)).fill_null(False).to_numpy()
    hashes = [person_hash([text], key) for text in keys]
    rows = keyed(table.row_hash()[theirs].astype("<u8"), key, b"row")
    return Marks(np.array(hashes, dtype=np.uint64), rows)


def secret_columns(table: Table) -> tuple[str, ...]:
    """Columns nobody should learn: the sensitive ones, or the target if there are none."""
    return table.roles.sensitive or tuple(filter(None, [table.roles.target]))


def person_hash(texts: Sequence[str], key: bytes) -> int:
    """Keyed hash of a person by the texts that name them."""
    content = b"".join(_framed(text.encode("utf-8", "surrogatepass")) for text in texts)
    return _digest(content, key, b"person")


def keyed(numbers: IntArray, key: bytes, purpose: bytes) -> IntArray:
    """Keyed hash of each number (BLAKE2b, 64 bits)."""
    content = numbers.tobytes()
    size = numbers.itemsize
    hashes = [
        _digest(content[begin : begin + size], key, purpose)
        for begin in range(0, len(content), size)
    ]
    return np.array(hashes, dtype=np.uint64)


def keyed_names(names: Iterable[str], key: bytes) -> str:
    """Keyed digest of some names, in any order.

    >>> keyed_names(["age", "zip"], b"key") == keyed_names(["zip", "age"], b"key")
    True
    """
    content = b"".join(_framed(name.encode("utf-8", "surrogatepass")) for name in sorted(names))
    return blake2b(content, digest_size=16, key=key, person=b"columns").hexdigest()


def digest(data: bytes) -> str:
    """SHA-256 of a packed trace."""
    return sha256(data).hexdigest()


def _people(table: Table, key: bytes, kept: BoolArray, rows: IntArray) -> IntArray:
    """Hash who is behind each row: by the person column, the identifiers, or the row itself."""
    names = _naming(table)
    if not names:
        return rows
    columns = [table.text(name).fill_null("").to_list() for name in names]
    texts = list(zip(*columns, strict=True))
    known: dict[tuple[str, ...], int] = {}
    hashes = [
        known[text] if text in known else known.setdefault(text, person_hash(text, key))
        for text in texts
    ]
    return np.array(hashes, dtype=np.uint64)[kept]


def _naming(table: Table) -> list[str]:
    """Columns that tell people apart: the person column, or else the identifiers."""
    return [table.roles.person] if table.roles.person else list(table.roles.identifiers)


def _values(table: Table, grouping: Grouping, name: str, key: bytes) -> tuple[IntArray, IntArray]:
    """Where the values of each crowd begin, and their keyed hashes."""
    distinct = table.cells.distinct(name)
    texts = [*distinct.texts.to_list(), ""]
    hashes = np.array([_value_hash(name, text, key) for text in texts], dtype=np.uint64)
    kept = grouping.labels >= 0
    pairs = np.unique(
        np.stack([grouping.labels[kept], distinct.codes[kept].astype(np.int64)]), axis=1
    )
    return _by_crowd(pairs[0], hashes[pairs[1]], grouping.n_groups)


def _by_crowd(crowds: IntArray, values: IntArray, n_crowds: int) -> tuple[IntArray, IntArray]:
    """Lay out values crowd by crowd, and tell where each crowd begins."""
    order = np.argsort(crowds, kind="stable")
    counts = np.bincount(crowds, minlength=n_crowds)
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return starts, values[order]


def _value_hash(column: str, text: str, key: bytes) -> int:
    return _digest(f"{column}\0{text}".encode("utf-8", "surrogatepass"), key, b"value")


def _digest(content: bytes, key: bytes, purpose: bytes) -> int:
    hashed = blake2b(content, digest_size=8, key=key, person=purpose)
    return int.from_bytes(hashed.digest(), "little")


def _framed(piece: bytes) -> bytes:
    return len(piece).to_bytes(8, "little") + piece


def _unpack(packed: io.BytesIO, size: int) -> Iterator[tuple[str, IntArray]]:
    while packed.tell() < size:
        length = int(np.load(packed, allow_pickle=False)[0])
        name = packed.read(length).decode()
        yield name, np.load(packed, allow_pickle=False)
