"""How long somebody waits."""

from __future__ import annotations

from collections.abc import Iterator

from quotes._markdown import paragraph, read


def write() -> Iterator[str]:
    """Give the paragraph and its table."""
    found = read("start")
    results = found["results"]
    yield paragraph(
        f"**Start.** `shoal --help` answers in {results['help_seconds']['median']:.2f} s. A first",
        "`shoal anonymize` in a fresh process begins to group after",
        f"{results['until_grouping_seconds']['median']:.1f} s and has released",
        f"{results['rows']:,} rows after {results['whole_run_seconds']['median']:.1f} s. The very",
        "first run on a machine compiles its kernels:",
        f"{results['whole_run_cold_seconds']:.0f} s, once.",
    )
