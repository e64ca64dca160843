"""Loss on Adult."""

from __future__ import annotations

import math
from collections.abc import Iterator

from quotes._compared import KS, compare
from quotes._markdown import paragraph, read

METHODS = {
    "anonypy": "anonypy (Mondrian)",
    "arx": "ARX, best local recoding (quoted)",
    "plain scan, content": "SaNGreeA by plain scan, content order",
    "plain scan, common": "SaNGreeA by plain scan, common order",
    "mondrian": "Shoal, Mondrian",
    "content": "Shoal, SaNGreeA, content order",
    "common": "Shoal, SaNGreeA, common order",
    "best-first": "Shoal, SaNGreeA, best-first",
    "default": "**Shoal's default**: best-first, refined",
}


def write() -> Iterator[str]:
    """Give the paragraph and its table."""
    found = read("adult")
    results = found["results"]
    arx = results["quoted"]["arx"]
    cells = {(r["method"], r["k"]): r for r in results["records"]}
    cells |= {("arx", r["k"]): r for r in arx["records"]}
    bounds = {k: results["bounds"][str(k)]["ngil_bound"] for k in KS}
    yield paragraph(
        f"**Loss.** UCI Adult, {results['rows']:,} rows, {len(results['quasi_identifiers'])}",
        "quasi-identifiers with ARX's ladders: NGIL (lower is better) and CPU seconds of grouping,",
        f"side by side in one run on {found['machine']['cores']} cores, {found['date']}.",
    )
    bound = ("no grouping can be lower (proven)", *(f"{bounds[k]:.4f}" for k in KS))
    yield from compare(METHODS, cells, bound)
    default = {k: cells["default", k]["ngil"] for k in KS}
    less = {k: 1 - default[k] / cells["arx", k]["ngil"] for k in (5, 50)}
    times = {k: default[k] / bounds[k] for k in KS}
    proofs = [r for r in read("optimal")["results"]["records"] if r["table"] == "Adult"]
    proven = ", ".join(_within(r["times_bound"]) for r in proofs)
    yield paragraph(
        f"The default loses {less[5]:.0%} less than ARX's best at k = 5 and {less[50]:.0%} less",
        f"at k = 50, and is within {_within(times[5])}, {_within(times[10])} and",
        f"{_within(times[50])} times the quickly proven bound, {proven} times",
        "[with `--prove`](optimal.md). In common order Shoal",
        "makes the choices of the plain scan in",
        f"1/{results['plain_scan_over_common']['10']:.0f} of its time at k = 10. (The scan is",
        "compiled too; content order is the paper's. anonypy knows no ladders: its classes are",
        "published through the same ones as all others.)",
        f"{arx['tool']}, is quoted from {arx['measured']}.",
    )


def _within(times: float) -> str:
    """Round to the safe side."""
    return f"{math.ceil(100 * times) / 100:.2f}"
