"""People leave the journals of sessions: what was said about them is taken out for good."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from shoal._home import home, secret
from shoal.audit import Entry, Journal, find_journals, row_name
from shoal.exceptions import InputError, OutputError
from shoal.table import Table
from shoal.typing import BoolArray


@dataclass(frozen=True, eq=False)
class Gone:
    """A table before and after people left it, and which of its rows were theirs."""

    before: Table
    after: Table
    theirs: BoolArray


@dataclass(frozen=True)
class Searched:
    """Sessions whose journals spoke of people, how many entries did, and what was not readable."""

    sessions: int = 0
    entries: int = 0
    unreadable: int = 0


def forget_in_journals(
    gone: Sequence[Gone], elsewhere: Sequence[str | PathLike[str]] = ()
) -> Searched:
    """Search all journals of sessions of this user, and those named, for people who leave."""
    sessions = entries = unreadable = 0
    for path in [*find_journals(home()), *map(Path, elsewhere)]:
        try:
            with Journal.open(path, secret("audit"), create=False) as journal:
                found = forget_in_journal(journal, gone)
        except (InputError, OutputError):
            unreadable += path.name != LEDGER  # which has a key of its own, and names nobody
            continue
        entries += found
        sessions += found > 0
    return Searched(sessions, entries, unreadable)


LEDGER = "ledger.journal"


def forget_in_journal(journal: Journal, gone: Sequence[Gone]) -> int:
    """Take out of a session's journal what it says about people; returns how many entries.

    A question names its row and the members of two groups by keyed hashes, and what joining them
    costs: all of it goes, with the answers that refer to it. The session goes on without these
    questions, on the table that the people have left.
    """
    key = journal.key_for("rows")
    names = {row_name(int(row), key) for one in gone for row in one.before.row_hash()[one.theirs]}
    entries = journal.entries()
    theirs = _about(entries, names)
    if theirs:
        journal.redact(theirs, "people were forgotten")
    changed = _changed(journal, entries, gone)
    if changed is not None:
        journal.append("forgotten", changed)
    return len(theirs)


def _about(entries: Iterable[Entry], names: set[str]) -> list[int]:
    """Numbers of the entries that name one of the rows, or speak of a question that does."""
    entries = list(entries)
    naming = [entry for entry in entries if names.intersection(_texts(entry.body))]
    questions = {entry.body["question"] for entry in naming if "question" in entry.body}
    numbers = {entry.number for entry in naming}
    numbers |= {entry.number for entry in entries if entry.body.get("question") in questions}
    return sorted(numbers)


def _texts(value: Any) -> Iterator[str]:
    """All texts in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)


def _changed(
    journal: Journal, entries: Sequence[Entry], gone: Sequence[Gone]
) -> dict[str, Any] | None:
    """If the session is on one of these tables: what the table is now."""
    known = [entry.body for entry in entries if entry.kind in ("session", "forgotten")]
    key = journal.key_for("table")
    for one in gone:
        same = known and known[-1]["rows"] == one.before.n_rows and one.theirs.any()
        if same and known[-1]["table"] == one.before.fingerprint(key):
            return {"table": one.after.fingerprint(key), "rows": one.after.n_rows}
    return None
