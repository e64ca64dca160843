"""Writing a dossier: evidence gathered, a document filled in, a file that appears whole."""

from __future__ import annotations

import os
from os import PathLike
from pathlib import Path
from typing import Any

from shoal.dossier._base import Dossier
from shoal.dossier._dpia import DataProtectionAnnex
from shoal.dossier._ema import EmaReport
from shoal.dossier._evidence import gather
from shoal.dossier._hipaa import HipaaAnnex
from shoal.dossier._ico import IntruderLog
from shoal.dossier._iso27559 import Iso27559Table
from shoal.dossier._rendering import to_html, to_markdown
from shoal.exceptions import InvalidParameterError, OutputError

DOSSIERS: dict[str, type[Dossier]] = {
    "ema": EmaReport,
    "hipaa": HipaaAnnex,
    "ico": IntruderLog,
    "iso27559": Iso27559Table,
    "dpia": DataProtectionAnnex,
}
RENDERINGS = {".html": to_html, ".md": to_markdown}


def write_dossier(
    release: str | PathLike[str],
    kind: str,
    target: str | PathLike[str],
    *,
    force: bool = False,
    **evidence: Any,
) -> Dossier:
    """Write a document about a release; ``.html`` to print, ``.md`` to edit.

    Parameters
    ----------
    release : path
        The folder of the release.
    kind : {"ema", "hipaa", "ico", "iso27559", "dpia"}
        Which document.
    target : path
        Where it goes; never into the release, whose files the manifest names.
    force : bool
        Whether a file that is there is replaced.
    evidence
        ``attacks``, ``journal``, ``key``, ``populations``, as `gather` takes them.
    """
    if kind not in DOSSIERS:
        raise InvalidParameterError(
            f"There is no dossier {kind!r}.", hint=f"There are {', '.join(DOSSIERS)}."
        )
    path = Path(os.path.abspath(target))
    render = RENDERINGS.get(path.suffix.lower())
    if render is None:
        raise InvalidParameterError(
            "A dossier is a page or a text.", hint="Name a file that ends in .html or .md."
        )
    if Path(os.path.abspath(release)) in path.parents:
        raise OutputError(
            "A dossier does not lie in the release that it speaks of.", hint="Name another folder."
        )
    if path.exists() and not force:
        raise OutputError(f"The file {path.name!r} is there.", hint="Replace it with --force.")
    dossier = DOSSIERS[kind](gather(release, **evidence))
    text = render(dossier)
    staged = path.with_name(f".{path.name}.new")
    try:
        staged.write_text(text, encoding="utf-8")
        staged.replace(path)
    except OSError as error:
        staged.unlink(missing_ok=True)
        raise OutputError(
            f"The file {path.name!r} could not be written ({error.strerror})."
        ) from None
    return dossier
