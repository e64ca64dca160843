"""Graphs from wherever they lie: files, networkx, igraph, matrices, pairs."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from shoal.exceptions import EmptyTableError, InputError, InvalidParameterError, MissingExtraError
from shoal.graphs._graph import Graph
from shoal.table import read_table

DIRECTED = "Edges have a direction, which plays no part: who knows whom is published both ways."
MORE = "Of the edges, the first two columns are read; the others are not published."


def as_graph(given: Any) -> Graph:
    """Make a graph of whatever was given: a `Graph`, a file, networkx, igraph, a matrix, pairs.

    >>> as_graph([("ann", "bob")])
    Graph(2 people, 1 edges)
    >>> as_graph(np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]]))
    Graph(3 people, 2 edges)
    """
    if isinstance(given, Graph):
        return given
    if isinstance(given, str | PathLike):
        return read_graph(given)
    home = type(given).__module__.partition(".")[0]
    if home == "networkx":
        return of_networkx(given)
    if home == "igraph":
        return of_igraph(given)
    if home in ("scipy", "numpy"):
        return of_matrix(given)
    if home in ("polars", "pandas", "pyarrow"):
        return of_table(given)
    try:
        return Graph.from_pairs(given)
    except TypeError:
        raise InvalidParameterError(
            "Edges are given as a file, pairs of names, a frame, a matrix, networkx or igraph.",
            hint="Such as [('ann', 'bob'), ('bob', 'cy')].",
        ) from None


def read_graph(path: str | PathLike[str]) -> Graph:
    """Read GraphML, by the end of its name, or a table of edges."""
    if Path(path).suffix.lower() != ".graphml":
        return of_table(path)
    nx = networkx()
    try:
        return of_networkx(nx.read_graphml(path))
    except FileNotFoundError:
        raise InputError(f"There is no file {Path(path).name!r}.") from None
    except (OSError, ValueError, KeyError, SyntaxError, nx.NetworkXException):
        raise InputError(
            f"{Path(path).name!r} is not a network in GraphML.",
            hint="Export it again, or give edges as a table of two columns.",
        ) from None


def of_table(edges: Any) -> Graph:
    """Read a frame or a file whose first two columns are the ends of edges."""
    try:
        table = read_table(edges)
    except EmptyTableError:  # nobody knows anybody
        return Graph.from_pairs([])
    if len(table.column_names) < 2:
        raise InputError(
            "Edges need two columns, one for each end.", hint="One line an edge, such as ann,bob."
        )
    ends = [table.text(name) for name in table.column_names[:2]]
    missing = int((ends[0].is_null() | ends[1].is_null()).sum())
    if missing:
        raise InputError(
            f"{missing:,} of {table.n_rows:,} edges lack an end.",
            hint="Each line names two people in its first two columns.",
        )
    both = np.concatenate([end.to_numpy() for end in ends]).astype(str)
    names, numbers = np.unique(both, return_inverse=True)
    notes = (MORE,) if len(table.column_names) > 2 else ()
    return Graph.from_numbers(names.tolist(), numbers.reshape(2, -1).T, notes=notes)


def of_networkx(graph: Any) -> Graph:
    """Take a graph of networkx."""
    notes = (DIRECTED,) if graph.is_directed() else ()
    nodes = [str(node) for node in graph.nodes]
    _refuse_namesakes(nodes)
    place = {node: i for i, node in enumerate(graph.nodes)}
    ends = [(place[a], place[b]) for a, b, *_ in graph.edges]
    return Graph.from_numbers(nodes, np.array(ends, dtype=np.int64).reshape(-1, 2), notes=notes)


def of_igraph(graph: Any) -> Graph:
    """Take a graph of igraph."""
    notes = (DIRECTED,) if graph.is_directed() else ()
    named = "name" in graph.vs.attributes()
    names = [str(name) for name in (graph.vs["name"] if named else range(graph.vcount()))]
    _refuse_namesakes(names)
    ends = np.array(graph.get_edgelist(), dtype=np.int64).reshape(-1, 2)
    return Graph.from_numbers(names, ends, notes=notes)


def of_matrix(matrix: Any, names: Sequence[Any] | None = None) -> Graph:
    """Take an adjacency matrix."""
    from scipy.sparse import coo_array

    cells = coo_array(matrix)
    if len(cells.shape) != 2 or cells.shape[0] != cells.shape[1]:
        raise InputError("The matrix of a network is square: one row and one column a person.")
    people = [str(name) for name in (range(cells.shape[0]) if names is None else names)]
    if len(people) != cells.shape[0]:
        raise InvalidParameterError(f"{len(people)} names for {cells.shape[0]} people.")
    _refuse_namesakes(people)
    there = cells.data != 0
    ends = np.column_stack([cells.coords[0][there], cells.coords[1][there]]).astype(np.int64)
    keys = np.unique(ends[:, 0] * cells.shape[0] + ends[:, 1])
    turned = np.unique(ends[:, 1] * cells.shape[0] + ends[:, 0])
    symmetric = np.array_equal(keys, turned)
    if symmetric:  # both halves say the same: nothing is there twice
        ends = ends[ends[:, 0] <= ends[:, 1]]
    return Graph.from_numbers(people, ends, notes=() if symmetric else (DIRECTED,))


def networkx() -> Any:
    """Import networkx, or say how to get it."""
    try:
        import networkx  # type: ignore[import-untyped]
    except ImportError:
        raise MissingExtraError(
            "Networks of this kind need networkx, which is not installed.",
            hint="pip install 'shoal[graphs]'",
        ) from None
    return networkx


def _refuse_namesakes(names: Sequence[str]) -> None:
    twice = len(names) - len({*names})
    if twice:
        raise InputError(f"{twice:,} people of the network have the name of somebody else.")
