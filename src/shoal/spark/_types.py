"""Types of what was not changed, on a cluster: text that is all numbers or dates becomes that."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from shoal.spark._errors import understood

WHOLE = r"^(?:0|-?[1-9][0-9]{0,17})$"  # as a whole number prints
DECIMAL = r"^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$"
LONGEST = 16  # characters of a decimal that one double holds exactly
DAY = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
MOMENT = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}$"
SHAPES = {"bigint": WHOLE, "double": DECIMAL, "date": DAY, "timestamp_ntz": MOMENT}


def give_types(rows: Any, places: Sequence[str]) -> Any:
    """Give columns of text the type that all their cells have, as a release from one machine has.

    A cell keeps its value: a column with one cell that would not stays text, and so do numbers of
    which some are written in two ways (``2`` and ``2.0``).
    """
    from pyspark.sql import functions as sf

    texts = [place for place in places if dict(rows.dtypes)[place] == "string"]
    if not texts:
        return rows
    asked = []
    for place in texts:
        cell = sf.when(sf.length(place) > 0, sf.col(place))
        asked += [
            sf.coalesce(sf.bool_and(_fits(cell, kind)), sf.lit(False)).alias(f"{place} {kind}")
            for kind in SHAPES
        ]
        asked.append(sf.count(cell).alias(f"{place} cells"))
        asked.append(
            (sf.count_distinct(cell) == sf.count_distinct(_double(cell))).alias(f"{place} apart")
        )
    with understood():
        (found,) = rows.agg(*asked).collect()
    types = {place: kind for place in texts if (kind := _type(found, place))}
    return rows.withColumns({p: sf.col(p).try_cast(kind) for p, kind in types.items()})


def _fits(cell: Any, kind: str) -> Any:
    """Whether a cell has the shape of a kind and can be read as one."""
    from pyspark.sql import functions as sf

    fits = cell.rlike(SHAPES[kind])
    if kind == "double":
        fits &= sf.length(cell) <= LONGEST
    elif kind != "bigint":
        fits &= cell.try_cast(kind).isNotNull()
    return sf.when(cell.isNotNull(), fits)


def _double(cell: Any) -> Any:
    from pyspark.sql import functions as sf

    return sf.when(cell.rlike(DECIMAL), cell).try_cast("double")


def _type(found: Any, place: str) -> str | None:
    if not found[f"{place} cells"]:
        return None
    fitting = [kind for kind in SHAPES if found[f"{place} {kind}"]]
    kind = fitting[0] if fitting else None
    return None if kind == "double" and not found[f"{place} apart"] else kind
