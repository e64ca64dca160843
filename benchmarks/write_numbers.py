"""Write the measured numbers into the documents: none of them is typed by hand.

Between ``<!-- numbers: NAME -->`` and ``<!-- /numbers -->`` stands what ``quotes/NAME.py`` makes
of the results on file; inside a sentence, between ``<!-- number: NAME -->`` and
``<!-- /number -->``, what the function NAME of ``quotes/headline.py`` gives.
"""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parents[1]
SPOT = re.compile(r"(<!-- numbers: (\w+) -->\n).*?(<!-- /numbers -->)", re.DOTALL)
WORD = re.compile(r"(<!-- number: (\w+) -->).*?(<!-- /number -->)")


def main() -> None:
    """Fill in all documents that quote numbers."""
    for path in documents():
        path.write_text(fill(path), encoding="utf-8")


def documents() -> list[Path]:
    """Every document that quotes numbers."""
    found = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
    return sorted(path for path in found if _quotes(path.read_text(encoding="utf-8")))


def fill(path: Path) -> str:
    """Return a document with the numbers on file in each of its spots."""
    return WORD.sub(_said, SPOT.sub(_filled, path.read_text(encoding="utf-8")))


def _quotes(text: str) -> bool:
    return bool(SPOT.search(text) or WORD.search(text))


def _filled(spot: re.Match[str]) -> str:
    numbers = "\n".join(import_module(f"quotes.{spot[2]}").write()).rstrip()
    return f"{spot[1]}{numbers}\n{spot[3]}"


def _said(spot: re.Match[str]) -> str:
    return f"{spot[1]}{getattr(import_module('quotes.headline'), spot[2])()}{spot[3]}"


if __name__ == "__main__":
    main()
