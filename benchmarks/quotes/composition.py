"""Five releases of Adult: the share of people with one candidate value, with and without ledger."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from quotes._markdown import paragraph, read, table

GROUPERS = {"mondrian": "Mondrian", "sangreea": "SaNGreeA"}


def write() -> Iterator[str]:
    """Give a row for each grouper and number of rows."""
    found = read("composition")
    results = found["results"]
    head = ("people with one candidate", "after 1", "after 2", "after 5", "with the ledger")
    yield from table(head, *_rows(results), _plain(results["plain_mondrian"]))
    yield paragraph(
        f"Measured on {found['date']}, with the grouping of then; one set of weights for each line",
        "but the last.",
        *_why(results),
    )


def _rows(results: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    for part in (results["all"], results["first_5000_rows"]):
        for grouper, name in GROUPERS.items():
            found = part[grouper]
            shares = found["share_with_one_candidate"]
            kept = found["with_ledger"]["share_with_one_candidate"]
            picked = (shares[0], shares[1], shares[-1], kept)
            yield f"{name}, {part['rows']:,} rows", *(f"{100 * share:.1f} %" for share in picked)


def _plain(draws: list[dict[str, Any]]) -> tuple[str, ...]:
    """The plain Mondrian: the mean over draws of weights, and the range."""
    shares = [draw["share_with_one_candidate"] for draw in draws]
    kept = [draw["with_ledger"]["share_with_one_candidate"] for draw in draws]
    columns = [[share[n] for share in shares] for n in (0, 1, -1)]
    return "plain Mondrian, 5,000 rows", *(_mean(found) for found in (*columns, kept))


def _why(results: dict[str, Any]) -> Iterator[str]:
    """Say why our own groupers start higher than the plain one."""
    draws = results["plain_mondrian"]
    groups = results["first_5000_rows"]["mondrian"]["groups"][0]
    alone = [draw["alone_if_aligned"] for draw in draws]
    yield f"The last line is {len(draws)} draws of weights between 0.5 and 2 (in brackets the"
    yield "least and the most of them) for the Mondrian of"
    yield "the textbook (categories numbered by the alphabet, cut at the median): the setting in"
    yield "which 0.1 %, 0.8 % and 4.6 % had been measured before, with 11 % of people alone in what"
    yield f"their crowds have in common; here {100 * min(alone):.0f} to {100 * max(alone):.0f} %."
    yield f"Shoal's own groupers start higher; Mondrian makes {groups:,} crowds of these"
    yield f"5,000 people where the textbook makes {draws[0]['groups'][0]:,}, and smaller"
    yield "crowds tend to show fewer values. Ask for l if that matters; the ledger holds either"
    yield "to its first release."


def _mean(found: list[float]) -> str:
    low, high, mean = (100 * f(found) for f in (min, max, lambda each: sum(each) / len(each)))
    spread = "" if f"{low:.1f}" == f"{high:.1f}" else f" ({low:.1f} to {high:.1f})"
    return f"{mean:.1f} %{spread}"
