"""How hard the proofs were tried: faults put into the code, releases doubted by a stranger."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from quotes._markdown import RESULTS, paragraph, read

DOORS = {
    "linked": "of linked tables",
    "network": "of networks",
    "pseudonyms": "under pseudonyms",
    "later": "later deliveries",
    "database": "in a database",
}


def write() -> Iterator[str]:
    """Give a paragraph for each run that is on file."""
    for name, tell in (
        ("mutate", _faults),
        ("soak_attacker", _doubt),
        ("soak_attacker_spark", _doubt_on_spark),
        ("soak_doors", _doors),
        ("soak_kills", _kills),
    ):
        if (RESULTS / f"{name}.json").exists():
            yield tell(read(name)["results"])


def _faults(tried: dict[str, Any]) -> str:
    parts = [
        f"{name} {f['noticed']} of {f['tried']}{_again(f)}{_drawn(f)}" for name, f in tried.items()
    ]
    known = sum(f["equivalent"] for f in tried.values())
    return paragraph(
        "**Faults.** Put into a copy of the code one at a time (`make mutate`), the tests",
        f"noticed: {', '.join(parts)}. Twenty faults are named{_whole(tried)}. Not counted:",
        f"{known} that change nothing one could notice (`benchmarks/mutate_equivalent.toml`).",
    )


def _again(found: dict[str, Any]) -> str:
    """Say how many were tried again by themselves, after tests were written for them."""
    again = found.get("again")
    return f" ({again['tried']} of them again, after tests were written)" if again else ""


def _whole(tried: dict[str, Any]) -> str:
    """Say so where every small change was tried, and only there."""
    said = [n for n in ("verifier", "gate") if n in tried and not _drawn(tried[n])]
    return f"; of small changes to the {' and the '.join(said)} all were tried" if said else ""


def _drawn(found: dict[str, Any]) -> str:
    """Say that not all were tried; between which shares all of them lie (Wilson, 95 %).

    Where tests were written for what a draw showed, the draw as it was before, or a fresh one,
    says more of the rest.
    """
    if found["tried"] + found["equivalent"] >= found["possible"]:
        return ""
    first, fresh = found.get("at_first"), found.get("fresh")
    said = [f"{first['noticed']} of {first['tried']} before tests were written"] if first else []
    said += [f"of a fresh draw {fresh['noticed']} of {fresh['tried']}"] if fresh else []
    counted = fresh or first or found
    said.append(_interval(tried=counted["tried"], noticed=counted["noticed"]))
    return f" drawn from {found['possible']} ({'; '.join(said)})"


def _interval(tried: int, noticed: int) -> str:
    share, z = noticed / tried, 1.96
    reach = z * (share * (1 - share) / tried + (z / (2 * tried)) ** 2) ** 0.5
    centre, whole = share + z * z / (2 * tried), 1 + z * z / tried
    low, high = (100 * (centre + side) / whole for side in (-reach, reach))
    return f"that is {low:.0f} to {high:.0f} % of all"


def _doubt(found: dict[str, Any]) -> str:
    return paragraph(
        f"**Doubt.** {found['tables']:,} random tables under random options (suppression,",
        "limits, grids, people, presets, methods):",
        f"{found['released']:,} releases recounted by plain Python that shares no line with",
        "Shoal, their papers read for names and numbers that the data does not show,",
        f"{found.get('refused', 0):,} refusals, {found['findings']} findings.",
        _since(found.get("since")),
    )


def _since(found: dict[str, Any] | None) -> str:
    """Say how many were doubted anew after the code had changed."""
    if not found:
        return ""
    return (
        f"That was before crowds were refined by search; since then {found['released']:,} more"
        f" (of {found['tables']:,} tables, asked for dates, searches, proofs and further models"
        f" too): {found['findings']} findings."
    )


def _doubt_on_spark(found: dict[str, Any]) -> str:
    return paragraph(
        f"**Doubt on Spark.** The same attacker on {found['released']:,} releases that Spark made",
        f"in fragments of random sizes, and {found.get('refused', 0):,} refusals:",
        f"{found['findings']} findings.",
    )


def _doors(found: dict[str, Any]) -> str:
    parts = [f"{one['released']:,} {DOORS[door]}" for door, one in found.items()]
    return paragraph(
        "**Other doors.** Random releases that left otherwise, counted again in the same way and",
        f"read for planted names: {', '.join(parts)};",
        f"{sum(one.get('refused', 0) for one in found.values()):,} refusals,",
        f"{sum(one['findings'] for one in found.values())} findings.",
    )


def _kills(found: dict[str, Any]) -> str:
    return paragraph(
        f"**Kills.** {found['runs']:,} runs cut off at random moments, half by SIGKILL, half by",
        "Ctrl-C, half of them over an older release. What must be left is a whole release that the",
        "ledger counts, or none, and a next run that clears up:",
        f"{found['findings']} findings.",
    )
