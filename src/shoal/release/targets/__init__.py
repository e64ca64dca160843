"""Targets: databases that a release is written back to, in one transaction.

A table appears whole, counted by the database's own SQL, or not at all; whatever ends the process
or the server in between leaves no table. Only databases that create tables inside transactions can
do that; others are refused.
"""

from __future__ import annotations

from shoal.exceptions import InvalidParameterError
from shoal.release.targets._base import (
    ReleaseTarget,
    TableCount,
    TargetTable,
    check_target,
    digest_of,
)
from shoal.release.targets._duckdb import DuckDBTarget
from shoal.release.targets._postgresql import PostgreSQLTarget
from shoal.release.targets._sqlite import SQLiteTarget
from shoal.table import Address, is_address

TARGETS: dict[str, type[ReleaseTarget]] = {
    target.kind: target for target in (PostgreSQLTarget, SQLiteTarget, DuckDBTarget)
}


def open_target(address: str, into: str) -> ReleaseTarget:
    """Find the target of an address.

    >>> open_target("sqlite:///out.db", "patients_k10").name
    'patients_k10'
    """
    if not is_address(address):
        raise InvalidParameterError(
            "A table of a database has an address.", hint="postgresql://host/db, sqlite:///out.db"
        )
    scheme = Address.of(address).scheme
    if scheme not in TARGETS:
        raise InvalidParameterError(
            f"A release cannot be written back to {scheme!r}: only where creating a table is part"
            " of a transaction can one that is cut off leave nothing behind.",
            hint=f"That is so for {', '.join(sorted(TARGETS))}. Write files instead: -o release/",
        )
    return TARGETS[scheme](address, into)


__all__ = [
    "TARGETS",
    "ReleaseTarget",
    "TableCount",
    "TargetTable",
    "check_target",
    "digest_of",
    "open_target",
]
