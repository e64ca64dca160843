"""Losses of labels: what each keeps for models and for counts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from quotes._markdown import paragraph, read, table

NAMES = {"spans": "spans, no calendar"}


def write() -> Iterator[str]:
    """Give a row for each table, k and loss."""
    found = read("losses")
    records = found["results"]["records"]
    yield paragraph(
        f"Measured on {found['date']}, with the grouping of then: one draw of each table, without",
        "an interval, so that hundredths are chance. On births every day is about one person, so",
        "that *leaves* and *people* are the same.",
    )
    head = ("table, k", "loss", "`*`", "counts right", "logistic", "boosting")
    yield from table(head, *map(_row, records))


def _row(record: dict[str, Any]) -> tuple[str, ...]:
    models = record["models"]
    return (
        f"{record['table']}, {record['k']}",
        NAMES.get(record["loss"], record["loss"]),
        f"{record['hidden']:.0%}",
        f"{record['counts_right']:.0%}",
        f"{models['logistic_regression']:.2f}",
        f"{models['gradient_boosting']:.2f}",
    )
