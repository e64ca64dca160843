"""Safety in numbers for tables of people.

A data steward brings a table; Shoal hides every person in a crowd of at least k, keeps the table
as useful as it can, proves the result and hands over a release that can be shared.

Names are imported when they are first used, so that ``import shoal`` costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from shoal import datasets as datasets
    from shoal import exceptions as exceptions
    from shoal.anonymizer import Anonymizer as Anonymizer
    from shoal.anonymizer import anonymize as anonymize
    from shoal.exceptions import ReleaseRefusedError as ReleaseRefusedError
    from shoal.exceptions import ShoalError as ShoalError
    from shoal.graphs import Graph as Graph
    from shoal.grouping import Auto as Auto
    from shoal.grouping import Mondrian as Mondrian
    from shoal.grouping import SaNGreeA as SaNGreeA
    from shoal.hierarchies import Calendar as Calendar
    from shoal.hierarchies import Flat as Flat
    from shoal.hierarchies import Intervals as Intervals
    from shoal.hierarchies import Mask as Mask
    from shoal.hierarchies import Taxonomy as Taxonomy
    from shoal.hierarchies import read_hierarchies as read_hierarchies
    from shoal.hierarchies import read_hierarchy as read_hierarchy
    from shoal.plan import Plan as Plan
    from shoal.plan import propose as propose
    from shoal.plan import run as run
    from shoal.privacy import AlphaK as AlphaK
    from shoal.privacy import BasicBetaLikeness as BasicBetaLikeness
    from shoal.privacy import DeltaDisclosure as DeltaDisclosure
    from shoal.privacy import DeltaPresence as DeltaPresence
    from shoal.privacy import DistinctLDiversity as DistinctLDiversity
    from shoal.privacy import EnhancedBetaLikeness as EnhancedBetaLikeness
    from shoal.privacy import EntropyLDiversity as EntropyLDiversity
    from shoal.privacy import KAnonymity as KAnonymity
    from shoal.privacy import KMap as KMap
    from shoal.privacy import RecursiveCLDiversity as RecursiveCLDiversity
    from shoal.privacy import TCloseness as TCloseness
    from shoal.privacy import Verdict as Verdict
    from shoal.privacy import check as check
    from shoal.quantize import EpsilonClusters as EpsilonClusters
    from shoal.quantize import Flatten as Flatten
    from shoal.quantize import PushBack as PushBack
    from shoal.quantize import Stir as Stir
    from shoal.recoding import Centroid as Centroid
    from shoal.recoding import Generalize as Generalize
    from shoal.release import Release as Release
    from shoal.release import read_release as read_release
    from shoal.session import Question as Question
    from shoal.session import Session as Session
    from shoal.table import Grouping as Grouping
    from shoal.table import Roles as Roles
    from shoal.table import Table as Table
    from shoal.table import read_table as read_table
    from shoal.tuning import tune as tune
    from shoal.utility import GeneralizedEncoder as GeneralizedEncoder

_HOMES = {
    "anonymizer": ("Anonymizer", "anonymize"),
    "exceptions": ("ReleaseRefusedError", "ShoalError"),
    "graphs": ("Graph",),
    "grouping": ("Auto", "Mondrian", "SaNGreeA"),
    "hierarchies": (
        "Calendar",
        "Flat",
        "Intervals",
        "Mask",
        "Taxonomy",
        "read_hierarchies",
        "read_hierarchy",
    ),
    "plan": ("Plan", "propose", "run"),
    "privacy": (
        "AlphaK",
        "BasicBetaLikeness",
        "DeltaDisclosure",
        "DeltaPresence",
        "DistinctLDiversity",
        "EnhancedBetaLikeness",
        "EntropyLDiversity",
        "KAnonymity",
        "KMap",
        "RecursiveCLDiversity",
        "TCloseness",
        "Verdict",
        "check",
    ),
    "quantize": ("EpsilonClusters", "Flatten", "PushBack", "Stir"),
    "recoding": ("Centroid", "Generalize"),
    "release": ("Release", "read_release"),
    "session": ("Question", "Session"),
    "table": ("Grouping", "Roles", "Table", "read_table"),
    "tuning": ("tune",),
    "utility": ("GeneralizedEncoder",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__version__ = "0.1.0"
__all__ = sorted([*_HOME_OF, "datasets", "exceptions"])


def __getattr__(name: str) -> Any:
    if name in ("datasets", "exceptions"):
        return import_module(f"shoal.{name}")
    if name not in _HOME_OF:
        raise AttributeError(f"module 'shoal' has no attribute {name!r}")
    return getattr(import_module(f"shoal.{_HOME_OF[name]}"), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
