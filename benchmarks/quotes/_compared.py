"""Methods against k: loss and time of each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from quotes._markdown import short, table

KS = (5, 10, 50)


def compare(
    methods: dict[str, str], cells: dict[tuple[str, int], dict[str, Any]], *more: tuple[str, ...]
) -> Iterator[str]:
    """Give NGIL and CPU seconds of each method that was measured, a column for each k."""
    found = {label: [cells.get((m, k)) for k in KS] for m, label in methods.items()}
    rows = ((label, *map(_cell, records)) for label, records in found.items() if any(records))
    yield from table(("", *(f"k = {k}" for k in KS)), *rows, *more)


def _cell(record: dict[str, Any] | None) -> str:
    if record is None:
        return "–"
    return f"{record['ngil']:.4f}, {short(record['cpu_seconds'])} s"
