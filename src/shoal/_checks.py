"""Small checks for settings: each takes the name and the value, and returns what is kept."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from numbers import Integral
from typing import Any, TypeAlias

from shoal.exceptions import InvalidParameterError

Check: TypeAlias = Callable[[str, Any], Any]


def schema_of(check: Check) -> dict[str, Any]:
    """Say what a check takes, as JSON Schema does; an empty schema if it takes several things.

    >>> schema_of(number(0, 1))
    {'type': 'number', 'minimum': 0, 'maximum': 1}
    """
    found = dict(vars(check).get("schema", {}))
    if "enum" in found:
        found["enum"] = list(found["enum"])  # one may grow later
    if "each" in found:
        each = schema_of(found.pop("each"))
        by_column = {"type": "object", "additionalProperties": each}
        found |= {"anyOf": [each, by_column]} if found.pop("or_all") else by_column
    return found


def taking(check: Check, **schema: Any) -> Check:
    """Note what a check takes."""
    vars(check)["schema"] = schema
    return check


def text(name: str, value: object) -> str:
    """Take text that is not empty."""
    if not isinstance(value, str) or not value:
        raise InvalidParameterError(f"{name} must be text.")
    return value


def texts(name: str, value: object) -> tuple[str, ...]:
    """Take a list of texts, or one.

    >>> texts("missing", ["", "?"])
    ('', '?')
    """
    parts = (value,) if isinstance(value, str) else value
    if not isinstance(parts, list | tuple) or not all(isinstance(part, str) for part in parts):
        raise InvalidParameterError(f"{name} must be a list of texts.")
    return tuple(parts)


def truth(name: str, value: object) -> bool:
    """Take true or false."""
    if not isinstance(value, bool):
        raise InvalidParameterError(f"{name} must be true or false.")
    return value


def whole(least: int) -> Check:
    """Make a check for whole numbers."""

    def check(name: str, value: object) -> int:
        if not isinstance(value, Integral) or isinstance(value, bool) or value < least:
            raise InvalidParameterError(f"{name} must be a whole number, {least} or more.")
        return int(value)

    return taking(check, type="integer", minimum=least)


def number(low: float, high: float = math.inf, *, above: bool = False) -> Check:
    """Make a check for finite numbers from ``low`` (or above it) to ``high``.

    >>> number(0, 1)("t", 0.2)
    0.2
    """
    least = f"above {low:g}" if above else f"of at least {low:g}"
    words = f"a number {least}" + ("" if math.isinf(high) else f" and at most {high:g}")

    def check(name: str, value: object) -> float:
        inside = _is_number(value) and low <= value <= high  # type: ignore[operator]
        if not inside or (above and value == low):
            raise InvalidParameterError(f"{name} must be {words}.")
        return value  # type: ignore[return-value]  # a whole number stays one

    least_key = "exclusiveMinimum" if above else "minimum"
    most = {} if math.isinf(high) else {"maximum": high}
    return taking(check, type="number", **{least_key: low}, **most)


def choice(options: Iterable[str]) -> Check:
    """Make a check for one word of several."""
    known = options if isinstance(options, Mapping) else tuple(options)  # one may grow later

    def check(name: str, value: object) -> str:
        if value not in known:
            what = f"{value!r}" if isinstance(value, str) else "that"
            raise InvalidParameterError(
                f"{name} cannot be {what}.", hint=did_you_mean(str(value), known)
            )
        return str(value)

    return taking(check, type="string", enum=known)


def by_column(check: Check, one: str | None = None) -> Check:
    """Make a check for one value per column; ``one`` is what such a value is called."""

    def check_all(name: str, value: object) -> dict[str, Any]:
        if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
            raise InvalidParameterError(f"{name} must name columns, each with a value.")
        what = one or name
        return {column: check(f"{what} of {column!r}", part) for column, part in value.items()}

    vars(check_all)["schema"] = {"each": check, "or_all": False}
    return check_all


def for_sensitive(check: Check) -> Check:
    """Make a check for one value per sensitive column, or one for all of them."""

    def check_any(name: str, value: object) -> Any:
        return by_column(check)(name, value) if isinstance(value, Mapping) else check(name, value)

    vars(check_any)["schema"] = {"each": check, "or_all": True}
    return check_any


taking(text, type="string", minLength=1)
taking(truth, type="boolean")
taking(texts, anyOf=[{"type": "string"}, {"type": "array", "items": {"type": "string"}}])


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Name the nearest known words, or all of them.

    >>> did_you_mean("sangria", ["auto", "sangreea", "mondrian"])
    "Did you mean 'sangreea'?"
    """
    words = list(known)
    near = get_close_matches(word, words, n=2, cutoff=0.6)
    if near:
        return f"Did you mean {' or '.join(repr(n) for n in near)}?"
    return f"Known are {', '.join(repr(w) for w in words)}."


def _is_number(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:
        return False
