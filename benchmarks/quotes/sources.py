"""From a database to a database, against CSV to CSV."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from quotes._markdown import paragraph, read


def write() -> Iterator[str]:
    """Give the paragraph."""
    found = read("sources")
    told = found["results"]
    small, *larger = [told] if "rows" in told else told.values()  # one size was measured, or more
    machine = found["machine"]
    busy = " on a busy machine" if machine["load_average_at_start"] > machine["cores"] else ""
    yield paragraph(
        f"**Sources.** {small['rows']:,} rows of {small['columns']} columns, k = 10, Mondrian,",
        "no bound (so that reading and writing weigh as much as they ever do), the better of two",
        f"runs{busy} with {machine['cores']} cores, {found['date']}: {_told(small)}",
        *(f"{each['rows']:,} rows, one run: {_told(each)}" for each in larger),
    )


def _told(both: dict[str, Any]) -> str:
    csv, database = both["csv"], both["postgresql"]
    if "cpu_ratio" not in both:  # only memory was measured at this size
        return (
            f"{csv['peak_mb']:,.0f} MB at most from CSV to CSV, {database['peak_mb']:,.0f} MB from"
            f" table to table, {both['memory_ratio']:.2f} times the memory."
        )
    return (
        f"CSV to CSV {csv['cpu_seconds']:.0f} CPU s and {csv['peak_mb']:,.0f} MB at most; a table"
        f" of PostgreSQL to a written-back table {database['cpu_seconds']:.0f} CPU s, the server's"
        f" {database['server_cpu_seconds']:.0f} s among them, and {database['peak_mb']:,.0f} MB:"
        f" {both['cpu_ratio']:.2f} times the CPU, {both['wall_ratio']:.2f} times the wall clock,"
        f" {both['memory_ratio']:.2f} times the memory."
    )
