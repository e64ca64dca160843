"""Taking the trace of a release: canonical values, hashed, and put under the key of the ledger."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from hashlib import blake2b
from typing import Any, TypeAlias

import numpy as np
import polars as pl

from shoal.kernels.blake2 import hash_framed
from shoal.kernels.hashing import mix_column, siphash
from shoal.ledger._trace import Shown, Trace, sorted_once
from shoal.table import Cells, Grouping, Table, hash_rows, text_buffers
from shoal.typing import BoolArray, IntArray

NUMBER = r"^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]{1,5})?$"
NUMBER_LIKE = r"^[+-]?[0-9.,]+(?:e[+-]?[0-9]+)?$"  # whatever may be a number
WHOLE = r"^(?:0|-?[1-9][0-9]*)$"  # is its own canonical text
MOMENT = r"^([0-9]{4}-[0-9]{2}-[0-9]{2})[t ]([0-9]{2}:[0-9]{2}.*)$"
# whatever may be a date, or a moment:
DATED = r"^(?:[0-9]{1,2}\.[0-9]{1,2}\.[0-9]{4}$|[0-9]{4}[-/]|.{10}t[0-9:])"
COMMA = r"^[+-]?(?:[0-9]+,(?:[0-9]{1,2}|[0-9]{4,})|0,[0-9]+)$"
THOUSANDS_BY_POINTS = r"^[+-]?[1-9][0-9]{0,2}(?:\.[0-9]{3})+,[0-9]+$"
THOUSANDS_BY_COMMAS = r"^[+-]?[1-9][0-9]{0,2}(?:,[0-9]{3})+\.[0-9]+$"
OTHER_LETTERS = r"[^\x00-\x7f]"
UNSEEN = "[\u00ad\u200b-\u200d\u2060\ufeff]"  # nothing that a reader would see
_ROWS_AT_ONCE = 1_000_000  # rows whose names are written out at a time
MANY = 5_000  # rows from which on a kernel hashes people; of fewer, compiling it takes longer
_KEYED = b"siphash"  # what a key is derived for
LONGEST = 999  # digits that are written out, as somebody else may have done


def trace_release(
    table: Table,
    grouping: Grouping,
    key: bytes,
    *,
    k: int = 0,
    alignment: str = "",
    published: Callable[[IntArray], pl.DataFrame] | None = None,
    people: bool = True,
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
    published : callable, optional
        Writes out what some rows publish of their quasi-identifiers, if rows of a crowd read alike.
    people : bool
        Whether to tell who is in the crowds, or only what they show.
    """
    away = {*table.roles.dropped, *table.roles.quasi_identifiers}
    as_they_are = [name for name in table.column_names if name not in away]
    naming = [table.roles.person] if table.roles.person else sorted(table.roles.identifiers)
    quasi = table.roles.quasi_identifiers
    cells = _coded(table.cells, table.column_names if people else as_they_are)
    named = _people(table, naming, cells, key) if naming and people else None
    for name in [*cells]:
        cells[name] = replace(cells[name], texts=NO_TEXTS)  # they were told, and may be many
    kept = grouping.labels >= 0
    of: Rows = slice(None) if kept.all() else kept  # no copies of all rows
    boxes: IntArray = np.zeros(0, dtype=np.uint64)
    if published is not None:
        somebody = np.zeros(grouping.n_groups, dtype=np.int64)
        somebody[grouping.labels[kept]] = np.flatnonzero(kept)
        told = published(somebody)
        boxes = hash_rows(told.select(sorted(told.columns)))
    nobody = np.zeros(0, dtype=np.uint64)
    hashes = dict.fromkeys(("rows", "canonical", "known", "rest"), nobody) | {"boxes": boxes}
    if people:
        canonical, known = _row_marks(cells, quasi, table.n_rows)
        hashes |= {"rows": table.row_hash()[of], "canonical": canonical[of], "known": known[of]}
        del canonical, known
    if named is not None:
        other = {name: cells[name] for name in cells if name not in quasi}
        hashes["rest"] = _row_marks(other, (), table.n_rows)[0][of]
    about = hashes["known"] if people else None
    seen = grouping if kept.all() else Grouping(grouping.labels[kept])
    shown = ((name, cells[name].shown(seen, of, about)) for name in as_they_are)
    return _under_key(
        hashes,
        shown,
        key,
        people=None if named is None else named[of],
        groups=seen.labels.astype(np.int32),
        k=k,
        identity="\x1f".join(naming),
        quasi=quasi,
        alignment=alignment,
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
    return _row_marks(_coded(cells, frame.columns), quasi, frame.height)


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
    told = {}
    for name, pairs in shown.items():
        texts = canonical_texts(pl.Series([text for _, text in pairs], dtype=pl.String))
        where = np.searchsorted(numbers, np.array([crowd for crowd, _ in pairs], dtype=np.int64))
        values = hash_rows(texts.replace("", None).to_frame())
        found = pl.DataFrame({"crowd": where, "value": values}).unique(maintain_order=True)
        pairs_once = (found["crowd"].to_numpy(), found["value"].to_numpy())
        told[name] = Shown(*_by_crowd(*pairs_once, numbers.size))
    nobody = np.zeros(0, dtype=np.uint64)
    hashes = dict.fromkeys(("canonical", "known", "boxes"), nobody) | {"rows": rows}
    some = {"canonical": canonical, "known": known}
    hashes |= {name: found for name, found in some.items() if found is not None}
    crowd = groups.astype(np.int32)
    return _under_key(hashes, told.items(), key, groups=crowd, k=k, quasi=tuple(quasi))


Rows: TypeAlias = BoolArray | slice
NO_TEXTS = pl.Series(dtype=pl.String)
_PURPOSES = {
    "rows": b"row",
    "canonical": b"canonical",
    "known": b"known",
    "boxes": b"box",
    "rest": b"rest",
}


def _under_key(
    hashes: dict[str, IntArray],
    shown: Iterable[tuple[str, Shown]],
    key: bytes,
    *,
    people: IntArray | None = None,
    **told: Any,
) -> Trace:
    """Put every hash of a trace under the key, one after the other: of a large table they are many.

    Whoever is named is under it already; ``hashes`` are used up.
    """
    purposes = (*_PURPOSES.values(), b"value", b"mark")
    keys = {
        purpose: blake2b(purpose, digest_size=16, key=key, person=_KEYED).digest()
        for purpose in purposes
    }
    marked = {
        name: replace(
            column,
            values=siphash(column.values, keys[b"value"]),
            marks=siphash(column.marks, keys[b"mark"]).astype(np.uint32),
        )
        for name, column in shown
    }
    told |= {name: siphash(hashes.pop(name), keys[_PURPOSES[name]]) for name in [*hashes]}
    return Trace(people=told["rows"] if people is None else people, shown=marked, **told)


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


def person_hash(texts: Sequence[str], key: bytes) -> int:
    """Keyed hash of a person by the texts that name them."""
    content = b"".join(_framed(text.encode("utf-8", "surrogatepass")) for text in texts)
    hashed = blake2b(content, digest_size=8, key=key, person=b"person")
    return int.from_bytes(hashed.digest(), "little")


def keyed(numbers: IntArray, key: bytes, purpose: bytes) -> IntArray:
    """Keyed hash of each number, of 64 bits."""
    return siphash(numbers, blake2b(purpose, digest_size=16, key=key, person=_KEYED).digest())


def keyed_names(names: Sequence[str], key: bytes) -> tuple[str, tuple[str, ...]]:
    """Keyed digest of some names, in any order, and that of each of them.

    >>> keyed_names(["age", "zip"], b"key") == keyed_names(["zip", "age"], b"key")
    True
    """
    texts = [name.encode("utf-8", "surrogatepass") for name in sorted(names)]
    all_of_them = b"".join(len(text).to_bytes(8, "little") + text for text in texts)
    each = [blake2b(text, digest_size=8, key=key, person=b"column").hexdigest() for text in texts]
    together = blake2b(all_of_them, digest_size=16, key=key, person=b"columns")
    return together.hexdigest(), tuple(sorted(each))


@dataclass(frozen=True, eq=False)
class _Coded:
    """A column as hashes of its canonical values, missing last, and which one each row has."""

    hashes: IntArray
    codes: IntArray
    texts: pl.Series  # the canonical values

    def shown(self, grouping: Grouping, kept: Rows, known: IntArray | None) -> Shown:
        """Tell what crowds of the rows that are kept show; ``known`` is what else marks them."""
        values, codes = np.unique(self.hashes, return_inverse=True)  # 34 and 34.0 are one
        codes = codes.reshape(-1).astype(np.min_scalar_type(values.size))[self.codes[kept]]
        pairs = grouping.labels * values.size
        pairs += codes
        pairs = sorted_once(pairs)
        ends = np.cumsum(np.bincount(pairs // values.size, minlength=grouping.n_groups))
        pairs %= values.size  # what each crowd shows, in place: there may be as many as rows
        marks = np.zeros(0, dtype=np.uint64) if known is None else known.copy()
        if known is not None:
            mix_column(marks, self.hashes, self.codes[kept].astype(np.int32, copy=False))
        return Shown(
            np.concatenate([[0], ends]).astype(np.int64),
            values[pairs],
            marks=marks,
            mode=float(np.bincount(codes).max(initial=0) / max(1, codes.size)),
        )


def _coded(cells: Cells, names: Sequence[str]) -> dict[str, _Coded]:
    """Code columns by their canonical values."""
    found = {name: cells.distinct(name) for name in names}
    missing = pl.Series([None], dtype=pl.String)
    texts = {name: canonical_texts(found[name].texts).extend(missing) for name in names}
    ends = np.cumsum([len(told) for told in texts.values()])
    hashes = hash_rows(pl.concat([*texts.values(), missing]).to_frame())  # of all columns at once
    each = dict(zip(names, np.split(hashes, ends), strict=False))  # a last part is of no column
    return {name: _Coded(each[name], found[name].codes, texts[name]) for name in names}


def _row_marks(
    cells: Mapping[str, _Coded], quasi: Sequence[str], n_rows: int
) -> tuple[IntArray, IntArray]:
    """Hash each row, its columns sorted by name, and its quasi-identifiers: whatever their names.

    These are a sum, so that their order plays no part either.
    """
    rows, known = np.zeros(n_rows, dtype=np.uint64), np.zeros(n_rows, dtype=np.uint64)
    for name in sorted(cells):
        codes = cells[name].codes.astype(np.int32, copy=False)  # for kernels, one type of them
        mix_column(rows, cells[name].hashes, codes)
    for name in quasi:
        known += cells[name].hashes[cells[name].codes]
    return rows, known


def _people(
    table: Table, names: Sequence[str], cells: Mapping[str, _Coded], key: bytes
) -> IntArray:
    """Hash who is behind each row: the person column, or else the identifiers."""
    named = [(cells[name].codes, cells[name].texts) for name in names]
    if len(names) == 1:  # somebody with many rows is hashed once
        ((codes, texts),) = named
        return person_hashes([texts.fill_null("")], key)[codes]
    told: IntArray = np.zeros(table.n_rows, dtype=np.uint64)
    for begin in range(0, table.n_rows, _ROWS_AT_ONCE):
        rows = slice(begin, begin + _ROWS_AT_ONCE)
        some = [texts.gather(pl.Series(codes[rows])).fill_null("") for codes, texts in named]
        told[rows] = person_hashes(some, key)
    return told


def person_hashes(columns: Sequence[pl.Series], key: bytes) -> IntArray:
    """`person_hash` of each row of texts.

    >>> names = [pl.Series(["ann", "bob"]), pl.Series(["1", ""])]
    >>> person_hashes(names, b"key").tolist() == [
    ...     person_hash(["ann", "1"], b"key"), person_hash(["bob", ""], b"key")
    ... ]
    True
    """
    if len(columns[0]) < MANY:
        return np.array([person_hash(row, key) for row in zip(*columns, strict=True)], np.uint64)
    return hash_framed([text_buffers(column) for column in columns], key, b"person")


def _by_crowd(crowds: IntArray, values: IntArray, n_crowds: int) -> tuple[IntArray, IntArray]:
    """Lay out values crowd by crowd, and tell where each crowd begins."""
    order = np.argsort(crowds, kind="stable")
    counts = np.bincount(crowds, minlength=n_crowds)
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return starts, values[order]


def _framed(piece: bytes) -> bytes:
    return len(piece).to_bytes(8, "little") + piece


def canonical_texts(texts: pl.Series) -> pl.Series:
    """Write numbers and dates in one way; other texts without blanks around them, in small letters.

    Each text is read alone, never by what its column holds: what a value is called must not depend
    on who else is in the table. So days and months that can be read in two ways stay as they are.

    >>> canonical_texts(pl.Series(["34.0", "+34", "3.4e1", "34,00", "-0", "007", " Flu"])).to_list()
    ['34', '34', '34', '34', '0', '7', 'flu']
    >>> canonical_texts(pl.Series(["1.234,5", "1,234.50", "1,234", "Ko\u0308ln"])).to_list()
    ['1234.5', '1234.5', '1,234', 'köln']
    >>> canonical_texts(pl.Series(["2020-01-31 00:00:00", "31.1.2020", "2020/1/31"])).to_list()
    ['2020-01-31', '2020-01-31', '2020-01-31']
    """
    if texts.str.contains(OTHER_LETTERS).any():  # some systems write letters and their marks apart
        texts = texts.str.normalize("NFKC").str.replace_all(UNSEEN, "")
    plain = texts.str.strip_chars().str.to_lowercase()
    for pattern, rewrite in ((NUMBER_LIKE, _numbers), (DATED, _dates)):
        places = plain.str.contains(pattern).fill_null(False).arg_true()
        if len(places):  # most texts are neither
            plain = plain.scatter(places, rewrite(plain.gather(places)))
    return plain


def _numbers(texts: pl.Series) -> pl.Series:
    """Write numbers without what says nothing: 34.0, +34 and 3.4e1 are 34.

    Decimal commas become points where they can be nothing else: 1,234 stays as it is.
    """
    commas = texts.str.contains(COMMA) | texts.str.contains(THOUSANDS_BY_POINTS)
    points = texts.str.contains(THOUSANDS_BY_COMMAS)
    by_comma = texts.str.replace_all(".", "", literal=True).str.replace(",", ".", literal=True)
    by_point = texts.str.replace_all(",", "", literal=True)
    plain = by_point.zip_with(points, by_comma.zip_with(commas, texts))
    numeric = plain.str.contains(NUMBER) & ~plain.str.contains(WHOLE)
    places = numeric.fill_null(False).arg_true()
    if len(places):
        told = [_number(text) for text in plain.gather(places).to_list()]
        plain = plain.scatter(places, pl.Series(told, dtype=pl.String))
    return plain


def _number(text: str) -> str:
    value = Decimal(text).normalize()
    if not value:
        return "0"
    return f"{value:f}" if abs(value.adjusted()) <= LONGEST else str(value).lower()


def _dates(texts: pl.Series) -> pl.Series:
    """Write dates as ISO does, and a timestamp at midnight as its date."""
    days = texts.str.replace(r"^([0-9]{1,2})\.([0-9]{1,2})\.([0-9]{4})$", "${3}-${2}-${1}")
    days = days.str.replace(r"^([0-9]{4})/([0-9]{1,2})/([0-9]{1,2})$", "${1}-${2}-${3}")
    days = days.str.replace(r"^([0-9]{4})-([0-9])-([0-9]{1,2})$", "${1}-0${2}-${3}")
    days = days.str.replace(r"^([0-9]{4}-[0-9]{2})-([0-9])$", "${1}-0${2}")
    times = days.str.replace(MOMENT, "${1}t${2}")
    times = times.str.replace(r"^(.{10}t[0-9:]{5,8}(?:\.[0-9]+)?)(?:z|\+00:?00)$", "${1}")
    times = times.str.replace(r"^(.{10}t[0-9:]{8})\.0+$", "${1}")
    return times.str.replace(r"^([0-9]{4}-[0-9]{2}-[0-9]{2})t00:00(?::00)?$", "${1}")
