"""Passwords of databases: from the environment, from the driver's own files, or asked for.

None is ever part of an address, a plan, a log or an error; libpq reads ``PGPASSWORD``,
``~/.pgpass`` and pg services by itself.
"""

from __future__ import annotations

import os
from collections.abc import Callable

VARIABLE = "SHOAL_DATABASE_PASSWORD"
_ask: list[Callable[[str], str]] = []


def ask_with(ask: Callable[[str], str] | None) -> None:
    """Say how a password is asked for, given whose it is; None where nobody can be asked."""
    _ask[:] = [ask] if ask is not None else []


def given_password() -> str | None:
    """Return the password of the environment, if there is one."""
    return os.environ.get(VARIABLE) or None


def asked_password(whose: str) -> str | None:
    """Ask for a password; None where nobody can be asked."""
    return _ask[0](whose) if _ask else None
