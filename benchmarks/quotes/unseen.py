"""What each effort loses on other tables, and how close to optimal that is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from quotes._markdown import read


def write() -> Iterator[str]:
    """Give losses and bounds of each table and k, then the range of what efforts gain."""
    records = read("unseen")["results"]["records"]
    yield (
        "| table | rows | k | `quick` | default | `thorough` | loss over `--prove`:"
        " default, `thorough` | default | proof |"
    )
    yield "| --- " * 9 + "|"
    for r in records:
        lost = {effort: r[effort]["ngil"] for effort in ("quick", "default", "thorough")}
        yield (
            f"| {r['table']} | {r['rows']:,} | {r['k']} | {lost['quick']:.4f} |"
            f" {lost['default']:.4f} | {lost['thorough']:.4f} |"
            f" **{lost['default'] / r['bound']:.2f}**, {lost['thorough'] / r['bound']:.2f} |"
            f" {r['default']['cpu_seconds']:.1f} s | {r['proof_cpu_seconds']:.1f} s |"
        )
    results = read("unseen")["results"]
    for r in (*results["afterwards"], *results["latest"]):
        yield (
            f"| {r['table']} | {r['rows']:,} | {r['k']} |  | {r['default']['ngil']:.4f} |  |"
            f" **{_times(r):.2f}** |"
            f" {r['default']['cpu_seconds']:.1f} s | {r['proof_cpu_seconds']:.1f} s |"
        )
    yield ""
    yield (
        f"The default loses {_range(records, 'quick', 'default')} less than `quick`, `thorough`"
        f" {_range(records, 'default', 'thorough')} less than the default, in"
        f" {_seconds(records):.0f} CPU seconds at most; one run each."
    )


def _times(record: dict[str, Any]) -> float:
    return float(record["default"]["ngil"] / record["bound"])


def _range(records: list[dict[str, Any]], before: str, after: str) -> str:
    gains = [1 - r[after]["ngil"] / r[before]["ngil"] for r in records]
    return f"{100 * min(gains):.1f} to {100 * max(gains):.1f} %"


def _seconds(records: list[dict[str, Any]]) -> float:
    return max(r["thorough"]["cpu_seconds"] for r in records)
