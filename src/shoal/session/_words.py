"""What a group looks like, and what joining it means, in words for people."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from shoal.spaces import Space

_SPAN = re.compile(r"\[(.+), (.+)\]")
_PLAIN = re.compile(r"\d+(\.\d+)?")


def look(space: Space, codes: Sequence[int] | np.ndarray) -> str:
    """Return what a group of these codes publishes; missing is the empty text."""
    low, high = np.min(codes, keepdims=True), np.max(codes, keepdims=True)
    return space.publish(np.ravel(low), np.ravel(high))[0] or ""


def becomes(name: str, before: str, after: str) -> str:
    """Say what happens to a cell.

    >>> becomes("age", "37", "[30, 44]")
    'age 37 becomes 30-44'
    >>> becomes("born", "2020-05-01", "[2020-01-01, 2020-12-31]")
    'born 2020-05-01 becomes 2020-01-01 to 2020-12-31'
    >>> becomes("sex", "f", "*")
    'sex f is no longer told'
    """
    told = f"{name} {plain(before)}"
    return f"{told} is no longer told" if after == "*" else f"{told} becomes {plain(after)}"


def plain(text: str) -> str:
    """Write a published value as one would say it.

    >>> plain("[30, 44]"), plain("[-5, 3]"), plain(""), plain("80**")
    ('30-44', '-5 to 3', '(missing)', '80**')
    """
    span = _SPAN.fullmatch(text)
    if span is None:
        return text or "(missing)"
    low, high = span.groups()
    short = _PLAIN.fullmatch(low) and _PLAIN.fullmatch(high)
    return f"{low}-{high}" if short else f"{low} to {high}"
