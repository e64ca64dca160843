"""Taking the trace of a release: canonical values, hashed, and put under the key of the ledger."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import numpy as np
import polars as pl

from shoal.kernels.hashing import mix_column, siphash
from shoal.ledger._canonical import canonical_texts
from shoal.ledger._trace import Shown, Trace
from shoal.table import Cells, Grouping, Table, hash_rows
from shoal.typing import BoolArray, IntArray


def trace_release(
    table: Table,
    grouping: Grouping,
    key: bytes,
    *,
    k: int = 0,
    alignment: str = "",
    published: Mapping[str, pl.Series] | None = None,
) -> Trace:
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
    alignment : str
        What lets whoever has two releases align their people; empty if nothing does.
    published : mapping of str to polars.Series, optional
        What each row publishes of its quasi-identifiers, if rows of a crowd read alike.
    """
    kept = grouping.labels >= 0
    cells = _coded(table.cells, table.column_names)
    hashes, boxes = table.row_hash()[kept], np.zeros(0, dtype=np.uint64)
    if published:
        told = hash_rows(pl.DataFrame([published[name].alias(name) for name in sorted(published)]))
        boxes = np.zeros(grouping.n_groups, dtype=np.uint64)
        boxes[grouping.labels[kept]] = told[kept]
    rows = keyed(hashes, key, b"row")
    known = _known([cells[name] for name in table.roles.quasi_identifiers], table.n_rows)
    return Trace(
        rows=rows,
        people=_people(table, key, kept, rows),
        groups=grouping.labels[kept].astype(np.int32),
        shown={name: cells[name].shown(grouping, known, key) for name in published_columns(table)},
        k=k,
        identity="\x1f".join(_naming(table)),
        canonical=keyed(_canonical(cells, table.n_rows)[kept], key, b"canonical"),
        known=keyed(known[kept], key, b"known"),
        quasi=table.roles.quasi_identifiers,
        alignment=alignment,
        boxes=keyed(boxes, key, b"box"),
    )


def canonical_marks(
    frame: pl.DataFrame, missing: Sequence[str], quasi: Sequence[str]
) -> tuple[IntArray, IntArray]:
    """Hash all cells of each row, and its quasi-identifiers, as `trace_release` does; no key yet.

    34 and 34.0 are one number, and columns may stand in any order.

    >>> one, other = pl.DataFrame({"a": [34], "b": ["x"]}), pl.DataFrame({"b": ["X "], "a": [34.0]})
    >>> canonical_marks(one, (), "a") == canonical_marks(other, (), "a")
    True
    """
    cells = Cells(frame, tuple(missing))
    coded = _coded(cells, frame.columns)
    known = _known([coded[name] for name in quasi], frame.height)
    return _canonical(coded, frame.height), known


def trace_crowds(
    rows: IntArray,
    crowds: IntArray,
    shown: Mapping[str, Sequence[tuple[int, str]]],
    key: bytes,
    *,
    k: int = 0,
    canonical: IntArray | None = None,
    known: IntArray | None = None,
    quasi: Sequence[str] = (),
) -> Trace:
    """Take the trace of a release whose table is elsewhere.

    Parameters
    ----------
    rows : uint64 array
        `Table.row_hash` of the released rows.
    canonical, known : uint64 arrays
        Their `canonical_marks`; none, if nobody computed them.
    quasi : sequence of str
        Names of the quasi-identifiers.
    crowds : IntArray
        Number of the crowd of each row, any whole number.
    shown : mapping of str to sequence of (int, str)
        For each published column which crowd shows which text; an empty one is missing.
    key, k
        As for `trace_release`.
    """
    numbers, groups = np.unique(crowds, return_inverse=True)
    hashes = keyed(rows, key, b"row")
    told = {}
    for name, pairs in shown.items():
        texts = canonical_texts(pl.Series([text for _, text in pairs], dtype=pl.String))
        where = np.searchsorted(numbers, np.array([crowd for crowd, _ in pairs], dtype=np.int64))
        values = keyed(_hash_texts(texts.replace("", None)), key, b"value")
        found = pl.DataFrame({"crowd": where, "value": values}).unique(maintain_order=True)
        pairs_once = (found["crowd"].to_numpy(), found["value"].to_numpy())
        told[name] = Shown(*_by_crowd(*pairs_once, numbers.size))
    marks: dict[str, Any] = {
        name: keyed(found, key, name.encode())
        for name, found in (("canonical", canonical), ("known", known))
        if found is not None
    }
    return Trace(hashes, hashes, groups.astype(np.int32), told, k, quasi=tuple(quasi), **marks)


@dataclass(frozen=True, eq=False)
class Marks:
    """What traces know some people by: hashes of who they are, and of their rows."""

    people: IntArray
    rows: IntArray


def marks_of(table: Table, column: str, keys: Sequence[str], key: bytes) -> Marks:
    """Find the people whose column holds one of the keys."""
    theirs = table.text(column).is_in(list(keys)).fill_null(False).to_numpy()
    texts = canonical_texts(pl.Series(list(keys), dtype=pl.String)).to_list()
    hashes = [person_hash([text], key) for text in texts]
    rows = keyed(table.row_hash()[theirs], key, b"row")
    return Marks(np.array(hashes, dtype=np.uint64), rows)


