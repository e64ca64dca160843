"""The paper's axes: data from 1 MB to 1 GB, k from 10 to 1,000; and ten million rows at once."""

from __future__ import annotations

from typing import Any

import numpy as np

from spark_quality import run

SIZES = (8_000, 80_000, 800_000, 8_000_000)  # rows: about 1 MB, 10 MB, 100 MB, 1 GB of CSV
KS = (10, 100, 1_000)
LARGE = 10_000_000
MOST = 250_000


def measure(sizes: tuple[int, ...] = SIZES, large: int = LARGE) -> dict[str, Any]:
    """Measure growth with rows at k = 10 and with k at 800,000 rows; then the large runs."""
    by_rows = [_told(run("people", n, 10, "mondrian", MOST)) for n in sizes]
    by_k = [_told(run("people", sizes[2], k, "mondrian", MOST)) for k in KS]
    found = {"by_rows": by_rows, "by_k": by_k, "growth": exponent(by_rows)}
    if large:
        found["large"] = [
            _told(run("people", large, 10, "mondrian", MOST, master))
            for master in ("local[2]", "local-cluster[2,1,4096]")
        ]
    return found


def exponent(records: list[dict[str, Any]]) -> dict[str, float]:
    """Slope of seconds against rows on logarithmic axes, and seconds = a + b * rows."""
    rows = np.array([r["rows"] for r in records], dtype=float)
    seconds = np.array([r["seconds"] for r in records])
    slope = np.polyfit(np.log(rows[1:]), np.log(seconds[1:]), 1)[0] if rows.size > 2 else 1.0
    b, a = np.polyfit(rows, seconds, 1, w=1 / seconds)
    return {"exponent": float(slope), "fixed_seconds": float(a), "seconds_per_row": float(b)}


def _told(record: dict[str, Any]) -> dict[str, Any]:
    print(
        f"  {record['rows']:,} rows, k={record['k_asked']}, {record['master']}: "
        f"{record['seconds']:.0f} s, NGIL {record['ngil']:.4f}",
        flush=True,
    )
    return record
