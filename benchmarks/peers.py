"""Other tools on the same table: run here where they can be, quoted where they cannot."""

from __future__ import annotations

from typing import Any

import numpy as np

from shoal.datasets import Dataset
from shoal.table import Grouping

#: ARX's best local recoding (0.1 % steps) on the same 30,162 rows, quasi-identifiers and ladders,
#: unmodified sources, Java 17. NGIL is computed from the original values in each class, as for
#: all others here; labels as ARX publishes them are wider (0.0683 and 0.1766).
ARX = {
    "tool": "ARX, commit aacd487 (after v3.9.2)",
    "measured": "2026-11",
    "measured_in_this_run": False,
    "records": [
        {"k": 5, "ngil": 0.0626, "cpu_seconds": 11.8},
        {"k": 50, "ngil": 0.1734, "cpu_seconds": 25.9},
    ],
}


def group_with_anonypy(data: Dataset, k: int) -> Grouping:
    """Let anonypy's Mondrian partition the rows; text columns become categories, as it needs."""
    from anonypy import Mondrian

    names = list(data.roles.quasi_identifiers)
    frame: Any = data.frame.select(names).to_pandas()
    for name in names:
        if data.kinds[name] != "numeric":
            frame[name] = frame[name].astype("category")
    labels = np.full(len(frame), -1, dtype=np.int64)
    for group, rows in enumerate(Mondrian(frame, names).partition(k)):
        labels[rows.to_numpy()] = group
    return Grouping(labels)
