"""Names for rows that mean nothing without the key."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from shoal.audit import row_name
from shoal.exceptions import InputError
from shoal.table import Table


class RowNames:
    """Keyed hashes of the rows of a table: what a journal may say instead of a row.

    They go by the content of the row, so they find it again wherever it stands in the table.
    """

    def __init__(self, table: Table, key: bytes) -> None:
        self._table = table
        self._key = key
        self._known: dict[str, int] = {}

    def names(self, rows: Iterable[int]) -> list[str]:
        """Name some rows."""
        hashes = self._table.row_hash()
        named = {self._name(int(hashes[row])): int(row) for row in rows}
        self._known.update(named)
        return list(named)

    def rows(self, names: Sequence[str]) -> list[int]:
        """Find rows by their names."""
        if not all(name in self._known for name in names):
            self._known = self._all
        try:
            return [self._known[name] for name in names]
        except KeyError:
            raise InputError("The journal speaks of a row that is not in the table.") from None

    @cached_property
    def _all(self) -> dict[str, int]:
        hashes = self._table.row_hash().tolist()
        return {self._name(value): row for row, value in enumerate(hashes)}

    def _name(self, value: int) -> str:
        return row_name(value, self._key)
