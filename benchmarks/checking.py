"""``shoal check`` typed for 10,000 random tables, against a slow twin of every definition."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "privacy"))

TABLES = 10_000
BLOCK = 1_000


def measure(tables: int = TABLES) -> dict[str, Any]:
    """Give every table to the command line, parse what it prints, and count what differs."""
    from check_twin import draw, mismatches

    found: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        for begin in range(0, tables, BLOCK):
            found += mismatches(range(begin, min(begin + BLOCK, tables)), Path(folder))
            print(f"  {begin + BLOCK:,} of {tables:,} tables, {len(found)} mismatches", flush=True)
    drawn = [draw(seed) for seed in range(tables)]
    return {
        "tables": tables,
        "typed": tables,
        "with_people": sum(table.people is not None for table in drawn),
        "with_population": sum(table.population is not None for table in drawn),
        "mismatches": len(found),
        "first": found[:5],
    }
