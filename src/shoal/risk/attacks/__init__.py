"""Attacks on a release: each a scenario in prose, three rates and an interval.

An `Attack` is run on an `AttackScene` and gives an `AttackResult`: how often it is right about
people of the release, how often a guess is (baseline), and how often it is right about people who
were held out (control). `run_attacks` runs them all and holds them against a preset's threshold.

=====================  ======================================================================
`ExactLinkage`         every row that fits the target
`NearestLinkage`       the row least unlike the target, for values that were moved
`Relinking`            untouched cells that point home, for values pushed back or shuffled
`KnownColumns`         looks a person up by columns that are published as they are
`KnownRows`            several rows of a person, where pseudonyms join them
`PseudonymLinkage`     two releases with the same pseudonyms, laid over each other
`DateGaps`             two dates of a person, where all of them were shifted
`LoneDescription`      a description that fits exactly one person
`AttributeInference`   the commonest secret among the rows that fit
`ModelInference`       a model that learned the secret from the release
`Homogeneity`          everybody in the crowd has the same secret
`BackgroundKnowledge`  one value can be ruled out
`Skewness`             the crowd makes a rare secret likely
`Membership`           was the person in the table at all
`IntervalEnds`         ends of intervals are somebody's value
`Downcoding`           cells written back from minimal generalizations
`Minimality`           a crowd wider than needed tells why
`Suppression`          rows of stars are a crowd too
`RowOrder`             rows that stand where they stood
`FileMetadata`         originals in dictionaries, statistics and notes
`PublicPapers`         manifest and report solved for the people who were left out
=====================  ======================================================================
"""

from shoal.risk.attacks._background import BackgroundKnowledge
from shoal.risk.attacks._base import Attack, AttackResult
from shoal.risk.attacks._battery import ATTACKS, AttackReport, attack_named, run_attacks
from shoal.risk.attacks._date_gaps import DateGaps
from shoal.risk.attacks._downcoding import Downcoding
from shoal.risk.attacks._exact import ExactLinkage, blind_spots
from shoal.risk.attacks._homogeneity import Homogeneity
from shoal.risk.attacks._inference import AttributeInference
from shoal.risk.attacks._interval_ends import IntervalEnds
from shoal.risk.attacks._known_columns import KnownColumns
from shoal.risk.attacks._known_rows import KnownRows
from shoal.risk.attacks._membership import Membership
from shoal.risk.attacks._metadata import FileMetadata
from shoal.risk.attacks._minimality import Minimality, minimality_posterior
from shoal.risk.attacks._model import ModelInference
from shoal.risk.attacks._nearest import NearestLinkage
from shoal.risk.attacks._papers import PublicPapers
from shoal.risk.attacks._pseudonym_linkage import PseudonymLinkage
from shoal.risk.attacks._rates import mean_over_people, wilson
from shoal.risk.attacks._relinking import Relinking
from shoal.risk.attacks._row_order import RowOrder
from shoal.risk.attacks._scene import AttackScene
from shoal.risk.attacks._singling import LoneDescription
from shoal.risk.attacks._skewness import Skewness
from shoal.risk.attacks._suppression import Suppression

__all__ = [
    "ATTACKS",
    "Attack",
    "AttackReport",
    "AttackResult",
    "AttackScene",
    "AttributeInference",
    "BackgroundKnowledge",
    "DateGaps",
    "Downcoding",
    "ExactLinkage",
    "FileMetadata",
    "Homogeneity",
    "IntervalEnds",
    "KnownColumns",
    "KnownRows",
    "LoneDescription",
    "Membership",
    "Minimality",
    "ModelInference",
    "NearestLinkage",
    "PseudonymLinkage",
    "PublicPapers",
    "Relinking",
    "RowOrder",
    "Skewness",
    "Suppression",
    "attack_named",
    "blind_spots",
    "mean_over_people",
    "minimality_posterior",
    "run_attacks",
    "wilson",
]
