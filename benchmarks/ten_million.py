"""Ten million rows: from CSV to verified release on one machine, by phase."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from phases import load_kernels, release

ROWS = 10_000_000


def measure() -> dict[str, Any]:
    """Release a made-up census without hierarchies, quickly, in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        load_kernels(Path(folder))
        return {"k": 10, "records": [release(Path(folder), ROWS, "quick")]}
