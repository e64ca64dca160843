"""Ten deliveries of growing tables: what they tell together, what they lose, what they take."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from quotes._markdown import paragraph, read, table

TABLES = {
    "adult": "UCI Adult",
    "stays": "hospital stays, made up",
    "registry": "a registry, made up",
    "real_stays": "stays in US hospitals",
}


def write() -> Iterator[str]:
    """Give a table of the last delivery, and what attackers believe, in a paragraph."""
    results = read("growing")["results"]
    yield paragraph(
        f"{results['deliveries']} deliveries of four tables (k = {results['k']}, l ="
        f" {results['l']}): with `--after`, and grouped anew each time whatever the ledger says.",
        "In the registry people also stop arriving, move, get other diagnoses and are deleted. The",
        "last table is real: all stays of diabetics in 130 hospitals (Strack et al., 2014). CPU"
        " seconds are medians of the last delivery and of a release of everybody, in turns.",
    )
    yield from table(_HEAD, *(_row(results[name], words) for name, words in TABLES.items()))
    yield from _older(results)
    yield paragraph(*_beliefs(results))
    yield paragraph(*_refounding(results))


_HEAD = (
    *("", "rows", "one possible value after the first and the last"),
    *("grouped anew", "loss first and last", "grouped anew", "wait"),
    *("CPU s of the last", "grouped anew"),
)


def _older(results: dict[str, Any]) -> Iterator[str]:
    """Say which tables were not measured again with the rest, and why."""
    for name, words in TABLES.items():
        if "measured" in results[name]:
            yield paragraph(f"Numbers of {words} are of {results[name]['measured']}.")


def _row(found: dict[str, Any], words: str) -> tuple[str, ...]:
    first, last, anew = found["after"][0], found["after"][-1], found["anew"][-1]
    return (
        words,
        f"{last['rows']:,}",
        f"{first['single']:,} and {last['single']:,}",
        f"{anew['single']:,}",
        f"{first['ngil']:.3f} and {last['ngil']:.3f}",
        f"{anew['ngil']:.3f}",
        f"{100 * last['waiting'] / last['newcomers']:.1f} %",
        f"{found['seconds']['after']:.2f}",
        f"{found['seconds']['anew']:.2f}",
    )


def _beliefs(results: dict[str, Any]) -> Iterator[str]:
    yield (
        "Whoever knows a newcomer's crowd and the delivery they came with reads the difference of"
        " two releases and believes in their value with"
    )
    told = (results[name]["belief"] for name in TABLES)
    pairs = [
        f"{b['newcomers_by_difference']:.3f} ({b['first_delivery']:.3f},"
        f" ± {b['standard_error']:.3f})"
        for b in told
    ]
    yield ", ".join(pairs[:-1]) + f" and {pairs[-1]};"
    yield "in brackets what the first delivery lets believe of the people in it, and the standard"
    yield "error of the difference."
    gains = [results[name]["gain"] for name in TABLES]
    ends = [f"{low:+.4f} to {high:+.4f}" for low, high in (gain["interval"] for gain in gains)]
    yield (
        f"They are other people, so both were drawn anew by {gains[0]['seeds']} seeds"
        f" ({gains[0]['rows']:,} rows each): newcomers are believed more of by"
        f" {', '.join(ends[:-1])} and {ends[-1]} (95 % intervals)."
    )
    gone = results["registry"]["deletions"]
    before, after = (sum(d[key] for d in gone) / len(gone) for key in ("before", "after"))
    yield (
        f"Of {len(gone)} people who were deleted they believe {before:.3f} before and {after:.3f}"
        " by what disappeared with them; had only they disappeared, it would be 1."
    )


def _refounding(results: dict[str, Any]) -> Iterator[str]:
    yield "Made anew after all ten, the ledger counts"
    told = []
    for name, words in TABLES.items():
        parts = [
            f"{r['disclosed']:,} of {r['people']:,} people with l = {r['l']} (loss {r['ngil']:.3f})"
            for r in results[name]["refounding"]
        ]
        told.append(f"in {words} {' and '.join(parts)}")
    yield "; ".join(told) + ":"
    yield "so many would have one possible value more than before, and the release is refused."
    last = {words: results[name]["refounded"][-1] for name, words in TABLES.items()}
    single = sum(told["single"] for told in last.values())
    yield (
        f"With `--refound` in the place of the tenth delivery {single or 'nobody'} has one possible"
        " value, and crowds are left out instead:"
    )
    yield (
        "; ".join(
            f"{100 * (1 - told['rows'] / told['of']):.0f} % of the rows of {words} (loss"
            f" {told['ngil']:.3f})"
            for words, told in last.items()
        )
        + "."
    )
