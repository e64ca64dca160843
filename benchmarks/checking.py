"""``shoal check`` on 10,000 random tables against a slow twin of every definition."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "privacy"))

TABLES = 10_000
TYPED = 300  # of them as typed, the others by the library that the command calls


def measure(tables: int = TABLES) -> dict[str, Any]:
    """Check every table in this process, and count what differs."""
    from check_twin import mismatches

    with tempfile.TemporaryDirectory() as folder:
        typed = min(TYPED, tables)
        found = mismatches(range(typed), Path(folder))
        found += mismatches(range(typed, tables), Path(folder), typed=False)
    print(f"  {tables:,} tables, {len(found)} mismatches", flush=True)
    return {"tables": tables, "mismatches": len(found), "first": found[:5]}
