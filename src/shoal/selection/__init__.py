"""Which columns tell something about a target, and which only repeat what others tell.

Everything is a function of how often values occur together: `tally` counts, `Correlations` turns
counts into symmetrical uncertainty, `fcbf` and `cfs` choose. Whoever can count can select: a table
in memory (`TableCounts`) and a cluster (`shoal.spark`) give the same answer to the last digit.
`select` does all of it for a table.
"""

from shoal.selection._cfs import cfs, merit
from shoal.selection._correlations import Correlations, Counts
from shoal.selection._discretize import GRID, cells_of_grid, equal_frequency_cuts, mdl_cuts
from shoal.selection._drawing import draw
from shoal.selection._fcbf import fcbf
from shoal.selection._local import LARGEST_DOMAIN, TableCounts, bin_codes, eligible
from shoal.selection._select import METHODS, select, select_by
from shoal.selection._selection import Selection
from shoal.selection._uncertainty import (
    Tally,
    chance_level,
    entropy,
    symmetrical_uncertainty,
    tally,
)

__all__ = [
    "GRID",
    "LARGEST_DOMAIN",
    "METHODS",
    "Correlations",
    "Counts",
    "Selection",
    "TableCounts",
    "Tally",
    "bin_codes",
    "cells_of_grid",
    "cfs",
    "chance_level",
    "draw",
    "eligible",
    "entropy",
    "equal_frequency_cuts",
    "fcbf",
    "mdl_cuts",
    "merit",
    "select",
    "select_by",
    "symmetrical_uncertainty",
    "tally",
]
