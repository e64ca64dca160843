"""Counts as people say them."""

from __future__ import annotations

_IRREGULAR = {"person": "people", "copy": "copies", "entry": "entries"}


def plural(number: int, noun: str) -> str:
    """Print a count with its noun.

    >>> plural(1, "row"), plural(1200, "group"), plural(1, "person"), plural(2, "person")
    ('1 row', '1,200 groups', '1 person', '2 people')
    """
    last = noun.rsplit(" ", 1)[-1]
    many = noun.removesuffix(last) + _IRREGULAR.get(last, f"{last}s")
    return f"{number:,} {noun if number == 1 else many}"
