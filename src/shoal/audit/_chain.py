"""Entries, the keyed hash that chains them, and the search for the first link that is broken."""

from __future__ import annotations

import hmac
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any


@dataclass(frozen=True)
class Entry:
    """One entry of a journal.

    Attributes
    ----------
    number : int
        Its place, from 1.
    time : str
        When it was written, in UTC.
    actor : str
        Who did it, as far as the program knows.
    kind : str
        What happened, in a word.
    body : mapping
        The particulars; never a cell value.
    previous, mac : str
        The keyed hash of the entry before, and of this one; both in hexadecimal.
    """

    number: int
    time: str
    actor: str
    kind: str
    body: Mapping[str, Any]
    previous: str
    mac: str


@dataclass(frozen=True)
class Verification:
    """Whether a journal is as it was written; if not, the first entry that is wrong, and why."""

    holds: bool
    entry: int | None = None
    reason: str = ""
    entries: int = 0
    head: str = ""

    def __str__(self) -> str:
        if self.holds:
            return f"{self.entries:,} entries, all as they were written"
        return self.reason if self.entry is None else f"entry {self.entry}: {self.reason}"


@dataclass(frozen=True)
class Link:
    """An entry as it is stored: nothing parsed yet, nothing believed yet."""

    number: Any
    time: Any
    actor: Any
    kind: Any
    body: Any
    previous: Any
    mac: Any

    def seal(self, key: bytes, previous: str) -> str:
        """Keyed hash of this entry after the one whose hash is ``previous``.

        HMAC-SHA256 (RFC 2104) of the hash before and the entry as canonical JSON; the number
        needs no place in it, for the chain gives it.
        """
        content = canonical([previous, self.time, self.actor, self.kind, self.body])
        return hmac.new(key, content.encode(), sha256).hexdigest()

    def is_intact(self, key: bytes) -> bool:
        """Tell whether the entry itself is as it was written, wherever it now stands."""
        parts = (self.time, self.actor, self.kind, self.body, self.previous, self.mac)
        if not all(isinstance(part, str) for part in parts):
            return False
        return hmac.compare_digest(self.seal(key, self.previous).encode(), _bytes(self.mac))

    def entry(self) -> Entry:
        """Read the entry."""
        body = json.loads(self.body)
        return Entry(self.number, self.time, self.actor, self.kind, body, self.previous, self.mac)


def canonical(value: Any) -> str:
    """Write JSON in the one way that gives the same bytes everywhere.

    >>> canonical({"b": 0.1, "a": ["ü"]})
    '{"a":["\\\\u00fc"],"b":0.1}'
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def find_break(links: Iterable[Link], key: bytes, genesis: str) -> Verification:
    """Walk the chain from its beginning and name the first entry that is not as it was written."""
    chain = list(links)
    before = genesis
    for place, link in enumerate(chain, start=1):
        reason = _wrong(link, place, before, chain, key)
        if reason:
            return Verification(False, place, reason, len(chain))
        before = link.mac
    return Verification(True, entries=len(chain), head=before)


def _wrong(link: Link, place: int, before: str, chain: list[Link], key: bytes) -> str:
    if not link.is_intact(key):
        return "was changed after it was written"
    if link.previous != before:
        moved = any(other.mac == link.previous for other in chain)
        return "is not in the order of writing" if moved else "was removed"
    if link.number != place:
        return "was removed" if isinstance(link.number, int) else "was changed after it was written"
    return ""


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
