"""What thrifty growth saves over the paper's growth."""

from __future__ import annotations

from collections.abc import Iterator

from quotes._compared import compare
from quotes._markdown import read

GROWTHS = {
    "common": "common order, the paper's growth",
    "best-first, plain growth": "best-first, the paper's growth",
    "best-first": "best-first, thrifty growth",
}


def write() -> Iterator[str]:
    """Give loss and time by rule of growth."""
    cells = {(r["method"], r["k"]): r for r in read("adult")["results"]["records"]}
    yield from compare(GROWTHS, cells)
