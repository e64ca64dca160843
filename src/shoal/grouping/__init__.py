"""Who hides with whom: groupers turn a problem into a `shoal.table.Grouping`."""

from shoal.grouping._auto import Auto
from shoal.grouping._base import Grouper
from shoal.grouping._bound import lower_bound
from shoal.grouping._boxes import group_boxes
from shoal.grouping._mondrian import Mondrian
from shoal.grouping._problem import Problem
from shoal.grouping._sangreea import ORDERS, SaNGreeA

__all__ = [
    "ORDERS",
    "Auto",
    "Grouper",
    "Mondrian",
    "Problem",
    "SaNGreeA",
    "group_boxes",
    "lower_bound",
]
