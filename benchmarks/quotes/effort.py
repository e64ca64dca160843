"""Loss and time by effort."""

from __future__ import annotations

from collections.abc import Iterator

from quotes._markdown import read


def write() -> Iterator[str]:
    """Give what each effort loses and takes on Adult."""
    records = read("effort")["results"]["records"]
    ks = sorted({r["k"] for r in records})
    cells = {(r["effort"], r["k"]): r for r in records}
    yield "| effort | " + " | ".join(f"k = {k}" for k in ks) + " |"
    yield "| --- " * (len(ks) + 1) + "|"
    for effort in dict.fromkeys(r["effort"] for r in records):
        found = [cells[effort, k] for k in ks]
        told = (f"{r['ngil']:.4f}, {r['cpu_seconds']:.0f} s" for r in found)
        yield f"| `{effort}` | " + " | ".join(told) + " |"
