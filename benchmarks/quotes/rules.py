"""What rules beside k cost, and tables of other shapes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from quotes._markdown import paragraph, read, short, table


def write() -> Iterator[str]:
    """Give the paragraph and its table."""
    found = read("rules")
    results = found["results"]
    plain = results["plain"]
    yield paragraph(
        f"**Rules and shapes.** A made-up census of {results['rows']:,} rows, k = {results['k']},"
        " `quick`, in memory: CPU seconds of all threads from codes to the verdict, without a"
        " bound, and against the same table with k alone, one run of each. Rules ask for more and"
        " here lose as much or more;"
        f" shapes are other tables. {found['machine']['cores']} cores, {found['date']},"
        f" load average {found['machine']['load_average_at_start']} at the start.",
    )
    lines = [_line("k alone", plain, plain)]
    lines += [_line(name, run, plain) for name, run in results["rules"].items()]
    lines += [_line(name, run, plain) for name, run in results["shapes"].items()]
    large = results.get("large")
    if large:
        name, run = next((n, r) for n, r in large.items() if n.startswith("t = "))
        lines.append(_line(f"{name}, of {large['rows']:,} rows", run, large["plain"]))
    yield from table(("", "CPU s", "times", "loss"), *lines)


def _line(name: str, run: dict[str, Any], plain: dict[str, Any]) -> tuple[str, ...]:
    times = run["cpu_seconds"] / plain["cpu_seconds"]
    return name, short(run["cpu_seconds"]), f"{times:.1f}", f"{run['ngil']:.3f}"
