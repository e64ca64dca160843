"""What a release may take the place of: an earlier one, as it was written, and nothing else."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from shoal.exceptions import OutputError
from shoal.release._files import describe, explained
from shoal.release._manifest import MANIFEST, PROVENANCE, read_manifest

#: What the ledger calls the release that is built in a folder, and the number of that folder.
STAGE = re.compile(r"\.shoal-([0-9a-f]{16})(?:-([0-9]+))?")
_MOST_NAMED = 5


def check_folder(
    folder: str | PathLike[str], *, force: bool = False, source: Path | None = None
) -> Path:
    """Refuse a folder that cannot take a release, before any work is done for it.

    Parameters
    ----------
    folder : path
        Where the release should go.
    force : bool
        Whether an earlier release may give way.
    source : Path, optional
        The file that the release is made from, which never gives way.

    Returns
    -------
    Path
        Where the folder really is.
    """
    with explained():
        target = Path(folder).resolve()
        if target.exists() and not target.is_dir():
            raise OutputError(
                f"{target.name!r} is a file, not a folder.", hint="Name a new folder."
            )
        if not target.parent.is_dir():
            raise OutputError(
                f"The folder that should hold {target.name!r} does not exist.",
                hint="Create it first.",
            )
        check_replaceable(target, force=force, source=source)
    return target


def check_replaceable(target: Path, *, force: bool, source: Path | None = None) -> None:
    """Refuse to replace anything but a release; it must be as it was written, and no more."""
    found = sorted(files_in(target))
    if not found:
        return
    if not force:
        raise not_empty(target)
    if source is not None and source.resolve().is_relative_to(target):
        raise OutputError(
            f"The input {source.name!r} lies in the folder {target.name!r} that would be replaced.",
            hint="Name a new folder.",
        )
    listed = listed_in(target)
    known = {MANIFEST, PROVENANCE, *listed} if listed else set()
    if strangers := [name for name in found if name not in known]:
        raise OutputError(
            f"The folder {target.name!r} holds what no release put there: {_named(strangers)}.",
            hint="Only an earlier release is replaced. Move it away or name a new folder.",
        )
    if changed := [name for name in found if name in listed and _is_other(target, name, listed)]:
        raise OutputError(
            f"In the folder {target.name!r} something was changed since the release:"
            f" {_named(changed)}.",
            hint="Only a release as it was written is replaced. Move it away or name a new folder.",
        )


def not_empty(target: Path) -> OutputError:
    """Give the error for a folder that holds something."""
    return OutputError(
        f"The folder {target.name!r} is not empty.",
        hint="Name a new folder, or replace an earlier release with force (--force).",
    )


def files_in(folder: Path) -> Iterator[str]:
    """Name the files in a folder and below it, and folders that hold none; not what is staged."""
    if not folder.is_dir():
        return
    for entry in os.scandir(folder):
        if STAGE.fullmatch(entry.name) and entry.is_dir(follow_symlinks=False):
            continue  # another writer is at work, or died there
        yield from _below(entry, entry.name)


def _below(entry: os.DirEntry[str], name: str) -> Iterator[str]:
    if entry.is_symlink():
        yield f"{name} (a link)"  # which no release holds, whatever its name
    elif not entry.is_dir():
        yield name
    else:
        inside = [*os.scandir(entry.path)]
        if not inside:
            yield f"{name}/"
        for below in inside:
            yield from _below(below, f"{name}/{below.name}")


def listed_in(folder: Path) -> Mapping[str, Any]:
    """Read which files the manifest in a folder names, and its provenance; none without one."""
    try:
        files: dict[str, Any] = read_manifest((folder / MANIFEST).read_text("utf-8"))["files"]
    except (OSError, ValueError):
        return {}
    return {**private_in(folder), **files}


def private_in(folder: Path) -> Mapping[str, Any]:
    """Read which files the provenance in a folder names: they are its maker's, and stay closed."""
    try:
        told = json.loads((folder / PROVENANCE).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    files = told.get("files") if isinstance(told, dict) else None
    return files if isinstance(files, dict) else {}


def _is_other(folder: Path, name: str, listed: Mapping[str, Any]) -> bool:
    told = listed[name]
    return not isinstance(told, Mapping) or told.get("sha256") != describe(folder / name)["sha256"]


def _named(files: Sequence[str]) -> str:
    """Name a few files.

    >>> _named(["a.txt", "b.txt"]), _named(["a", "b", "c", "d", "e", "f", "g"])
    ("'a.txt', 'b.txt'", "'a', 'b', 'c', 'd', 'e' and 2 more")
    """
    more = len(files) - _MOST_NAMED
    names = ", ".join(map(repr, files[:_MOST_NAMED]))
    return f"{names} and {more} more" if more > 0 else names
