"""What a masked network is still good for, and how a report shows it."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

import shoal
from graph_towns import town
from shoal.graphs import Graph, mask
from shoal.report import lay_out, network_picture, render_html, summarize_network
from shoal.utility import networks
from shoal.utility.networks import measure_network

KARATE = nx.karate_club_graph()


def test_measures_are_those_of_networkx():
    graph = Graph.from_networkx(KARATE)
    rng = np.random.default_rng(0)
    assert networks.clustering(graph) == pytest.approx(nx.transitivity(KARATE))
    assert networks.mean_path(graph, rng) == pytest.approx(nx.average_shortest_path_length(KARATE))
    ranks = nx.pagerank(nx.Graph(graph.to_networkx().edges), weight=None)
    found = networks._page_rank(graph, rng)
    assert found == pytest.approx([ranks[name] for name in graph.names], abs=1e-4)
    close = nx.closeness_centrality(graph.to_networkx())
    assert networks._closeness(graph, rng) * 33 / 34 == pytest.approx(
        [close[name] for name in graph.names]
    )


def test_groups_of_one_keep_everything_and_one_group_keeps_the_mean():
    graph = Graph.from_networkx(KARATE)
    for labels, kept in ((np.arange(34), True), (np.zeros(34, dtype=int), False)):
        found = {m.name: m for m in measure_network(graph, mask(graph, labels), labels)}
        assert found["mean degree"].drawn == pytest.approx(found["mean degree"].original)
        for measure in found.values():
            assert measure.low - 1e-9 <= measure.drawn <= measure.high + 1e-9
        assert (found["degree, kept by rank"].drawn > 0.99) == kept
        assert (found["clustering"].drawn == pytest.approx(found["clustering"].original)) == kept


def test_a_report_shows_the_network_in_rounded_numbers():
    people, edges = town(n=60)
    release = shoal.anonymize(
        people, quasi_identifiers="age", drop=["sex", "ill"], k=5, edges=edges
    )
    page = render_html(release.summary)
    assert "<h2>The network</h2>" in page
    assert f"{edges.height:,} edges of 60 people" in page
    assert page.count("<circle") == release.summary.network.masked.sizes.size
    for measure in release.summary.network.measures:
        assert measure.name in page
        assert float(f"{measure.original:.2g}") == measure.original
        kept = (measure.drawn, measure.low, measure.high)  # by rank: needs who was who
        assert measure.compares == measure.name.endswith("kept by rank")
        assert not measure.compares or [float(f"{n:.2g}") for n in kept] == [*kept]


@pytest.mark.parametrize("alone", [0, 1, 3])
def test_how_many_know_nobody_is_told_in_whole_crowds(alone):
    """Of forty people one who knows nobody was 0.98 of all in the largest part: told exactly."""
    n = 40
    ring = [(f"p{i}", f"p{(i + 1) % (n - alone)}") for i in range(n - alone)]
    graph = Graph.from_pairs(ring, people=[f"p{i}" for i in range(n)])
    labels = np.arange(n) // 5
    told = summarize_network(graph, mask(graph, labels), labels, {})
    largest = next(m for m in told.measures if m.name == networks.LARGEST)
    assert largest.original == {0: 1.0, 1: 0.88, 3: 0.88}[alone]


def test_a_picture_has_a_disc_a_group_on_the_paper():
    masked = mask(Graph.from_pairs(["ab", "cd"], people="abcdef"), np.array([0, 0, 1, 1, 2, 2]))
    drawn = network_picture(masked)
    assert drawn.count("<circle") == 3
    assert "group 3: 2 people, 0 edges inside" in drawn
    for n in (1, 2, 7):
        places = lay_out(n, np.zeros((0, 2), dtype=int), np.zeros(0))
        assert places.shape == (n, 2)
        assert np.isfinite(places).all()


def test_large_networks_are_not_measured_on_the_way(monkeypatch):
    monkeypatch.setattr(networks, "MOST_PEOPLE", 10)
    people, edges = town(n=20)
    release = shoal.anonymize(
        people, quasi_identifiers="age", drop=["sex", "ill"], k=5, edges=edges
    )
    assert release.summary.network.measures == ()
    assert "not measured on the way" in render_html(release.summary)
