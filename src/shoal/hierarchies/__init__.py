"""Hierarchies: how a value may be published more coarsely, step by step.

A hierarchy is a tree whose leaves are the values of a column. What it hands to the rest of Shoal
is an `Arrangement`: the leaves in depth-first order, so that the values a node covers are
neighbours and the common ancestor of a set is that of its first and last leaf.

==================  =========================================================
`Taxonomy`          a tree written down: ladder CSV, JSON, or child to parent
`Mask`              codes such as ZIP: 8010, 801*, 80**, 8***, *
`Calendar`          dates: day, month, quarter, year, decade, *
`Intervals`         numbers in ever wider bins: 23, [20, 24], [20, 29], *
`Flat`              a value or nothing: value, *
`ready_ladder`      public systems by their word: icd10, atc, countries, ...
==================  =========================================================

`scaffold` proposes a ladder for a column: a ready one, by what its people have in common, by
spelling, or by other columns. `TreeDraft` is one that somebody makes by hand; `check_hierarchy`
says what one lacks.
"""

from shoal.hierarchies._base import Arrangement, Hierarchy
from shoal.hierarchies._calendar import Calendar
from shoal.hierarchies._checking import HierarchyCheck, check_hierarchy
from shoal.hierarchies._draft import (
    DATE_LEVELS,
    TreeDraft,
    check_levels,
    date_rows,
    prefix_rows,
)
from shoal.hierarchies._files import ladder_text, read_hierarchies, read_hierarchy, write_ladder
from shoal.hierarchies._inferred import Flat, Mask, infer_hierarchy
from shoal.hierarchies._intervals import Intervals
from shoal.hierarchies._ladder import ONE_PARENT
from shoal.hierarchies._scaffold import Scaffold, scaffold, write_private
from shoal.hierarchies._taxonomy import Taxonomy
from shoal.hierarchies.ready import READY, ready_ladder, recognize_ladder

__all__ = [
    "DATE_LEVELS",
    "ONE_PARENT",
    "READY",
    "Arrangement",
    "Calendar",
    "Flat",
    "Hierarchy",
    "HierarchyCheck",
    "Intervals",
    "Mask",
    "Scaffold",
    "Taxonomy",
    "TreeDraft",
    "check_hierarchy",
    "check_levels",
    "date_rows",
    "infer_hierarchy",
    "ladder_text",
    "prefix_rows",
    "read_hierarchies",
    "read_hierarchy",
    "ready_ladder",
    "recognize_ladder",
    "scaffold",
    "write_ladder",
    "write_private",
]
