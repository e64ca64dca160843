"""From a database to a database, against CSV to CSV."""

from __future__ import annotations

from collections.abc import Iterator

from quotes._markdown import paragraph, read


def write() -> Iterator[str]:
    """Give the paragraph."""
    found = read("sources")
    results = found["results"]
    csv, database = results["csv"], results["postgresql"]
    yield paragraph(
        f"**Sources.** {results['rows']:,} rows of {results['columns']} columns, k = 10, Mondrian,",
        "no bound (so that reading and writing weigh as much as they ever do), the better of two",
        f"runs on a busy machine with {found['machine']['cores']} cores: CSV to CSV",
        f"{csv['cpu_seconds']:.0f} CPU s and {csv['peak_mb']:,.0f} MB at most; a table of",
        f"PostgreSQL to a written-back table {database['cpu_seconds']:.0f} CPU s, the server's",
        f"{database['server_cpu_seconds']:.0f} s among them, and {database['peak_mb']:,.0f} MB:",
        f"{results['cpu_ratio']:.2f} times the CPU, {results['wall_ratio']:.2f} times the wall",
        f"clock, {results['memory_ratio']:.2f} times the memory.",
    )
