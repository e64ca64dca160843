"""Write-back: into a table of a database, counted there by its own SQL, or not at all.

The rows are written to a file in a private folder, which is verified as every release is, and
copied into a staging table of one transaction. The database counts that table itself; only if it
finds what the manifest will say is the table renamed, are the papers put into their folder, and is
the transaction committed, in that order. Whatever ends the process or the server before leaves no
table; between the last two it leaves papers without a table, and the ledger counts the release.
"""

from __future__ import annotations

from dataclasses import replace
from math import isclose
from pathlib import Path
from time import perf_counter

import polars as pl

from shoal._progress import SILENT, Progress, stop_if_cancelled
from shoal._words import listing
from shoal.exceptions import OutputError, ReleaseRefusedError, ShoalError
from shoal.ledger import Mode
from shoal.release._manifest import MANIFEST
from shoal.release._staging import Stage, staged
from shoal.release._writer import Draft, Written, recounted, write_papers
from shoal.release.targets import ReleaseTarget, TableCount, TargetTable
from shoal.release.targets._recount import CountingQueries
from shoal.report import Summary
from shoal.verifier import Claim, Verification

RECOUNT = "recount.sql"
CLOSE = 1e-9  # ratios are doubles in a database


def write_back(
    draft: Draft,
    frame: pl.DataFrame,
    target: ReleaseTarget,
    folder: Path,
    *,
    mode: Mode,
    force: bool,
    progress: Progress = SILENT,
) -> Written:
    """Write a release into a table, and its papers into a folder."""
    leaving = staged(folder, force=force, source=draft.source, enter=draft.enter, mode=mode)
    with leaving as stage, target.held() as table:
        table.check(folder if force else None)
        data = stage.path / draft.file
        draft.write(data)
        progress.phase("verifying")
        began = perf_counter()
        verification = recounted(draft, data)
        data.unlink()
        progress.phase("filling the table")
        table.fill(frame)
        stop_if_cancelled(progress)
        progress.phase("counting in the database")
        summary = draft.summarize(verification)
        quasi, person = tuple(summary.quasi_identifiers), _person(summary, frame)
        counts_people = verification.recount.people
        claims = _countable(verification) if person or not counts_people else []
        counted = table.count(frame.columns, quasi, claims, person)
        _compare(counted, verification, frame, people=person is not None)
        spent = perf_counter() - began
        queries = CountingQueries(target.quoted(), quasi, person)
        papers = {**draft.papers, RECOUNT: _sql(queries, counted)}
        there = {**target.facts(), "rows": counted.rows, "groups": counted.groups}
        manifest = write_papers(
            replace(draft, file="", papers=papers),
            stage.path,
            [],
            verification,
            summary,
            table={**target.facts(), "sha256": table.digest()},
        )
        progress.phase("naming")
        table.name_it()
        _commit(table, stage)
        table.overwrite()
    files = sorted([*manifest["files"], MANIFEST])
    return Written(stage.target, verification, manifest, summary, stage.entry, spent, there, files)


def _commit(table: TargetTable, stage: Stage) -> None:
    """Put the papers in place, then let everybody see the table; take them back if that fails."""
    stage.place()
    try:
        table.commit()
    except BaseException as error:
        stage.withdraw()
        if isinstance(error, ShoalError | KeyboardInterrupt):
            raise
        raise OutputError(
            "The release was not written: the database did not confirm it.",
            hint="Look whether the table is there before you try again.",
        ) from None


def _person(summary: Summary, frame: pl.DataFrame) -> str | None:
    """The column that tells people apart, where the database can see one that all rows have."""
    found = [name for name, told in summary.pseudonyms.items() if told["of"] == "person"]
    return found[0] if found and summary.people and not frame[found[0]].null_count() else None


def _countable(verification: Verification) -> list[Claim]:
    claims = (outcome.claim for outcome in verification.outcomes)
    return [claim for claim in claims if claim.column]


def _compare(
    counted: TableCount, verification: Verification, frame: pl.DataFrame, *, people: bool
) -> None:
    """Hold what the database counted against what was counted in the file."""
    file = verification.recount
    wrong = []
    if (counted.rows, counted.groups) != (file.rows, file.groups):
        wrong.append("rows and groups")
    if counted.k < file.k or (counted.k != file.k and file.people == people):
        wrong.append("k")
    told = {outcome.claim: float(outcome.recounted) for outcome in verification.outcomes}
    wrong += [str(c) for c, n in counted.measures if not isclose(n, told[c], rel_tol=CLOSE)]
    there = {series.name: len(series) - series.null_count() for series in frame}
    wrong += [f"cells of {name}" for name, n in counted.filled.items() if n != there[name]]
    if wrong:
        raise ReleaseRefusedError(
            f"Not released: the database counts other {listing(wrong)} than the file had.",
            hint="Does a trigger, a rule or a collation of the database change what is written?",
        )


def _sql(queries: CountingQueries, counted: TableCount) -> str:
    """Give the queries that counted the table, for whoever wants to count it again."""
    lines = [
        "-- What the database counted before this table got its name.",
        f"-- Rows, groups, smallest group: {counted.rows}, {counted.groups}, {counted.k}.",
        f"{queries.groups()};",
    ]
    for claim, number in counted.measures:
        lines += [f"-- {' '.join(str(claim).split())}: {number:.12g}."]
        if claim.order and claim.order != "numeric":
            lines += ["-- places has each value of the column, and its place from low to high."]
        lines += [f"{queries.measure(claim)};"]
    return "\n".join([*lines, ""])
