"""A release of linked tables: one folder, one manifest, in the ledger an entry for each table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from os import PathLike
from pathlib import Path
from typing import Any

import polars as pl

from shoal._progress import SILENT, Progress
from shoal.exceptions import ReleaseRefusedError
from shoal.ledger import (
    NOT_ASKED,
    Composition,
    Entered,
    Ledger,
    Mode,
    Trace,
    enter_ledger,
    ledger_mode,
    part_of,
)
from shoal.linked._crowds import CrowdTrial
from shoal.linked._papers import build_linked_manifest, render_linked
from shoal.linked._plan import LinkedPlan
from shoal.release import (
    MANIFEST,
    REPORT,
    SCRIPT,
    Stage,
    describe,
    sort_by_content,
    staged,
    to_json,
    write_data,
    write_text,
)
from shoal.risk import Exposure
from shoal.table import Grouping, Table
from shoal.verifier import Claim, LinkedFiles, LinkedRecount, linked_script_source, recount_linked


@dataclass(frozen=True, eq=False)
class ReleasedTable:
    """One table as it is released.

    Attributes
    ----------
    frame : polars.DataFrame
        Its rows.
    columns : mapping of str to str
        The role of each column.
    person : str
        The column of pseudonyms, which joins.
    facts : tuple of str
        Columns that say again what the table of people says.
    loss : float
        What its rows lose, as whoever has them can compute: of released rows alone, over what they
        show.
    """

    frame: pl.DataFrame = field(repr=False)
    columns: Mapping[str, str]
    person: str
    facts: tuple[str, ...] = ()
    loss: float = 0.0

    def __post_init__(self) -> None:
        plain, _ = sort_by_content(self.frame, None, self.quasi_identifiers)
        object.__setattr__(self, "frame", plain.frame)

    @property
    def quasi_identifiers(self) -> tuple[str, ...]:
        """Columns on which rows look alike, those of the person included."""
        return tuple(n for n, role in self.columns.items() if role == "quasi-identifier")

    @property
    def own(self) -> tuple[str, ...]:
        """Quasi-identifiers of the rows alone."""
        return tuple(name for name in self.quasi_identifiers if name not in self.facts)

    @property
    def others(self) -> tuple[str, ...]:
        """Columns published as they are."""
        away = (self.person, *self.quasi_identifiers)
        return tuple(name for name in self.columns if name not in away)


@dataclass(frozen=True)
class LinkedWritten:
    """A release on disk: where, what was recounted, what the ledger said."""

    folder: Path
    recount: LinkedRecount
    manifest: Mapping[str, Any]
    ledger: Entered = NOT_ASKED


@dataclass(frozen=True, eq=False)
class LinkedRelease:
    """What was made of linked tables, ready to be written.

    Attributes
    ----------
    root : str
        The table of people.
    tables : mapping of str to ReleasedTable
        All tables, that of people first.
    people, rows_in, suppressed, cut : int
        How many people there are, rows before, rows left out, and people who had any of them.
    losses, alone : mapping of str to float
        What each table loses, and what it would lose by itself.
    trials : tuple of CrowdTrial
        Sizes of crowds that were tried.
    exposures : mapping of str to Exposure
        Who is alone on all that a table publishes.
    shown : mapping of str to sequence of (int, str)
        For each column published as it is which crowd shows which text, for the ledger.
    claims : mapping of str to sequence of Claim
        What the sensitive columns of each table hold in every row's cell, joined.
    """

    root: str
    tables: Mapping[str, ReleasedTable]
    plan: LinkedPlan
    people: int
    crowds: Grouping
    rows_in: int
    suppressed: int
    losses: Mapping[str, float]
    alone: Mapping[str, float]
    trials: tuple[CrowdTrial, ...]
    exposures: Mapping[str, Exposure]
    pseudonyms: Mapping[str, Mapping[str, Any]]
    alignment: str
    source: Table = field(repr=False)
    shown: Mapping[str, Sequence[tuple[int, str]]] = field(default_factory=dict, repr=False)
    parts: Mapping[str, tuple[Table, Grouping]] = field(default_factory=dict, repr=False)
    claims: Mapping[str, Sequence[Claim]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    cut: int = 0
    version: str = field(default_factory=lambda: version("shoal"))

    def __repr__(self) -> str:  # the default would show cells
        sizes = ", ".join(f"{n}: {t.frame.height:,} rows" for n, t in self.tables.items())
        return f"LinkedRelease({self.people:,} people in {self.crowds.n_groups:,} crowds; {sizes})"

    @property
    def data(self) -> dict[str, pl.DataFrame]:
        """The released rows of each table."""
        return {name: table.frame for name, table in self.tables.items()}

    @property
    def share_suppressed(self) -> float:
        """Share of all rows that is left out."""
        return self.suppressed / self.rows_in

    def write(
        self,
        folder: str | PathLike[str],
        *,
        force: bool = False,
        ledger: Mode | None = None,
        draft: bool = False,
        progress: Progress = SILENT,
    ) -> LinkedWritten:
        """Write all tables, manifest, report and ``verify.py`` into a folder, whole or not at all.

        What was written is read back and recounted across the files first.

        Raises
        ------
        ReleaseRefusedError
            If the joined view does not hold on the written files, or if the ledger refuses.
        """
        mode = "off" if draft else ledger_mode(ledger or self.plan.ledger, self.plan.preset)
        source = self.source.source
        leaving = staged(Path(folder), force=force, source=source, enter=self._enter, mode=mode)
        with leaving as stage:
            files = self._write_tables(stage.path, progress)
            progress.phase("verifying")
            counted = self._recounted(files)
            manifest = self._write_papers(stage.path, files, counted, draft=draft)
            progress.phase("naming")
            stage.place()
        return LinkedWritten(stage.target, counted, manifest, stage.entry)

    def _write_tables(self, folder: Path, progress: Progress) -> dict[str, Path]:
        files = {name: folder / f"{name}.{self.plan.format}" for name in self.tables}
        for name, path in files.items():
            write_data(path, self.tables[name].frame, progress)
        return files

    def _recounted(self, files: Mapping[str, Path]) -> LinkedRecount:
        told = LinkedFiles(
            files,
            self.root,
            {name: table.person for name, table in self.tables.items()},
            {name: table.own for name, table in self.tables.items()},
            self.claims,
            {name: table.facts for name, table in self.tables.items()},
            {name: table.others for name, table in self.tables.items()},
        )
        counted = recount_linked(told, self.plan.km)
        if counted.k < self.plan.k or counted.strangers:
            raise ReleaseRefusedError(
                f"Not released: joined, some row is shared by {counted.k} people, and"
                f" {self.plan.k} were asked for."
            )
        if counted.unlike:
            raise ReleaseRefusedError(
                "Not released: a row says otherwise of its person than the table of people."
            )
        if counted.combined < self.plan.k:
            raise ReleaseRefusedError(
                f"Not released: some {self.plan.km} rows are shared by {counted.combined} people."
            )
        for name, outcomes in counted.outcomes.items():
            for failing in (outcome for outcome in outcomes if not outcome.holds):
                raise ReleaseRefusedError(
                    f"Not released: in {name!r}, {failing.claim} fails, joined."
                )
        rows = {name: table.frame.height for name, table in self.tables.items()}
        if dict(counted.rows) != rows:
            raise ReleaseRefusedError("Not released: rows were lost while they were written.")
        return counted

    def _write_papers(
        self, folder: Path, files: Mapping[str, Path], counted: LinkedRecount, *, draft: bool
    ) -> dict[str, Any]:
        manifest = build_linked_manifest(self, counted, draft=draft)
        papers = {REPORT: render_linked(self, manifest), SCRIPT: linked_script_source()}
        for name, text in papers.items():
            write_text(folder / name, text)
        listed = [*(path.name for path in files.values()), *papers]
        manifest["files"] = {name: describe(folder / name) for name in listed}
        write_text(folder / MANIFEST, to_json(manifest))
        return manifest

    def _enter(self, mode: Mode, stage: Stage) -> AbstractContextManager[Entered]:
        """Enter people and their crowds with what each crowd shows anywhere, and the other tables.

        Rows of those hide in cells inside the crowds: what a cell shows is held against earlier
        releases of the same rows, in linked tables or alone.
        """

        @contextmanager
        def enter(ledger: Ledger) -> Iterator[Composition]:
            told: dict[str, Any] = {"refuse": mode == "refuse", "stands": stage.stands}
            with ExitStack() as stack:
                found = []
                for number, (table, trace) in enumerate(self._traces(ledger)):
                    name = part_of(stage.release, number) if number else stage.release
                    subject = ledger.subject(table, folder=stage.target.name)
                    entering = ledger.entering(subject, trace, name=name, **told)
                    found.append(stack.enter_context(entering))
                yield next((one for one in found if not one.holds), found[0])

        return enter_ledger(mode, enter)

    def _traces(self, ledger: Ledger) -> Iterator[tuple[Table, Trace]]:
        people = ledger.trace(self.source, self.crowds, k=self.plan.k, alignment=self.alignment)
        more = ledger.trace_elsewhere(self.source.row_hash(), self.crowds.labels, self.shown)
        yield self.source, replace(people, shown={**people.shown, **more.shown})
        for name, (table, cells) in self.parts.items():
            if (cells.labels >= 0).any():
                trace = ledger.trace(table, cells, k=self.plan.k)
                # a name tells whose row it is, not which: it names people among such rows alone
                yield table, replace(trace, identity=f"{trace.identity}\x1f{name}")
