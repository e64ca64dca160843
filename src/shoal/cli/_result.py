"""A release that was written, and how to tell of it: in numbers and in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Any

from shoal._progress import stop_if_cancelled
from shoal.anonymizer import Anonymizer
from shoal.cli._bar import Bar
from shoal.cli._output import columns_of
from shoal.exceptions import ImpossibleError, InvalidParameterError
from shoal.grouping import Auto
from shoal.ledger import ledger_mode
from shoal.plan import Plan
from shoal.privacy import KAnonymity
from shoal.quantize import EpsilonClusters, Quantize
from shoal.release import Written
from shoal.report import render_text
from shoal.table import Table


@dataclass(frozen=True, eq=False)
class Result:
    """What came out: the anonymizer that was fitted, and the release on disk."""

    anonymizer: Anonymizer
    table: Table
    written: Written
    output: Path
    seconds: Mapping[str, float]
    notes: tuple[str, ...] = ()

    def facts(self) -> dict[str, Any]:
        """Return everything a script may want to know."""
        loss, counted = self.anonymizer.loss_, self.written.verification.recount
        return {
            "rows_in": self.table.n_rows,
            "rows_out": counted.rows,
            "suppressed": self.table.n_rows - counted.rows,
            "groups": counted.groups,
            "k": counted.k,
            "k_asked": self.anonymizer.summary_.k,
            "counts": "people" if counted.people else "rows",
            "ngil": loss.ngil,
            "ngil_bound": self.anonymizer.ngil_bound_,
            "loss_by_attribute": dict(loss.loss_by_attribute),
            **_method(self.anonymizer, self.table.n_rows),
            "why": self.anonymizer.summary_.why,
            "preset": self.anonymizer.preset,
            "holds": self.written.verification.holds,
            "models": [o.to_dict() for o in self.written.verification.outcomes],
            **_moved(self.anonymizer),
            "average_group_size": loss.average_group_size,
            "discernibility": loss.discernibility,
            "non_uniform_entropy": loss.non_uniform_entropy,
            "warnings": [*self.anonymizer.summary_.warnings, *self.notes],
            "ledger": self.written.ledger.to_dict(),
            "seconds": {name: round(spent, 3) for name, spent in self.seconds.items()},
            "output": str(self.output),
            "files": sorted([*self.written.manifest["files"], "manifest.json"]),
        }

    def lines(self) -> Iterator[str]:
        """Tell it in a few lines."""
        yield render_text(self.anonymizer.summary_).rstrip()
        yield from (f"Note: {note}" for note in self.notes)
        yield ""
        k, spent = self.written.verification.recount.k, self.seconds["total"]
        yield f"Written, read back and recounted in {spent:.1f} s: k is {k}."
        if self.anonymizer.relinkage_ is not None:
            yield from _linkage(self.anonymizer)
        yield ""
        yield from _where_to_look(self.output, str(self.written.manifest["file"]))


def _where_to_look(folder: Path, data: str) -> list[str]:
    """Say where the files are and what to do with each."""
    files = {
        data: "the released table",
        "report.html": "open it in a browser before you share anything",
        "manifest.json": "what holds, for machines; public like the data",
        "verify.py": "lets anybody recount it with nothing but Python",
    }
    return columns_of((str(folder / name), what) for name, what in files.items())


def make_release(
    anonymizer: Anonymizer,
    table: Table,
    folder: Path,
    bar: Bar,
    *,
    seconds: Mapping[str, float],
    plan: Plan | None = None,
    notes: tuple[str, ...] = (),
    force: bool = False,
    provenance: bool = False,
    spreadsheet_safe: bool = False,
    ledger: str | None = None,
) -> Result:
    """Fit, write and verify; ``seconds`` holds the time that was spent before."""
    mode = ledger_mode(ledger, anonymizer.preset)
    refuse_impossible(anonymizer, table)
    anonymizer.fit(table, bar)
    release = anonymizer.release_
    if provenance and plan is not None:
        recorded = {**release.provenance, "plan": plan.to_toml()}
        release = replace(release, provenance=recorded)
    began = perf_counter()
    bar.phase("writing")  # from here on a stop must clear up, so first look whether one is due
    stop_if_cancelled(bar)
    written = release.write(
        folder,
        format=plan.format if plan is not None else "csv",  # type: ignore[arg-type]
        force=force,
        provenance=provenance,
        spreadsheet_safe=spreadsheet_safe,
        ledger=mode,
        progress=bar,
    )
    bar.phase("telling")
    phases = {name.replace(" ", "_"): spent for name, spent in anonymizer.seconds_.items()}
    spent = {**seconds, **phases, "writing": perf_counter() - began}
    total = {"total": sum(spent.values())}
    told = (*notes, *written.ledger.warnings)
    return Result(anonymizer, table, written, folder, spent | total, told)


def refuse_impossible(anonymizer: Anonymizer, table: Table) -> None:
    """Ask for nothing that this table can never hold: that is wrong usage, not a refusal."""
    asked, grouper = anonymizer.privacy, anonymizer.grouping
    models = [*asked] if isinstance(asked, Sequence) else [asked]
    if isinstance(grouper, EpsilonClusters):
        models += [*grouper.crowd, *([] if grouper.m is None else [KAnonymity(grouper.m + 1)])]
    for model in models:
        try:
            model.check_possible(table)
        except ImpossibleError as error:
            raise InvalidParameterError(str(error), hint=error.hint) from None


def _moved(anonymizer: Anonymizer) -> dict[str, Any]:
    """What quantization did, and what an attacker still achieves."""
    recoder, relinkage = anonymizer.recipe_.recoder, anonymizer.relinkage_
    if not isinstance(recoder, Quantize) or relinkage is None:
        return {}
    moved = recoder.moved_
    return {
        **asdict(moved),
        **relinkage.to_dict(),
        "m": relinkage.m,
        "stamps": list(anonymizer.summary_.stamps),
    }


def _linkage(anonymizer: Anonymizer) -> Iterator[str]:
    facts = _moved(anonymizer)
    yield (
        f"{facts['outliers']:,} outliers in {facts['clusters']:,} clusters; linkage attacks find"
        f" {100 * facts['relink_rate']:.1f} % of them again"
        f" ({100 * facts['relink_unprotected']:.1f} % in the table as it was)."
    )


def _method(anonymizer: Anonymizer, n_rows: int) -> dict[str, Any]:
    grouper = anonymizer.grouping
    if isinstance(grouper, Auto):
        grouper = grouper.chosen(n_rows).grouper
    name = type(grouper).__name__.lower()
    return {
        "method": "quantize" if isinstance(anonymizer.recoding, Quantize) else name,
        "order": getattr(grouper, "order", None),
        "refined": bool(getattr(grouper, "refine", False)),
    }
