"""Risk: what an attacker still gains from a release.

`measure_risk` speaks in the terms of regulators; `shoal.risk.attacks` tries it out.
"""

from shoal.risk._reidentification import ReidentificationRisk, measure_risk
from shoal.risk._thresholds import THRESHOLDS, Threshold, find_threshold
from shoal.risk.attacks import (
    ATTACKS,
    Attack,
    AttackReport,
    AttackResult,
    ExactLinkage,
    NearestLinkage,
    Relinking,
    Scene,
    run_attacks,
)

__all__ = [
    "ATTACKS",
    "THRESHOLDS",
    "Attack",
    "AttackReport",
    "AttackResult",
    "ExactLinkage",
    "NearestLinkage",
    "ReidentificationRisk",
    "Relinking",
    "Scene",
    "Threshold",
    "find_threshold",
    "measure_risk",
    "run_attacks",
]
