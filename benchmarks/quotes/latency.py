"""How long somebody who teaches waits, as measured inside Chromium."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from quotes._markdown import paragraph, raised, read, table

SHOWN = ("median", "p95", "worst")


def write() -> Iterator[str]:
    """Give the paragraph and its table."""
    run = read("latency")
    found, machine = run["results"], run["machine"]
    yield paragraph(
        f"**Latency.** Teaching on all {found['rows']:,} rows of Adult in Chromium, milliseconds",
        "from the key to the frame that shows it.",
        f"{machine['cores']} cores, {run['date']}, load average {machine['load_average_at_start']}",
        f"at the start{raised(run)}.",
    )
    reading, hurrying = found["reading"], found["hurrying"]
    yield from table(
        ("", "median", "95 %", "worst", "asked for"),
        _row("next question, at a reader's pace", reading["next_question_ms"], "150 and 400"),
        _row("whole table regrouped, behind it", reading["regrouped_ms"], "1,500"),
        _row("next question, as fast as keys go", hurrying["next_question_ms"], "–"),
        _row("a release being made, stopped", found["stopped_ms"], "2,000"),
    )


def _row(name: str, spread: dict[str, Any], asked: str) -> tuple[str, ...]:
    return (name, *(f"{spread[key]:,.0f}" for key in SHOWN), asked)
