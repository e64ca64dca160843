"""What rules and columns make of a row: fitted to what was measured, for `auto` to reckon with.

Nothing is run here: the numbers follow from the results of ``rules`` and ``parts``. What is written
must stand in ``shoal.grouping._auto.COSTS``, and a test looks.
"""

from __future__ import annotations

import math
from typing import Any

from figures import read_results

WIDE = "20 quasi-identifiers"  # as the benchmark of rules calls that table
NAMES = {  # of a cost, and how the benchmark of rules begins to call it
    "l": "l = ",
    "t": "t = ",
    "limits": "limit: ",
    "person": "people with several rows",
}


def measure() -> dict[str, Any]:
    """Fit powers of columns and of k, and take times of rules as they are."""
    rules, parts = read_results("rules"), read_results("parts")
    wide = rules["shapes"][WIDE]["cpu_seconds"] / rules["plain"]["cpu_seconds"]
    columns = math.log(wide) / math.log(int(WIDE.split()[0]) / 8)
    times = {
        cost: next(run["times"] for name, run in rules["rules"].items() if name.startswith(begin))
        for cost, begin in NAMES.items()
    }
    fitted = {"columns": columns, "k": _power_of_k(parts["records"]), **times}
    return {"costs": {name: float(f"{value:.3g}") for name, value in fitted.items()}}


def _power_of_k(records: list[dict[str, Any]]) -> float:
    """Fit a line through k = 10 on two logarithmic scales, over all tables on file."""
    spent = {
        (run["table"], run["k"]): run["parts_2"]["cpu_seconds"]
        for run in records
        if not run["refine"]
    }
    points = [
        (math.log(k / 10), math.log(seconds / spent[name, 10]))
        for (name, k), seconds in spent.items()
    ]
    return sum(x * y for x, y in points) / sum(x * x for x, _ in points)
