"""Forgetting: what the difference of two releases tells, and what models lose."""

from __future__ import annotations

from collections.abc import Iterator

from quotes._markdown import paragraph, read, table


def write() -> Iterator[str]:
    """Give the trials in a paragraph and the degradation as a table."""
    results = read("forgetting")["results"]
    found = results["deletion"]
    yield paragraph(
        f"Over {found['trials']} deletions ({results['table']}) the attacker believes in the",
        f"value of the person who left with {found['prior']:.3f} after the first release and with",
        f"{found['posterior']:.3f} after both: {found['excess_in_sigmas']:.1f} sigma more.",
        f"Without protection it is {found['unprotected']:.0f}. The deleted record is matched with",
        f"probability {found['matched_at_most']:.3f} at most; 1/k is {found['one_over_k']:.3f}.",
    )
    close = results["deletion_with_t"]
    yield paragraph(
        "Held against the share of the value in the whole table",
        f"({found['in_the_table']:.3f}) both beliefs are",
        f"{found['beyond_the_table_in_sigmas']:.1f} sigma too high, with the second release or",
        "without it: the crowd of the first one told that much. Who wants this bar too must ask",
        f"the first release for it: with t = {close['t']} beside k the beliefs are",
        f"{close['prior']:.3f} and {close['posterior']:.3f},",
        f"{close['beyond_the_table_in_sigmas']:.1f} sigma above the",
        f"{close['in_the_table']:.3f} of the table.",
    )
    study = results["degradation"]
    yield paragraph(
        f"What it costs models (macro F1 of {study['model'].replace('_', ' ')} on untouched",
        f"rows, Adult, k = {study['k']}): groups made anew from those who stay, against crowds",
        "that leave with those who are forgotten. Measured when models still saw the widths of",
        "ranges, which rows as they are do not have (decision 19), and once: no interval.",
    )
    rows = (
        (
            f"{100 * r['forgotten']:.0f} %",
            _number(r["regroup"]),
            _number(r["drop_crowds"]),
            f"{100 * r['rows_dropped_with_crowds']:.0f} %",
        )
        for r in study["records"]
    )
    yield from table(("forgotten", "made anew", "crowds leave", "rows that leave with them"), *rows)


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
