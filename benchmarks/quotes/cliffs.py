"""What a tenth more rows costs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from quotes._markdown import paragraph, read, table


def write() -> Iterator[str]:
    """Give the step at each size where the way of working changes, and the worst of the switch."""
    found = read("cliffs")
    results = found["results"]
    yield paragraph(
        f"**No cliffs.** A made-up census, k = 10, {found['date']}, one run of each: CPU",
        "seconds of a run in memory (grouping, refinement, bound, recount) just below and just",
        "beyond each size at which the way of",
        "working changes, a tenth apart, and by what that tenth more rows multiplies them. From",
        "100,000 rows on, a table is grouped in parts, which takes less time.",
    )
    yield from table(
        ("rows", "just below", "just beyond", "for a tenth more"),
        *(
            (
                f"{step['limit']:,}",
                f"{step['below']['cpu_seconds']:.3g} s",
                f"{step['beyond']['cpu_seconds']:.3g} s",
                f"{step['ratio_of_a_tenth']:.2f} times",
            )
            for step in results["limits"]
        ),
    )
    first, last = (" and ".join(map(_took, tenth)) for tenth in results["large"])
    yield paragraph(
        "From 2 to 4 million rows the cheapest crowd is formed first in less and less of the",
        f"table, so that time fades instead of falling: in the first tenth, {first} of grouping,",
        f"in the last {last}. All of the switch, with limits a fiftieth of their size, changes",
        f"time by {results['switch_worst']:.2f} times at most from one tenth to the next; it was",
        f"{results['switch_before']:.2f} times while the share of the table fell evenly.",
    )


def _took(run: dict[str, Any]) -> str:
    return f"{run['rows']:,} rows take {run['cpu_seconds']:.0f} s"
