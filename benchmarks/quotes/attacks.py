"""What each attack gains on Adult: raw, and released at several k."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
        f"{results['held_out']:,} held out). 95 % intervals of rates, over the people attacked,",
        f"reach at most {_widest(records):.3f} to either side; each is of one release. The whole",
        f"battery takes {short(slowest)} s of CPU time at most.",
    )
    names = list(records["auto, k=5"]["attacks"])
    rows = ((name, *(_cell(records[shown], name) for shown in SHOWN)) for name in names)
    yield from table(("", *SHOWN), *rows)
    yield from _further(results.get("further", ()))


def _widest(records: dict[str, dict[str, Any]]) -> float:
    """How far the widest interval of the table reaches beyond its rate."""
    shown = [one for name in SHOWN for one in records[name]["attacks"].values() if one]
    return max(abs(end - one["rate"]) for one in shown for end in one["interval"])


def _further(records: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Two attacks that need another release: something published as it is, somebody left out."""
    if not records:
        return
    first = records[0]
    yield paragraph(
        "Two attacks need a release that those above are not: columns published as they are, or",
        f"people who were left out ({first['rows']:,} rows, as many held out, k = {first['k']};",
        f"a dash: there is nothing to try). {_few(records)}",
    )
    names = ("known_columns", "public_papers")
    rows = ((record["release"], *(_cell(record, name) for name in names)) for record in records)
    yield from table(("", *names), *rows)


def _few(records: Sequence[dict[str, Any]]) -> str:
    """How few people were left out to be found, and what may therefore be missed."""
    found = next(r["attacks"]["public_papers"] for r in records if "public_papers" in r["attacks"])
    return (
        f"The latter were {found['people']}, so that a rate of up to {found['interval'][1]:.2f} "
        "cannot be ruled out."
    )


def _cell(record: dict[str, Any], name: str) -> str:
    found = record["attacks"].get(name)
    return "–" if found is None else f"{found['rate']:.3f} ({found['risk']:.3f})"
