"""The right to be forgotten: people leave the table, its copies, journals and the ledger."""

from __future__ import annotations

import csv
import gzip
import io
import os
import secrets
import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any

import polars as pl

from shoal._home import home
from shoal.exceptions import InputError, OutputError, ShoalError, UnknownColumnError
from shoal.ledger._ledger import Ledger
from shoal.ledger._session_journals import Gone, forget_in_journals
from shoal.table import Table, is_address, read_table
from shoal.typing import BoolArray

#: Files that come back without some of their rows.
REWRITTEN = (
    *(".csv", ".tsv", ".txt", ".gz"),
    *(".parquet", ".pq", ".arrow", ".feather", ".ndjson", ".jsonl"),
)
#: Files that hold tables, too, and more than rows: they are only read.
ONLY_READ = (
    *(".xlsx", ".xlsm", ".xlsb", ".ods", ".xls"),
    *(".sav", ".zsav", ".por", ".dta", ".sas7bdat", ".xpt"),
)


@dataclass(frozen=True)
class Forgotten:
    """What was forgotten, in numbers.

    Attributes
    ----------
    asked : int
        People who asked to be forgotten.
    people, rows : int
        Those who were found in the table, and their rows.
    copies : int
        Working copies of the table (of sessions and the web app) that they were removed from.
    only_read : bool
        Whether their rows are still in the table: a database, a workbook, a file of statistics.
    copies_left : int
        Working copies that hold them still, for the same reason.
    sessions, entries : int
        Sessions whose journals spoke of them, and the entries that no longer do.
    unreadable : int
        Journals of sessions that could not be searched: damaged, or from before entries could be
        redacted.
    releases : mapping of str to int
        Releases that contained them, by id, and how many of them each. What was handed out
        cannot be called back; whoever received it must be told.
    """

    asked: int
    people: int
    rows: int
    copies: int = 0
    only_read: bool = False
    copies_left: int = 0
    sessions: int = 0
    entries: int = 0
    unreadable: int = 0
    releases: dict[str, int] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers as plain JSON values."""
        told = [{"release": name, "people": n} for name, n in self.releases.items()]
        return {**asdict(self), "not_found": self.asked - self.people, "releases": told}


def forget_people(
    path: str | PathLike[str],
    column: str,
    keys: Sequence[str],
    ledger: Ledger,
    *,
    journals: Sequence[str | PathLike[str]] = (),
    table: str | None = None,
    query: str | None = None,
) -> Forgotten:
    """Remove people from a table, its working copies, the journals of sessions and the ledger.

    Files are replaced in one step each by ones that hold every other row as it was. The ledger
    forgets their hashes and keeps their number, so that the next release cannot differ from an
    earlier one by so few. The table itself comes last: cut off anywhere, the same call again finds
    them there and completes what is left. Databases, workbooks and files of statistics are only
    read: whoever keeps them deletes the rows there.

    Parameters
    ----------
    path : path or address
        The table: a file, or a database.
    column : str
        The column that tells people apart.
    keys : sequence of str
        Whom to forget, as the column names them.
    ledger : Ledger
        The ledger of this house.
    journals : sequence of paths
        Journals of sessions that are kept elsewhere than in the private folder of this user.
    table, query : str, optional
        What to read of a database.
    """
    wanted = list(dict.fromkeys(key for key in keys if key))
    read = read_table(path, table=table, query=query)
    if column not in read.column_names:
        raise UnknownColumnError.among(column, read.column_names)
    file = None if is_address(path) else Path(path)
    original = _Holding(file, read, _rows_of(read, column, wanted))
    if original.rewritten:
        original.left()  # what cannot be rewritten is refused before anybody is forgotten
    with ledger.forgetting(column, wanted):
        copies = [*_copies(file, column, wanted)]
        releases = _forget_releases(ledger, [original, *copies], column, wanted)
        seen = forget_in_journals([original.gone, *(c.gone for c in copies)], journals)
        for copy in copies:
            assert copy.path is not None  # it was found there
            _drop_release(copy.path.parent / "release")
            if copy.rewritten:
                _rewrite(copy)
        if original.rewritten:
            _rewrite(original)
        found = Forgotten(
            asked=len(wanted),
            people=original.people(column),
            rows=int(original.theirs.sum()),
            copies=sum(copy.rewritten for copy in copies),
            only_read=bool(original.theirs.any()) and not original.rewritten,
            copies_left=sum(not copy.rewritten for copy in copies),
            sessions=seen.sessions,
            entries=seen.entries,
            unreadable=seen.unreadable,
            releases=releases,
        )
        numbers = asdict(found)
        ledger.say("forgot", {n: v for n, v in numbers.items() if n != "releases"})
    return found


@dataclass(frozen=True, eq=False)
class _Holding:
    """A table, which of its rows are to leave, and the file it is in, if it is one."""

    path: Path | None
    table: Table
    theirs: BoolArray

    @property
    def rewritten(self) -> bool:
        """Whether the file is one that comes back without them."""
        endings = self.path is not None and self.path.suffix.lower() in REWRITTEN
        return endings and bool(self.theirs.any())

    @property
    def gone(self) -> Gone:
        return Gone(self.table, self.table.take(~self.theirs), self.theirs)

    def people(self, column: str) -> int:
        texts = self.table.text(column).filter(pl.Series(self.theirs))
        return int(texts.n_unique()) if len(texts) else 0

    def left(self) -> bytes:
        """Return the file as it will be, every other row as it was."""
        assert self.path is not None
        return _content(self.path, self.table, ~self.theirs)


def _holding(path: Path, column: str, keys: Sequence[str]) -> _Holding | None:
    """Find people in a file; None if it has no such column."""
    table = read_table(path)
    if column not in table.column_names:
        return None
    return _Holding(path, table, _rows_of(table, column, keys))


def _forget_releases(
    ledger: Ledger, holdings: Sequence[_Holding], column: str, keys: Sequence[str]
) -> dict[str, int]:
    """Let the ledger forget them by who they are, and by their rows in every copy."""
    found: Counter[str] = Counter()
    for holding in holdings:
        found.update(ledger.forget(holding.table, column, keys))
    return dict(found)


def _rows_of(table: Table, column: str, keys: Sequence[str]) -> BoolArray:
    found: BoolArray = table.text(column).is_in(list(keys)).fill_null(False).to_numpy()
    return found


def _copies(original: Path | None, column: str, keys: Sequence[str]) -> Iterator[_Holding]:
    """Files under the private folder that are tables and hold such people."""
    for path in sorted(home().rglob("*")):
        released = (path.parent / "manifest.json").exists()
        ending = path.suffix.lower() in (*REWRITTEN, *ONLY_READ)
        mine = ending and path.is_file() and not released
        if mine and not (original and path.samefile(original)):
            holding = None
            with suppress(ShoalError):  # no table: a ladder, a log
                holding = _holding(path, column, keys)
            if holding is not None and holding.theirs.any():
                yield holding


def _drop_release(folder: Path) -> None:
    """Throw away a release that lies ready beside a working copy: they are still in it."""
    if (folder / "manifest.json").is_file():
        shutil.rmtree(folder, ignore_errors=True)


def _rewrite(holding: _Holding) -> None:
    """Put a file with the kept rows in the place of the old one, in one step."""
    path = holding.path
    assert path is not None
    draft = path.with_name(f".{secrets.token_hex(8)}{path.name}")  # same ending, same format
    try:
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, path.stat().st_mode & 0o777)
        with os.fdopen(handle, "wb") as file:
            file.write(holding.left())
            file.flush()
            os.fsync(file.fileno())
        _check(draft, holding.table, ~holding.theirs)
        draft.replace(path)
    except OSError as error:
        raise OutputError(
            f"{path.name!r} could not be rewritten: {error.strerror}.",
            hint="Nobody was removed from it.",
        ) from None
    finally:
        draft.unlink(missing_ok=True)


def _content(path: Path, table: Table, kept: BoolArray) -> bytes:
    ending = path.suffix.lower()
    if ending in (".parquet", ".pq", ".arrow", ".feather"):
        packed, frame = io.BytesIO(), table.frame.filter(pl.Series(kept))
        (frame.write_parquet if ending in (".parquet", ".pq") else frame.write_ipc)(packed)
        return packed.getvalue()
    data = path.read_bytes()
    if ending in (".ndjson", ".jsonl"):
        return _left_of([line for line in data.splitlines(keepends=True) if line.strip()], kept)
    if ending == ".gz":
        return gzip.compress(_lines_of(gzip.decompress(data), kept))
    return _lines_of(data, kept)


def _lines_of(data: bytes, kept: BoolArray) -> bytes:
    """Leave out records of a CSV and copy all others byte for byte."""
    text = data.decode("latin-1")  # every byte is a letter: whatever the encoding, it comes back
    lines = list(io.StringIO(text, newline=""))  # at line ends only, and with them
    delimiter = _delimiter(lines[0]) if lines else ","
    reader = csv.reader(lines, delimiter=delimiter)
    records, begin = [], 0
    for cells in reader:
        if cells:
            records.append("".join(lines[begin : reader.line_num]))
        begin = reader.line_num
    header, *rest = (record.encode("latin-1") for record in records)
    return header + _left_of(rest, kept)


def _left_of(records: Sequence[bytes], kept: BoolArray) -> bytes:
    if len(records) != kept.size:
        raise InputError(
            "The rows of the file cannot be told apart.", hint="Write it as UTF-8 CSV."
        )
    return b"".join(record for record, keep in zip(records, kept.tolist(), strict=True) if keep)


def _delimiter(header: str) -> str:
    return max(",;\t|", key=header.count)


def _check(draft: Path, table: Table, kept: BoolArray) -> None:
    """Read the new file back: it must hold every other row as it was, and nobody else."""
    again = read_table(draft) if kept.any() else None
    expected = table.frame.filter(pl.Series(kept))
    if again is not None and not again.frame.equals(expected, null_equal=True):
        raise InputError(
            "The file cannot be rewritten without changing other rows.",
            hint="Write the table as UTF-8 CSV with commas, then forget again.",
        )
