"""What a masked network is still good for: graphs drawn from it, held against the original.

Whoever has a release can draw graphs at random among all that could have been masked so, and
compute on them what they would have computed on the original. Here that is done for numbers of
the whole network, for how well people keep their rank by centrality, and for how sharply it falls
into communities.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec

import numpy as np
from numpy.random import Generator

from shoal._random import Seed, generator, spawn
from shoal.graphs import Graph, MaskedGraph
from shoal.typing import FloatArray, IntArray

SOURCES = 100  # people from whom paths are measured
MOST_PEOPLE = 10_000  # of a network that is measured with a release
FEW = 2_000  # people up to whom communities are looked for
LARGEST = "people in the largest part"


@dataclass(frozen=True)
class NetworkMeasure:
    """A number of the original, and of graphs drawn from the release: mean, lowest, highest.

    ``compares`` says of those that they were held against the original, person by person: nobody
    can draw them from the release alone.
    """

    name: str
    original: float
    drawn: float
    low: float
    high: float
    compares: bool = False


def measure_network(
    graph: Graph, masked: MaskedGraph, labels: IntArray, *, draws: int = 5, seed: Seed = 0
) -> tuple[NetworkMeasure, ...]:
    """Compare a network with graphs drawn from its release.

    Parameters
    ----------
    graph : Graph
        As it was.
    masked : MaskedGraph
        As it is published.
    labels : IntArray
        The group of each person.
    draws : int
        How many graphs to draw.
    seed : int, Generator or None
        Draws them.

    Examples
    --------
    >>> from shoal.graphs import mask
    >>> pairs = ["ab", "bc", "ca", "de", "ef", "fd", "ad"]
    >>> graph, labels = Graph.from_pairs(pairs), np.array([0, 0, 0, 1, 1, 1])
    >>> found = measure_network(graph, mask(graph, labels), labels)
    >>> [(m.name, m.original, m.drawn) for m in found[:2]]
    [('mean degree', 2.3333333333333335, 2.3333333333333335), ('spread of degrees',
    0.4714045207910317, 0.4714045207910317)]
    """
    rng = generator(seed)
    rows = np.argsort(labels, kind="stable")  # a drawn graph lists people group by group
    placed = graph.arranged_rows(rows)
    measures = _measures(graph.n_people)
    original = {name: measure(placed, spawn(rng, name)) for name, measure in measures.items()}
    ranks = {name: rank(placed, spawn(rng, name)) for name, rank in CENTRALITIES.items()}
    found: dict[str, list[float]] = {name: [] for name in (*measures, *_kept(ranks))}
    for i in range(draws):
        drawn = masked.draw(spawn(rng, f"draw {i}"))
        for name, measure in measures.items():
            found[name].append(measure(drawn, spawn(rng, name)))
        for name, rank in CENTRALITIES.items():
            again = rank(drawn, spawn(rng, name))
            found[f"{name}, kept by rank"].append(_rank_correlation(ranks[name], again))
    return tuple(
        NetworkMeasure(
            name,
            original.get(name, 1.0),
            float(np.mean(values)),
            min(values),
            max(values),
            compares=name not in original,
        )
        for name, values in found.items()
    )


def _measures(n: int) -> dict[str, Callable[[Graph, Generator], float]]:
    named = {
        "mean degree": lambda graph, _: float(graph.degrees.mean()),
        "spread of degrees": lambda graph, _: float(graph.degrees.std()),
        "clustering": lambda graph, _: clustering(graph),
        "mean path": mean_path,
        LARGEST: lambda graph, _: largest_part(graph),
    }
    if n <= FEW and find_spec("networkx"):
        named["modularity"] = modularity
    return named


def clustering(graph: Graph) -> float:
    """Share of pairs of friends of somebody who know each other (transitivity)."""
    paths = float((graph.degrees * (graph.degrees - 1)).sum())
    matrix = graph.to_matrix().astype(np.float64)
    return float((matrix @ matrix).multiply(matrix).sum()) / paths if paths else 0.0


def mean_path(graph: Graph, rng: Generator) -> float:
    """Steps from one person to another, on average over those that can be reached."""
    lengths = _steps(graph, rng)
    reached = np.isfinite(lengths) & (lengths > 0)
    return float(lengths[reached].mean()) if reached.any() else 0.0


def largest_part(graph: Graph) -> float:
    """Share of people in the largest part that edges join."""
    from scipy.sparse.csgraph import connected_components

    _, part = connected_components(graph.to_matrix(), directed=False)
    return float(np.bincount(part).max() / graph.n_people)


def modularity(graph: Graph, rng: Generator) -> float:
    """How sharply the network falls into communities (Blondel et al., 2008)."""
    if not graph.n_edges:
        return 0.0
    import networkx as nx  # type: ignore[import-untyped]

    network = nx.from_scipy_sparse_array(graph.to_matrix())
    found = nx.community.louvain_communities(network, seed=int(rng.integers(2**31)))
    return float(nx.community.modularity(network, found))


def _closeness(graph: Graph, rng: Generator) -> FloatArray:
    """One over the mean number of steps to a few people; who cannot be reached counts as far."""
    lengths = np.minimum(_steps(graph, rng), graph.n_people)
    closeness: FloatArray = 1 / np.maximum(lengths.mean(axis=0), 1e-9)
    return closeness


def _page_rank(graph: Graph, rng: Generator) -> FloatArray:
    """Share of time that somebody who walks at random along edges spends with each person."""
    n = graph.n_people
    share = np.full(n, 1 / n)
    matrix = graph.to_matrix().astype(np.float64)
    degrees = np.maximum(graph.degrees, 1)
    for _ in range(50):
        share = 0.15 / n + 0.85 * (matrix @ (share / degrees))
    return share


CENTRALITIES: dict[str, Callable[[Graph, Generator], FloatArray]] = {
    "degree": lambda graph, _: graph.degrees.astype(np.float64),
    "closeness": _closeness,
    "PageRank": _page_rank,
}


def _kept(ranks: dict[str, FloatArray]) -> list[str]:
    return [f"{name}, kept by rank" for name in ranks]


def _steps(graph: Graph, rng: Generator) -> FloatArray:
    from scipy.sparse.csgraph import dijkstra

    few = min(SOURCES, graph.n_people)
    sources = np.sort(rng.choice(graph.n_people, few, replace=False))
    matrix = graph.to_matrix().astype(np.float64)
    return np.asarray(dijkstra(matrix, directed=False, indices=sources, unweighted=True))


def _rank_correlation(one: FloatArray, two: FloatArray) -> float:
    """Spearman's rho; 0 where everybody has the same."""
    from scipy.stats import rankdata

    a, b = rankdata(one), rankdata(two)
    if a.std() == 0 or b.std() == 0:
        return 0.0
    return float(np.corrcoef(a, b)[0, 1])
