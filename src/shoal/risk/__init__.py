"""Risk: what an attacker still gains from a release."""

from shoal.risk._reidentification import ReidentificationRisk, measure_risk

__all__ = ["ReidentificationRisk", "measure_risk"]
