"""A keyed fingerprint: the same table is recognized, and nothing about it is told."""

from __future__ import annotations

import hmac
from hashlib import sha256
from typing import Any, Protocol

import numpy as np

from shoal.typing import IntArray


class Fingerprinted(Protocol):
    """What of a `shoal.table.Table` a fingerprint is taken of."""

    @property
    def column_names(self) -> tuple[str, ...]:
        """Names of the columns."""

    @property
    def cells(self) -> Any:
        """The cells, looked up by column."""

    def row_hash(self) -> IntArray:
        """Hash of each row, the same in every row order."""


def fingerprint(table: Fingerprinted, key: bytes) -> str:
    """Keyed fingerprint of a table: all its cells and column names, whatever the row order.

    HMAC-SHA256 over the columns with the rows sorted by their hash. Without the key nobody can
    test a guess of the table against it.

    >>> import polars as pl
    >>> from shoal.table import read_table
    >>> one = read_table(pl.DataFrame({"age": [30, 31, 30]}))
    >>> same = read_table(pl.DataFrame({"age": [31, 30, 30]}))
    >>> fingerprint(one, b"key") == fingerprint(same, b"key")
    True
    >>> fingerprint(one, b"key") == fingerprint(same, b"another key")
    False
    """
    digest = hmac.new(key, b"shoal table", sha256)
    order = np.argsort(table.row_hash(), kind="stable")
    for name in table.column_names:
        distinct = table.cells.printed(name)
        texts = distinct.texts.to_list()
        by_text = sorted(range(len(texts)), key=texts.__getitem__)
        rank = np.empty(len(texts) + 1, dtype="<u4")
        rank[by_text] = np.arange(len(texts))
        rank[-1] = len(texts)  # missing
        for part in (name, *(texts[i] for i in by_text)):
            piece = part.encode("utf-8", "surrogatepass")
            digest.update(len(piece).to_bytes(8, "little") + piece)
        digest.update(len(texts).to_bytes(8, "little"))
        digest.update(rank[distinct.codes[order]].tobytes())
    return digest.hexdigest()
