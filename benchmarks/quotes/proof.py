"""How hard the proofs were tried: faults put into the code, releases doubted by a stranger."""

from __future__ import annotations

from collections.abc import Iterator

from quotes._markdown import RESULTS, paragraph, read


def write() -> Iterator[str]:
    """Give a paragraph for each run that is on file."""
    if (RESULTS / "mutate.json").exists():
        tried = read("mutate")["results"]
        parts = [f"{name} {f['noticed']} of {f['tried']}" for name, f in tried.items()]
        known = sum(f["equivalent"] for f in tried.values())
        yield paragraph(
            "**Faults.** Put into a copy of the code one at a time (`make mutate`), the tests",
            f"noticed: {', '.join(parts)}. Twenty faults are named; of small changes to the",
            "verifier and the gate all are tried, of the other packages a sample. Not counted:",
            f"{known} that change nothing one could notice (`benchmarks/mutate_equivalent.toml`).",
        )
    if (RESULTS / "soak_attacker.json").exists():
        found = read("soak_attacker")["results"]
        yield paragraph(
            f"**Doubt.** {found['tables']:,} random tables under random options (suppression,",
            "limits, grids, people, presets, methods):",
            f"{found['released']:,} releases recounted by plain Python that shares no line with",
            f"Shoal, {found.get('refused', 0):,} refusals, {found['findings']} findings,",
            f"{found['releases_per_second']} releases a second.",
        )
