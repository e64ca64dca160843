"""Five releases of Adult: the share of people with one candidate value, with and without ledger."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from quotes._markdown import read, table

GROUPERS = {"mondrian": "Mondrian", "sangreea": "SaNGreeA"}


def write() -> Iterator[str]:
    """Give a row for each grouper and number of rows."""
    results = read("composition")["results"]
    head = ("people with one candidate", "after 1", "after 2", "after 5", "with the ledger")
    yield from table(head, *_rows(results))


def _rows(results: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    for part in results.values():
        for grouper, name in GROUPERS.items():
            found = part[grouper]
            shares = found["share_with_one_candidate"]
            kept = found["with_ledger"]["share_with_one_candidate"]
            picked = (shares[0], shares[1], shares[-1], kept)
            yield f"{name}, {part['rows']:,} rows", *(f"{100 * share:.1f} %" for share in picked)
