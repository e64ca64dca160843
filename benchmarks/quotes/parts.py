"""Large tables in parts, against the same in one piece."""

from __future__ import annotations

from collections.abc import Iterator

from quotes._markdown import paragraph, read, short, table


def write() -> Iterator[str]:
    """Give a sentence and a table."""
    found = read("parts")
    records = found["results"]["records"]
    yield paragraph(
        "**In parts.** From 100,000 rows on a table is cut where the fewest groups of a sample are",
        "torn, and its parts are grouped on all cores; the same groups come out of one core and of",
        "two.",
        f"Against the same table in one piece, {found['date']}, the whole once and the quicker of",
        "several turns in parts:",
    )
    yield from table(
        ("", "k", "whole, CPU s", "parts, CPU s", "two cores are", "loss over whole"),
        *(
            (
                f"{each['table']}{', refined' if each['refine'] else ''}",
                str(each["k"]),
                short(each["whole_1"]["cpu_seconds"]),
                short(each["parts_1"]["cpu_seconds"]),
                f"{each['two_cores']:.2f} times as fast",
                f"{each['loss_ratio']:.4f}",
            )
            for each in records
        ),
    )
