"""Write the measured numbers into the documents: none of them is typed by hand.

Between ``<!-- numbers: NAME -->`` and ``<!-- /numbers -->`` stands what ``quotes/NAME.py`` makes
of the results on file.
"""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parents[1]
SPOT = re.compile(r"(<!-- numbers: (\w+) -->\n).*?(<!-- /numbers -->)", re.DOTALL)


def main() -> None:
    """Fill in all documents that quote numbers."""
    for path in documents():
        path.write_text(fill(path), encoding="utf-8")


def documents() -> list[Path]:
    """Every document that quotes numbers."""
    found = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
    return sorted(path for path in found if SPOT.search(path.read_text(encoding="utf-8")))


def fill(path: Path) -> str:
    """Return a document with the numbers on file in each of its spots."""
    return SPOT.sub(_filled, path.read_text(encoding="utf-8"))


def _filled(spot: re.Match[str]) -> str:
    numbers = "\n".join(import_module(f"quotes.{spot[2]}").write()).rstrip()
    return f"{spot[1]}{numbers}\n{spot[3]}"


if __name__ == "__main__":
    main()
