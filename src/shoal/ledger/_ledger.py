"""The ledger: every release of a table, and whether the next one may follow it."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from os import PathLike
from pathlib import Path
from secrets import token_hex
from typing import Any, Self

import numpy as np

from shoal._home import home, secret
from shoal._words import plural
from shoal.audit import ChainVerification, Journal, fingerprint
from shoal.exceptions import InputError, InvalidParameterError, OutputError, ReleaseRefusedError
from shoal.ledger._composition import Composition, compose, crowds_that_left
from shoal.ledger._recognition import meet
from shoal.ledger._trace import Trace, digest
from shoal.ledger._tracing import (
    keyed_names,
    marks_of,
    person_hash,
    trace_crowds,
    trace_release,
)
from shoal.table import Grouping, Table
from shoal.typing import IntArray

_FACTS = ("table", "columns", "engine", "rows", "groups", "k")
_TRACES = "CREATE TABLE IF NOT EXISTS traces (id TEXT PRIMARY KEY, trace BLOB NOT NULL)"
_FORGETTING = "CREATE TABLE IF NOT EXISTS forgetting (mark TEXT PRIMARY KEY) WITHOUT ROWID"
_AGAIN = "run 'shoal forget' again with the same table and keys"


def never() -> bool:
    """Tell that nothing stands unless its block ends well."""
    return False


@dataclass(frozen=True)
class Recorded:
    """A release in the ledger; nothing in it is about any person."""

    id: str
    time: str
    table: str
    rows: int
    groups: int
    k: int
    status: str
    forgotten: int = 0
    engine: str = "local"
    columns: str = ""
    traced: bool = True

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain JSON values."""
        return asdict(self)


@dataclass(frozen=True)
class Subject:
    """What a release was made from, as the ledger knows it.

    Attributes
    ----------
    table : str
        Keyed fingerprint of the whole table, whatever the order of its rows.
    columns : str
        Keyed digest of the names of its columns.
    engine : str
        What made the release.
    """

    table: str
    columns: str
    engine: str = "local"


