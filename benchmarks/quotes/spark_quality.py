"""What cutting costs on Spark, beside the local engine."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from quotes._markdown import RESULTS, paragraph, read, table


def write() -> Iterator[str]:
    """Give a table: one row a routing, a column for each table and k."""
    if not (RESULTS / "spark_quality.json").exists():
        yield "*Not measured yet on a quiet machine: `python benchmarks/run.py spark_quality`.*\n"
        return
    found = read("spark_quality")
    records = found["results"]["records"]
    asked = list(dict.fromkeys((r["table"], r["rows"], r["k_asked"]) for r in records))
    sizes = sorted({r["fragments"] for r in records})
    yield paragraph(
        "**Quality.** NGIL on Spark over NGIL of the local engine on the whole table (same",
        f"method), {sizes[0]} to {sizes[-1]} fragments: cut only, then after the boundary pass;",
        f"{found['date']}.",
    )
    head = ("routing", *(f"{name} {rows:,}, k = {k}" for name, rows, k in asked))
    routings = list(dict.fromkeys(r["routing"] for r in records))
    rows = ((name, *(_cell(records, name, each) for each in asked)) for name in routings)
    yield from table(head, *rows)
    yield "![NGIL over that of the local engine, cut and mended](images/spark-quality.svg)\n"


def _cell(records: list[dict[str, Any]], routing: str, asked: tuple[str, int, int]) -> str:
    for r in records:
        if r["routing"] == routing and (r["table"], r["rows"], r["k_asked"]) == asked:
            before = r["ngil_before_boundary"] / r["local_ngil"]
            return f"{before:.3f}, {r['over_local']:.3f}"
    return "–"
