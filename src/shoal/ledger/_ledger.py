"""The ledger: every release of a table, and whether the next one may follow it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from os import PathLike
from pathlib import Path
from secrets import token_hex
from time import time
from typing import Any, Self

import numpy as np

from shoal._home import home, secret
from shoal._words import plural
from shoal.audit import ChainVerification, Entry, Journal, Witness
from shoal.exceptions import (
    InputError,
    InvalidParameterError,
    LedgerDamagedError,
    OutputError,
    ReleaseRefusedError,
)
from shoal.ledger._composition import (
    Composition,
    crowds_that_stay,
    hold_against,
    meetings,
    repeat_of,
)
from shoal.ledger._records import (
    WITNESSES,
    Recorded,
    Subject,
    Witnesses,
    recorded,
    refuse_second,
    traces_told,
)
from shoal.ledger._trace import (
    MEND,
    TAGGED,
    OldTraceError,
    Sealed,
    Trace,
    TraceStore,
    seal,
    unseal,
)
from shoal.ledger._tracing import (
    keyed_names,
    marks_of,
    person_hash,
    trace_crowds,
    trace_release,
)
from shoal.table import Grouping, Table
from shoal.typing import IntArray

JOURNAL, TRACES = "ledger.journal", "ledger.traces"
_BEGUN = ("missing", "reset")  # how a journal begins that is not the first one
_IN_JOURNAL = ("compared", "people", "single", "changed", "disclosed")  # of a composition
_UNSAID = ("id", "status", "traced", "trace", "told_by")  # of a release that is carried over
_YOUNG = 60.0  # seconds in which whoever draws a key begins the journal
_AGAIN = "run 'shoal forget' again with the same table and keys"


def never() -> bool:
    """Tell that nothing stands unless its block ends well."""
    return False


@dataclass(frozen=True, eq=False)
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

    journal: Journal
    _traces: TraceStore
    _witnesses: Witnesses
    _key: bytes = field(repr=False)

    @classmethod
    def open(cls, folder: str | PathLike[str] | None = None, key: bytes | None = None) -> Self:
        """Open the ledger of this house (`SHOAL_HOME`), or one in a folder of its own."""
        place = home() if folder is None else Path(folder)
        drawn = place / "keys" / "ledger"
        seen = any((place / name).exists() for name in (JOURNAL, *WITNESSES))
        is_missing = not seen and (  # something of a ledger is here, but not what happened
            (place / TRACES).exists()
            or (drawn.exists() and time() - drawn.stat().st_mtime > _YOUNG)
        )
        known = secret("ledger") if key is None else key
        try:
            journal = Journal.open(place / JOURNAL, known)
        except InputError as error:
            raise InputError(str(error), hint=f"{error.hint or ''} {MEND}".strip()) from None
        try:
            traces = TraceStore.open(place / TRACES)
        except (InputError, OutputError):
            journal.close()
            raise
        if is_missing:
            journal.append("missing", {})
        return cls(journal, traces, Witnesses(place, known), known)

    def subject(self, table: Table, *, folder: str = "") -> Subject:
        """Tell what of a table is entered with its release."""
        columns, names = keyed_names(table.column_names, self._key)
        return Subject(
            table.fingerprint(self._key),
            columns,
            names=names,
            table_rows=table.n_rows,
            source=table.origin.name,
            folder=folder,
        )

    def subject_elsewhere(
        self, content: str, names: Sequence[str], engine: str, *, rows: int = 0
    ) -> Subject:
        """Tell it of a table that is not on this machine: ``content`` is any digest of its rows."""
        seen, _ = keyed_names([engine, content, "table"], self._key)
        columns, told = keyed_names(names, self._key)
        return Subject(seen, columns, engine, told, rows)

    def trace_elsewhere(
        self,
        rows: IntArray,
        crowds: IntArray,
        shown: Mapping[str, Sequence[tuple[int, str]]],
        **told: Any,
    ) -> Trace:
        """Take the trace of a release whose table is not on this machine; see `trace_crowds`."""
        return trace_crowds(rows, crowds, shown, self._key, **told)

    def trace(self, table: Table, grouping: Grouping, *, k: int = 0, **told: Any) -> Trace:
        """Take the trace of a release, to be entered later (`entering`); see `trace_release`."""
        return trace_release(table, grouping, self._key, k=k, **told)

    def score(self, table: Table, grouping: Grouping, *, k: int = 0) -> Composition:
        """Score a release that was not written yet against all earlier ones."""
        return self.weigh(self.trace(table, grouping, k=k))

    def weigh(self, trace: Trace) -> Composition:
        """Score a trace that was taken earlier (`trace`) against all releases."""
        return hold_against(trace, self.traces())

    def releasing(
        self,
        table: Table,
        grouping: Grouping,
        *,
        k: int = 0,
        refuse: bool = True,
        name: str = "",
        stands: Callable[[], bool] = never,
        folder: str = "",
        **told: Any,
    ) -> AbstractContextManager[Composition]:
        """Enter a release around the block that writes it; abandoned if the block fails.

        ``folder`` is the name of the folder it is written to, without its path; ``name`` what the
        ledger shall call it: 16 hex digits that nobody had before, drawn if not given. ``stands``
        tells whether the release is there. If it is, the block may fail as it likes afterwards:
        what is on disk was released, and the journal says so. What else is told of it goes into
        its trace (`trace_release`).

        Raises
        ------
        ReleaseRefusedError
            If it gives away too much together with earlier releases, unless ``refuse`` is False.
        LedgerDamagedError
            If the ledger is not as it was written: then nobody knows what came before.
        """
        subject = self.subject(table, folder=folder)  # first: a trace is large
        trace = trace_release(table, grouping, self._key, k=k, **told)
        return self.entering(subject, trace, refuse=refuse, name=name, stands=stands)

    def noting(
        self,
        subject: Subject,
        *,
        rows: int,
        groups: int,
        k: int = 0,
        name: str = "",
        stands: Callable[[], bool] = never,
    ) -> AbstractContextManager[Composition]:
        """Enter a release that is too large to be traced: that it was, not who is in it.

        It can be held against nothing; what is yielded tells how many earlier releases there are
        of a table with these columns (``unscored``).
        """
        sizes = {"rows": rows, "groups": groups, "k": k}
        return self.entering(subject, None, refuse=False, name=name, stands=stands, sizes=sizes)

    @contextmanager
    def entering(
        self,
        table: Table | Subject,
        trace: Trace | None,
        *,
        refuse: bool = True,
        name: str = "",
        stands: Callable[[], bool] = never,
        sizes: Mapping[str, int] | None = None,
    ) -> Iterator[Composition]:
        """Enter a release whose trace was taken when it was made, as `releasing` does.

        What became of it is said when the block has ended, however it ended. What cannot be said
        stays as it was entered, and what was entered counts as released.
        """
        subject = self.subject(table) if isinstance(table, Table) else table
        name, ended = name or token_hex(8), False
        try:
            found = self._enter(subject, trace, sizes, name, refuse)
            del trace  # is large, and not needed while the files are written
            yield found
            ended = True
            self._witness(self.journal.append("released", {"release": name}))
        except BaseException:
            with suppress(InputError, OutputError, sqlite3.Error):
                self._settle(name, "released" if ended or stands() else "abandoned")
            raise

    def _enter(
        self,
        subject: Subject,
        trace: Trace | None,
        sizes: Mapping[str, int] | None,
        name: str,
        refuse: bool,
    ) -> Composition:
        """Hold a release against earlier ones and enter it; if that cannot be, none may follow."""
        told: dict[str, Any] = {"release": name, **asdict(subject), **(sizes or {})}
        sealed = None if trace is None else seal(trace.packed(), self._key)
        if trace is not None:
            told |= {"rows": int(trace.rows.size), "groups": trace.sizes.size, "k": trace.k}
        try:
            with self.journal.alone():  # two written at once must know of each other
                releases, stored = self.check()
                if subject.after and sealed is not None:
                    refuse_second(releases, subject, sha256(b"".join(sealed.pieces())).hexdigest())
                found = self._weigh(trace, sealed, subject, releases, stored)
                numbers = {number: getattr(found, number) for number in _IN_JOURNAL}
                refused = refuse and not found.holds
                if sealed is not None and not refused:
                    # first the trace: one that no entry speaks of is only a few bytes too many
                    told["trace"] = self._traces.put(name, sealed)
                said = ("refused", numbers) if refused else ("releasing", {**told, **numbers})
                entry = self.journal.append(*said)
        except (InputError, OutputError) as error:
            hint = error.hint or MEND
            raise LedgerDamagedError(f"Not released. {error}", hint=hint) from None
        self._witness(entry)
        if refused:
            raise ReleaseRefusedError(f"Not released. {found.reason}", hint=found.advice)
        return replace(found, release=name)

    def _weigh(
        self,
        trace: Trace | None,
        sealed: Sealed | None,
        subject: Subject,
        releases: Sequence[Recorded],
        stored: Mapping[str, bytes],
    ) -> Composition:
        """Score a trace, and count what looks like its table and could not be compared."""
        standing = [r for r in releases if r.status != "withdrawn"]
        kin = [r for r in standing if r.may_be(subject)]
        if trace is None or sealed is None:
            return Composition(unscored=len(kin))
        earlier = {r.id: stored[r.id] for r in standing if r.id in stored}
        told = {(len(packed), packed[TAGGED]) for packed in earlier.values()}
        if trace.rows.size and told == {(sealed.size, sealed.tag)}:  # the same way each time
            untraced = sum(r.id not in earlier for r in kin)
            return replace(repeat_of(trace, len(earlier)), unscored=untraced)
        return hold_against(trace, self._unpacked(earlier), kin, subject.table_rows)

    def _settle(self, name: str, kind: str) -> None:
        status = next((r.status for r in self.releases() if r.id == name), None)
        if status == "writing":  # neither refused nor confirmed
            self.say(kind, {"release": name})
        if kind == "abandoned":
            self._traces.drop(name)

    def abandon(self, names: Collection[str]) -> None:
        """Say that releases were cut off while they were written and never had a name."""
        with self.journal.alone():
            releases, _ = self.check()
            begun = [r for r in releases if r.status == "writing" and r.whole in names]
            for release in begun:
                self.journal.append("abandoned", {"release": release.id})
        self._witness()
        self._traces.drop(*(release.id for release in begun))

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
        self.check()
        earlier = meetings(now, list(self.traces().values()))
        if not earlier:
            raise InvalidParameterError(
                "Nobody of this table is in an earlier release.", hint="See 'shoal ledger show'."
            )
        return crowds_that_stay(earlier)

    def releases(self) -> list[Recorded]:
        """List the releases, oldest first; abandoned ones are left out."""
        return recorded(self.journal.entries())

    def withdraw(self, name: str) -> None:
        """Say that a release never left the house: later ones need not be held against it."""
        parts = [r.id for r in self.releases() if r.whole == name.partition("-")[0]]
        if name not in parts:
            raise InvalidParameterError(
                "There is no such release.", hint="See the first column of 'shoal ledger show'."
            )
        for part in parts:
            self.say("withdrawn", {"release": part})
        self._traces.drop(*parts)

    def say(self, kind: str, body: Mapping[str, Any]) -> None:
        """Write an entry that is no release, and let the witnesses know."""
        self._witness(self.journal.append(kind, body))

    def forget(self, table: Table, column: str, keys: Sequence[str]) -> dict[str, int]:
        """Remove the people whose column holds one of the keys from all traces.

        Returns how many of them each release contained, by its id. Their number stays in the
        trace: the next release must not differ by so few.
        """
        marks = marks_of(table, column, keys, self._key)
        found: dict[str, int] = {}
        known = traces_told(self.journal.entries())
        for name, trace in self.traces().items():
            fewer = trace.without(marks.people, marks.rows)
            gone = fewer.forgotten - trace.forgotten
            if fewer is not trace:
                packed = b"".join(seal(fewer.packed(), self._key).pieces())
                mark = sha256(packed).hexdigest()
                if known[name][1] != mark:  # else it was said, and cut off before done
                    body = {"release": name, "people": gone, "forgotten": fewer.forgotten}
                    self.say("forgotten", {**body, "trace": mark})
                self._traces.put(name, packed)
                found |= {name: gone} if gone else {}  # else they were only waiting
        return found

    @contextmanager
    def forgetting(self, column: str, keys: Sequence[str]) -> Iterator[None]:
        """Remember whose forgetting has begun until it is done, so that one cut off is noticed."""
        marks = [f"{person_hash([column, key], self._key):016x}" for key in keys]
        self._traces.begin_forgetting(marks)
        yield
        self._traces.end_forgetting(marks)

    def verify(self, witness: str | PathLike[str] | None = None) -> ChainVerification:
        """Check the chain of the journal, and that every trace is the one it speaks of.

        The journal must be the one that the witnesses saw, and go on from there. If people were to
        be forgotten and that was cut off, it says what to do.
        """
        found, _, _ = self._verified()
        if found.holds and witness is not None:
            return self.journal.verify(witness)
        return found

    def _verified(self) -> tuple[ChainVerification, list[Recorded], dict[str, bytes]]:
        """Check all of it, and give the releases that it speaks of and the traces it has."""
        seen = self._witnesses.last()
        found, entries = self.journal.verified(seen)
        if not found.holds:
            if seen is not None and seen.journal != self.journal.id:
                gone = f"the journal of {plural(seen.entries, 'entry')} is gone"
                found = replace(found, reason=f"{gone}, and another is in its place")
            return found, [], {}
        releases, (stored, begun) = recorded(entries), self._traces.read()
        marks = {name: sha256(packed).hexdigest() for name, packed in stored.items()}
        belied = [r for r in releases if r.trace and marks.get(r.id) != r.trace]
        (*_, last) = ["", *(e.kind for e in entries if e.kind in _BEGUN)]
        # only a ledger of before there were witnesses has none
        witnessed = seen is None and any("table_rows" in entry.body for entry in entries)
        number, reason = None, ""
        if witnessed or (seen is None and self._witnesses.forged):
            reason = "what witnessed its length is gone"
        elif begun:
            reason = f"forgetting {plural(begun, 'person')} was cut off: {_AGAIN}"
        elif last == "missing":
            number = 1
            reason = "its key or its traces are older than it: the journal they belong to is gone"
        elif belied:
            state = "another now" if belied[0].id in stored else "gone"
            number, reason = belied[0].told_by, f"speaks of a trace that is {state}"
        if reason:
            found = replace(found, holds=False, entry=number, reason=reason)
        return found, releases, stored

    def check(self) -> tuple[list[Recorded], dict[str, bytes]]:
        """Give the releases and their traces, or refuse to go on if any of it was touched."""
        found, releases, stored = self._verified()
        if not found.holds:
            raise LedgerDamagedError(
                f"Not released. The ledger is not as it was written: {found}.", hint=MEND
            )
        self._witnesses.see(Witness(self.journal.id, found.entries, found.head))
        return releases, stored

    def _witness(self, last: Entry | None = None) -> None:
        """Let the witnesses see the journal; if they cannot now, they will before the next one."""
        with suppress(OutputError):
            if last is None:
                self._witnesses.see(self.journal.seen())
            else:
                self._witnesses.see(Witness(self.journal.id, last.number, last.mac))

    def close(self) -> None:
        """Close the files."""
        self._traces.connection.close()
        self.journal.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def standing(self) -> list[Recorded]:
        """Releases that were not withdrawn."""
        return [release for release in self.releases() if release.status != "withdrawn"]

    def sound_traces(self) -> dict[str, bytes]:
        """Packed traces that are as they were written, by the ids of their releases."""
        (stored, _), told = self._traces.read(), traces_told(self.journal.entries())
        marks = {name: sha256(packed).hexdigest() for name, packed in stored.items()}
        return {name: stored[name] for name in stored if told.get(name, (0, ""))[1] == marks[name]}

    def begin_anew(self, why: Mapping[str, Any], carried: Iterable[tuple[Recorded, bytes]]) -> None:
        """Begin a new ledger with the releases of an old one that can still be trusted."""
        self.say("reset", why)
        for release, packed in carried:
            self._traces.put(release.id, packed)
            facts = asdict(release)
            told = {name: fact for name, fact in facts.items() if name not in _UNSAID}
            mark = sha256(packed).hexdigest()
            self.say("releasing", {**told, "release": release.id, "trace": mark})
            self.say("released", {"release": release.id})

    def traces(self) -> dict[str, Trace]:
        """Every trace that can be compared by the id of its release, oldest first."""
        stored, _ = self._traces.read()
        return self._unpacked({r.id: stored[r.id] for r in self.standing() if r.id in stored})

    def _unpacked(self, packed: Mapping[str, bytes]) -> dict[str, Trace]:
        found = {}
        for name, sealed in packed.items():
            with suppress(OldTraceError):  # counted as unscored
                found[name] = Trace.from_bytes(unseal(sealed, self._key))
        return found
