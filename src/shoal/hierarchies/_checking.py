"""Checks: whether a hierarchy holds the values of a column, level by level; counts, no values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

import numpy as np

from shoal.exceptions import HierarchyGapError
from shoal.hierarchies._base import Hierarchy
from shoal.hierarchies._files import read_hierarchy, read_rows
from shoal.hierarchies._ladder import TornStep, torn_steps


@dataclass(frozen=True)
class HierarchyCheck:
    """How a hierarchy fits a column.

    Attributes
    ----------
    values : int
        Distinct values of the column.
    uncovered : tuple of str
        Those that the hierarchy lacks; not shown by ``repr``.
    levels : tuple of int
        How many labels join the covered values on each level, finest first; the last is the root.
    torn : tuple of TornStep
        Levels with labels that have two parents: then it is no tree, and nothing is covered.
    """

    values: int
    uncovered: tuple[str, ...]
    levels: tuple[int, ...] = ()
    torn: tuple[TornStep, ...] = ()

    def __repr__(self) -> str:
        return f"HierarchyCheck({len(self.uncovered)} of {self.values} values uncovered)"

    @property
    def holds(self) -> bool:
        """Whether it is a tree that holds every value."""
        return not self.uncovered and not self.torn


def check_hierarchy(
    hierarchy: Hierarchy | str | PathLike[str], values: Sequence[str]
) -> HierarchyCheck:
    """Check a hierarchy, or the file of one, against the distinct values of a column.

    >>> from shoal.hierarchies import Taxonomy
    >>> work = Taxonomy.from_json({"*": {"health": ["nurse", "surgeon"], "school": ["teacher"]}})
    >>> found = check_hierarchy(work, ["nurse", "surgeon", "teacher", "pilot"])
    >>> found, found.levels
    (HierarchyCheck(1 of 4 values uncovered), (1, 1))
    """
    values = list(values)
    if not isinstance(hierarchy, Hierarchy):
        torn = _torn(Path(hierarchy))
        if torn:
            return HierarchyCheck(len(values), tuple(values), torn=torn)
        hierarchy = read_hierarchy(hierarchy)
    uncovered = tuple(value for value in values if not _holds(hierarchy, value))
    known = sorted({*values} - {*uncovered})
    if not known:
        return HierarchyCheck(len(values), uncovered)
    tree = hierarchy.arrange(known)
    counts = np.bincount(tree.node_heights, minlength=tree.height + 1)[1:]
    return HierarchyCheck(len(values), uncovered, tuple(counts.tolist()))


def _holds(hierarchy: Hierarchy, value: str) -> bool:
    try:
        hierarchy.arrange([value])
    except HierarchyGapError:
        return False
    return True


def _torn(path: Path) -> tuple[TornStep, ...]:
    if path.suffix.lower() == ".json":
        return ()
    return tuple(torn_steps(read_rows(path), f"The hierarchy in {path.name!r}"))
