"""Accounts for a server that others can reach: names and scrypt hashes in one private file."""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import secrets
import tomllib
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic

from shoal.exceptions import InputError, InvalidParameterError, OutputError

SHORTEST = 12
TRIES, WINDOW = 5, 60.0  # guesses per name and minute
WORK = {"n": 1 << 14, "r": 8, "p": 1, "maxmem": 64 << 20}


@dataclass
class Accounts:
    """Names that may come in with their passwords.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "people.toml")
    >>> add_account(path, "ada", "a long enough secret")
    >>> accounts = Accounts.read(path)
    >>> accounts.admit("ada", "a long enough secret"), accounts.admit("ada", "guess")
    (True, False)
    """

    hashes: dict[str, str]
    path: Path | None = None
    _stamp: tuple[int, int] = (0, 0)
    _tries: dict[str, deque[float]] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> Accounts:
        """Read the file of accounts."""
        try:
            stamp, hashes = _stamp_of(path), _hashes_in(path)
        except FileNotFoundError:
            stamp, hashes = (0, 0), {}
        except (OSError, ValueError, KeyError, AttributeError):
            raise InputError(f"{path.name!r} is not a file of accounts.") from None
        if not hashes:
            raise InvalidParameterError(
                f"There is no account in {path.name!r}, so nobody could come in.",
                hint=f"Make one: shoal serve --auth {path.name} --add-user NAME",
            )
        return cls(hashes, path, stamp)

    def version(self, name: str) -> str:
        """Name the password an account has today; empty if there is no such account any more."""
        self._reread()
        stored = self.hashes.get(name)
        return hashlib.sha256(stored.encode()).hexdigest()[:16] if stored else ""

    def admit(self, name: str, password: str) -> bool:
        """Tell whether a password is right; always takes the time of a hash."""
        self._reread()
        stored = self.hashes.get(name, _NOBODY)
        return _matches(password, stored) and name in self.hashes

    def _reread(self) -> None:
        """Read the file again if it was changed; while it cannot be read, nobody comes in."""
        if self.path is None:
            return
        try:
            stamp = _stamp_of(self.path)
            if stamp != self._stamp:
                self.hashes, self._stamp = _hashes_in(self.path), stamp
        except (OSError, ValueError, KeyError, AttributeError):
            self.hashes, self._stamp = {}, (0, 0)

    def too_fast(self, name: str) -> bool:
        """Count a try; tell whether there were too many in the last minute."""
        known = name if name in self.hashes else ""
        tries = self._tries.setdefault(known, deque(maxlen=TRIES))
        now = monotonic()
        crowded = len(tries) == TRIES and now - tries[0] < WINDOW
        if not crowded:
            tries.append(now)
        return crowded


def _hashes_in(path: Path) -> dict[str, str]:
    people = tomllib.loads(path.read_text("utf-8"))["people"]
    return {str(name): str(stored) for name, stored in people.items()}


def _stamp_of(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_mtime_ns, found.st_ino


def add_account(path: Path, name: str, password: str) -> None:
    """Add an account, or give it another password; the file is closed to others."""
    if not re.fullmatch(r"[\w.@-]{1,64}", name):
        raise InvalidParameterError("A name is letters, digits and . @ - _ only.")
    if len(password) < SHORTEST:
        raise InvalidParameterError(f"A password has {SHORTEST} characters or more.")
    hashes = Accounts.read(path).hashes if path.exists() else {}
    hashes[name] = _hash(password, secrets.token_bytes(16))
    lines = ["[people]", *(f'"{who}" = "{stored}"' for who, stored in hashes.items()), ""]
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write("\n".join(lines))
        draft.replace(path)
    except OSError as error:
        reason = error.strerror
        raise OutputError(f"The accounts {path.name!r} were not written: {reason}.") from None


def _hash(password: str, salt: bytes) -> str:
    digest = hashlib.scrypt(password.encode(), salt=salt, dklen=32, **WORK)
    return f"scrypt:{salt.hex()}:{digest.hex()}"


def _matches(password: str, stored: str) -> bool:
    try:
        _, salt, _ = stored.split(":")
        return hmac.compare_digest(_hash(password, bytes.fromhex(salt)), stored)
    except ValueError:
        return False


_NOBODY = "scrypt:00000000000000000000000000000000:00"
