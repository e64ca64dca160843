"""Loss over the proven bound, on Adult and on tables that the proof was not made on."""

from __future__ import annotations

from collections.abc import Iterator

from quotes._markdown import read


def write() -> Iterator[str]:
    """Give losses, bounds and times, then what small tables solved exactly say."""
    found = read("optimal")["results"]
    yield "| table | rows | k | loss | quick bound | `--prove` | loss over it | grouping | proof |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    for r in found["records"]:
        yield (
            f"| {r['table']} | {r['rows']:,} | {r['k']} | {r['ngil']:.4f} | {r['quick_bound']:.4f}"
            f" | {r['bound']:.4f} | **{r['times_bound']:.2f}** | {r['grouping_cpu_seconds']:.1f} s"
            f" | {r['proof_cpu_seconds']:.1f} s |"
        )
    small = found["random_tables"]
    yield ""
    yield (
        "Times are CPU seconds of all threads, one run each; proof and refinement use all cores."
    )
    yield (
        f"Of {small['tables']:,} random tables of at most {small['most_rows']} rows, each solved"
        f" exactly, {small['bounds_above_the_optimum']} bounds were above the optimum; on average"
        f" they reach {small['mean_share_of_the_optimum']:.0%} of it."
    )
