"""Growth on Spark, and what a cost model fitted to it says of larger clusters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from quotes._markdown import RESULTS, paragraph, read, short, table

BILLION = 1_000_000_000
CORES_HERE = 2


def write() -> Iterator[str]:
    """Give the runs, the fit and the predictions."""
    if not (RESULTS / "spark_growth.json").exists():
        yield "*Not measured yet on a quiet machine: `python benchmarks/run.py spark_growth`.*\n"
        return
    found = read("spark_growth")
    results = found["results"]
    yield paragraph(
        f"**Growth.** People with 8 quasi-identifiers, k = 10, mondrian routing, {CORES_HERE}",
        f"cores, from CSV to verified release, {found['date']}; load average at the start",
        f"{found['machine']['load_average_at_start']}.",
    )
    yield from table(("rows", "MB", "fragments", "seconds", "NGIL"), *map(_row, results["by_rows"]))
    fit = results["growth"]
    yield paragraph(
        f"Seconds = {short(fit['fixed_seconds'])} + {1e6 * fit['seconds_per_row']:.1f}",
        f"microseconds a row; on logarithmic axes the slope is {fit['exponent']:.2f}.",
    )
    for run in results.get("large", ()):
        yield paragraph(
            f"{run['rows']:,} rows on {run['master']}: {short(run['seconds'])} s,",
            f"k = {run['k']}, NGIL {run['ngil']:.4f}.",
        )
    yield from table(("1 billion rows on", "seconds", "of which fixed"), *_predicted(results))


def _row(record: dict[str, Any]) -> tuple[str, ...]:
    return (
        f"{record['rows']:,}",
        f"{record['megabytes']:.0f}",
        str(record["fragments"]),
        short(record["seconds"]),
        f"{record['ngil']:.4f}",
    )


def _predicted(results: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    fit = results["growth"]
    per_core = fit["seconds_per_row"] * CORES_HERE
    fixed = max(0.0, fit["fixed_seconds"])
    for cores in (100, 1_000):
        yield f"{cores:,} cores", short(fixed + BILLION * per_core / cores), short(fixed)
