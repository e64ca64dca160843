"""Coded tables: what groupers, privacy models and spaces need of a table, wherever its rows are.

`Table` is one. Spark has two more: the rows of a fragment, and the whole as its driver knows it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from shoal.table._column import Column
from shoal.table._roles import Roles
from shoal.typing import IntArray, Kind


class CodedTable(Protocol):
    """The columns of a table as codes; enough to build spaces and models, and to judge groups."""

    @property
    def n_rows(self) -> int:
        """Number of rows."""

    @property
    def column_names(self) -> tuple[str, ...]:
        """Names of the columns, in order."""

    @property
    def roles(self) -> Roles:
        """Who is named, described or exposed by which column."""

    @property
    def kinds(self) -> Mapping[str, Kind]:
        """The kind of every column."""

    @property
    def references(self) -> Mapping[str, IntArray]:
        """Rows of each value in the table that this is a part of; empty for a whole one."""

    def column(self, name: str, /) -> Column:
        """Return a coded column."""

    def codes(self, name: str, /) -> IntArray:
        """Return the codes of a column."""


class CodedRows(CodedTable, Protocol):
    """A coded table whose rows are told apart by a hash: enough to group them."""

    def row_hash(self) -> IntArray:
        """Hash each row: all its cells, and its number among identical rows."""
