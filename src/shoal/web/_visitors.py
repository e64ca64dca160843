"""Who is asking: the tokens of this start, and the cookies that remember a browser."""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass, field
from hashlib import sha256
from time import time
from typing import Literal

Part = Literal["steward", "participant"]
COOKIE = "shoal"
REMEMBERED = 30 * 24 * 3600  # seconds


@dataclass(frozen=True)
class Visitor:
    """Somebody who may come in: a steward with tables of their own, or a study's participant."""

    id: str
    part: Part = "steward"
    name: str = ""

    @property
    def actor(self) -> str:
        """What the journal calls them."""
        return self.name or f"{self.part}-{self.id[:8]}"


@dataclass(frozen=True)
class Visitors:
    """The door: knows the tokens of this start and reads the cookies it gave out.

    Tokens are drawn anew with every start. Cookies are signed with a key that stays in SHOAL_HOME,
    so that a browser is recognized when the server comes back.

    Examples
    --------
    >>> door = Visitors(key=b"k" * 32)
    >>> ada = door.new("steward")
    >>> door.read_cookie(door.cookie(ada)) == ada
    True
    >>> door.read_cookie(door.cookie(ada).replace("steward", "participant")) is None
    True
    """

    key: bytes
    token: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    study_token: str | None = None

    def holder(self, token: str) -> Part | None:
        """Tell whom a token lets in."""
        if hmac.compare_digest(token.encode(), self.token.encode()):
            return "steward"
        study = self.study_token
        if study is not None and hmac.compare_digest(token.encode(), study.encode()):
            return "participant"
        return None

    def new(self, part: Part) -> Visitor:
        """Meet somebody for the first time."""
        return Visitor(secrets.token_hex(16), part)

    def script(self) -> Visitor:
        """Whoever sends the steward's token with each request: always the same one."""
        return Visitor(self._mac("script")[:32], "steward", "script")

    def account(self, name: str) -> Visitor:
        """Whoever logged in under this name: always the same one."""
        return Visitor(self._mac(f"account {name}")[:32], "steward", name)

    def cookie(self, visitor: Visitor) -> str:
        """Write what a browser keeps."""
        name = visitor.name.encode().hex()
        text = f"{visitor.part}.{visitor.id}.{name}.{int(time()) + REMEMBERED}"
        return f"{text}.{self._mac(text)}"

    def read_cookie(self, cookie: str) -> Visitor | None:
        """Recognize a browser by what it kept; None if we did not write it or it is too old."""
        text, _, mac = cookie.rpartition(".")
        if not hmac.compare_digest(mac.encode(), self._mac(text).encode()):
            return None
        part, id, name, until = text.split(".")
        if int(until) < time():
            return None
        return Visitor(id, part, bytes.fromhex(name).decode())  # type: ignore[arg-type]

    def _mac(self, text: str) -> str:
        return hmac.new(self.key, f"shoal web: {text}".encode(), sha256).hexdigest()
