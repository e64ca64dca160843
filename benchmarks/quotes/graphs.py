"""Networks: growth with people and edges, and what beta does at 10,000 people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from quotes._markdown import paragraph, read, short, table


def write() -> Iterator[str]:
    """Give both tables."""
    found = read("graphs")
    results, machine = found["results"], found["machine"]
    yield paragraph(
        f"**Networks.** Made-up people in communities, 5 QIs, k = {results['k']}, all of",
        "`shoal anonymize` with edges, from CSV to verified release, refined, with the proven",
        "bound of its",
        f"attributes: CPU seconds of one process and its peak memory; {machine['cores']} cores,",
        f"{found['date']}, on a busy machine, so that the clock on the wall says little. Larger",
        "networks are not on file.",
    )
    rows = [
        (f"{r['people']:,}", f"{r['edges']:,}", short(r["cpu_seconds"]),
         f"{r['memory_gb']:.1f} GB", f"{r['ngil']:.3f}", f"{r['network']['edge_loss']:.3f}")
        for r in results["growth"]
    ]  # fmt: skip
    header = ("people", "edges", "CPU seconds", "memory", "NGIL", "lost of edges")
    yield from table(header, *rows)
    yield paragraph(
        "**Beta at 10,000 people** (100,000 edges). The paper's distance is a share of all people",
        "and so shrinks as 1/n. What beta gains is NSIL below that of attributes alone, as a share",
        "of what structure alone gains. On the paper's scale 1 : 1 gains next to nothing there:",
        "groups differ (pairs kept together), as they do after any small change to a greedy",
        "search, but hardly for the better. The scale of edges gains more at the same weights.",
    )
    base, alone = (_nsil(results["beta"], *weights) for weights in ((1, 0), (0, 1)))
    rows = [
        (r["scale"], f"{r['alpha']:g} : {r['beta']:g}",
         f"{100 * (base - r['nsil']) / (base - alone):.1f} %", f"{r['nsil']:.6f}",
         f"{r['ngil']:.3f}", f"{100 * r['kept_together']:.0f} %")
        for r in results["beta"]
    ]  # fmt: skip
    header = ("scale", "alpha : beta", "gained of structure", "NSIL", "NGIL", "kept together")
    yield from table(header, *rows)


def _nsil(records: list[dict[str, Any]], alpha: float, beta: float) -> float:
    """NSIL with these weights, on the scale of the paper."""
    wanted = ("people", alpha, beta)
    found = (r for r in records if (r["scale"], r["alpha"], r["beta"]) == wanted)
    return float(next(found)["nsil"])
