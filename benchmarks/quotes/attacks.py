"""What each attack gains on Adult: raw, and released at several k."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from quotes._markdown import paragraph, read, short, table

SHOWN = ("raw", "auto, k=5", "auto, k=11", "auto, grid of 5 years, k=11")


def write() -> Iterator[str]:
    """Give rate and risk of each attack, one column a release."""
    results = read("attacks")["results"]
    records = {record["release"]: record for record in results["records"]}
    slowest = max(record["cpu_seconds"] for record in results["records"])
    yield paragraph(
        f"Rate, and in brackets the risk that the release adds ({results['rows']:,} rows,",
        f"{results['held_out']:,} held out). The whole battery takes {short(slowest)} s of CPU",
        "time at most.",
    )
    names = list(records["auto, k=5"]["attacks"])
    rows = ((name, *(_cell(records[shown], name) for shown in SHOWN)) for name in names)
    yield from table(("", *SHOWN), *rows)


def _cell(record: dict[str, Any], name: str) -> str:
    found = record["attacks"].get(name)
    return "–" if found is None else f"{found['rate']:.3f} ({found['risk']:.3f})"
