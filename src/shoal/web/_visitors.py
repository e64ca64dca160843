"""Visitors: who is asking, told by the token of this start or by what a browser's cookie says."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from time import time
from typing import Any, Literal

from shoal.web._accounts import Accounts

Part = Literal["steward", "participant"]
REMEMBERED = 30 * 24 * 3600  # seconds


@dataclass(frozen=True)
class Visitor:
    """Somebody who may come in: a steward with tables of their own, or a study's participant."""

    id: str
    part: Part = "steward"
    name: str = ""
    account: bool = False  # came in with a password

    @property
    def actor(self) -> str:
        """What the journal calls them."""
        return self.name or f"{self.part}-{self.id[:8]}"


@dataclass
class Visitors:
    """Knows the tokens of this start, and what may stand in the cookies it gave out.

    Tokens are drawn anew with every start. Cookies are signed by Starlette's session with a key
    that stays in SHOAL_HOME, so that a browser is recognized when the server comes back. A cookie
    alone lets nobody in: with accounts, its account and its password must still be those of today;
    without, it must be one that a token was traded for.

    Examples
    --------
    >>> visitors = Visitors(b"k" * 32)
    >>> ada = visitors.new("steward")
    >>> visitors.known(visitors.remember(ada)) == ada
    True
    >>> visitors.known({"id": "x"}) is None
    True
    """

    key: bytes
    accounts: Accounts | None = None
    study: bool = False
    ended: Path | None = None  # where sessions that were logged out are written down
    token: str | None = None
    study_token: str | None = None
    _over: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        if self.accounts is None:  # with accounts, nobody is a steward without a name
            self.token = secrets.token_urlsafe(32)
        if self.study:
            self.study_token = secrets.token_urlsafe(32)
        self._over = _still_ended(self.ended) if self.ended else set()

    def holder(self, token: str) -> Part | None:
        """Tell whom a token lets in."""
        tokens: dict[Part, str | None] = {"steward": self.token, "participant": self.study_token}
        for part, kept in tokens.items():
            if kept is not None and hmac.compare_digest(token.encode(), kept.encode()):
                return part
        return None

    def new(self, part: Part) -> Visitor:
        """Meet somebody for the first time."""
        return Visitor(secrets.token_hex(16), part)

    def script(self) -> Visitor:
        """Whoever sends the steward's token with each request: always the same one."""
        return Visitor(self.derive("script")[:32], "steward", "script")

    def account(self, name: str) -> Visitor:
        """Whoever logged in under this name: always the same one."""
        return Visitor(self.derive(f"account {name}")[:32], "steward", name, account=True)

    def remember(self, visitor: Visitor) -> dict[str, str]:
        """Return what a browser's session keeps about its visitor."""
        session = {"id": visitor.id, "part": visitor.part, "session": secrets.token_hex(8)}
        if visitor.account and self.accounts is not None:
            session |= {"name": visitor.name, "password": self.accounts.version(visitor.name)}
        return session

    def known(self, session: Mapping[str, Any]) -> Visitor | None:
        """Recognize a browser by its session; None if that lets nobody in (any more)."""
        id, part, name = session.get("id"), session.get("part"), session.get("name")
        if not id or session.get("session") in self._over:
            return None
        if part == "participant" and self.study:
            return Visitor(id, "participant")
        if part != "steward":
            return None
        if name is None or self.accounts is None:
            return Visitor(id) if name is None and self.accounts is None else None
        today = self.accounts.version(name)
        return self.account(name) if today and today == session.get("password") else None

    def forget(self, session: Mapping[str, Any]) -> None:
        """Log a browser out: its cookie is worth nothing from now on, wherever it was copied."""
        id = str(session.get("session", ""))
        self._over.add(id)
        if self.ended is not None:
            with self.ended.open("a", encoding="utf-8") as file:
                file.write(f"{id} {int(time()) + REMEMBERED}\n")

    def derive(self, purpose: str) -> str:
        """Return a key of its own for a purpose."""
        return hmac.new(self.key, f"shoal web: {purpose}".encode(), sha256).hexdigest()


def _still_ended(path: Path) -> set[str]:
    """Read which sessions were logged out; forget those whose cookies are too old anyway."""
    lines = path.read_text("utf-8").split("\n") if path.exists() else []
    pairs = [line.split() for line in lines if line]
    return {id for id, until in pairs if int(until) > time()}
