"""Where the steps of a session are written, how it begins, and how it is found again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from os import PathLike
from secrets import token_bytes
from typing import Any, Protocol

from shoal._home import secret
from shoal._random import generator
from shoal.audit import Entry, Journal
from shoal.exceptions import InputError, InvalidParameterError
from shoal.session._recipe import SessionRecipe
from shoal.session.learners import LEARNERS
from shoal.table import Table

AUDIT_KEY = "audit"
QUESTIONS = ("informative", "random")
JournalOrPath = Journal | str | PathLike[str]


class StepLog(Protocol):
    """Where the steps of a session go."""

    def append(self, kind: str, body: Mapping[str, Any], actor: str = "") -> object:
        """Write a step; it is safe when this returns."""

    def close(self) -> None:
        """End the trail."""


class Memory:
    """Keeps nothing: the session itself is all the memory there is."""

    def append(self, kind: str, body: Mapping[str, Any], actor: str = "") -> None:
        """Pass over the step."""

    def close(self) -> None:
        """Do nothing."""


@dataclass(frozen=True)
class Opening:
    """How a session was set up; checked at birth."""

    learner: str
    questions: str
    repeats: int
    batch: int
    seed: int

    def __post_init__(self) -> None:
        if self.learner not in LEARNERS:
            known = ", ".join(LEARNERS)
            raise InvalidParameterError(
                f"There is no learner named {self.learner!r}.", hint=f"Choose from {known}."
            )
        if self.questions not in QUESTIONS:
            raise InvalidParameterError("Questions are 'informative' or 'random'.")
        if self.repeats < 0 or self.repeats == 1:
            raise InvalidParameterError("A question may return after 2 or more; 0 is never.")
        if self.batch < 1:
            raise InvalidParameterError("A batch is 1 answer or more.")
        generator(self.seed)


def open_trail(journal: JournalOrPath | None) -> tuple[StepLog, bytes]:
    """Return where the steps of a new session go, and the key that its rows are named with."""
    if journal is None:
        return Memory(), token_bytes(32)
    opened = open_journal(journal, create=True)
    if len(opened):
        raise InvalidParameterError(
            f"The journal {opened.path.name!r} holds a session already.",
            hint="Go on with it: Session.resume(journal, table).",
        )
    return opened, opened.key_for("rows")


def first_step(
    table: Table, recipe: SessionRecipe, opening: Opening, trail: StepLog
) -> dict[str, Any]:
    """Say what a session is about."""
    known = table.fingerprint(trail.key_for("table")) if isinstance(trail, Journal) else ""
    return {
        "version": 1,
        "table": known,
        "rows": table.n_rows,
        "quasi_identifiers": list(table.roles.quasi_identifiers),
        **asdict(opening),
        **recipe.described(),
    }


def open_journal(journal: JournalOrPath, *, create: bool) -> Journal:
    """Open a journal by its path, with the audit key of this user."""
    if isinstance(journal, Journal):
        return journal
    return Journal.open(journal, secret(AUDIT_KEY), create=create)


@contextmanager
def borrowed(journal: JournalOrPath) -> Iterator[Journal]:
    """Open a journal to read; closed again unless it was open already."""
    opened = open_journal(journal, create=False)
    try:
        yield opened
    finally:
        if opened is not journal:
            opened.close()


def read_steps(journal: Journal) -> list[Entry]:
    """Read all entries of a session; a chain that was tampered with is refused."""
    found = journal.verify()
    if not found.holds:
        raise InputError(
            f"The journal {journal.path.name!r} is not as it was written: {found}.",
            hint="A session goes on only from a journal that nobody touched.",
        )
    entries = journal.entries()
    if not entries or entries[0].kind != "session":
        raise InputError(f"The journal {journal.path.name!r} holds no session.")
    return entries


def opening_of(entry: Entry) -> Opening:
    """Read how a session was set up."""
    body = entry.body
    return Opening(*(body[name] for name in ("learner", "questions", "repeats", "batch", "seed")))


def refuse_another(
    steps: Sequence[Entry], journal: Journal, table: Table, recipe: SessionRecipe
) -> None:
    """Raise if the table or what is asked of it is not that of the session.

    Whoever was forgotten has left the table: the last entry that speaks of it counts.
    """
    entry = steps[0]
    known = [step.body for step in steps if step.kind in ("session", "forgotten")][-1]
    if known["table"] != table.fingerprint(journal.key_for("table")):
        raise InvalidParameterError(
            "This is not the table of the session.",
            hint=f"It had {known['rows']:,} rows; this one has {table.n_rows:,}.",
        )
    if entry.body["models"] != recipe.described()["models"]:
        raise InvalidParameterError("The recipe asks for other privacy models than the session.")
    if entry.body["quasi_identifiers"] != list(table.roles.quasi_identifiers):
        raise InvalidParameterError("The session had other quasi-identifiers.")
