"""Entries, the keyed hash that chains them, and the search for the first link that is broken.

The chain runs over a commitment to each body (its hash under a salt of its own), not over the body.
So a body can be taken out for good, salt and all: what is left of it tells nothing, and the chain
still holds. A later entry must say which bodies were taken out; any other that is missing is found.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b, sha256
from typing import Any

#: Kind of the entry that says which earlier ones lost their bodies.
REDACTED = "redacted"
#: Writes JSON in the one way that gives the same bytes everywhere.
canonical = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False).encode
CHANGED = "was changed after it was written"


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
    redacted : bool
        Whether the body was taken out since (`Journal.redact`); it is empty then.
    """

    number: int
    time: str
    actor: str
    kind: str
    body: Mapping[str, Any]
    previous: str
    mac: str
    redacted: bool = False


@dataclass(frozen=True)
class ChainVerification:
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
    salt: Any
    digest: Any
    previous: Any
    mac: Any

    def seal(self, key: bytes, previous: str) -> str:
        """Keyed hash of this entry after the one whose hash is ``previous``.

        HMAC-SHA256 (RFC 2104) of the hash before and the entry as canonical JSON, its body by its
        digest; the number needs no place in it, for the chain gives it. Journals of before there
        were digests are sealed over their bodies; a digest is wrapped, so that it cannot pass for
        such a body.
        """
        said = {"digest": self.digest} if self.digest else self.body
        content = canonical([previous, self.time, self.actor, self.kind, said])
        return hmac.new(key, content.encode(), sha256).hexdigest()

    def entry(self) -> Entry:
        """Read the entry; one that lost its body lost the salt of its digest too."""
        redacted = bool(self.body == self.salt == "" and self.digest)
        body = {} if redacted else json.loads(self.body)
        facts = (self.number, self.time, self.actor, self.kind, body, self.previous, self.mac)
        return Entry(*facts, redacted=redacted)


def commit(body: str, salt: str) -> str:
    """Digest of a body under a salt of its own: without the salt no guess can be tested.

    >>> commit("{}", "00") == commit("{}", "00") != commit("{}", "01")
    True
    """
    if not salt:
        return ""
    under = salt.encode("utf-8", "surrogatepass")
    return hmac.new(under, body.encode("utf-8", "surrogatepass"), sha256).hexdigest()


def read_chain(
    chain: Sequence[Link], key: bytes, genesis: str
) -> tuple[ChainVerification, list[Entry]]:
    """Walk the chain from its beginning and name the first entry that is not as it was written.

    A body may be missing only if a later entry says so, and must be missing then. Of a chain that
    does not hold no entry is believed.
    """
    before = genesis
    for place, link in enumerate(chain, start=1):
        if reason := _wrong(link, place, before, chain, key):
            return ChainVerification(False, place, reason, len(chain)), []
        before = link.mac
    entries = [link.entry() for link in chain]
    told = (entry for entry in entries if entry.kind == REDACTED and not entry.redacted)
    said = {number for entry in told for number in entry.body["entries"] if number < entry.number}
    for entry in entries:
        if entry.redacted != (entry.number in said):
            lost = "lost what it said, and no later entry tells why"
            reason = lost if entry.redacted else "says again what was redacted"
            return ChainVerification(False, entry.number, reason, len(chain)), []
    return ChainVerification(True, entries=len(chain), head=before), entries


def _wrong(link: Link, place: int, before: str, chain: Sequence[Link], key: bytes) -> str:
    """Say what is wrong with an entry: that it was changed, wherever it stands, or where it is."""
    parts = (link.time, link.actor, link.kind, link.body, link.salt, link.digest)
    if not all(isinstance(part, str) for part in (*parts, link.previous, link.mac)):
        return CHANGED
    mac = link.mac.encode("utf-8", "surrogatepass")
    if not hmac.compare_digest(link.seal(key, link.previous).encode(), mac):
        return CHANGED
    if not (link.body == link.salt == "" or commit(link.body, link.salt) == link.digest):
        return CHANGED
    if link.previous != before:
        moved = any(other.mac == link.previous for other in chain)
        return "is not in the order of writing" if moved else "was removed"
    if link.number != place:
        return "was removed" if isinstance(link.number, int) else CHANGED
    return ""


def row_name(row: int, key: bytes) -> str:
    """Keyed name of a row by its hash (`Table.row_hash`).

    >>> row_name(7, b"key") == row_name(7, b"key") != row_name(7, b"another key")
    True
    """
    content = row.to_bytes(8, "little")
    return blake2b(content, key=key, digest_size=8, person=b"shoal row").hexdigest()
