"""Names of rows that mean nothing without the key: what a journal may say instead of a row."""

from __future__ import annotations

from hashlib import blake2b


def row_name(row: int, key: bytes) -> str:
    """Keyed name of a row by its hash (`Table.row_hash`).

    >>> row_name(7, b"key") == row_name(7, b"key") != row_name(7, b"another key")
    True
    """
    content = row.to_bytes(8, "little")
    return blake2b(content, key=key, digest_size=8, person=b"shoal row").hexdigest()
