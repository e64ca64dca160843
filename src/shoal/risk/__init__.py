"""Risk: what an attacker still gains from a release.

`measure_risk` speaks in the terms of regulators (`THRESHOLDS`), `population_uniqueness` estimates
who is alone in the whole population, `measure_uniqueness` counts who is alone in a table and
`risk_by_column` finds the columns that make people unique, `measure_singling_out` counts who is
alone on all that is published and `find_twins` what tells a generalized column again, both at once
in `measure_exposure`, `audit_counts` finds small cells of a table of counts,
`measure_relinkage` finds people again after values were moved;
`rank_shifts` holds what was measured before against after;
`shoal.risk.attacks` tries out what an attacker would, `shoal.risk.networks` the same on edges.
"""

from shoal.risk._columns import (
    ColumnRisk,
    RiskByColumn,
    UniqueCombination,
    Uniqueness,
    measure_uniqueness,
    risk_by_column,
)
from shoal.risk._counts import SMALLEST_CELL, CountsAudit, SmallCell, audit_counts
from shoal.risk._dependencies import TwinColumns, find_twins
from shoal.risk._exposure import WAYS_OUT, Exposure, measure_exposure
from shoal.risk._population import PopulationUniqueness, population_uniqueness
from shoal.risk._reidentification import ReidentificationRisk, measure_risk, share_above
from shoal.risk._relinkage import Relinkage, measure_relinkage
from shoal.risk._row_tokens import (
    RowTokens,
    count_companions,
    sample_people,
    warn_of_joins,
)
from shoal.risk._shifts import Shift, ShiftedCrowds, attack_shifts, loss_shifts, rank_shifts
from shoal.risk._singling import (
    SAMPLED_PEOPLE,
    TOO_MANY,
    RowOwners,
    SinglingColumn,
    SinglingOut,
    SinglingSet,
    list_sets,
    measure_singling_out,
    published_as_is,
    search_sets,
)
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
    attack_named,
    run_attacks,
)

__all__ = [
    "ATTACKS",
    "SAMPLED_PEOPLE",
    "SMALLEST_CELL",
    "THRESHOLDS",
    "TOO_MANY",
    "WAYS_OUT",
    "Attack",
    "AttackReport",
    "AttackResult",
    "AttackScene",
    "ColumnRisk",
    "CountsAudit",
    "ExactLinkage",
    "Exposure",
    "NearestLinkage",
    "PopulationUniqueness",
    "PublicPapers",
    "ReidentificationRisk",
    "Relinkage",
    "Relinking",
    "RiskByColumn",
    "RowOwners",
    "RowTokens",
    "Shift",
    "ShiftedCrowds",
    "SinglingColumn",
    "SinglingOut",
    "SinglingSet",
    "SmallCell",
    "Threshold",
    "TwinColumns",
    "UniqueCombination",
    "Uniqueness",
    "attack_named",
    "attack_shifts",
    "audit_counts",
    "count_companions",
    "find_threshold",
    "find_twins",
    "list_sets",
    "loss_shifts",
    "measure_exposure",
    "measure_relinkage",
    "measure_risk",
    "measure_singling_out",
    "measure_uniqueness",
    "population_uniqueness",
    "published_as_is",
    "rank_shifts",
    "risk_by_column",
    "run_attacks",
    "sample_people",
    "search_sets",
    "share_above",
    "warn_of_joins",
]
