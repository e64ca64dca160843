"""Coded tables on a cluster: rows of a fragment on a worker, the whole as the driver knows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from shoal.exceptions import UnknownColumnError
from shoal.table import Column, Roles
from shoal.typing import IntArray, Kind


@dataclass(frozen=True, eq=False)
class _Known:
    """Columns that are known, by name."""

    columns: Mapping[str, Column]

    @property
    def kinds(self) -> Mapping[str, Kind]:
        """The kind of every known column."""
        return {name: column.kind for name, column in self.columns.items()}

    def column(self, name: str) -> Column:
        """Return a known column."""
        if name not in self.columns:
            raise UnknownColumnError.among(name, [*self.columns])
        return self.columns[name]

    def codes(self, name: str) -> IntArray:
        """Return the codes of a known column."""
        return self.column(name).codes


@dataclass(frozen=True, eq=False)
class FragmentRows(_Known):
    """Some rows, known by their hashes; of their cells, only what models speak of.

    Attributes
    ----------
    columns : mapping of str to Column
        Codes of these rows, labels of the whole table.
    hashes : IntArray
        Hashes of the rows as they were in the table.
    references : mapping of str to IntArray
        Rows of each value in the whole table, for models that compare groups with it.
    """

    hashes: IntArray
    references: Mapping[str, IntArray] = field(default_factory=dict)
    roles: Roles = field(default_factory=Roles)

    @property
    def n_rows(self) -> int:
        """Rows of this fragment."""
        return int(self.hashes.size)

    @property
    def column_names(self) -> tuple[str, ...]:
        """Names of the columns that came along."""
        return tuple(self.columns)

    def row_hash(self) -> IntArray:
        """Hashes of the rows as they were in the table."""
        return self.hashes


@dataclass(frozen=True, eq=False)
class WholeTable(_Known):
    """The whole table as far as the driver knows it: values of some columns, and how many rows.

    Codes of a column list its values once, so that a space of it maps values to its own codes.
    """

    n_rows: int
    column_names: tuple[str, ...]
    roles: Roles
    references: Mapping[str, IntArray] = field(default_factory=dict)
