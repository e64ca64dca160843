"""Who hides with whom: groupers turn a problem into a `shoal.table.Grouping`."""

from shoal._plugins import Members
from shoal._progress import in_chunks
from shoal.grouping._auto import EFFORTS, Auto
from shoal.grouping._base import Choice, Grouper, Problem, failing_groups, settle
from shoal.grouping._bound import LossBound, bound_loss
from shoal.grouping._cut_tree import (
    Cut,
    Cutter,
    CutTree,
    Packing,
    best_cut,
    grow_cuts,
    pack_leaves,
)
from shoal.grouping._gaps import cut_at_gaps, torn_off
from shoal.grouping._mondrian import Mondrian
from shoal.grouping._refine import place_pieces, refine_by_search
from shoal.grouping._sangreea import ORDERS, SaNGreeA
from shoal.grouping._within import cut_within
from shoal.spaces import group_boxes

#: Groupers by the name they have in plans and options.
GROUPERS: Members[type[Grouper]] = Members(
    "shoal.groupers", Grouper, {g.name: g for g in (Auto, SaNGreeA, Mondrian)}
)

__all__ = [
    "EFFORTS",
    "GROUPERS",
    "ORDERS",
    "Auto",
    "Choice",
    "Cut",
    "CutTree",
    "Cutter",
    "Grouper",
    "LossBound",
    "Mondrian",
    "Packing",
    "Problem",
    "SaNGreeA",
    "best_cut",
    "bound_loss",
    "cut_at_gaps",
    "cut_within",
    "failing_groups",
    "group_boxes",
    "grow_cuts",
    "in_chunks",
    "pack_leaves",
    "place_pieces",
    "refine_by_search",
    "settle",
    "torn_off",
]
