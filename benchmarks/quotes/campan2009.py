"""What the study campan2009 found."""

from __future__ import annotations

from collections.abc import Iterator

from quotes._study import write_study


def write() -> Iterator[str]:
    """Give its findings."""
    return write_study("campan2009")
