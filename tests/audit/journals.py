"""Journals to tamper with, as somebody with the file but without the key would."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from shoal.audit import Journal

KEY = b"the key of the house, 32 bytes.."
COLUMNS = "time, actor, kind, body, salt, digest, previous, mac"


def write(path: Path, n: int = 8) -> Path:
    """Write a journal of n entries and close it."""
    with Journal.open(path, KEY) as journal:
        for number in range(1, n + 1):
            journal.append("step", {"number": number}, actor="ada")
    return path


def tamper(path: Path, *statements: str) -> None:
    """Run SQL on a journal behind its back."""
    connection = sqlite3.connect(path)
    with connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()


def verified(path: Path, witness: Path | None = None):
    with Journal.open(path, KEY, create=False) as journal:
        return journal.verify(witness)


def swap(first: int, second: int) -> tuple[str, ...]:
    """Exchange two entries, numbers aside."""
    return (
        f"UPDATE entries SET number = -1 WHERE number = {first}",
        f"UPDATE entries SET number = {first} WHERE number = {second}",
        f"UPDATE entries SET number = {second} WHERE number = -1",
    )
