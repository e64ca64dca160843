"""What a later delivery says of itself in public: counted in the two files, or rough."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import polars as pl

from shoal.growing._earlier import Earlier
from shoal.release import Release
from shoal.report import Growth, tell_suppressed
from shoal.risk import warn_of_joins
from shoal.table import Table
from shoal.typing import BoolArray


def told(
    release: Release,
    table: Table,
    unpublished: tuple[BoolArray, BoolArray],
    earlier: Earlier,
    doubts: tuple[str, ...] = (),
) -> Release:
    """Say what changed; of people who wait or were left out only roughly how many."""
    waits, left = unpublished
    summary = release.summary
    alarming = summary.warnings[:1] if summary.singling and summary.singling.open else ()
    joins = _joins(release, earlier.trace.k)
    waiting = tell_suppressed(table, waits, earlier.trace.k)
    summary = replace(
        summary,
        growth=count_growth(release.frame, earlier, summary.utility["ngil"], waiting),
        suppressed=tell_suppressed(table, waits | left, earlier.trace.k),
        attributes=tuple(replace(part, distribution=None) for part in summary.attributes),
        columns_dropped=len({*table.roles.dropped} - {*summary.pseudonyms}),
        warnings=(*alarming, *table.warnings, *doubts, *joins),
    )
    return replace(release, summary=summary, give_back=table.give_back, ledger="refuse")


def _joins(release: Release, k: int) -> tuple[str, ...]:
    """Warn of people whose rows pseudonyms join, among all that are published."""
    lineage = release.lineage
    if lineage is None or lineage.table.roles.person not in release.summary.pseudonyms:
        return ()
    return warn_of_joins(lineage.table, lineage.grouping.labels, k)


def count_growth(now: pl.DataFrame, earlier: Earlier, loss: float, waiting: str) -> Growth:
    """Count crowds in the two files as anybody could."""
    names, rows = list(earlier.quasi), pl.len().alias("rows")
    then = earlier.texts.group_by(names).agg(rows)
    both = then.join(now.group_by(names).agg(rows), on=names, how="full", nulls_equal=True)
    stayed = both.drop_nulls(["rows", "rows_right"])
    grown = stayed.filter(pl.col("rows_right") > pl.col("rows"))
    kept = int(stayed["rows"].sum())
    manifest: Mapping[str, Any] = earlier.release.manifest
    return Growth(
        rows_before=earlier.texts.height,
        rows_kept=kept,
        rows_new=now.height - kept,
        crowds_before=then.height,
        crowds_kept=stayed.height - grown.height,
        crowds_grown=grown.height,
        crowds_new=both["rows"].null_count(),
        crowds_left=both["rows_right"].null_count(),
        loss_before=float(manifest.get("ngil", 0.0)),
        loss_now=loss,
        waiting=waiting,
    )
