"""Networks read from wherever they lie, their losses by hand, and what is odd in them."""

from __future__ import annotations

import networkx as nx
import numpy as np
import polars as pl
import pytest
from scipy.sparse import csr_matrix

import shoal
from shoal.exceptions import InputError, InvalidParameterError
from shoal.graphs import Graph, as_graph, mask

TRIANGLES = [*["ab", "bc", "ca", "de", "ef", "fd", "ad"]]


def test_one_network_from_everywhere(tmp_path):
    pairs = [("ann", "bob"), ("bob", "cy"), ("dan", "cy")]
    frame = pl.DataFrame({"from": [a for a, _ in pairs], "to": [b for _, b in pairs]})
    frame.write_csv(tmp_path / "edges.csv", separator=";")
    network = nx.Graph(pairs)
    nx.write_graphml(network, tmp_path / "edges.graphml")
    names = ["ann", "bob", "cy", "dan"]
    matrix = nx.to_scipy_sparse_array(network, nodelist=names)
    found = [
        Graph.from_pairs(pairs),
        Graph.read(tmp_path / "edges.csv"),
        Graph.read(tmp_path / "edges.graphml"),
        Graph.from_networkx(network),
        Graph.from_matrix(matrix, names),
        Graph.from_matrix(csr_matrix(matrix), names),
        as_graph(frame),
        as_graph(frame.to_pandas()),
        shoal.Graph.from_igraph(OfIgraph(names, [(0, 1), (1, 2), (3, 2)])),
    ]
    for graph in found:
        assert graph.names == tuple(names)
        assert graph.pairs.tolist() == [[0, 1], [1, 2], [2, 3]]
        assert graph.notes == ()
    assert nx.is_isomorphic(found[0].to_networkx(), network)
    assert (found[0].to_matrix() != matrix).nnz == 0


class OfIgraph:
    """As much of an igraph graph as is asked for."""

    __module__ = "igraph"

    def __init__(self, names, edges, directed=False):
        self.vs = type("Vertices", (dict,), {"attributes": lambda self: [*self]})(name=names)
        self._edges, self._directed = edges, directed

    def vcount(self):
        return len(self.vs["name"])

    def is_directed(self):
        return self._directed

    def get_edgelist(self):
        return self._edges


def test_odd_edges_are_left_out_in_a_sentence_each():
    loop = Graph.from_pairs([("a", "a"), ("a", "b")])
    assert loop.notes == ("1 edge joins somebody with themselves: it is left out.",)
    double = Graph.from_pairs([("a", "b"), ("a", "b"), ("b", "a")])
    assert double.notes == ("2 edges are there twice or in both directions: they count once.",)
    assert double.n_edges == 1
    for directed in (
        Graph.from_networkx(nx.DiGraph([("a", "b")])),
        Graph.from_matrix(np.array([[0, 1], [0, 0]])),
        as_graph(OfIgraph(["a", "b"], [(0, 1)], directed=True)),
    ):
        assert directed.n_edges == 1
        assert "direction" in directed.notes[0]
    wide = as_graph(pl.DataFrame({"a": ["x"], "b": ["y"], "since": [1999]}))
    assert "first two columns" in wide.notes[0]
    parts = Graph.from_pairs([("a", "b"), ("c", "d")], people="abcdef").warnings()
    assert parts == (
        "2 people have no edge: whoever knows that of somebody finds them among those.",
        "The network falls into 2 parts that no edge joins.",
    )


@pytest.mark.parametrize(
    ("give", "said"),
    [
        (lambda: Graph.from_pairs([("a", None)]), "an end of one is missing"),
        (lambda: Graph.from_pairs([("a", "x")], people="ab"), "1 edge has an end that is not"),
        (lambda: as_graph(pl.DataFrame({"a": ["x"]})), "two columns"),
        (lambda: as_graph(pl.DataFrame({"a": ["x", None], "b": ["y", "z"]})), "1 of 2 edges lack"),
        (lambda: Graph.from_matrix(np.ones((2, 3))), "square"),
        (lambda: Graph.from_matrix(np.ones((2, 2)), ["a"]), "1 names for 2 people"),
        (lambda: Graph.from_matrix(np.ones((2, 2)), ["a", "a"]), "name of somebody else"),
        (lambda: as_graph(7), "Edges are given as a file"),
        (lambda: Graph.from_pairs([("a", "b")]).arranged(["a", "c"]), "1 person with edges is not"),
        (lambda: Graph.from_pairs([("a", "b")]).arranged(["a", "a"]), "more than once"),
        (lambda: Graph.read("nowhere.graphml"), "There is no file"),
    ],
)
def test_what_is_no_network_is_refused(give, said):
    with pytest.raises((InputError, InvalidParameterError), match=said):
        give()


def test_a_file_that_is_not_graphml(tmp_path):
    (tmp_path / "odd.graphml").write_text("<graphml><secret-name</graphml>")
    with pytest.raises(InputError, match=r"not a network in GraphML") as error:
        Graph.read(tmp_path / "odd.graphml")
    assert "secret" not in str(error.value)


# Losses worked out by hand, on at most ten people.


def test_two_triangles_with_an_edge_between():
    masked = mask(Graph.from_pairs(TRIANGLES), np.array([0, 0, 0, 1, 1, 1]))
    # inside all 3 of 3 edges are there: nothing is lost; between 1 of 9: 2 * 1 * (1 - 1/9)
    assert masked.structural_loss == pytest.approx(16 / 9)
    assert masked.nsil == pytest.approx(16 / 9 / (6 * 5 / 4))
    assert masked.edge_loss == pytest.approx(16 / 9 / (2 * 7))


def test_two_triangles_cut_across():
    masked = mask(Graph.from_pairs(TRIANGLES), np.array([0, 0, 1, 0, 1, 1]))  # abd, cef
    # ab and ad are inside the first, ef inside the second: 2 of 3 and 1 of 3 edges
    assert masked.inner.tolist() == [2, 1]
    # bc, ca, de and fd between: 4 of 9
    assert masked.between.tolist() == [4]
    lost = 2 * 2 * (1 - 2 / 3) + 2 * 1 * (1 - 1 / 3) + 2 * 4 * (1 - 4 / 9)
    assert masked.structural_loss == pytest.approx(lost)


def test_a_star_of_ten():
    star = Graph.from_pairs([("0", str(i)) for i in range(1, 10)])
    masked = mask(star, np.array([0, 0, 0, 0, 0, 1, 1, 1, 1, 1]))
    # 4 of 10 edges inside, 5 of 25 between
    assert masked.structural_loss == pytest.approx(8 * (1 - 0.4) + 10 * (1 - 0.2))
    # half of all edges would lose most: n(n - 1) / 4 is 22.5 here
    assert masked.nsil == pytest.approx(12.8 / 22.5)


def test_everybody_in_one_group_with_half_the_edges_loses_all():
    four = Graph.from_pairs([("a", "b"), ("c", "d"), ("a", "c")])  # 3 of 6
    assert mask(four, np.zeros(4, dtype=int)).nsil == pytest.approx(1.0)


def test_random_graphs_are_masked_as_they_were_drawn():
    masked = mask(Graph.from_pairs(TRIANGLES), np.array([0, 0, 1, 0, 1, 1]))
    for seed in range(5):
        drawn = masked.draw(np.random.default_rng(seed))
        again = mask(drawn, np.array([0, 0, 0, 1, 1, 1]))
        assert again.inner.tolist() == [2, 1]
        assert again.between.tolist() == [4]
