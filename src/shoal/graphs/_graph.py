"""A graph: people and who knows whom, undirected, every edge once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from shoal.exceptions import InputError, InvalidParameterError
from shoal.typing import IntArray

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(frozen=True, eq=False, repr=False)
class Graph:
    """Who knows whom. Make one with `read`, `from_pairs`, `from_networkx` and their like.

    Edges have no direction and no weight, nobody has one to themselves, and there is at most one
    between two people: whatever else was given is left out, and ``notes`` says how much.

    Attributes
    ----------
    names : tuple of str
        The people, sorted; those without any edge may be among them.
    starts, friends : IntArray
        The friends of person i, by number: ``friends[starts[i]:starts[i + 1]]``, sorted.
    notes : tuple of str
        What was left out, in sentences that name nobody.

    Examples
    --------
    >>> graph = Graph.from_pairs([("ann", "bob"), ("bob", "cy"), ("cy", "ann"), ("cy", "dan")])
    >>> graph
    Graph(4 people, 4 edges)
    >>> graph.names, graph.degrees.tolist()
    (('ann', 'bob', 'cy', 'dan'), [2, 2, 3, 1])
    >>> Graph.from_pairs([("ann", "bob"), ("bob", "ann"), ("bob", "bob")]).notes
    ('1 edge is there twice or in both directions: it counts once.',
    '1 edge joins somebody with themselves: it is left out.')
    """

    names: tuple[str, ...]
    starts: IntArray
    friends: IntArray
    notes: tuple[str, ...] = field(default=())

    @classmethod
    def from_pairs(
        cls,
        pairs: Iterable[tuple[Any, Any]],
        people: Iterable[Any] | None = None,
        *,
        notes: Sequence[str] = (),
    ) -> Self:
        """Take pairs of names; ``people`` names all there are, with an edge or without."""
        ends = [tuple(pair) for pair in pairs]
        if any(len(pair) != 2 or None in pair or "" in pair for pair in ends):
            raise InputError("Every edge needs two people: an end of one is missing.")
        flat = np.array([str(end) for pair in ends for end in pair], dtype=object)
        if people is None:
            known, numbers = np.unique(flat.astype(str), return_inverse=True)
            return cls.from_numbers(known.tolist(), numbers.reshape(-1, 2), notes=notes)
        named = sorted({str(person) for person in people})
        place = {name: i for i, name in enumerate(named)}
        numbers = np.array([place.get(end, -1) for end in flat], dtype=np.int64).reshape(-1, 2)
        return cls.from_numbers(named, numbers, notes=notes)

    @classmethod
    def from_numbers(
        cls, names: Sequence[str], pairs: IntArray, *, notes: Sequence[str] = ()
    ) -> Self:
        """Take pairs of numbers of ``names``, which are all different."""
        if list(names) != sorted(names):
            order = np.argsort(np.array(names, dtype=str), kind="stable")
            rank = np.empty(len(names), dtype=np.int64)
            rank[order] = np.arange(len(names))
            strangers = pairs < 0
            pairs = np.where(strangers, -1, rank[pairs])
            names = [names[i] for i in order]
        starts, friends, told = _arrange(np.asarray(pairs, dtype=np.int64), len(names))
        return cls(tuple(names), starts, friends, (*notes, *told))

    @classmethod
    def read(cls, path: str | PathLike[str]) -> Graph:
        """Read a table whose first two columns name the two ends of each edge, or GraphML."""
        from shoal.graphs._as_graph import read_graph

        return read_graph(path)

    @classmethod
    def from_networkx(cls, graph: Any) -> Graph:
        """Take a graph of networkx; nodes are named as they print."""
        from shoal.graphs._as_graph import of_networkx

        return of_networkx(graph)

    @classmethod
    def from_igraph(cls, graph: Any) -> Graph:
        """Take a graph of igraph: nodes by their attribute ``name``, or by number."""
        from shoal.graphs._as_graph import of_igraph

        return of_igraph(graph)

    @classmethod
    def from_matrix(cls, matrix: Any, names: Sequence[Any] | None = None) -> Graph:
        """Take a square matrix, sparse or not: an edge wherever it is not 0."""
        from shoal.graphs._as_graph import of_matrix

        return of_matrix(matrix, names)

    @property
    def n_people(self) -> int:
        """How many people there are."""
        return len(self.names)

    @property
    def n_edges(self) -> int:
        """How many edges there are."""
        return self.friends.size // 2

    @cached_property
    def degrees(self) -> IntArray:
        """How many friends each person has."""
        return np.diff(self.starts)

    @cached_property
    def pairs(self) -> IntArray:
        """The edges, one row each, the smaller number first."""
        one = np.repeat(np.arange(self.n_people), self.degrees)
        upper = one < self.friends
        return np.column_stack([one[upper], self.friends[upper]])

    def arranged(self, names: Sequence[str]) -> Graph:
        """Number the people as ``names`` lists them; whoever has an edge must be in the list.

        >>> graph = Graph.from_pairs([("ann", "bob"), ("bob", "cy")])
        >>> graph.arranged(["cy", "dan", "bob", "ann"]).degrees.tolist()
        [1, 0, 2, 1]
        """
        place = {name: i for i, name in enumerate(names)}
        if len(place) != len(names):
            raise InputError(
                "Names of people stand more than once in the table:"
                f" {_counted(len(names) - len(place), 'row', 'rows')} too many.",
                hint="The column that names people (--node) must tell them apart, row by row.",
            )
        number = np.array([place.get(name, -1) for name in self.names], dtype=np.int64)
        strangers = int(((number < 0) & (self.degrees > 0)).sum())
        if strangers:
            raise InputError(
                f"{_counted(strangers, 'person', 'people')} with edges"
                f" {'is' if strangers == 1 else 'are'} not in the table.",
                hint="Name the column that edges speak of (--node), or leave those edges out.",
            )
        starts, friends, _ = _arrange(number[self.pairs], len(names))
        return Graph(tuple(names), starts, friends, self.notes)

    def arranged_rows(self, rows: IntArray) -> Graph:
        """Number the people in the order of ``rows``, a permutation of their numbers."""
        place = np.empty(self.n_people, dtype=np.int64)
        place[rows] = np.arange(self.n_people)
        starts, friends, _ = _arrange(place[self.pairs], self.n_people)
        return Graph(tuple(self.names[i] for i in rows), starts, friends, self.notes)

    def warnings(self) -> tuple[str, ...]:
        """Say what a steward should know of the network; nobody is named."""
        alone = int((self.degrees == 0).sum())
        found = list(self.notes)
        if alone:
            found.append(
                f"{_counted(alone, 'person has', 'people have')} no edge:"
                " whoever knows that of somebody finds them among those."
            )
        parts = self._parts() - alone
        if parts > 1:
            found.append(f"The network falls into {parts:,} parts that no edge joins.")
        return tuple(found)

    def to_matrix(self) -> csr_array:
        """Return the adjacency matrix, for scipy and scikit-learn."""
        from scipy.sparse import csr_array

        ones = np.ones(self.friends.size, dtype=np.int8)
        return csr_array((ones, self.friends, self.starts), shape=(self.n_people,) * 2)

    def to_networkx(self) -> Any:
        """Return the same as a graph of networkx."""
        from shoal.graphs._as_graph import networkx

        graph = networkx().Graph()
        graph.add_nodes_from(self.names)
        graph.add_edges_from((self.names[i], self.names[j]) for i, j in self.pairs.tolist())
        return graph

    def _parts(self) -> int:
        from scipy.sparse.csgraph import connected_components

        return int(connected_components(self.to_matrix(), directed=False)[0])

    def __repr__(self) -> str:  # the default would name people
        return f"Graph({self.n_people:,} people, {self.n_edges:,} edges)"


def _arrange(pairs: IntArray, n: int) -> tuple[IntArray, IntArray, list[str]]:
    """Sort edges by person; leave out self loops and repetitions, and say so."""
    if (pairs < 0).any():
        strangers = int((pairs < 0).any(axis=1).sum())
        raise InputError(
            f"{_counted(strangers, 'edge has', 'edges have')} an end that is not among the people.",
            hint="Name everybody, or leave those edges out.",
        )
    if n > 2**31:
        raise InvalidParameterError("A network can have at most 2,147,483,648 people.")
    loops = pairs[:, 0] == pairs[:, 1]
    low, high = pairs[~loops].min(axis=1, initial=n), pairs[~loops].max(axis=1, initial=0)
    once = np.unique(low * n + high)
    low, high = once // max(n, 1), once % max(n, 1)
    both = np.concatenate([low, high]), np.concatenate([high, low])
    order = np.lexsort((both[1], both[0]))
    starts = np.concatenate([[0], np.cumsum(np.bincount(both[0], minlength=n))]).astype(np.int64)
    twice, own = int((~loops).sum()) - once.size, int(loops.sum())
    told = []
    if twice:
        told.append(
            f"{_counted(twice, 'edge is', 'edges are')} there twice or in both directions:"
            f" {'it counts' if twice == 1 else 'they count'} once."
        )
    if own:
        told.append(
            f"{_counted(own, 'edge joins', 'edges join')} somebody with themselves:"
            f" {'it is' if own == 1 else 'they are'} left out."
        )
    return starts, both[1][order].astype(np.int64), told


def _counted(number: int, one: str, many: str) -> str:
    """Say how many, with a word and its verb where that differs."""
    return f"{number:,} {one if number == 1 else many}"
