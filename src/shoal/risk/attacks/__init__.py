"""Attacks on a release: each a scenario in prose, three rates and an interval.

An `Attack` is run on a `Scene` and gives an `AttackResult`: how often it is right about people of
the release, how often a guess is (baseline), and how often it is right about people who were held
out (control).

==================  =========================================================================
`ExactLinkage`      every row that fits the target
`NearestLinkage`    the row least unlike the target, for values that were moved
`Relinking`         untouched cells that point home, for values that were pushed or shuffled
==================  =========================================================================
"""

from shoal.risk.attacks._base import Attack, AttackResult
from shoal.risk.attacks._exact import ExactLinkage
from shoal.risk.attacks._nearest import NearestLinkage
from shoal.risk.attacks._rates import mean_over_people, wilson
from shoal.risk.attacks._relinking import Relinking
from shoal.risk.attacks._scene import Scene

__all__ = [
    "Attack",
    "AttackResult",
    "ExactLinkage",
    "NearestLinkage",
    "Relinking",
    "Scene",
    "mean_over_people",
    "wilson",
]
