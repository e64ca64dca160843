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
        f"{found['posterior']:.3f} after both: {_change(found['more_than_before'])}. Without",
        f"protection it is {found['unprotected']:.0f}. The deleted record is matched with",
        f"probability {found['matched_at_most']:.3f} at most; 1/k is {found['one_over_k']:.3f}.",
        "Intervals are 95 %, over the people deleted.",
    )
    close = results["deletion_with_t"]
    yield paragraph(
        "Held against the share of the value in the whole table",
        f"({found['in_the_table']:.3f}) both beliefs are too high by",
        f"{_signed(found['beyond_the_table'])}, with the second release or",
        "without it: the crowd of the first one told that much. How near it comes to this bar is",
        f"up to the first release: with t = {close['t']} beside k the beliefs are",
        f"{close['prior']:.3f} and {close['posterior']:.3f},",
        f"{_signed(close['beyond_the_table'])} above the",
        f"{close['in_the_table']:.3f} of the table.",
    )
    study = results["degradation"]
    yield paragraph(
        f"What it costs models (macro F1 of {study['model'].replace('_', ' ')} on untouched",
        f"rows, Adult, k = {study['k']}, {study['learned']:,} rows to learn from): groups made",
        "anew from those who stay, against crowds that leave with those who are forgotten; means",
        f"of {len(study['draws'])} divisions of the table, with 95 % intervals that are corrected",
        "for the rows these share (Nadeau and Bengio, 2003) and not for how many they are. A dash:",
        "in some division too few rows are left.",
    )
    rows = (
        (
            f"{100 * r['forgotten']:.0f} %",
            _told(r["regroup"], ".3f"),
            _told(r["drop_crowds"], ".3f"),
            _told(r["anew_above"], "+.3f"),
            f"{100 * r['rows_dropped_with_crowds']:.0f} %",
        )
        for r in study["told"]
    )
    head = ("forgotten", "made anew", "crowds leave", "anew above", "rows that leave with them")
    yield from table(head, *rows)


def _told(ends: list[float] | None, form: str) -> str:
    if ends is None:
        return "–"
    mean, low, high = ends
    return f"{mean:{form}} ({low:{form}} to {high:{form}})"


def _signed(ends: list[float]) -> str:
    return _told(ends, "+.3f")


def _change(ends: list[float]) -> str:
    """Say what the second release adds, in words where it is nothing for everybody."""
    return "the same for each of them" if not any(ends) else f"{_signed(ends)} more"
