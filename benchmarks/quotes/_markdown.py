"""Markdown from results on file: paragraphs, tables, numbers with two digits that mean it."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parents[1] / "results"


def read(name: str) -> dict[str, Any]:
    """Read what a benchmark left: its heading and its results."""
    found: dict[str, Any] = json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))
    return found


def paragraph(*parts: str) -> str:
    """Wrap sentences as the documents around them are wrapped."""
    return textwrap.fill(" ".join(parts), 100, break_on_hyphens=False) + "\n"


def raised(run: dict[str, Any]) -> str:
    """Say if a run was put before other work on its machine.

    >>> raised({"machine": {"raised_priority": True}}), raised({"machine": {}})
    (', put before other work', '')
    """
    return ", put before other work" if run["machine"].get("raised_priority") else ""


def table(*rows: tuple[str, ...]) -> Iterator[str]:
    """Give a table; the first row is its head."""
    head, *body = (f"| {' | '.join(row)} |" for row in rows)
    yield "\n".join([head, "| --- " * len(rows[0]) + "|", *body]) + "\n"


def short(seconds: float) -> str:
    """Two digits that mean something.

    >>> short(0.104), short(4.92), short(33.48)
    ('0.10', '4.9', '33')
    """
    return (
        f"{seconds:.2f}" if seconds < 1 else f"{seconds:.1f}" if seconds < 10 else f"{seconds:.0f}"
    )
