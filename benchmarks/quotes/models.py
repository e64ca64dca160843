"""Models trained on a release."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from quotes._markdown import paragraph, read, table


def write() -> Iterator[str]:
    """Give the paragraph and its table."""
    found = read("models")["results"]
    told = found["told"]
    yield paragraph(
        "**Models.** Income from the eight quasi-identifiers, on so many divisions (*splits*)",
        f"of all complete rows of Adult: {found['learned']:,} are released (default release) and",
        f"learned from, {found['tested']:,} others are predicted, untouched. Macro F1, and the",
        "share of it that a model keeps which learned from the release instead of the originals",
        "(95 % intervals; learning rows overlap, which is corrected for: Nadeau and Bengio, 2003).",
        "*Ranges* are midpoints and shares, *drawn* is from rows drawn out of what is published,",
        "so many times.",
    )
    lines = [
        (
            record["model"].replace("_", " "),
            str(record["k"]),
            str(record["splits"]),
            f"drawn, {record['draws']} times" if record["draws"] else "ranges",
            f"{record['original']:.3f}",
            f"{record['release']:.3f}",
            _share(record),
        )
        for record in told
    ]
    yield from table(("", "k", "splits", "learns from", "original", "release", "kept"), *lines)


def _share(record: dict[str, Any]) -> str:
    return f"{record['kept']:.1%} ({record['low']:.1%} to {record['high']:.1%})"
