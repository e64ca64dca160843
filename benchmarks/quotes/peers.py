"""Other tools of Python on Adult, each run once by hand in an environment of its own."""

from __future__ import annotations

from collections.abc import Iterator

from quotes._markdown import paragraph, read, short, table


def write() -> Iterator[str]:
    """Give loss and time of each tool at k = 10, and what a model learns from it."""
    found = read("peers")
    results = found["results"]
    yield paragraph(
        f"{results['table']}; {found['date']}. {results['how']} Set loss of a text column:",
        "distinct values of the group over those of the table, 0 for one; of a number: its range.",
    )
    rows = [
        (
            record["tool"],
            record["version"],
            f"{record['loss']:.3f}",
            "–" if record["f1"] is None else f"{record['f1']:.3f}",
            short(record["cpu_seconds"]),
            record["note"],
        )
        for record in results["records"]
    ]
    head = ("tool, k = 10", "version", "set loss", "F1, k = 50", "CPU seconds", "")
    yield from table(head, *rows)
    yield paragraph(*results["not_measured"])
