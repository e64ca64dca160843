"""The one way out of the house: staged, recounted, sealed, entered in the ledger, swapped."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from time import perf_counter
from typing import Any

from shoal._progress import SILENT, Progress
from shoal.exceptions import InputError, InvalidParameterError, ReleaseRefusedError
from shoal.ledger import NOT_ASKED, Entered, Mode
from shoal.release._files import describe, number_parts, write_text
from shoal.release._manifest import (
    MANIFEST,
    PROVENANCE,
    RELEASE_FILES,
    REPORT,
    SCRIPT,
    build_manifest,
    to_json,
)
from shoal.release._staging import Enter, staged
from shoal.report import Summary, render_html
from shoal.verifier import Verification, script_source

_PAPER = re.compile(r"[a-z]+\.[a-z]+|hierarchies/[^/\\:]+\.csv")  # as verify.py expects
ASK_FOR_LESS = "Ask for less (a smaller k or l), allow suppression, or name fewer columns."


@dataclass(frozen=True, eq=False)
class Draft:
    """A release about to be written: its data, who counts it again, and what goes with it.

    Parameters
    ----------
    file : str
        Name of the data: ``data.csv``, ``data.parquet``, or ``data`` for a folder of parts.
    write : callable
        Writes the data to the path it is given.
    recount : callable
        Reads them back from there and holds the claims against them.
    summarize : callable
        Sums up the release, once it was counted.
    enter : callable
        Enters it into the ledger around its writing.
    papers : mapping of str to str
        Further public files, by their path in the folder; the manifest names them.
    private : mapping of str to str
        Further files for whoever made the release; ``provenance.json`` names them, nothing else.
    provenance : mapping, optional
        Settings to add as ``provenance.json``, which is private.
    source : Path, optional
        The file it was made from, which it never replaces.
    beside : tuple of str
        Further files with the same rows that ``write`` leaves beside the data.
    language : {"en", "de"}, optional
        What the report speaks.
    proof : callable, optional
        Reads the whole folder once more and says what is wrong in it; nothing, or it is refused.
    """

    file: str
    write: Callable[[Path], None]
    recount: Callable[[Path], Verification]
    summarize: Callable[[Verification], Summary]
    enter: Enter
    papers: Mapping[str, str] = field(default_factory=dict)
    provenance: Mapping[str, Any] | None = None
    source: Path | None = None
    beside: tuple[str, ...] = ()
    proof: Callable[[Path], Sequence[str]] | None = None
    private: Mapping[str, str] = field(default_factory=dict)
    language: str | None = None

    def __post_init__(self) -> None:
        for name in (*self.papers, *self.private):
            if name in RELEASE_FILES or not _PAPER.fullmatch(name):
                raise InvalidParameterError(f"No paper of a release can be called {name!r}.")


@dataclass(frozen=True)
class Written:
    """A release on disk: where, what was recounted, its papers, and what the ledger said."""

    folder: Path
    verification: Verification
    manifest: Mapping[str, Any]
    summary: Summary = field(repr=False)
    ledger: Entered = NOT_ASKED
    seconds: float = 0.0  # that recounting took
    table: Mapping[str, Any] = field(default_factory=dict)  # in a database, and what it counted
    files: Sequence[str] = ()  # the public ones


def write_release(
    draft: Draft,
    folder: str | PathLike[str],
    *,
    mode: Mode,
    force: bool = False,
    progress: Progress = SILENT,
) -> Written:
    """Put a release into a folder, whole or not at all.

    From the moment the folder has its name the release counts as released, whatever fails then.
    What an earlier writer began here and was killed over does not count any longer.

    Raises
    ------
    ReleaseRefusedError
        If a privacy model does not hold on what was written, or if the ledger refuses.
    OutputError
        If the folder cannot be written.
    """
    with staged(
        Path(folder), force=force, source=draft.source, enter=draft.enter, mode=mode
    ) as stage:
        data = stage.path / draft.file
        draft.write(data)
        names = number_parts(data) if data.is_dir() else [data.name, *draft.beside]
        progress.phase("verifying")
        began = perf_counter()
        verification = recounted(draft, data)
        spent = perf_counter() - began
        summary = draft.summarize(verification)
        manifest = write_papers(draft, stage.path, names, verification, summary)
        if draft.proof is not None and (faults := draft.proof(stage.path)):
            raise ReleaseRefusedError(f"Not released: {faults[0]}")
        progress.phase("naming")
        stage.place()
    files = sorted([*manifest["files"], MANIFEST])
    return Written(stage.target, verification, manifest, summary, stage.entry, spent, files=files)


def recounted(draft: Draft, data: Path) -> Verification:
    """Recount what was written; refuse unless every claim holds on it."""
    try:
        verification = draft.recount(data)
    except InputError as error:
        raise ReleaseRefusedError(
            f"Not released: the written file cannot be counted again. {error}"
        ) from None
    if not verification.holds:
        raise ReleaseRefusedError(f"Not released. {verification}", hint=ASK_FOR_LESS)
    return verification


def write_papers(
    draft: Draft,
    folder: Path,
    data: list[str],
    verification: Verification,
    summary: Summary,
    table: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Write report, script, further papers and, last, the manifest that names them all."""
    outcomes = [o.to_dict() for o in verification.outcomes if o.claim.name != "rows"]
    script = script_source()
    report = render_html(summary, outcomes, language=draft.language)
    papers = {REPORT: report, SCRIPT: script, **draft.papers}
    for name, text in (papers | {**draft.private}).items():
        (folder / name).parent.mkdir(exist_ok=True)
        write_text(folder / name, text)
    files = {name: describe(folder / name) for name in (*data, *papers)}
    manifest = build_manifest(summary, outcomes, file=draft.file, files=files)
    if table is not None:
        manifest["table"] = dict(table)
    private = {"files": {name: describe(folder / name) for name in draft.private}}
    provenance = {**(draft.provenance or {}), **(private if draft.private else {})}
    if provenance:
        write_text(folder / PROVENANCE, to_json(provenance))
    write_text(folder / MANIFEST, to_json(manifest))
    return manifest
