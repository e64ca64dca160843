"""Attackers who know two dates of a person whose dates were shifted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from quotes._markdown import read, table


def write() -> Iterator[str]:
    """Tell how often a distance finds a person."""
    found = read("joined")
    results = found["results"]
    joined, alone = (record["attacks"]["date_gaps"] for record in results["records"][2:])
    patients = f"{results['patients']:,} made-up patients"
    yield f"Measured on {found['date']}, once: {patients} and all their stays:"
    yield ""
    yield from table(
        ("attacker knows", "right (95 % interval)", "guessing"),
        (
            "two successive admissions, joined by a pseudonym",
            f"{joined['rate']:.1%} ({_ends(joined, '.1%')})",
            f"{joined['baseline']:.2%}",
        ),
        (
            "admission and discharge of one stay, nothing joins",
            f"{alone['rate']:.2%} ({_ends(alone, '.2%')})",
            f"{alone['baseline']:.3%}",
        ),
    )


def _ends(attack: dict[str, Any], form: str) -> str:
    low, high = attack["interval"]
    return f"{low:{form}} to {high:{form}}"