def published_columns(table: Table) -> list[str]:
    """Columns published as they are, sensitive or not: all but quasi-identifiers and names."""
    away = {*table.roles.dropped, *table.roles.quasi_identifiers}
    return [name for name in table.column_names if name not in away]


def person_hash(texts: Sequence[str], key: bytes) -> int:
    """Keyed hash of a person by the texts that name them."""
    content = b"".join(_framed(text.encode("utf-8", "surrogatepass")) for text in texts)
    hashed = blake2b(content, digest_size=8, key=key, person=b"person")
    return int.from_bytes(hashed.digest(), "little")


def keyed(numbers: IntArray, key: bytes, purpose: bytes) -> IntArray:
    """Keyed hash of each number, of 64 bits."""
    return siphash(numbers, blake2b(purpose, digest_size=16, key=key, person=b"siphash").digest())


def keyed_name(name: str, key: bytes) -> str:
    """Keyed digest of a name."""
    content = name.encode("utf-8", "surrogatepass")
    return blake2b(content, digest_size=8, key=key, person=b"column").hexdigest()


def keyed_names(names: Iterable[str], key: bytes) -> str:
    """Keyed digest of some names, in any order.

    >>> keyed_names(["age", "zip"], b"key") == keyed_names(["zip", "age"], b"key")
    True
    """
    content = b"".join(_framed(name.encode("utf-8", "surrogatepass")) for name in sorted(names))
    return blake2b(content, digest_size=16, key=key, person=b"columns").hexdigest()


@dataclass(frozen=True, eq=False)
class _Coded:
    """A column as hashes of its canonical values, missing last, and which one each row has."""

    hashes: IntArray
    codes: IntArray

    def shown(self, grouping: Grouping, known: IntArray, key: bytes) -> Shown:
        kept = grouping.labels >= 0
        values, codes = np.unique(self.hashes, return_inverse=True)  # 34 and 34.0 are one
        codes = codes.reshape(-1)[self.codes[kept]]
        pairs = np.unique(grouping.labels[kept].astype(np.int64) * values.size + codes)
        crowds, places = np.divmod(pairs, values.size)
        marks = keyed(_mixed(known[kept], self.hashes[self.codes[kept]]), key, b"mark")
        return Shown(
            *_by_crowd(crowds, keyed(values, key, b"value")[places], grouping.n_groups),
            marks=marks.astype(np.uint32),
            mode=float(np.bincount(codes).max(initial=0) / max(1, codes.size)),
        )


def _coded(cells: Cells, names: Sequence[str]) -> dict[str, _Coded]:
    """Code columns by their canonical values."""
    found = [cells.distinct(name) for name in names]
    missing = pl.Series([None], dtype=pl.String)
    texts = [canonical_texts(distinct.texts).extend(missing).alias("text") for distinct in found]
    hashes = [hash_rows(text.to_frame()) for text in texts]
    codes = [distinct.codes for distinct in found]
    return {n: _Coded(h, c) for n, h, c in zip(names, hashes, codes, strict=True)}


def _canonical(cells: Mapping[str, _Coded], n_rows: int) -> IntArray:
    """Hash of each row, its columns sorted by name."""
    rows = np.zeros(n_rows, dtype=np.uint64)
    for name in sorted(cells):
        mix_column(rows, cells[name].hashes, cells[name].codes)
    return rows


def _known(columns: Sequence[_Coded], n_rows: int) -> IntArray:
    """Hash of the quasi-identifiers of each row: a sum, whatever their names and order."""
    known = np.zeros(n_rows, dtype=np.uint64)
    for column in columns:
        known += column.hashes[column.codes]
    return known


def _mixed(rows: IntArray, hashes: IntArray) -> IntArray:
    mixed: IntArray = rows.copy()
    mix_column(mixed, hashes, np.arange(hashes.size, dtype=np.int32))
    return mixed


def _hash_texts(texts: pl.Series) -> IntArray:
    return hash_rows(pl.DataFrame([texts.alias("text")]))


def _people(table: Table, key: bytes, kept: BoolArray, rows: IntArray) -> IntArray:
    """Hash who is behind each row: by the person column, the identifiers, or the row itself."""
    names = _naming(table)
    if not names:
        return rows
    columns = [canonical_texts(table.text(name)).fill_null("").to_list() for name in names]
    texts = list(zip(*columns, strict=True))
    known: dict[tuple[str, ...], int] = {}
    hashes = [
        known[text] if text in known else known.setdefault(text, person_hash(text, key))
        for text in texts
    ]
    return np.array(hashes, dtype=np.uint64)[kept]


def _naming(table: Table) -> list[str]:
    """Columns that tell people apart: the person column, or else the identifiers."""
    return [table.roles.person] if table.roles.person else sorted(table.roles.identifiers)


def _by_crowd(crowds: IntArray, values: IntArray, n_crowds: int) -> tuple[IntArray, IntArray]:
    """Lay out values crowd by crowd, and tell where each crowd begins."""
    order = np.argsort(crowds, kind="stable")
    counts = np.bincount(crowds, minlength=n_crowds)
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return starts, values[order]


def _framed(piece: bytes) -> bytes:
    return len(piece).to_bytes(8, "little") + piece