class Ledger:
    """Every release of every table of this house, under a key; open it with `Ledger.open`.

    The journal says what happened, entry by entry, each chained to the one before; the traces say
    who was in which crowd, as keyed hashes. A release is entered before it is written and
    confirmed afterwards: what was written but not confirmed counts as released.

    Examples
    --------
    >>> import tempfile, polars as pl
    >>> from shoal.table import Roles, read_table
    >>> table = read_table(pl.DataFrame({"age": [1, 2, 3, 4], "ill": ["a", "b", "a", "b"]}),
    ...                    roles=Roles(quasi_identifiers="age", sensitive="ill"))
    >>> ledger = Ledger.open(tempfile.mkdtemp(), key=b"k" * 32)
    >>> with ledger.releasing(table, Grouping([0, 0, 1, 1]), k=2) as first:
    ...     pass  # write it here
    >>> again = ledger.score(table, Grouping([0, 1, 1, 0]), k=2)
    >>> again.holds, again.shrunk
    (True, 4)
    >>> with ledger.releasing(table, Grouping([0, 1, 0, 1]), k=2):
    ...     pass
    Traceback (most recent call last):
    shoal.exceptions.ReleaseRefusedError: Not released. Together with an earlier release of these
    people it leaves one possible sensitive value for 4 people more than before (in 'ill').
    """

    def __init__(self, journal: Journal, traces: sqlite3.Connection, key: bytes) -> None:
        self.journal = journal
        self._traces = traces
        self._key = key

    @classmethod
    def open(cls, folder: str | PathLike[str] | None = None, key: bytes | None = None) -> Self:
        """Open the ledger of this house (`SHOAL_HOME`), or one in a folder of its own."""
        place = home() if folder is None else Path(folder)
        known = secret("ledger") if key is None else key
        journal = Journal.open(place / "ledger.journal", known)
        path = place / "ledger.traces"
        try:
            if not path.exists():
                os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
            traces = sqlite3.connect(path, timeout=30, isolation_level=None)
            traces.execute("PRAGMA secure_delete = ON")  # what is forgotten leaves no bytes behind
            for statement in (_TRACES, _FORGETTING):
                traces.execute(statement)
        except (OSError, sqlite3.Error):
            journal.close()
            raise OutputError("The traces of the ledger cannot be opened.") from None
        return cls(journal, traces, known)

    def subject(self, table: Table) -> Subject:
        """Tell what of a table is entered with its release."""
        return Subject(fingerprint(table, self._key), keyed_names(table.column_names, self._key))

    def subject_elsewhere(self, content: str, names: Iterable[str], engine: str) -> Subject:
        """Tell it of a table that is not on this machine: ``content`` is any digest of its rows."""
        seen = keyed_names([engine, content, "table"], self._key)
        return Subject(seen, keyed_names(names, self._key), engine)

    def trace_elsewhere(
        self,
        rows: IntArray,
        crowds: IntArray,
        shown: Mapping[str, Sequence[tuple[int, str]]],
        *,
        k: int = 0,
    ) -> Trace:
        """Take the trace of a release whose table is not on this machine; see `trace_crowds`."""
        return trace_crowds(rows, crowds, shown, self._key, k=k)

    def trace(self, table: Table, grouping: Grouping, *, k: int = 0) -> Trace:
        """Take the trace of a release, to be entered later (`entering`)."""
        return trace_release(table, grouping, self._key, k=k)

    def score(self, table: Table, grouping: Grouping, *, k: int = 0) -> Composition:
        """Score a release that was not written yet against all earlier ones."""
        return self.weigh(self.trace(table, grouping, k=k))

    def weigh(self, trace: Trace) -> Composition:
        """Score a trace that was taken earlier (`trace`) against all releases."""
        return compose(trace, [old for _, old in self._all()])

    @contextmanager
    def releasing(
        self,
        table: Table,
        grouping: Grouping,
        *,
        k: int = 0,
        refuse: bool = True,
        stands: Callable[[], bool] = never,
    ) -> Iterator[Composition]:
        """Enter a release around the block that writes it; abandoned if the block fails.

        ``stands`` tells whether the release is there. If it is, the block may fail as it likes
        afterwards: what is on disk was released, and the journal says so.

        Raises
        ------
        ReleaseRefusedError
            If it gives away too much together with earlier releases, unless ``refuse`` is False.
        """
        trace = self.trace(table, grouping, k=k)
        with self.entering(table, trace, refuse=refuse, stands=stands) as found:
            yield found

    @contextmanager
    def entering(
        self,
        table: Table | Subject,
        trace: Trace,
        *,
        refuse: bool = True,
        stands: Callable[[], bool] = never,
    ) -> Iterator[Composition]:
        """Enter a release whose trace was taken when it was made, as `releasing` does."""
        subject = self.subject(table) if isinstance(table, Table) else table
        name, packed = token_hex(8), trace.to_bytes()
        with self._settled(name, stands):
            with self.journal.alone() as append:  # two written at once must know of each other
                found = replace(self.weigh(trace), unscored=self._untraced(subject))
                refused = refuse and not found.holds
                if refused:
                    append("refused", _numbers(found))
                else:
                    # first the trace: one that no entry speaks of is only a few bytes too many
                    self._traces.execute("INSERT INTO traces VALUES (?, ?)", (name, packed))
                    sizes = {"rows": int(trace.rows.size), "groups": trace.n_groups, "k": trace.k}
                    told = {**asdict(subject), **sizes, "trace": digest(packed)}
                    append("releasing", {"release": name, **told, **_numbers(found)})
            if refused:
                raise ReleaseRefusedError(f"Not released. {found.reason}", hint=found.advice)
            yield found

    @contextmanager
    def noting(
        self,
        subject: Subject,
        *,
        rows: int,
        groups: int,
        k: int = 0,
        stands: Callable[[], bool] = never,
    ) -> Iterator[Composition]:
        """Enter a release that is too large to be traced: that it was, not who is in it.

        It can be held against nothing; what is yielded tells how many earlier releases there are
        of a table with these columns (``unscored``).
        """
        name = token_hex(8)
        with self._settled(name, stands):
            with self.journal.alone() as append:
                same = [r for r in self._standing() if r.columns == subject.columns]
                found = Composition(unscored=len(same))
                sizes = {"rows": rows, "groups": groups, "k": k}
                append(
                    "releasing",
                    {"release": name, **asdict(subject), **sizes, **_numbers(found)},
                )
            yield found

    @contextmanager
    def _settled(self, name: str, stands: Callable[[], bool]) -> Iterator[None]:
        """Say what became of a release when its block has ended, however it ended.

        What cannot be said stays as it was entered, and what was entered counts as released.
        """
        ended = False
        try:
            yield
            ended = True
            self.journal.append("released", {"release": name})
        except BaseException:
            with suppress(InputError, OutputError, sqlite3.Error):
                self._settle(name, "released" if ended or stands() else "abandoned")
            raise

    def _settle(self, name: str, kind: str) -> None:
        status = next((r.status for r in self.releases() if r.id == name), None)
        if status == "writing":  # neither refused nor confirmed
            self.journal.append(kind, {"release": name})
        if kind == "abandoned":
            self._drop(name)

    def kept_crowds(self, table: Table) -> IntArray:
        """Give each row of a table the crowd it had in the last release, -1 to leave it out.

        Whoever left since an earlier release takes their crowd along: the difference of the
        releases is then whole crowds, which tells no more than the crowds did, and what stays is
        published as it was. If fewer than k people left in all, further crowds go, drawn at
        random. Who came since waits for the next release that is made anew.

        Raises
        ------
        InvalidParameterError
            If nobody of the table is in any release.
        """
        everybody = Grouping(np.zeros(table.n_rows, dtype=np.int64))
        now = trace_release(table, everybody, self._key)
        earlier = [found for _, old in self._all() if (found := meet(now, old)) is not None]
        if not earlier:
            raise InvalidParameterError(
                "Nobody of this table is in an earlier release.", hint="See 'shoal ledger show'."
            )
        last = earlier[-1].crowds
        out = last < 0
        for meeting in earlier:
            out |= crowds_that_left(meeting)
        out |= np.isin(last, last[out & (last >= 0)])  # no crowd stays in part
        return np.where(out, -1, last)

    def releases(self) -> list[Recorded]:
        """List the releases, oldest first; abandoned ones are left out."""
        entered: dict[str, Recorded] = {}
        for entry in self.journal.entries():
            body = entry.body
            name = str(body.get("release", ""))
            if entry.kind == "releasing":
                facts = {field: body[field] for field in _FACTS if field in body}
                traced = "trace" in body
                entered[name] = Recorded(name, entry.time, status="writing", traced=traced, **facts)
            elif entry.kind == "abandoned":
                entered.pop(name, None)
            elif entry.kind in ("released", "withdrawn") and name in entered:
                entered[name] = _with(entered[name], status=entry.kind)
            elif entry.kind == "forgotten" and name in entered:
                total = int(body.get("forgotten", body["people"]))
                entered[name] = _with(entered[name], forgotten=total)
        return list(entered.values())

    def withdraw(self, name: str) -> None:
        """Say that a release never left the house: later ones need not be held against it."""
        if name not in {release.id for release in self.releases()}:
            raise InvalidParameterError(
                "There is no such release in the ledger.", hint="See 'shoal ledger show'."
            )
        self.journal.append("withdrawn", {"release": name})
        self._drop(name)

    def forget(self, table: Table, column: str, keys: Sequence[str]) -> dict[str, int]:
        """Remove the people whose column holds one of the keys from all traces.

        Returns how many of them each release contained, by its id. Their number stays in the
        trace: the next release must not differ by so few.
        """
        marks = marks_of(table, column, keys, self._key)
        found: dict[str, int] = {}
        known = self._known_traces()
        for name, trace in self._all():
            fewer = trace.without(marks.people, marks.rows)
            gone = fewer.forgotten - trace.forgotten
            if gone:
                packed = fewer.to_bytes()
                if known[name][1] != digest(packed):  # else it was said, and cut off before done
                    body = {"release": name, "people": gone, "forgotten": fewer.forgotten}
                    self.journal.append("forgotten", {**body, "trace": digest(packed)})
                self._traces.execute("UPDATE traces SET trace = ? WHERE id = ?", (packed, name))
                found[name] = gone
        return found

    @contextmanager
    def forgetting(self, column: str, keys: Sequence[str]) -> Iterator[None]:
        """Remember whose forgetting has begun until it is done, so that one cut off is noticed."""
        marks = [(f"{person_hash([column, key], self._key):016x}",) for key in keys]
        self._traces.executemany("INSERT OR IGNORE INTO forgetting VALUES (?)", marks)
        yield
        self._traces.executemany("DELETE FROM forgetting WHERE mark = ?", marks)

    def verify(self, witness: str | PathLike[str] | None = None) -> ChainVerification:
        """Check the chain of the journal, and that every trace is the one it speaks of.

        If people were to be forgotten and that was cut off, it says what to do.
        """
        found = self.journal.verify(witness)
        if not found.holds:
            return found
        begun = self._traces.execute("SELECT count(*) FROM forgetting").fetchone()[0]
        if begun:
            reason = f"forgetting {plural(begun, 'person')} was cut off: {_AGAIN}"
            return ChainVerification(False, None, reason, found.entries, found.head)
        for name, (number, wanted) in self._known_traces().items():
            row = self._traces.execute("SELECT trace FROM traces WHERE id = ?", (name,)).fetchone()
            if row is None or digest(row[0]) != wanted:
                reason = "speaks of a trace that is " + ("gone" if row is None else "another now")
                return ChainVerification(False, number, reason, found.entries, found.head)
        return found

    def _known_traces(self) -> dict[str, tuple[int, str]]:
        """For each release the last entry that speaks of its trace, and the trace's digest."""
        known: dict[str, tuple[int, str]] = {}
        for entry in self.journal.entries():
            if "trace" in entry.body:
                known[str(entry.body["release"])] = (entry.number, str(entry.body["trace"]))
            elif entry.kind in ("abandoned", "withdrawn"):
                known.pop(str(entry.body["release"]), None)
        return known

    def close(self) -> None:
        """Close the files."""
        self.journal.close()
        self._traces.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _standing(self) -> list[Recorded]:
        """Releases that were not withdrawn."""
        return [release for release in self.releases() if release.status != "withdrawn"]

    def _untraced(self, subject: Subject) -> int:
        """Count earlier releases of such a table of which only their existence is known."""
        same = [r for r in self._standing() if r.columns == subject.columns]
        return sum(not release.traced for release in same)

    def _drop(self, name: str) -> None:
        self._traces.execute("DELETE FROM traces WHERE id = ?", (name,))

    def _all(self) -> list[tuple[str, Trace]]:
        """Every trace, oldest first."""
        try:
            stored = dict(self._traces.execute("SELECT id, trace FROM traces").fetchall())
        except sqlite3.Error:
            raise InputError("The traces of the ledger cannot be read.") from None
        order = [release.id for release in self.releases() if release.id in stored]
        return [(name, Trace.from_bytes(stored[name])) for name in order]


def _numbers(found: Composition) -> dict[str, Any]:
    facts = found.to_dict()
    return {name: facts[name] for name in ("compared", "people", "single", "changed", "disclosed")}


def _with(release: Recorded, **changes: Any) -> Recorded:
    return Recorded(**{**asdict(release), **changes})
