"""Codes: the tree that their masks spell out."""

from __future__ import annotations

from collections.abc import Iterable

from shoal.hierarchies import Taxonomy


def mask_more(code: str) -> str | None:
    """Mask one more character from the right; None if that would leave nothing.

    >>> mask_more("8010"), mask_more("80**"), mask_more("8***")
    ('801*', '8***', None)
    """
    kept = len(code.rstrip("*")) - 1
    return code[:kept] + "*" * (len(code) - kept) if kept > 0 else None


def code_tree(codes: Iterable[str]) -> Taxonomy:
    """Build the tree above some codes, masked or not, as `shoal.hierarchies.Mask` would.

    A mask without any code of its own below it is a leaf: nothing more is known of it.

    >>> print(code_tree(["8010", "80**", "9***"]).draw())
    *
    ├── 8***
    │   └── 80**
    │       └── 801*
    │           └── 8010
    └── 9***
    """
    parents: dict[str, str | None] = {}
    for code in sorted(codes):
        child: str | None = code
        while child is not None and child not in parents:
            parent = mask_more(child)
            parents[child] = parent or "*"
            child = parent
    return Taxonomy.from_parents(parents)
