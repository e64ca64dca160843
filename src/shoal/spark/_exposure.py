"""Who is alone on all that is published, counted on the cluster from the written parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from shoal.risk import Exposure, SinglingColumn, SinglingOut
from shoal.spark._errors import understood
from shoal.spark._source import Source
from shoal.table import Roles

_EVERYTHING, _PLAIN, _UNACCEPTED = "all", "plain", "unaccepted"  # sets that are counted together


def measure_parts(source: Source, roles: Roles) -> Exposure:
    """Count who is alone, in one pass: on everything, and on the crowd and each column.

    Rows are told apart by a hash of 64 bits, so some in billions may be missed. Sets of columns
    and twins, which need the originals, are not looked for here.
    """
    quasi = set(roles.quasi_identifiers)
    secret = {*roles.sensitive, roles.target}
    as_is = [name for name in source.names if name not in quasi | secret]
    sets = {
        _EVERYTHING: source.names,
        _PLAIN: [*quasi, *as_is],
        _UNACCEPTED: [*quasi, *(n for n in as_is if n not in roles.publish_as_is)],
        **{f"with {name}": [*quasi, name] for name in as_is},
        **{f"only {name}": [name] for name in as_is},
    }
    rows, alone = _count_alone(source, [*sets.values()])
    share = {key: n / max(1, rows) for key, n in zip(sets, alone, strict=True)}
    columns = [
        SinglingColumn(name, roles.role_of(name), share[f"only {name}"], share[f"with {name}"])
        for name in as_is
    ]
    found = SinglingOut(
        people=rows,
        share_unique=share[_EVERYTHING],
        share_unique_plain=share[_PLAIN],
        columns=tuple(sorted(columns, key=lambda c: (-c.with_crowds, c.name))),
        sets=(),
        helps_most=None,
        freed=0.0,
        exhaustive=False,
    )
    accepted = tuple(name for name in roles.publish_as_is if name in source.names)
    open_share = share[_UNACCEPTED] if {*as_is} - {*accepted} else 0.0
    return Exposure(found, open_share, (), accepted)


def _count_alone(source: Source, sets: Sequence[Sequence[str]]) -> tuple[int, list[int]]:
    """Count rows, and for each set of columns the rows that no other is like."""
    from pyspark.sql import functions as sf

    hashes = [
        sf.struct(sf.lit(i).alias("i"), _hash([source.place(n) for n in names]).alias("h"))
        for i, names in enumerate(sets)
    ]
    with understood():
        seen = source.frame.select(sf.explode(sf.array(*hashes)).alias("s")).select("s.i", "s.h")
        counted = seen.groupBy("i", "h").count().groupBy("i")
        found = counted.agg(
            sf.sum("count").alias("rows"),
            sf.sum(sf.when(sf.col("count") == 1, 1).otherwise(0)).alias("alone"),
        ).collect()
    alone = {row["i"]: int(row["alone"]) for row in found}
    rows = max((int(row["rows"]) for row in found), default=0)
    return rows, [alone.get(i, 0) for i in range(len(sets))]


def _hash(places: Sequence[str]) -> Any:
    """Hash cells; a missing one is a value like any other, and reads like an empty text."""
    from pyspark.sql import functions as sf

    parts = [sf.coalesce(sf.col(p).cast("string"), sf.lit("")) for p in places]
    return sf.xxhash64(*parts)
