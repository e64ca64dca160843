"""Counts and lists as people say them."""

from __future__ import annotations

from collections.abc import Sequence

_IRREGULAR = {"person": "people", "copy": "copies"}


def plural(number: int, noun: str) -> str:
    """Print a count with its noun.

    >>> plural(1, "row"), plural(1200, "group"), plural(1, "person"), plural(2, "person")
    ('1 row', '1,200 groups', '1 person', '2 people')
    """
    last = noun.rsplit(" ", 1)[-1]
    many = noun.removesuffix(last) + _IRREGULAR.get(last, f"{last}s")
    return f"{number:,} {noun if number == 1 else many}"


def listing(names: Sequence[str], most: int = 8) -> str:
    """Join names as in a sentence.

    >>> listing(["age", "sex", "zip"]), listing(["age"]), listing(list("abcd"), most=2)
    ('age, sex and zip', 'age', 'a, b and 2 more')
    """
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    *first, last = names or ["nothing"]
    return f"{', '.join(first)} and {last}" if first else last
