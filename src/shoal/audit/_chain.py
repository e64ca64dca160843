"""Entries, the keyed hash that chains them, and the search for the first link that is broken.

The chain runs over a commitment to each body (its hash under a salt of its own), not over the body.
So a body can be taken out for good, salt and all: what is left of it tells nothing, and the chain
still holds. A later entry must say which bodies were taken out; any other that is missing is found.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import blake2b, sha256
from typing import Any

#: Kind of the entry that says which earlier ones lost their bodies.
REDACTED = "redacted"


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

    @property
    def redacted(self) -> bool:
        """Whether the body was taken out, with the salt that its digest was made with."""
        return bool(self.body == self.salt == "" and self.digest)

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

    def is_intact(self, key: bytes) -> bool:
        """Tell whether the entry itself is as it was written, wherever it now stands."""
        parts = (self.time, self.actor, self.kind, self.body, self.salt, self.digest)
        if not all(isinstance(part, str) for part in (*parts, self.previous, self.mac)):
            return False
        sealed = hmac.compare_digest(self.seal(key, self.previous).encode(), _bytes(self.mac))
        return sealed and (self.redacted or commit(self.body, self.salt) == self.digest)

    def entry(self) -> Entry:
        """Read the entry."""
        body = {} if self.redacted else json.loads(self.body)
        facts = (self.number, self.time, self.actor, self.kind, body, self.previous, self.mac)
        return Entry(*facts, redacted=self.redacted)


def commit(body: str, salt: str) -> str:
    """Digest of a body under a salt of its own: without the salt no guess can be tested.

    >>> commit("{}", "00") == commit("{}", "00") != commit("{}", "01")
    True
    """
    if not salt:
        return ""
    return hmac.new(_bytes(salt), _bytes(body), sha256).hexdigest()


def canonical(value: Any) -> str:
    """Write JSON in the one way that gives the same bytes everywhere.

    >>> canonical({"b": 0.1, "a": ["ü"]})
    '{"a":["\\\\u00fc"],"b":0.1}'
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def find_break(links: Iterable[Link], key: bytes, genesis: str) -> ChainVerification:
    """Walk the chain from its beginning and name the first entry that is not as it was written."""
    chain = list(links)
    before = genesis
    for place, link in enumerate(chain, start=1):
        reason = _wrong(link, place, before, chain, key)
        if reason:
            return ChainVerification(False, place, reason, len(chain))
        before = link.mac
    place, reason = _wrongly_redacted(chain)
    if reason:
        return ChainVerification(False, place, reason, len(chain))
    return ChainVerification(True, entries=len(chain), head=before)


def _wrong(link: Link, place: int, before: str, chain: list[Link], key: bytes) -> str:
    if not link.is_intact(key):
        return "was changed after it was written"
    if link.previous != before:
        moved = any(other.mac == link.previous for other in chain)
        return "is not in the order of writing" if moved else "was removed"
    if link.number != place:
        return "was removed" if isinstance(link.number, int) else "was changed after it was written"
    return ""


def _wrongly_redacted(chain: list[Link]) -> tuple[int, str]:
    """Find a body that is missing though no later entry says so, or is back though one does."""
    said: set[int] = set()
    for link in chain:
        if link.kind == REDACTED and not link.redacted:
            said.update(n for n in json.loads(link.body)["entries"] if n < link.number)
    for link in chain:
        if link.redacted and link.number not in said:
            return link.number, "lost what it said, and no later entry tells why"
        if link.number in said and not link.redacted:
            return link.number, "says again what was redacted"
    return 0, ""


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def row_name(row: int, key: bytes) -> str:
    """Keyed name of a row by its hash (`Table.row_hash`).

    >>> row_name(7, b"key") == row_name(7, b"key") != row_name(7, b"another key")
    True
    """
    content = row.to_bytes(8, "little")
    return blake2b(content, key=key, digest_size=8, person=b"shoal row").hexdigest()
