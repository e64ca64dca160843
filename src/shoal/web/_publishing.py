"""Ranges or values: what is published of people, decided in one place whichever page asks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shoal._words import later
from shoal.plan import Plan
from shoal.presets import choose_k
from shoal.web._workspace import Workspace

RANGES, VALUES = "auto", "quantize"  # methods of a plan
WAYS = {
    RANGES: (
        later("Ranges"),
        later("Crowds of k publish what they have in common: [30, 39], 80**"),
    ),
    VALUES: (
        later("Values"),
        later("Values of the same kind, moved among people who are alike; no k"),
    ),
}
LEAVE: dict[str, Any] = {"limits": {}, "grid": {}, "order": None, "refine": None}
RETURN: dict[str, Any] = {
    "radii": {},
    **dict.fromkeys(("m", "push_back", "stir", "stir_mode", "flatten", "max_divergence")),
}


def way_of(plan: Plan) -> str:
    """Say what a plan publishes: ranges, however crowds are formed, or values.

    >>> way_of(Plan(method="mondrian")), way_of(Plan(method="quantize"))
    ('auto', 'quantize')
    """
    return VALUES if plan.method == VALUES else RANGES


def publish(
    space: Workspace, way: str, m: int | None = None, radii: Mapping[str, float] | None = None
) -> None:
    """Let a release publish ranges or values; what the other way alone knows leaves the plan."""
    plan = space.plan
    if way == way_of(plan) or way not in WAYS:
        return
    if way == RANGES:
        space.decide(method=RANGES, **RETURN)
    else:
        near = choose_k(plan.k, plan.preset) if m is None else m
        space.decide(method=VALUES, **LEAVE, m=near, radii=dict(radii or {}))
