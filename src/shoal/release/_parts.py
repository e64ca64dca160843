"""A release whose data lies in parts: written and counted elsewhere, placed as any other."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from shoal._progress import SILENT, Progress
from shoal.exceptions import OutputError, ReleaseRefusedError
from shoal.release._files import describe, write_text
from shoal.release._manifest import (
    MANIFEST,
    PARTS,
    PROVENANCE,
    REPORT,
    build_manifest,
    to_json,
)
from shoal.release._release import Written
from shoal.release._staging import staged
from shoal.report import Summary, render_html
from shoal.verifier import Verification

_ASK_FOR_LESS = "Ask for less (a smaller k or l), allow suppression, or name fewer columns."


def write_parts(
    folder: str | PathLike[str],
    write: Callable[[Path], None],
    verify: Callable[[Path], Verification],
    summarize: Callable[[Verification], Summary],
    *,
    force: bool = False,
    provenance: Mapping[str, Any] | None = None,
    progress: Progress = SILENT,
) -> Written:
    """Place a release of many parts, whole or not at all.

    Parameters
    ----------
    folder : path
        A new or empty folder, or (with ``force``) one that holds an earlier release.
    write : callable
        Writes the parts into the folder it is given.
    verify : callable
        Reads them back and holds the claims against them.
    summarize : callable
        Sums up the release, once it was counted.
    provenance : mapping, optional
        Settings to add as ``provenance.json``, which is private.
    """
    with staged(Path(folder), force=force) as stage:
        parts = stage.path / PARTS
        progress.phase("writing")
        write(parts)
        named = _named_plainly(parts)
        progress.phase("verifying")
        verification = verify(parts)
        if not verification.holds:
            raise ReleaseRefusedError(f"Not released. {verification}", hint=_ASK_FOR_LESS)
        summary = summarize(verification)
        outcomes = [o.to_dict() for o in verification.outcomes if o.claim.name != "rows"]
        write_text(stage.path / REPORT, render_html(summary, outcomes))
        files = {name: describe(stage.path / name) for name in (*named, REPORT)}
        manifest = build_manifest(summary, outcomes, file=PARTS, files=files)
        write_text(stage.path / MANIFEST, to_json(manifest))
        if provenance is not None:
            write_text(stage.path / PROVENANCE, to_json(dict(provenance)))
        stage.place()
    return Written(stage.target, verification, manifest)


def _named_plainly(folder: Path) -> list[str]:
    """Number the parts, drop whatever lies beside them, and force them to disk."""
    parts = sorted(path for path in folder.iterdir() if path.name.startswith("part-"))
    if not parts:
        raise OutputError("No part of the release was written.")
    for path in folder.iterdir():
        if path not in parts:
            path.unlink()
    names = []
    for number, path in enumerate(parts):
        plain = path.with_name(f"part-{number:05d}{path.suffix}")
        path.rename(plain)
        with plain.open("rb") as file:
            os.fsync(file.fileno())
        names.append(f"{PARTS}/{plain.name}")
    return names
