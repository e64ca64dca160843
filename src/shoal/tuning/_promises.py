"""What a plan promises, as the floor of a search: no trial is weaker than the plan."""

from __future__ import annotations

from typing import Any

from shoal.exceptions import InvalidParameterError
from shoal.plan import Plan
from shoal.presets import find_preset

LARGEST_K = 200


def promised_space(plan: Plan, rows: int) -> dict[str, Any]:
    """Return the settings of a `Search` that keeps what a plan promises; none if it promises none.

    Raises `InvalidParameterError` if the plan promises what no trial would keep.

    >>> promised_space(Plan(k=20), rows=10_000), promised_space(Plan(), rows=10_000)
    ({'k': (20, 200)}, {})
    """
    _refuse_what_is_lost(plan)
    preset = find_preset(plan.preset)
    floor = max((k for k in (plan.k, preset and preset.k) if k), default=None)
    l = max((l for l in (*_ls(plan), preset and preset.l) if l), default=None)
    found: dict[str, Any] = {}
    if floor is not None:
        found["k"] = (floor, max(floor, min(LARGEST_K, rows // 8)))
    if l is not None and plan.roles.sensitive:
        found["l"] = (l,)
    return found


def _refuse_what_is_lost(plan: Plan) -> None:
    asked = [key for key in plan.asked if key != "l"]
    if len(_ls(plan)) > 1:
        asked.append("l of several columns")
    asked += [name for name in ("limits", "grid") if getattr(plan, name)]
    if asked:
        raise InvalidParameterError(
            f"The plan asks for {asked[0]}, which tuning does not keep.",
            hint="Tuning keeps k, l and the preset of a plan.",
        )


def _ls(plan: Plan) -> set[int]:
    given = plan.l if plan.l is not None else {}
    return {given} if isinstance(given, int) else set(given.values())
