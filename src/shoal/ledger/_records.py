"""What the journal of the ledger says of a release: facts and keyed digests, nobody's values.

What the ledger last looked like is written down in two places outside of it, by its witnesses.
"""

from __future__ import annotations

import hmac
import json
import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass, field, fields, replace
from hashlib import sha256
from pathlib import Path
from secrets import token_hex
from typing import Any

from shoal._home import private_folder
from shoal.audit import Entry, Witness
from shoal.exceptions import InputError, OutputError, ReleaseRefusedError

_MUST_SAY = {
    "releasing": {"release", "table", "rows", "groups", "k"},
    **{kind: {"release"} for kind in ("released", "abandoned", "withdrawn")},
    "forgotten": {"release", "people"},
}
_UNTOLD = ("names", "trace", "told_by")  # what only the ledger itself needs
MOSTLY = 0.5  # of the columns of two tables, if they may be the same one


@dataclass(frozen=True)
class Subject:
    """What a release was made from and where it went, as the ledger knows it.

    Attributes
    ----------
    table : str
        Keyed fingerprint of the whole table, whatever the order of its rows.
    columns : str
        Keyed digest of the names of its columns.
    engine : str
        What made the release.
    names : tuple of str
        Keyed digest of the name of each column.
    table_rows : int
        Rows of the table.
    source, folder : str
        Name of the file it was read from and of the folder it was written to, without their
        paths; empty if there is none.
    after : str
        The release that this is a later delivery of, empty if it stands for itself.
    """

    table: str
    columns: str
    engine: str = "local"
    names: tuple[str, ...] = ()
    table_rows: int = 0
    source: str = ""
    folder: str = ""
    after: str = ""


@dataclass(frozen=True)
class Recorded:
    """A release in the ledger; nothing in it is about any person.

    ``trace`` is the digest of its trace, empty if it has none (any longer), and ``told_by`` the
    last entry that speaks of it.
    """

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
    source: str = ""
    folder: str = ""
    names: tuple[str, ...] = ()
    table_rows: int = 0
    after: str = ""
    trace: str = ""
    told_by: int = 0

    @property
    def whole(self) -> str:
        """The release that this entry belongs to: those of its tables stand and fall together."""
        return self.id.partition("-")[0]

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain JSON values."""
        return {name: value for name, value in asdict(self).items() if name not in _UNTOLD}

    def may_be(self, subject: Subject) -> bool:
        """Whether it was made from a table with mostly the same columns."""
        if self.columns == subject.columns:
            return True
        ours, theirs = {*subject.names}, {*self.names}
        return len(ours & theirs) > MOSTLY * len(ours | theirs)


def part_of(name: str, number: int) -> str:
    """Name the entry of one table of a release that has several.

    >>> part_of("a1b2", 1)
    'a1b2-1'
    """
    return f"{name}-{number}"


def recorded(entries: Iterable[Entry]) -> list[Recorded]:
    """List the releases that a journal speaks of, oldest first; abandoned ones are left out."""
    known = {fact.name for fact in fields(Recorded)}
    found: dict[str, Recorded] = {}
    for entry in entries:
        kind, body, name = entry.kind, entry.body, str(entry.body.get("release", ""))
        if not _MUST_SAY.get(kind, set()) <= {*body}:
            raise InputError(
                "An entry of the ledger is damaged.", hint="Run 'shoal ledger verify'."
            )
        if kind == "releasing":
            begun = {"id": name, "time": entry.time, "status": "writing"}
            facts: dict[str, Any] = begun | {fact: body[fact] for fact in known & {*body}}
            facts |= {"names": tuple(body.get("names", ())), "traced": "trace" in body}
            found[name] = Recorded(**facts)  # one carried over keeps its time
        elif kind == "abandoned":
            found.pop(name, None)
        if name in found:
            release = found[name]
            if kind in ("released", "withdrawn"):
                release = replace(release, status=kind)
            if kind == "forgotten":
                release = replace(release, forgotten=int(body.get("forgotten", body["people"])))
            if kind == "withdrawn" or "trace" in body:
                told = str(body.get("trace", ""))
                release = replace(release, trace=told, told_by=entry.number)
            found[name] = release
    return list(found.values())


def traces_told(entries: Iterable[Entry]) -> dict[str, tuple[int, str]]:
    """For each release the last entry that speaks of its trace, and the trace's digest."""
    return {r.id: (r.told_by, r.trace) for r in recorded(entries) if r.trace}


def refuse_second(releases: Iterable[Recorded], subject: Subject, trace: str) -> None:
    """Let one delivery follow a release, and the same one again as often as you like."""
    later = [r for r in releases if r.after == subject.after and r.status != "withdrawn"]
    if any(r.trace != trace for r in later if r.trace):
        raise ReleaseRefusedError(
            "Not released. Another delivery follows that release already.",
            hint="Deliver after the last one, or withdraw it ('shoal ledger withdraw').",
        )


WITNESSES = ("ledger.witness", "keys/ledger.witness")


@dataclass(frozen=True)
class Witnesses:
    """Two files, beside the ledger and among the keys, that say how long its journal was.

    Whoever removes the journal, empties it or cuts its end off must find both, and cannot write
    them anew without the key.
    """

    place: Path
    key: bytes = field(repr=False)

    def last(self) -> Witness | None:
        """The one that saw most; None if both are gone."""
        seen: Witness | None = None
        for path in map(self.place.joinpath, WITNESSES):
            with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
                found = json.loads(path.read_text(encoding="utf-8"))
                witness = Witness(found["journal"], int(found["entries"]), found["head"])
                sealed = hmac.compare_digest(self._seal(witness), found["seal"])
                if sealed and (seen is None or witness.entries > seen.entries):
                    seen = witness
        return seen

    @property
    def forged(self) -> bool:
        """Whether a file is there, and none of them was written with this key."""
        there = any((self.place / name).exists() for name in WITNESSES)
        return there and self.last() is None

    def see(self, witness: Witness) -> None:
        """Write down what the journal looks like now, each file whole or not at all."""
        text = json.dumps({**asdict(witness), "seal": self._seal(witness)}) + "\n"
        for path in map(self.place.joinpath, WITNESSES):
            draft = path.with_name(f".{path.name}.{token_hex(4)}")
            try:
                private_folder(path.parent)
                handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
                with os.fdopen(handle, "w", encoding="utf-8") as file:
                    file.write(text)
                draft.replace(path)
            except OSError as error:
                with suppress(OSError):
                    draft.unlink(missing_ok=True)
                raise OutputError(
                    f"The witness of the ledger cannot be written: {error.strerror}.",
                    hint="Set SHOAL_HOME to a folder that you may write to.",
                ) from None

    def remove(self) -> None:
        """Forget what was seen, to start anew."""
        for path in map(self.place.joinpath, WITNESSES):
            path.unlink(missing_ok=True)

    def _seal(self, witness: Witness) -> str:
        content = json.dumps(["ledger witness", *asdict(witness).values()]).encode()
        return hmac.new(self.key, content, sha256).hexdigest()
