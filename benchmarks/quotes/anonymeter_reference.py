"""Our attacks beside anonymeter's, on the same rows."""

from __future__ import annotations

from collections.abc import Iterator

from quotes._markdown import read, table

NAMES = {"singling_out": "singling out", "attribute_inference": "inference"}


def write() -> Iterator[str]:
    """Give rates of both, a row for each attack and release."""
    found = read("anonymeter_reference")
    results = found["results"]
    yield f"Measured on {found['date']}, on one release of each k, without intervals.\n"
    rows = (
        (
            f"{title}, {'raw' if record['k'] is None else 'k = ' + str(record['k'])}",
            *(f"{record[tool][name]['rate']:.3f}" for tool in ("shoal", "anonymeter")),
        )
        for name, title in NAMES.items()
        for record in results["records"]
    )
    yield from table((f"rate, {results['rows']:,} rows", "Shoal", "anonymeter"), *rows)
