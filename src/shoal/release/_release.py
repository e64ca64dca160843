"""The release: what was made, and the only way out of the house."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any, Literal

import polars as pl

from shoal._progress import SILENT, Progress
from shoal.exceptions import InputError, InvalidParameterError, ReleaseRefusedError
from shoal.ledger import (
    NOT_ASKED,
    Entered,
    Mode,
    announce,
    entered,
    ledger_mode,
)
from shoal.privacy import Verdict
from shoal.release._files import describe, write_data, write_text
from shoal.release._frames import forgetful, safe_texts, sort_by_content, spreadsheet_safe
from shoal.release._manifest import (
    MANIFEST,
    PROVENANCE,
    REPORT,
    SCRIPT,
    build_manifest,
    to_json,
)
from shoal.release._staging import staged
from shoal.report import Summary, rename_columns, render_html
from shoal.table import Grouping, Table
from shoal.typing import IntArray
from shoal.verifier import Claim, Verification, script_source, verify


@dataclass(frozen=True, eq=False)
class Lineage:
    """The table that a release was made from, and who looks alike in what is published."""

    table: Table = field(repr=False)
    grouping: Grouping = field(repr=False)


@dataclass(frozen=True)
class Written:
    """A release on disk: where, what was recounted, its manifest, and what the ledger said."""

    folder: Path
    verification: Verification
    manifest: Mapping[str, Any]
    ledger: Entered = NOT_ASKED


@dataclass(frozen=True, eq=False)
class Release:
    """What the anonymizer made: data, verdict and summary, ready to be written.

    Parameters
    ----------
    frame : polars.DataFrame
        The released columns. Rows are sorted by content here, so that their order says nothing;
        categories become text.
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
        Settings, weights and seeds: private, written only where asked.
    lineage : Lineage, optional
        The table it was made from and who was grouped with whom, for the ledger.
    ledger : {"refuse", "warn", "off"}, optional
        What the plan says of the ledger; `write` may say something else.
    """

    frame: pl.DataFrame
    verdict: Verdict
    summary: Summary
    claims: tuple[Claim, ...] = ()
    give_back: Callable[[pl.DataFrame], Any] = field(default=lambda frame: frame, repr=False)
    people: IntArray | None = field(default=None, repr=False)
    typed: bool = False
    provenance: Mapping[str, Any] = field(default_factory=dict, repr=False)
    lineage: Lineage | None = field(default=None, repr=False)
    ledger: Mode | None = None

    def __post_init__(self) -> None:
        if self.frame.height != self.summary.rows:
            raise InvalidParameterError(
                f"{self.frame.height} rows to release, {self.summary.rows} in the summary."
            )
        if (self.people is not None) != self.summary.people:
            raise InvalidParameterError("People must be given where k counts people, only there.")
        plain = forgetful(self.frame, () if self.typed else self.summary.quasi_identifiers)
        frame, people = sort_by_content(plain, self.people)
        object.__setattr__(self, "frame", frame)
        object.__setattr__(self, "people", people)
        object.__setattr__(self, "claims", _complete(self.claims, self.summary))

    def __repr__(self) -> str:  # the default would show cells
        return f"Release({self.summary.rows:,} rows: {self.verdict})"

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
        format: Literal["csv", "parquet"] = "csv",
        force: bool = False,
        provenance: bool = False,
        spreadsheet_safe: bool = False,
        ledger: Mode | None = None,
        progress: Progress = SILENT,
    ) -> Written:
        """Write data, manifest, report and ``verify.py`` into a folder, whole or not at all.

        Parameters
        ----------
        folder : path
            A new or empty folder; the folder that should hold it must exist.
        format : {"csv", "parquet"}
            Format of the data.
        force : bool
            Whether an earlier release in the folder may be replaced (nothing else is).
        provenance : bool
            Whether to add ``provenance.json`` with settings and seeds. It is private.
        spreadsheet_safe : bool
            Whether to quote text that a spreadsheet would run as a formula.
        ledger : {"refuse", "warn", "off"}, optional
            What the ledger of this house (`SHOAL_HOME`) does if it gives away too much together
            with earlier releases, or "off" to go unrecorded. If not given, it is as the plan
            says, or `ledger_mode` chooses, and what is found is told as a `LedgerWarning`; else in
            `Written.ledger`.
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
        if format not in ("csv", "parquet"):
            raise InvalidParameterError("A release is written as 'csv' or 'parquet'.")
        if not self.verdict.holds:
            verdict = str(self.verdict).replace("\n", "; ")
            raise ReleaseRefusedError(f"Not released: {verdict}.", hint=_hint(self.verdict))
        release = self._made_safe() if spreadsheet_safe else self
        mode = ledger_mode(ledger or self.ledger, self.summary.preset)
        with self._entered(mode) as entry, staged(Path(folder), force=force) as stage:
            data = stage.path / f"data.{format}"
            write_data(data, release.frame, progress)
            progress.phase("verifying")
            verification = release._verified(data)
            manifest = release._write_papers(data, verification)
            if provenance:
                write_text(stage.path / PROVENANCE, to_json(dict(self.provenance)))
            stage.place()
        announce(entry, ledger)
        return Written(stage.target, verification, manifest, entry)

    def _entered(self, mode: Mode) -> AbstractContextManager[Entered]:
        """Enter the release into the ledger around its writing, unless it is off."""
        if mode == "off":
            return nullcontext(NOT_ASKED)
        if self.lineage is None:
            raise InvalidParameterError(
                "Nobody knows which table this release was made from.",
                hint="Write it unrecorded: ledger='off'.",
            )
        return entered(self.lineage.table, self.lineage.grouping, k=self.summary.k, mode=mode)

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
        names = dict(zip(self.frame.columns, safe(self.frame.columns), strict=True))
        summary = rename_columns(self.summary, names)
        return replace(self, frame=spreadsheet_safe(self.frame), claims=claims, summary=summary)

    def _verified(self, data: Path) -> Verification:
        """Recount the written file; refuse unless every claim holds on it."""
        try:
            verification = verify(
                data,
                self.claims,
                quasi_identifiers=self.summary.quasi_identifiers,
                people=None if self.people is None else self.people.tolist(),
                scratch=data.parent,
            )
        except InputError as error:
            raise ReleaseRefusedError(
                f"Not released: the written file cannot be counted again. {error}"
            ) from None
        if not verification.holds:
            raise ReleaseRefusedError(f"Not released. {verification}", hint=_ASK_FOR_LESS)
        return verification

    def _write_papers(self, data: Path, verification: Verification) -> dict[str, Any]:
        """Write report, script and manifest beside the data; the manifest knows all others."""
        folder = data.parent
        outcomes = [o.to_dict() for o in verification.outcomes if o.claim.name != "rows"]
        write_text(folder / REPORT, render_html(self.summary, outcomes))
        write_text(folder / SCRIPT, script_source())
        files = {name: describe(folder / name) for name in (data.name, REPORT, SCRIPT)}
        manifest = build_manifest(self.summary, outcomes, file=data.name, files=files)
        write_text(folder / MANIFEST, to_json(manifest))
        return manifest


_ASK_FOR_LESS = "Ask for less (a smaller k or l), allow suppression, or name fewer columns."


def _hint(verdict: Verdict) -> str:
    """What to do about the first model that fails; some know better than to ask for less."""
    failing = [result for result in verdict.results if not result.holds]
    return str(getattr(failing[0], "hint", _ASK_FOR_LESS))


def _complete(claims: tuple[Claim, ...], summary: Summary) -> tuple[Claim, ...]:
    """Add the claims that nobody can leave out: the rows, and the k of the summary."""
    needed = [Claim("rows", summary.rows)]
    if summary.k is not None and all(c.name != "k" or c.bound < summary.k for c in claims):
        needed.append(Claim("k", summary.k, label=f"{summary.k}-anonymity"))
    return (*needed, *(claim for claim in claims if claim.name != "rows"))
