"""The limits a column can be given: widths for spans, levels for trees."""

from __future__ import annotations

import numpy as np

from shoal.web._workspace import Workspace

STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000, 5000, 10_000, 50_000, 100_000)
MOST = 6


def widths_of(space: Workspace, column: str) -> dict[str, str]:
    """Return what may be chosen for a column, and how it reads; ``""`` is no limit."""
    chosen = {"": "free", "0": "keep exact"}
    hierarchy = space.hierarchy(column)
    coded = space.table.column(column)
    if hierarchy is not None:
        height = hierarchy.arrange(coded.labels, column=column).height
        levels = {str(level): f"level {level} of {height}" for level in range(1, height)}
        return {**chosen, **levels}
    if coded.kind == "date":
        return {**chosen, "31": "a month", "92": "a quarter", "366": "a year", "3653": "ten years"}
    if coded.numbers is None:
        return chosen
    spread = float(np.nanmax(coded.numbers) - np.nanmin(coded.numbers)) if coded.numbers.size else 0
    fitting = [step for step in STEPS if spread / 50 <= step < spread][:MOST]
    return {**chosen, **{str(step): f"at most {step:,} wide" for step in fitting}}
