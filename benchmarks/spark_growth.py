"""The paper's axes: data from 1 MB to more than 1 GB (ten million rows), k from 10 to 1,000.

One method (common rows first) at all sizes, so that what grows is the table and nothing else.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from spark_quality import run

SIZES = (8_000, 80_000, 800_000)  # rows: about 1 MB, 10 MB, 100 MB of CSV
KS = (10, 100, 1_000)
LARGE = 10_000_000
MOST = 250_000
FINE = 25_000  # rows of a fragment, for a run of many fragments
CLUSTER = "local-cluster[2,1,4096]"  # two executors of one core and 4 GB


def measure(sizes: tuple[int, ...] = SIZES, large: int = LARGE) -> dict[str, Any]:
    """Measure growth with rows, with k, with fragments and with cores; then the large runs."""
    middle = sizes[-1]
    by_rows = [_told(n, 10) for n in (*sizes, large)]
    by_k = [by_rows[-2], *(_told(middle, k) for k in KS[1:])]
    others = [_told(middle, 10, most=FINE), _told(middle, 10, "local[1]")]
    return {
        "by_rows": by_rows,
        "by_k": by_k,
        "others": others,
        "large": [by_rows[-1], *(_told(large, 10, master) for master in (CLUSTER, "none"))],
        "growth": exponent(by_rows),
        "model": fitted([*by_rows, *others]),
    }


def exponent(records: list[dict[str, Any]]) -> dict[str, float]:
    """Slope of core-seconds against rows on logarithmic axes: over all sizes, and at the end."""
    rows = np.log([r["rows"] for r in records])
    worked = np.log([r["cpu_seconds"] for r in records])
    last = (worked[-1] - worked[-2]) / (rows[-1] - rows[-2])
    return {"exponent": float(np.polyfit(rows, worked, 1)[0]), "exponent_at_the_end": float(last)}


def fitted(records: list[dict[str, Any]]) -> dict[str, float]:
    """Fit core-seconds = fixed + rows * a + fragments * b, no part below zero.

    Core-seconds are what the run itself worked, so that other work on the machine does not count.
    Errors count relative to what was measured: small runs say as much as large ones.
    """
    from scipy.optimize import nnls

    rows, fragments, worked = (
        np.array([r[name] for r in records], dtype=float)
        for name in ("rows", "fragments", "cpu_seconds")
    )
    design = np.column_stack([np.ones_like(rows), rows, fragments])
    found, _ = nnls(design / worked[:, None], np.ones_like(worked))
    return {
        "fixed_seconds": float(found[0]),
        "core_seconds_per_row": float(found[1]),
        "core_seconds_per_fragment": float(found[2]),
        "worst_error": float(np.abs(design @ found / worked - 1).max()),
    }


def _told(n: int, k: int, master: str = "local[2]", most: int = MOST) -> dict[str, Any]:
    record = run("people", n, k, "mondrian", most, "--master", master, "--order", "common")
    print(
        f"  {record['rows']:,} rows, k={k}, {master}, {record['fragments']} fragments: "
        f"{record['seconds']:.0f} s, NGIL {record['ngil']:.4f}",
        flush=True,
    )
    return record
