"""Growth on Spark, and what a cost model fitted to it says of larger clusters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from quotes._markdown import RESULTS, paragraph, read, short, table

BILLION = 1_000_000_000
ROWS_PER_FRAGMENT = 250_000
SHUFFLED = 450  # bytes of a row that cross the network: three shuffles
CORES_OF_A_HOST = 16
BYTES_A_SECOND = 1e9  # of a host
NAMES = {"local[2]": "Spark, local[2]", "none": "the local engine"}


def write() -> Iterator[str]:
    """Give the runs, the fit and the predictions."""
    if not (RESULTS / "spark_growth.json").exists():
        yield "*Not measured yet on a quiet machine: `python benchmarks/run.py spark_growth`.*\n"
        return
    found = read("spark_growth")
    results = found["results"]
    yield paragraph(
        "**Growth.** People with 8 quasi-identifiers, k = 10, mondrian routing, common rows first,",
        f"two cores, from CSV to verified release, {found['date']}. Other work ran beside it: the",
        "load is the number of processes that wanted a core, and CPU is what the run itself used.",
    )
    head = ("rows", "MB", "fragments", "seconds", "CPU seconds", "load", "NGIL")
    yield from table(head, *map(_row, results["by_rows"]))
    growth = results["growth"]
    yield paragraph(
        "On logarithmic axes the work (CPU seconds) grows with a slope of",
        f"{growth['exponent']:.2f} over all sizes and",
        f"{growth['exponent_at_the_end']:.2f} between the two largest (1 is linear).",
    )
    if results.get("by_k"):
        yield from table(("k", "seconds", "NGIL"), *map(_k_row, results["by_k"]))
    for run in results.get("large", ()):
        yield paragraph(
            f"{run['rows']:,} rows by {NAMES.get(run['master'], 'Spark, ' + run['master'])}:",
            f"{short(run['seconds'])} s ({short(run['cpu_seconds'])} CPU seconds), k = {run['k']},",
            f"NGIL {run['ngil']:.4f}.",
        )
    if results.get("large"):
        yield from _today()
    yield "![Seconds against megabytes, NGIL against k](images/spark-growth.svg)\n"
    yield from _model(results["model"])


def _today() -> Iterator[str]:
    """What the local engine takes since: the runs above are older."""
    now = read("ten_million")
    run = now["results"]["records"][-1]
    yield paragraph(
        f"The local engine of {now['date']} took {short(run['wall_seconds'])} s",
        f"({short(run['cpu_seconds'])} CPU seconds) of the same rows, `{run['effort']}`, NGIL",
        f"{run['ngil']:.4f}; Spark was not measured again.",
    )


def _model(model: dict[str, float]) -> Iterator[str]:
    yield paragraph(
        "**Model**, fitted to the work of these runs:",
        f"{short(model['fixed_seconds'])} core-seconds + rows x",
        f"{1e6 * model['core_seconds_per_row']:.0f} microseconds + fragments x",
        f"{short(model['core_seconds_per_fragment'])} s; it misses none of them by more than",
        f"{100 * model['worst_error']:.0f} %.",
    )
    head = ("1 billion rows on", "seconds", "fixed", "work", "last fragment", "network")
    yield from table(head, *(_predicted(model, cores) for cores in (100, 1_000)))


def _predicted(model: dict[str, float], cores: int) -> tuple[str, ...]:
    fragment = (
        ROWS_PER_FRAGMENT * model["core_seconds_per_row"] + model["core_seconds_per_fragment"]
    )
    fixed, work = model["fixed_seconds"], BILLION / ROWS_PER_FRAGMENT * fragment / cores
    wire = BILLION * SHUFFLED / (BYTES_A_SECOND * cores / CORES_OF_A_HOST)
    total = fixed + work + fragment + wire
    return (f"{cores:,} cores", *(short(x) for x in (total, fixed, work, fragment, wire)))


def _row(record: dict[str, Any]) -> tuple[str, ...]:
    return (
        f"{record['rows']:,}",
        f"{record['megabytes']:.0f}",
        str(record["fragments"]),
        short(record["seconds"]),
        short(record["cpu_seconds"]),
        f"{max(record['load']):.0f}",
        f"{record['ngil']:.4f}",
    )


def _k_row(record: dict[str, Any]) -> tuple[str, ...]:
    return f"{record['k_asked']:,}", short(record["seconds"]), f"{record['ngil']:.4f}"
