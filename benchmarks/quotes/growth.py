"""Growth with rows."""

from __future__ import annotations

from collections.abc import Iterator

from quotes._markdown import paragraph, read, short, table

SIZES = (10_000, 100_000, 1_000_000)
TASKS = ("mondrian", "common", "best-first", "end to end")


def write() -> Iterator[str]:
    """Give the paragraph and its table."""
    found = read("growth")
    runs = {(r["table"], r["rows"], r["task"]): r for r in found["results"]["records"]}
    census = ("census_income", 199_523)
    lines = []
    for source, rows in (*(("people", n) for n in SIZES), census):
        found_here = [runs[source, rows, task] for task in TASKS]
        times = (f"{short(r['seconds'])} ({short(r['cpu_seconds'])})" for r in found_here)
        name = f"{rows:,}" + (" (KDD census, 10 QIs)" if source != "people" else "")
        lines.append((name, *times, f"{found_here[-1]['peak_memory_mb'] / 1000:.1f} GB"))
    yield paragraph(
        "**Growth.** A made-up census (8 QIs), k = 10, unrefined: seconds of grouping (CPU seconds",
        "in brackets), then all of `shoal anonymize` in common order, from CSV to verified release",
        f"with its proven bound, and its peak memory. {found['machine']['cores']} cores,",
        f"{found['date']}, load average {found['machine']['load_average_at_start']} at the start.",
    )
    heads = ("rows", "Mondrian", "common", "best-first", "CSV to release", "memory")
    yield from table(heads, *lines)
