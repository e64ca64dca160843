"""Counts and lists as people say them, and values as machines read them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

_IRREGULAR = {"entry": "entries", "person": "people", "copy": "copies"}


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


def plain(value: Any) -> Any:
    """Turn values into what JSON can hold.

    >>> plain({"t": Fraction(1, 2), "beta": math.inf, "sizes": (1, 2)})
    {'t': 0.5, 'beta': 'inf', 'sizes': [1, 2]}
    """
    if isinstance(value, Mapping):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    if hasattr(value, "item"):  # a NumPy scalar
        value = value.item()
    if isinstance(value, Fraction):
        value = float(value)
    if isinstance(value, float) and not math.isfinite(value):
        return "inf" if value > 0 else "-inf"
    return value
