"""Date gaps: two dates of a person, and the release in which all their dates were shifted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import polars as pl

from shoal.risk.attacks._base import Attack, AttackResult
from shoal.risk.attacks._scene import AttackScene
from shoal.table import Table, read_dates

_A_DAY = 86_400_000_000  # microseconds


class DateGaps(Attack):
    """The attacker knows two successive dates of a person and looks for the same distance.

    A shift moves all dates of a person together, so their distances are as they were. Whoever
    finds the row by a distance has the shift, and with it every other date. The control is how
    often people who were held out seem to be found.
    """

    name: ClassVar[str] = "date_gaps"
    title: ClassVar[str] = "By the distance of two dates"
    scenario: ClassVar[str] = (
        "Somebody knows two successive dates of a person, such as admission and discharge, looks"
        " for rows or pseudonyms with the same distance, and points at one."
    )
    citation: ClassVar[str] = (
        "B. Malin, L. Sweeney. How (not) to protect genomic data privacy in a distributed network:"
        " using trail re-identification. Journal of Biomedical Informatics, 2004."
    )

    def run(self, scene: AttackScene) -> AttackResult:
        """Look for everybody's distances; the baseline points at anybody."""
        columns = _dates_as_they_are(scene)
        joined = scene.released.roles.person is not None and scene.original.roles.person is not None
        published = _gaps(scene.released, columns, joined=joined)
        if not published.height:
            return AttackResult.skipped(self.name, "Nobody has two dates that are published.")
        units = published.get_column("who").n_unique()
        counted = published.group_by("gap").agg(pl.col("who").n_unique().alias("fitting"))
        chances = _chances(_gaps(scene.original, columns, joined=joined), counted)
        held_out = None
        if scene.control is not None and (not joined or scene.control.roles.person is not None):
            held_out = _chances(_gaps(scene.control, columns, joined=joined), counted)
        return AttackResult(
            self.name,
            rate=_mean(chances),
            baseline=1 / units,
            control=None if held_out is None else _mean(held_out),
            people=chances.height,
            note=f"Known: two dates of {', '.join(columns)}.",
            control_counts=False,
        )


def _dates_as_they_are(scene: AttackScene) -> list[str]:
    """Name the columns of dates that are neither recoded nor absent."""
    tables = [table for table in (scene.original, scene.control) if table is not None]
    return [
        name
        for name in scene.released.column_names
        if name not in scene.names
        and all(name in t.column_names and t.kinds[name] == "date" for t in tables)
        and scene.released.kinds[name] == "date"
    ]


def _gaps(table: Table, columns: Sequence[str], *, joined: bool) -> pl.DataFrame:
    """Distances of successive dates, of each pseudonym, or else of each row."""
    who = table.text(str(table.roles.person)) if joined else pl.Series(range(table.n_rows))
    parts = [pl.DataFrame({"who": who, "day": _days(table, name)}) for name in columns]
    if not parts:
        return pl.DataFrame({"who": [], "gap": []})
    dates = pl.concat(parts).drop_nulls().unique().sort("who", "day")
    gaps = dates.with_columns((pl.col("day") - pl.col("day").shift(1).over("who")).alias("gap"))
    return gaps.drop_nulls().select("who", "gap")


def _days(table: Table, name: str) -> pl.Series:
    distinct = table.cells.distinct(name)
    moments = pl.Series(read_dates(distinct.texts).moments // _A_DAY, dtype=pl.Int64)
    return moments.extend(pl.Series([None], dtype=pl.Int64)).gather(distinct.codes)


def _chances(known: pl.DataFrame, counted: pl.DataFrame) -> pl.DataFrame:
    """Chance to point at each person, whichever two successive dates are known."""
    found = known.join(counted, on="gap", how="left").with_columns(
        (1 / pl.col("fitting")).fill_null(0.0).alias("chance")
    )
    return found.group_by("who").agg(pl.col("chance").mean())


def _mean(chances: pl.DataFrame) -> float:
    return float(chances.get_column("chance").mean() or 0.0)  # type: ignore[arg-type]
