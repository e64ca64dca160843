"""Networks: growth with people and edges, what alpha : beta does, and real networks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from quotes._markdown import paragraph, read, short, table


def write() -> Iterator[str]:
    """Give the tables."""
    found = read("graphs")
    results, machine = found["results"], found["machine"]
    yield paragraph(
        f"**Networks.** Made-up people in communities, 5 QIs, k = {results['k']}, all of",
        "`shoal anonymize` with edges, from CSV to verified release, refined, with the proven",
        "bound of its",
        f"attributes: CPU seconds of one process and its peak memory; {machine['cores']} cores,",
        f"{found['date']}, on a busy machine, so that the clock on the wall says little. The first",
        "includes compiling.",
    )
    rows = [
        (f"{r['people']:,}", f"{r['edges']:,}", short(r["cpu_seconds"]),
         f"{r['memory_gb']:.1f} GB", f"{r['ngil']:.3f}", f"{r['network']['edge_loss']:.3f}")
        for r in results["growth"]
    ]  # fmt: skip
    header = ("people", "edges", "CPU seconds", "memory", "NGIL", "lost of edges")
    yield from table(header, *rows)
    yield paragraph(
        "**Alpha : beta.** What is gained for edges is NSIL below that of attributes alone, as a",
        "share of what structure alone gains; what is lost of attributes is NGIL above that of",
        "attributes alone, as a share of what structure alone loses. On the scale `balance` 1 : 1",
        "means about the same at 1,000 and at 10,000 people (one network of each size); the",
        "paper's distance (`people`) is a share of all people and shrinks as 1/n: in both, 1 : 1",
        "gains next to nothing.",
    )
    header = ("people", "scale", "alpha : beta", "gained for edges", "lost of attributes", "NGIL")
    rows = [
        (f"{town['people']:,}", *row) for town in results["beta"] for row in _shares(town["ways"])
    ]
    yield from table(header, *rows)
    yield paragraph(
        "**Real networks**, k = 5: 300 people of Adult with random edges (B. Malle), Lazega's",
        "lawyers, two ego networks of Facebook. Attacks are on the release with 1 : 1, in brackets",
        "on the network with names taken off.",
    )
    header = ("network", "people", "edges", "scale", "alpha : beta", "gained for edges",
              "lost of attributes", "NGIL")  # fmt: skip
    rows = [
        (town["name"], f"{town['people']:,}", f"{town['edges']:,}", *row)
        for town in results["real"]
        for row in _shares(town["ways"])
    ]
    yield from table(header, *rows)
    header = ("network", *(a["attack"].removeprefix("network_") for a in _attacks(results)))
    rows = [
        (town["name"], *(f"{a['rate']:.3f} ({a['original']:.2f})" for a in town["attacks"]))
        for town in results["real"]
    ]
    yield from table(header, *rows)


def _attacks(results: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = results["real"][0]["attacks"]
    return found


def _shares(ways: list[dict[str, Any]]) -> Iterator[tuple[str, ...]]:
    """Say of each way what it gains and loses between attributes alone and structure alone."""
    alike, near = (_alone(ways, *weights) for weights in ((1, 0), (0, 1)))
    for way in ways:
        if 0 in (way["alpha"], way["beta"]):
            continue
        gained = (alike["nsil"] - way["nsil"]) / (alike["nsil"] - near["nsil"])
        lost = (way["ngil"] - alike["ngil"]) / (near["ngil"] - alike["ngil"])
        weights = f"{way['alpha']:g} : {way['beta']:g}"
        told = f"{100 * gained:.1f} %", f"{100 * lost:.0f} %", f"{way['ngil']:.3f}"
        yield way["scale"], weights, *told


def _alone(ways: list[dict[str, Any]], alpha: float, beta: float) -> dict[str, Any]:
    return next(way for way in ways if (way["alpha"], way["beta"]) == (alpha, beta))
