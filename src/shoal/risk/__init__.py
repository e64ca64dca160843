"""Risk: what an attacker still gains from a release."""

from shoal.risk._reidentification import ReidentificationRisk, measure_risk
from shoal.risk.attacks import (
    Attack,
    AttackResult,
    ExactLinkage,
    NearestLinkage,
    Relinking,
    Scene,
)

__all__ = [
    "Attack",
    "AttackResult",
    "ExactLinkage",
    "NearestLinkage",
    "ReidentificationRisk",
    "Relinking",
    "Scene",
    "measure_risk",
]
