"""Who is alone on all that is published, counted on the cluster from the written parts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from shoal.risk import (
    SAMPLED_PEOPLE,
    Exposure,
    RowOwners,
    SinglingColumn,
    SinglingOut,
    SinglingSet,
    TwinColumns,
    list_sets,
    search_sets,
)
from shoal.spark._errors import understood
from shoal.spark._source import Source
from shoal.table import Roles
from shoal.typing import IntArray

_EVERYTHING, _PLAIN, _UNACCEPTED = "all", "plain", "unaccepted"  # sets that are counted together


def measure_parts(source: Source, roles: Roles, twins: tuple[TwinColumns, ...] = ()) -> Exposure:
    """Count who is alone, in one pass: on everything, and on the crowd and each column.

    Rows are told apart by a hash of 64 bits, so some in billions may be missed. Sets of columns
    are looked for on the hashes of 2,000 rows, and counted in all of them.
    """
    quasi = [name for name in source.names if name in roles.quasi_identifiers]
    secret = [name for name in source.names if name in {*roles.sensitive, roles.target}]
    as_is = [name for name in source.names if name not in {*quasi, *secret}]
    share, values, rows = _shares(source, _asked(source, roles, quasi, as_is, secret))
    columns, secrets = (
        [
            SinglingColumn(name, roles.role_of(name), share[f"only {name}"], share[f"with {name}"])
            for name in names
        ]
        for names in (as_is, secret)
    )
    sets, exhaustive = search_sets(
        {name: share[f"only {name}"] for name in as_is},
        {name: values[f"only {name}"] for name in as_is},
        rows,
        sample=lambda: _sample(source, as_is),
        count=lambda sets: _counted(source, sets),
    )
    best = min(as_is, key=lambda name: share[f"not {name}"], default=None)
    freed = 0.0 if best is None else share[_PLAIN] - share[f"not {best}"]
    found = SinglingOut(
        people=rows,
        share_unique=share[_EVERYTHING],
        share_unique_plain=share[_PLAIN],
        columns=tuple(sorted(columns, key=lambda c: (-max(c.alone, c.with_crowds), c.name))),
        sets=list_sets(sets),
        helps_most=best if freed > 0 else None,
        freed=freed,
        exhaustive=exhaustive,
        secrets=tuple(sorted(secrets, key=lambda c: (-max(c.alone, c.with_crowds), c.name))),
    )
    accepted = tuple(name for name in roles.publish_as_is if name in source.names)
    open_share = share[_UNACCEPTED] if {*as_is} - {*accepted} else 0.0
    return Exposure(found, open_share, twins, accepted)


def _asked(
    source: Source, roles: Roles, quasi: list[str], as_is: list[str], secret: list[str]
) -> dict[str, Sequence[str]]:
    """Name the sets of columns of which everybody wants to know who is alone on them."""
    return {
        _EVERYTHING: source.names,
        _PLAIN: [*quasi, *as_is],
        _UNACCEPTED: [*quasi, *(n for n in as_is if n not in roles.publish_as_is)],
        **{f"with {name}": [*quasi, name] for name in (*as_is, *secret)},
        **{f"only {name}": [name] for name in (*as_is, *secret)},
        **{f"not {name}": [*quasi, *(n for n in as_is if n != name)] for name in as_is},
    }


def _shares(
    source: Source, sets: Mapping[str, Sequence[str]]
) -> tuple[dict[str, float], dict[str, int], int]:
    """Share of the rows that each set tells from all others, its distinct values, and all rows."""
    counted = _count_alone(source, [*sets.values()])
    share = {key: n / max(1, counted.rows) for key, n in zip(sets, counted.alone, strict=True)}
    return share, dict(zip(sets, counted.values, strict=True)), counted.rows


def _counted(source: Source, sets: list[tuple[str, ...]]) -> Iterator[SinglingSet]:
    if not sets:
        return
    share, _, _ = _shares(source, {repr(one): one for one in sets})
    for one in sets:
        yield SinglingSet(one, share[repr(one)])


def _sample(source: Source, names: Sequence[str]) -> tuple[dict[str, IntArray], RowOwners]:
    """Fetch hashes of the cells of some rows, chosen by a hash of what they show."""
    cells = [_hash([source.place(n)], salt=n).alias(f"k{i}") for i, n in enumerate(names)]
    order = _hash([source.place(name) for name in names])
    with understood():
        found = source.frame.orderBy(order).limit(SAMPLED_PEOPLE).select(*cells).toArrow()
    hashes = [np.asarray(column).view(np.uint64) for column in found.columns]
    return dict(zip(names, hashes, strict=True)), RowOwners(found.num_rows)


@dataclass(frozen=True)
class _Counted:
    rows: int
    alone: list[int]  # of each set: rows that no other is like
    values: list[int]  # of each set: distinct rows


def _count_alone(source: Source, sets: Sequence[Sequence[str]]) -> _Counted:
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
            sf.count("h").alias("values"),
        ).collect()
    by_set = {row["i"]: row for row in found}
    rows = max((int(row["rows"]) for row in found), default=0)
    everywhere = range(len(sets))
    alone = [int(by_set[i]["alone"]) if i in by_set else 0 for i in everywhere]
    values = [int(by_set[i]["values"]) if i in by_set else 0 for i in everywhere]
    return _Counted(rows, alone, values)


def _hash(places: Sequence[str], salt: str = "") -> Any:
    """Hash cells; a missing one is a value like any other, and reads like an empty text."""
    from pyspark.sql import functions as sf

    parts = [sf.coalesce(sf.col(p).cast("string"), sf.lit("")) for p in places]
    return sf.xxhash64(sf.lit(salt), *parts)
