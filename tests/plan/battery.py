"""Made-up tables with the roles a careful steward would give each column.

Letters: I names a person, Q a quasi-identifier, S sensitive, T target, H harmless. The first letter
counts, the others are accepted as well. What tells more than 5 % of people apart by itself is never
H alone; nor is what people were asked and answered, which stewards who know none of our rules hold
for theirs. No table holds a real person.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import polars as pl

Drawn = dict[str, tuple[str, list]]
TABLES: dict[str, Callable[[], Drawn]] = {}


def table(draw: Callable[[], Drawn]) -> Callable[[], Drawn]:
    """List a table by the name of its function."""
    TABLES[draw.__name__] = draw
    return draw


def names() -> list[str]:
    """Name every table of the battery."""
    import battery_care  # noqa: F401
    import battery_offices  # noqa: F401
    import battery_trade  # noqa: F401

    return list(TABLES)


@cache
def frame_of(name: str) -> tuple[pl.DataFrame, dict[str, str]]:
    """Draw a table, as text like a CSV; return it with the letters of its columns."""
    drawn = TABLES[name]()
    cells = {c: [None if v is None else str(v) for v in values] for c, (_, values) in drawn.items()}
    return pl.DataFrame(cells), {column: letters for column, (letters, _) in drawn.items()}
