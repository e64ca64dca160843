"""A release that Spark made: how the command line asks for it and tells of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from shoal._words import plural
from shoal.cli._bar import Bar
from shoal.cli._output import columns_of
from shoal.exceptions import ImpossibleError, InvalidParameterError
from shoal.ledger import ledger_mode
from shoal.plan import Plan
from shoal.release import Written
from shoal.spark import (
    ROUTING,
    ROWS_PER_FRAGMENT,
    SparkRelease,
    anonymize,
    read_source,
    spark_session,
)

NOT_THERE = ("spreadsheet_safe", "hide_changes")


@dataclass(frozen=True, eq=False)
class SparkResult:
    """What came out: the release on the cluster, and the one on disk."""

    release: SparkRelease
    written: Written
    output: Path
    seconds: Mapping[str, float]
    notes: tuple[str, ...] = ()

    def facts(self) -> dict[str, Any]:
        """Return everything a script may want to know."""
        release, counted = self.release, self.written.verification.recount
        recipe, manifest = release.recipe, self.written.manifest
        return {
            "rows_in": recipe.rows,
            "rows_out": counted.rows,
            "suppressed": recipe.rows - counted.rows,
            "groups": counted.groups,
            "k": counted.k,
            "k_asked": recipe.k,
            "counts": "rows",
            "ngil": release.ngil,
            "ngil_bound": None,
            "loss_by_attribute": release.loss_by_attribute,
            "method": type(recipe.grouper).__name__.lower(),
            "order": getattr(recipe.grouper, "order", None),
            "refined": bool(getattr(recipe.grouper, "refine", False)),
            "why": recipe.why,
            "preset": recipe.preset,
            "engine": "spark",
            "fragments": release.fragments,
            "routing": release.routing,
            "rows_regrouped": release.pooled,
            "ngil_before_boundary": release.ngil + release.gain,
            "holds": self.written.verification.holds,
            "models": [o.to_dict() for o in self.written.verification.outcomes],
            "average_group_size": counted.rows / counted.groups,
            "ledger": self.written.ledger.to_dict(),
            "warnings": list(self.notes),
            "seconds": {name: round(spent, 3) for name, spent in self.seconds.items()},
            "output": str(self.output),
            "files": sorted([*manifest["files"], "manifest.json"]),
        }

    def lines(self) -> Iterator[str]:
        """Tell it in a few lines."""
        counted, release = self.written.verification.recount, self.release
        rows, groups = plural(counted.rows, "row"), plural(counted.groups, "group")
        yield f"{rows} in {groups}, none smaller than {counted.k}."
        yield f"NGIL {release.ngil:.4f}; {release.method}."
        for outcome in self.written.verification.outcomes:
            if outcome.claim.name != "rows":
                yield f"{outcome.claim} {'holds' if outcome.holds else 'does not hold'}."
        yield from (f"Note: {note}" for note in self.notes)
        yield ""
        yield f"Written, read back and recounted in {self.seconds['total']:.1f} s."
        yield ""
        yield from columns_of(
            (str(self.output / name), what)
            for name, what in {
                "data": "the released table, in parts",
                "report.html": "open it in a browser before you share anything",
                "manifest.json": "what holds, for machines; public like the data",
            }.items()
        )


def spark_release(
    plan: Plan, options: Mapping[str, Any], folder: Path, bar: Bar, notes: tuple[str, ...]
) -> SparkResult:
    """Anonymize on Spark, write and verify."""
    for name in NOT_THERE:
        if options.get(name):
            raise InvalidParameterError(
                f"--{name.replace('_', '-')} is for the local engine.",
                hint="Leave it out, or leave out --engine spark.",
            )
    began = perf_counter()
    bar.phase("starting Spark")
    rows = options["rows_per_fragment"]
    with spark_session(options["master"]) as spark:
        source = read_source(
            spark, str(plan.source), delimiter=plan.delimiter, encoding=plan.encoding
        )
        started = perf_counter()
        with _anonymized(source, plan, options, rows, bar) as release:
            writing = perf_counter()
            recorded = {"plan": plan.to_toml()} if options["provenance"] else None
            written = release.write(
                folder,
                format=plan.format,
                force=options["force"],
                provenance=recorded,
                ledger=ledger_mode(plan.ledger, plan.preset),
                progress=bar,
            )
    spent = {name.replace(" ", "_"): s for name, s in release.seconds.items()}
    spent = {"starting": started - began, **spent, "writing": perf_counter() - writing}
    spent["total"] = perf_counter() - began
    return SparkResult(release, written, folder, spent, (*notes, *written.ledger.warnings))


def _anonymized(
    source: Any, plan: Plan, options: Mapping[str, Any], rows: int | None, bar: Bar
) -> SparkRelease:
    try:
        return anonymize(
            source,
            plan,
            routing=options["routing"] or ROUTING,
            rows_per_fragment=ROWS_PER_FRAGMENT if rows is None else rows,
            boundary=options["boundary_pass"] is not False,
            progress=bar,
        )
    except ImpossibleError as error:
        if "exceeds" in str(error):  # more than the table can ever hold: wrong usage
            raise InvalidParameterError(str(error), hint=error.hint) from None
        raise
