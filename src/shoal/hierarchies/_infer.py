"""A first guess at a hierarchy, for a human to better."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shoal.hierarchies._base import Hierarchy
from shoal.hierarchies._flat import Flat
from shoal.hierarchies._mask import Mask
from shoal.hierarchies._taxonomy import Taxonomy

if TYPE_CHECKING:
    from shoal.table import Column

_SEPARATORS = (" > ", "/", "::", "|", "\\")


def infer_hierarchy(column: Column) -> Hierarchy | None:
    """Propose a hierarchy for a column; None where intervals serve (numbers, dates, ordinals).

    Codes are masked. Names written as paths, such as ``Europe/Austria/Graz``, get the tree they
    spell out; all others the flat one.
    """
    if column.kind == "code":
        return Mask()
    if column.kind == "nominal":
        return _path_tree(list(column.labels)) or Flat()
    return None


def _path_tree(labels: list[str]) -> Taxonomy | None:
    """Tree of the paths that all labels spell out, if they do and at least halve their number."""
    for separator in _SEPARATORS:
        paths = [label.split(separator) for label in labels]
        tops = {path[0] for path in paths}
        split = all(len(path) > 1 and all(path) and "*" not in path for path in paths)
        if split and 2 <= len(tops) <= len(labels) / 2:
            return Taxonomy.from_parents(_parents(paths, separator))
    return None


def _parents(paths: list[list[str]], separator: str) -> dict[str, str | None]:
    """Hang ``a/b/c`` below ``a/b/*`` below ``a/*`` below ``*``."""
    parents: dict[str, str | None] = {}
    for path in paths:
        child = separator.join(path)
        for depth in range(len(path) - 1, 0, -1):
            parent = separator.join([*path[:depth], "*"])
            parents[child] = parent
            child = parent
        parents[child] = "*"
    return parents
