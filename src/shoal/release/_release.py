"""The release: what was made, ready to be written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from html import escape
from os import PathLike
from pathlib import Path
from typing import Any

import polars as pl

from shoal._progress import SILENT, Progress
from shoal._words import listing
from shoal.exceptions import InvalidParameterError, ReleaseRefusedError
from shoal.ledger import Entered, Ledger, Mode, Trace, announce, enter_ledger, ledger_mode
from shoal.privacy import Verdict
from shoal.release._files import (
    safe_texts,
    sort_by_content,
    spreadsheet_safe,
    write_data,
)
from shoal.release._manifest import FORMATS, PLAIN_FORMATS, build_manifest
from shoal.release._staging import Stage
from shoal.release._types import type_columns
from shoal.release._writer import ASK_FOR_LESS, Draft, Written, write_release
from shoal.report import (
    Drawing,
    Summary,
    as_draft,
    distribution_chart,
    loss_bars,
    rename_columns,
    render_html,
    size_columns,
)
from shoal.table import CodedFrame, Grouping, Table
from shoal.typing import IntArray
from shoal.verifier import Claim, Verification, network_faults, verify


@dataclass(frozen=True, eq=False)
class Lineage:
    """The table that a release was made from, and who looks alike in what is published.

    ``published`` writes out what some rows publish of their quasi-identifiers, if rows of a crowd
    read alike. A later delivery knows by ``enter`` how to enter itself into the ledger, and has its
    ``trace`` already: part of it is older than the table. ``follows`` is what the ledger calls the
    release before it.
    """

    table: Table = field(repr=False)
    grouping: Grouping = field(repr=False)
    alignment: str = ""  # what lets whoever has two releases align their people
    published: Callable[[IntArray], pl.DataFrame] | None = field(default=None, repr=False)
    enter: Callable[[Mode, Stage, str], AbstractContextManager[Entered]] | None = None
    trace: Trace | None = field(default=None, repr=False)
    follows: str = ""


@dataclass(frozen=True, eq=False)
class Release:
    """What the anonymizer made: data, verdict and summary, ready to be written.

    Parameters
    ----------
    given : polars.DataFrame or CodedFrame
        The released columns. Rows are sorted by content here, so that their order says nothing;
        categories become text. ``frame`` has them then.
    verdict : Verdict
        Which privacy models hold.
    summary : Summary
        The numbers of the report, from `shoal.report.summarize`.
    claims : sequence of Claim
        What the verifier must find in the written file, from `claims_of`. The number of rows and
        ``summary.k`` are always claimed.
    give_back : callable
        Turns a polars frame into the type the user came with (`Table.give_back`).
    people : IntArray, optional
        A number for the person behind each row of ``frame``, negative if not known; needed where
        k counts people.
    typed : bool
        Whether quasi-identifiers keep the type they had; generalized ones are text.
    provenance : mapping
        Settings, weights and seeds: private, written only where asked; objects as their text.
    lineage : Lineage, optional
        The table it was made from and who was grouped with whom, for the ledger.
    ledger : {"refuse", "warn", "off"}, optional
        What the plan says of the ledger; `write` may say something else.
    papers : mapping of str to str
        Further files that belong to it, such as a masked network.
    language : {"en", "de"}, optional
        What the plan says that the report speaks; `write` may say something else.
    """

    given: pl.DataFrame | CodedFrame
    verdict: Verdict
    summary: Summary
    claims: tuple[Claim, ...] = ()
    give_back: Callable[[pl.DataFrame], Any] = field(default=lambda frame: frame, repr=False)
    people: IntArray | None = field(default=None, repr=False)
    typed: bool = False
    provenance: Mapping[str, Any] = field(default_factory=dict, repr=False)
    lineage: Lineage | None = field(default=None, repr=False)
    ledger: Mode | None = None
    papers: Mapping[str, str] = field(default_factory=dict, repr=False)
    language: str | None = None
    #: The released rows, each text held once.
    coded: CodedFrame = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if self.given.height != self.summary.rows:
            raise InvalidParameterError(
                f"{self.given.height} rows to release, {self.summary.rows} in the summary."
            )
        if (self.people is not None) != self.summary.people:
            raise InvalidParameterError("People must be given where k counts people, only there.")
        as_text = () if self.typed else self.summary.quasi_identifiers
        coded, people = sort_by_content(self.given, self.people, as_text)
        self.__dict__.update(given=coded, coded=coded, people=people)
        k, claims = self.summary.k, [claim for claim in self.claims if claim.name != "rows"]
        needed = [Claim("rows", self.summary.rows)]  # nobody can leave out these two
        if k is not None and all(c.name != "k" or c.bound < k for c in claims):
            needed.append(Claim("k", k, label=f"{k}-anonymity"))
        object.__setattr__(self, "claims", (*needed, *claims))

    def __repr__(self) -> str:  # the default would show cells
        return f"Release({self.summary.rows:,} rows: {self.verdict})"

    def _repr_html_(self) -> str:
        """Show the report where a notebook shows a value; it is what may be shown to anybody."""
        page = escape(render_html(self.summary), quote=True)
        return f'<iframe srcdoc="{page}" title="Release" width="100%" height="640"></iframe>'

    def plot(self, what: str = "loss") -> Drawing:
        """Draw what a release lost, how large its crowds are, or a column before and after.

        Parameters
        ----------
        what : str
            ``"loss"`` of each quasi-identifier, ``"sizes"`` of crowds, or a quasi-identifier.
        """
        parts = self.summary.attributes
        told = {part.name: part.distribution for part in parts if part.distribution is not None}
        if what == "loss":
            return Drawing(loss_bars([(part.name, part.loss) for part in parts]))
        if what == "sizes":
            return Drawing(size_columns(self.summary.group_sizes.slots))
        if what not in told:
            known = ", ".join(("loss", "sizes", *told))
            raise InvalidParameterError(
                f"There is no drawing {what!r}.", hint=f"There are {known}."
            )
        return Drawing(distribution_chart(told[what], what))

    @property
    def frame(self) -> pl.DataFrame:
        """The released rows, sorted by content."""
        return self.coded.frame

    @cached_property
    def data(self) -> Any:
        """The released rows, as the type of frame the table came in."""
        return self.give_back(self.frame)

    @property
    def manifest(self) -> dict[str, Any]:
        """What ``manifest.json`` will say; nothing in it is recounted before it is written."""
        return build_manifest(self.summary)

    def write(
        self,
        folder: str | PathLike[str],
        *,
        format: str | None = None,
        force: bool = False,
        provenance: bool = False,
        spreadsheet_safe: bool = False,
        papers: Mapping[str, str] | None = None,
        private: Mapping[str, str] | None = None,
        ledger: Mode | None = None,
        draft: bool = False,
        language: str | None = None,
        progress: Progress = SILENT,
    ) -> Written:
        """Write data, manifest, report and ``verify.py`` into a folder, whole or not at all.

        Parameters
        ----------
        folder : path
            A new or empty folder; the folder that should hold it must exist.
        format : str, optional
            One of `FORMATS`; as the table came if not given: Parquet stays Parquet, and beside
            ``data.csv`` of a workbook stands ``data.xlsx``. In all but CSV,
            columns that were not generalized have the types of their values, whatever they came
            from; generalized ones are text.
        force : bool
            Whether an earlier release in the folder may be replaced (nothing else is).
        provenance : bool
            Whether to add ``provenance.json`` with settings and seeds. It is private.
        spreadsheet_safe : bool
            Whether to quote text that a spreadsheet would run as a formula.
        papers : mapping of str to str, optional
            Further files to hand out with it, by their path in the folder.
        private : mapping of str to str, optional
            Further files that are not handed out: only their owner can read them, the manifest
            does not name them, and ``provenance.json`` does.
        ledger : {"refuse", "warn", "off"}, optional
            What the ledger of this house (`SHOAL_HOME`) does if it gives away too much together
            with earlier releases, or "off" to go unrecorded. If not given, it is as the plan
            says, or `ledger_mode` chooses, and what is found is told as a `LedgerWarning`; else in
            `Written.ledger`.
        draft : bool
            Whether this is only to be looked at: it is stamped so and stays out of the ledger.
        language : {"en", "de"}, optional
            What the report speaks, if not as the plan says; English where nobody says. The data and
            the manifest are the same in any.
        progress : Progress
            Whom to tell.

        Returns
        -------
        Written

        Raises
        ------
        ReleaseRefusedError
            If a privacy model does not hold, before writing or on the written file, or if the
            ledger refuses.
        OutputError
            If the folder cannot be written. In both cases nothing is left behind.
        """
        release = self._made_safe() if spreadsheet_safe else self
        pending, mode = release._pending(format, Path(folder), provenance, draft, ledger, progress)
        pending = replace(
            pending,
            papers={**pending.papers, **(papers or {})},
            private=private or {},
            language=language or self.language,
        )
        written = write_release(pending, folder, mode=mode, force=force, progress=progress)
        if ledger is None:
            announce(written.ledger)
        return written

    def write_back(
        self,
        address: str,
        into: str,
        *,
        papers: str | PathLike[str] | None = None,
        force: bool = False,
        provenance: bool = False,
        ledger: Mode | None = None,
        draft: bool = False,
        language: str | None = None,
        progress: Progress = SILENT,
    ) -> Written:
        """Write the rows into a new table of a database, whole or not at all.

        They are copied into a staging table of one transaction, counted there by the database's
        own SQL, compared with what was recounted from a file, and only then renamed.

        Parameters
        ----------
        address : str
            ``postgresql://host/db``, ``sqlite:///file.db`` or ``duckdb:///file.duckdb``; no
            password stands in it.
        into : str
            The table: ``patients_k10`` or ``release.patients_k10``. One that is there is refused,
            unless it is an earlier release and ``force`` is given; it stays until the new holds.
        papers : path, optional
            Folder for manifest, report and verifier; named after the table, where you are.
        force, provenance, ledger, draft, language, progress
            As for `write`.

        Raises
        ------
        ReleaseRefusedError
            If a privacy model does not hold, or the database counts something else.
        OutputError
            If the table cannot be written. In both cases there is no table.
        """
        from shoal.release._write_back import write_back
        from shoal.release.targets import open_target

        target = open_target(address, into)
        if self.summary.network is not None:
            raise InvalidParameterError(
                "A network goes into files, not into a table.", hint="Name a folder: -o release/"
            )
        folder = Path(target.table if papers is None else papers)
        frame = self._coded_for("parquet").frame
        pending, mode = self._pending("parquet", folder, provenance, draft, ledger, progress)
        pending = replace(pending, language=language or self.language)
        how: dict[str, Any] = {"mode": mode, "force": force, "progress": progress}
        written = write_back(pending, frame, target, folder, **how)
        if ledger is None:
            announce(written.ledger)
        return written

    def _pending(
        self,
        format: str | None,
        folder: Path,
        provenance: bool,
        draft: bool,
        ledger: Mode | None,
        progress: Progress,
    ) -> tuple[Draft, Mode]:
        """Make ready to be written, and choose what the ledger does; refuse what does not hold."""
        mode = "off" if draft else ledger_mode(ledger or self.ledger, self.summary.preset)
        if mode == "off" and not draft and self.lineage is not None and self.lineage.enter:
            raise InvalidParameterError(
                "A later delivery must be entered into the ledger: the next one needs it.",
                hint="Leave out --ledger off, or write a draft (--draft).",
            )
        table = None if self.lineage is None else self.lineage.table
        form = format or ("csv" if table is None else table.origin.format)
        if form not in FORMATS:
            raise InvalidParameterError(f"A release is written as {listing(FORMATS)}.")
        if not self.verdict.holds:
            failing = "; ".join(str(r) for r in self.verdict.results if not r.holds)
            raise ReleaseRefusedError(f"Not released: {failing}.", hint=_hint(self.verdict))
        summary = as_draft(self.summary) if draft else self.summary
        plain = form in PLAIN_FORMATS
        frame = self.coded if form == "csv" else self._coded_for(form)
        pending = Draft(
            file=f"data.{form if plain else 'csv'}",
            write=(
                (lambda path: write_data(path, frame, progress))
                if plain
                else (lambda path: self._render(path, form, progress))
            ),
            recount=self._recount,
            summarize=lambda _: summary,
            enter=lambda mode, stage: self._enter(mode, stage, folder.name),
            papers=self.papers,
            proof=None if summary.network is None else network_faults,
            provenance=self.provenance if provenance else None,
            source=None if table is None else table.source,
            beside=() if plain else (f"data.{form}",),
        )
        return pending, mode

    def _render(self, path: Path, format: str, progress: Progress) -> None:
        """Write the rows in a format that few can read, beside the CSV that proves it."""
        from shoal.release.renderings import RENDERINGS, render
        from shoal.table.sources import Codebook

        write_data(path, self.coded, progress)
        known = None if self.lineage is None else self.lineage.table.origin.codebook
        render(RENDERINGS[format], path, self._coded_for(format).frame, known or Codebook())

    def _coded_for(self, format: str) -> CodedFrame:
        """Return the rows for a format: all but CSV have types, and what was left as it was too."""
        if format == "csv" or self.lineage is None:
            return self.coded
        general = {*(() if self.typed else self.summary.quasi_identifiers)}
        listed = {claim.column for claim in self.claims if not isinstance(claim.order, str)}
        ordered = {claim.column for claim in self.claims if claim.order} & listed  # as text
        names = [name for name in self.coded.columns if name not in general | ordered]
        return type_columns(self.coded, self.lineage.table.kinds, names)

    def _enter(self, mode: Mode, stage: Stage, folder: str) -> AbstractContextManager[Entered]:
        """Enter the release into the ledger around its writing."""
        if self.lineage is None:
            raise InvalidParameterError(
                "Nobody knows which table this release was made from.",
                hint="Write it unrecorded: ledger='off'.",
            )
        if self.lineage.enter is not None:
            return self.lineage.enter(mode, stage, folder)
        table, grouping = self.lineage.table, self.lineage.grouping
        enter = partial(
            Ledger.releasing,
            table=table,
            grouping=grouping,
            k=self.summary.k or 0,
            refuse=mode == "refuse",
            name=stage.release,
            stands=stage.stands,
            folder=folder,
            alignment=self.lineage.alignment,
            published=self.lineage.published,
        )
        return enter_ledger(mode, enter)

    def _made_safe(self) -> Release:
        """Give the same release with nothing in it that a spreadsheet would run."""
        safe = safe_texts
        claims = tuple(
            replace(
                claim,
                column=safe([claim.column])[0],
                order=claim.order if isinstance(claim.order, str) else tuple(safe(claim.order)),
            )
            for claim in self.claims
        )
        names = dict(zip(self.coded.columns, safe([*self.coded.columns]), strict=True))
        summary = rename_columns(self.summary, names)
        return replace(self, given=spreadsheet_safe(self.frame), claims=claims, summary=summary)

    def _recount(self, data: Path) -> Verification:
        """Hold the claims against the written file."""
        return verify(
            data,
            self.claims,
            quasi_identifiers=self.summary.quasi_identifiers,
            people=None if self.people is None else self.people.tolist(),
            scratch=data.parent,
        )


def _hint(verdict: Verdict) -> str:
    """What to do about the first model that fails; some know better than to ask for less."""
    failing = [result for result in verdict.results if not result.holds]
    return str(getattr(failing[0], "hint", ASK_FOR_LESS))
