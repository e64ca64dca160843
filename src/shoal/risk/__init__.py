"""Risk: what an attacker still gains from a release.

`measure_risk` speaks in the terms of regulators (`THRESHOLDS`), `population_uniqueness` estimates
who is alone in the whole population, `measure_uniqueness` counts who is alone in a table and
`risk_by_column` finds the columns that make people unique,
`measure_relinkage` finds people again after values were moved;
`shoal.risk.attacks` tries out what an attacker would.
"""

from shoal.risk._columns import (
    ColumnRisk,
    RiskByColumn,
    UniqueCombination,
    Uniqueness,
    measure_uniqueness,
    risk_by_column,
)
from shoal.risk._population import PopulationUniqueness, population_uniqueness
from shoal.risk._reidentification import ReidentificationRisk, measure_risk, share_above
from shoal.risk._relinkage import Relinkage, measure_relinkage
from shoal.risk._thresholds import THRESHOLDS, Threshold, find_threshold
from shoal.risk.attacks import (
    ATTACKS,
    Attack,
    AttackReport,
    AttackResult,
    AttackScene,
    ExactLinkage,
    NearestLinkage,
    PublicPapers,
    Relinking,
    run_attacks,
)

__all__ = [
    "ATTACKS",
    "THRESHOLDS",
    "Attack",
    "AttackReport",
    "AttackResult",
    "AttackScene",
    "ColumnRisk",
    "ExactLinkage",
    "NearestLinkage",
    "PopulationUniqueness",
    "PublicPapers",
    "ReidentificationRisk",
    "Relinkage",
    "Relinking",
    "RiskByColumn",
    "Threshold",
    "UniqueCombination",
    "Uniqueness",
    "find_threshold",
    "measure_relinkage",
    "measure_risk",
    "measure_uniqueness",
    "population_uniqueness",
    "risk_by_column",
    "run_attacks",
    "share_above",
]
