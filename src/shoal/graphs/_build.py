"""From a table and edges to the grouper of its network."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from shoal.exceptions import InputError, InvalidParameterError, UnknownColumnError
from shoal.graphs._as_graph import as_graph
from shoal.graphs._grouper import NetworkSaNGreeA
from shoal.table import Roles, Table


def name_people(table: Table, node: str | None = None) -> Table:
    """Make the column that names people an identifier, so that it is never published.

    It is the first one if none is named.

    >>> import polars as pl
    >>> from shoal.table import read_table
    >>> name_people(read_table(pl.DataFrame({"id": ["a", "b"], "age": [30, 40]}))).roles.dropped
    ('id',)
    """
    roles = table.roles
    column = node_of(table, node)
    if column in roles.dropped:
        return table
    if column in roles.named:
        raise InvalidParameterError(
            f"Column {column!r} names the people of the network, so it can have no other role.",
            hint="Name another one: --node COLUMN.",
        )
    named: Roles = replace(roles, identifiers=(*roles.identifiers, column))
    return table.with_roles(named)


def node_of(table: Table, node: str | None = None) -> str:
    """Return the column that names people: the one given, or the first."""
    if node is not None and node not in table.column_names:
        raise UnknownColumnError.among(node, table.column_names)
    return table.column_names[0] if node is None else node


def build_network(
    table: Table, edges: Any, node: str | None = None, **settings: Any
) -> NetworkSaNGreeA:
    """Make the grouper of a table and the edges between its people.

    Parameters
    ----------
    table : Table
        One row a person.
    edges : Any
        Whatever `as_graph` takes.
    node : str, optional
        The column that names people as the edges do; the first one if not given.
    **settings
        As for `NetworkSaNGreeA`.
    """
    if table.roles.person is not None:
        raise InvalidParameterError(
            "In a network every row is another person: a column that tells people apart has no"
            " meaning.",
            hint="Leave out --person; --node names people.",
        )
    names = table.text(node_of(table, node))
    if names.null_count():
        raise InputError(
            f"{names.null_count():,} of {table.n_rows:,} rows do not name their person.",
            hint="The column that names people (--node) must not be empty.",
        )
    graph = as_graph(edges).arranged(names.to_list())
    return NetworkSaNGreeA(graph, **{k: v for k, v in settings.items() if v is not None})
