"""A release that was written, and how to tell of it: in numbers and in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from shoal._progress import stop_if_cancelled
from shoal.anonymizer import Anonymizer
from shoal.cli._bar import Bar, Spans, without_compiling
from shoal.cli._output import columns_of
from shoal.ledger import ledger_mode
from shoal.plan import Plan
from shoal.release import Written
from shoal.report import render_text
from shoal.table import Table

if TYPE_CHECKING:
    from shoal.growing import LaterDelivery, Refounding


#: Rows of a table that a later delivery does not publish, among its exact numbers.
UNPUBLISHED = ("waiting", "left_out", "held")


@dataclass(frozen=True, eq=False)
class Result:
    """What came out: the release on disk, and what the engine has to tell of it.

    Attributes
    ----------
    written : Written
        Where it lies, what was recounted, what the ledger said.
    output : Path
        The folder, as it was typed.
    rows_in : int
        Rows of the table.
    run : mapping
        What ran and what it came to, from the engine: `Anonymizer.facts` or its like.
    seconds : mapping of str to float
        Time spent in each phase, and in all.
    notes : tuple of str
        What a reader should know beside the warnings of the table.
    source : mapping of str to str
        What kind of source the table came from, and what it is called; no secrets.
    """

    written: Written
    output: Path
    rows_in: int
    run: Mapping[str, Any]
    seconds: Mapping[str, float]
    notes: tuple[str, ...] = ()
    source: Mapping[str, str] = field(default_factory=dict)

    def facts(self) -> dict[str, Any]:
        """Return everything a script may want to know."""
        counted, written = self.written.verification.recount, self.written
        after = self.run.get("after")
        return {
            "source": dict(self.source),
            "rows_in": self.rows_in,
            "rows_out": counted.rows,
            # people who are not in the table any more stay published by a later delivery
            "suppressed": sum(after[name] for name in UNPUBLISHED)
            if after
            else self.rows_in - counted.rows,
            "groups": counted.groups,
            "k": counted.k,
            "counts": "people" if counted.people else "rows",
            "average_group_size": counted.rows / max(counted.groups, 1),
            "singling_out": written.manifest.get("singling_out"),
            **self.run,
            "holds": written.verification.holds,
            "models": [o.to_dict() for o in written.verification.outcomes],
            "warnings": [*written.summary.warnings, *self.notes],
            "ledger": written.ledger.to_dict(),
            "draft": written.summary.draft,
            "seconds": {name: round(spent, 3) for name, spent in self.seconds.items()},
            "output": str(self.output),
            **({"table": dict(written.table)} if written.table else {}),
            "files": written.files,
        }

    def lines(self) -> Iterator[str]:
        """Tell it in a few lines."""
        yield render_text(self.written.summary).rstrip()
        yield from (f"Note: {note}" for note in self.notes)
        if self.run.get("ngil_bound_estimate"):
            yield _estimated(self.run["ngil_bound_estimate"])
        yield ""
        where = "from the file and in the database" if self.written.table else "from the file"
        yield f"Recounted {where}: k is {self.written.verification.recount.k}."
        yield _times(self.seconds)
        if "relink_rate" in self.run:
            yield _linkage(self.run)
        yield ""
        data = str(self.written.manifest["file"])
        if self.written.table:
            yield f"The released table is {self.written.table['name']!r} in the database."
            data = "recount.sql"
        yield from _where_to_look(
            self.output, data, OF_NETWORKS if "network" in self.written.manifest else {}
        )


def _times(seconds: Mapping[str, float]) -> str:
    """Say where the time went, in the parts that a reader waits for.

    >>> _times({"compiling": 39.5, "grouping": 1, "total": 41})
    'Compiled its kernels, on the first run on this machine, in 39.5 s, grouped in 1.0 s, the rest
    0.5 s; 41.0 s in all.'
    >>> _times({"reading": 0.5, "coding": 0.25, "grouping": 2, "bound": 1, "total": 5})
    'Read in 0.5 s, grouped in 2.2 s, bounded in 1.0 s, the rest 1.2 s; 5.0 s in all.'
    """
    parts = {words: sum(seconds.get(n, 0.0) for n in names) for words, names in _PARTS.items()}
    told = [f"{words} in {spent:.1f} s" for words, spent in parts.items() if spent]
    rest = seconds["total"] - sum(parts.values())
    parted = ", ".join([*told, f"the rest {rest:.1f} s"])
    return f"{parted[0].upper()}{parted[1:]}; {seconds['total']:.1f} s in all."


_PARTS = {
    "compiled its kernels, on the first run on this machine,": ("compiling",),
    "read": ("reading",),
    "grouped": ("coding", "grouping", "recoding"),
    "bounded": ("bound",),
    "written": ("writing",),
    "recounted": ("recounting",),
}


def _estimated(least: float) -> str:
    """Say what no grouping loses less than, as far as a sample tells.

    >>> print(_estimated(0.0412))
    Note: No grouping with this k loses less than about 4.1 %, by a sample of the rows; --prove
    proves how much.
    """
    return (
        f"Note: No grouping with this k loses less than about {100 * least:.2g} %, by a sample of"
        " the rows; --prove proves how much."
    )


def _linkage(run: Mapping[str, Any]) -> str:
    return (
        f"{run['outliers']:,} outliers in {run['clusters']:,} clusters; linkage attacks find"
        f" {100 * run['relink_rate']:.1f} % of them again"
        f" ({100 * run['relink_unprotected']:.1f} % in the table as it was)."
    )


OF_NETWORKS = {
    "groups.csv": "people and inner edges of each group",
    "edges.csv": "edges between two groups",
    "network.graphml": "both, for programs that draw",
}


def _where_to_look(folder: Path, data: str, more: Mapping[str, str]) -> list[str]:
    """Say where the files are and what to do with each."""
    files = {
        data: "counts the table again" if data.endswith(".sql") else "the released table",
        **more,
        "report.html": "open it in a browser before you share anything",
        "manifest.json": "what holds, for machines; public like the data",
        "verify.py": "lets anybody recount it with nothing but Python",
    }
    return columns_of((str(folder / name), what) for name, what in files.items())


def make_release(
    anonymizer: Anonymizer | LaterDelivery | Refounding,
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
    draft: bool = False,
    into: tuple[str, str] | None = None,
    compiled: Spans = (),
) -> Result:
    """Fit, write and verify; ``seconds`` holds the time that was spent before."""
    started = perf_counter() - sum(seconds.values())
    mode = ledger_mode(ledger, anonymizer.preset)
    anonymizer.fit(table, bar)
    release = anonymizer.release_
    if provenance and plan is not None:
        recorded = {**release.provenance, "plan": plan.to_toml()}
        release = replace(release, provenance=recorded)
    began = perf_counter()
    bar.phase("writing")  # from here on a stop must clear up, so first look whether one is due
    stop_if_cancelled(bar)
    how: dict[str, Any] = {"force": force, "provenance": provenance, "draft": draft}
    how |= {"ledger": mode, "progress": bar, "language": None if plan is None else plan.language}
    if into is not None:
        written = release.write_back(*into, papers=folder, **how)
    else:
        how |= {"spreadsheet_safe": spreadsheet_safe}
        written = release.write(folder, format=None if plan is None else plan.format, **how)
    bar.tell()
    phases = {name.replace(" ", "_"): spent for name, spent in anonymizer.seconds_.items()}
    spent = {**seconds, **phases, "writing": perf_counter() - began - written.seconds}
    spent["recounting"] = written.seconds
    if compiled:
        spent = without_compiling(spent, started, compiled)
    total = {"total": sum(spent.values())}
    told = (*notes, *written.ledger.warnings)
    source = {"kind": table.origin.kind, "name": table.origin.name}
    return Result(written, folder, table.n_rows, anonymizer.facts(), spent | total, told, source)
