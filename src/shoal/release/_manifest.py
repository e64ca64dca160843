"""manifest.json: what holds and for which columns; nothing about any person, no cell value.

Every number in it can be recomputed from the data file and the public hierarchies, or is rough
(`shoal.report.Summary`); what was measured on rows that are left out stays out (decision 25).

It also names the files of a release, and so decides what a later one may take the place of: an
earlier release, as it was written, and nothing else.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from shoal._words import plain
from shoal.exceptions import InvalidParameterError, OutputError
from shoal.release._files import describe, explained
from shoal.report import Summary

#: How the data of a release may be written.
FORMATS = ("csv", "parquet", "arrow", "ndjson", "xlsx", "sav", "dta", "xpt")
PLAIN_FORMATS = ("csv", "parquet")  # all others are written beside the CSV that proves them
DATA_FILES = ("data.csv", "data.parquet")
MANIFEST, REPORT, SCRIPT, PROVENANCE = (
    "manifest.json",
    "report.html",
    "verify.py",
    "provenance.json",
)
RELEASE_FILES = (*DATA_FILES, MANIFEST, REPORT, SCRIPT, PROVENANCE)

_MANIFEST_FORMAT = 1

#: What each key says, for the reference; in the order in which they stand.
MANIFEST_KEYS = {
    "shoal": "The version that made the release.",
    "format": "The version of this list of keys.",
    "file": "The data: a file, or the folder of its parts.",
    "rows": "Released rows.",
    "groups": "Crowds: rows that are equal on every quasi-identifier.",
    "suppressed": "Rows left out, as a coarse step.",
    "counts": "Whether k counts `rows` or `people`.",
    "holds": "Each model asked for, and what was recounted from the written file; `recounted` is "
    "null where the file alone cannot prove it.",
    "quasi_identifiers": "The columns on which crowds are counted.",
    "columns": "Published columns with their role.",
    "columns_dropped": "How many columns were left out.",
    "ngil": "Lost detail, 0 to 1, unweighted.",
    "ngil_bound": "What no grouping could have undercut, two digits.",
    "formed_loss": "The loss by which crowds were formed, where it is another.",
    "formed_loss_bound": "Its bound.",
    "loss_by_attribute": "Lost detail of each quasi-identifier.",
    "loss_measured_by": "How that was measured: `width`, `height`, `leaves` or `people`.",
    "relinkage": "Of moved values: how often an attacker finds a person again.",
    "singling_out": "The share of people unique on all that is published, and by which columns.",
    "network": "Of a network: how many edges, and what was masked.",
    "since_earlier": "Of a later delivery: who stayed, came and left, as coarse steps.",
    "method": "How crowds were formed.",
    "preset": "The audience that was named, or null.",
    "draft": "Whether it is only to be looked at.",
    "pseudonyms": "Columns published under other names, and how far these join.",
    "shifted_dates": "Columns of shifted dates, and what the shift kept.",
    "stamps": "Warnings that travel with the release.",
    "not_promised": "What this release does not promise, in sentences.",
    "files": "Size and SHA-256 of every other file of the release.",
}


def build_manifest(
    summary: Summary,
    outcomes: Sequence[Mapping[str, Any]] = (),
    *,
    file: str = "",
    files: Mapping[str, Mapping[str, int | str]] | None = None,
) -> dict[str, Any]:
    """Say in public what a release is.

    Parameters
    ----------
    summary : Summary
        The numbers of the release.
    outcomes : sequence of mapping
        What was recounted from the written file (`Outcome.to_dict`).
    file, files
        The data file, and size and SHA-256 of each file.
    """
    names = ("ngil", "ngil_bound", "formed_loss", "formed_loss_bound")
    losses = [name for name in names if name in summary.utility]
    relinkage = {name: v for name, v in summary.risk.items() if name.startswith("relink")}
    named = [{"column": name, **told} for name, told in summary.pseudonyms.items()]
    models: dict[str, dict[str, Any]] = {  # of one that the file cannot prove only that it holds
        model.name: {
            "model": model.name,
            "measure": None,
            "asked": plain(model.asked),
            "measured": None,
            "recounted": None,
            "holds": model.holds,
        }
        for model in summary.models
    }
    return {
        "shoal": summary.version,
        "format": _MANIFEST_FORMAT,
        "file": file,
        "rows": summary.rows,
        "groups": summary.group_sizes.groups,
        "suppressed": summary.suppressed,
        "counts": "people" if summary.people else "rows",
        "holds": [*(models | {str(o["model"]): dict(o) for o in outcomes}).values()],
        "quasi_identifiers": list(summary.quasi_identifiers),
        "columns": [{"name": name, "role": role} for name, role in summary.columns.items()],
        "columns_dropped": summary.columns_dropped,
        **{name: summary.utility[name] for name in losses},
        "loss_by_attribute": {a.name: a.loss for a in summary.attributes},
        "loss_measured_by": {a.name: a.measured_by for a in summary.attributes},
        **({"relinkage": relinkage} if relinkage else {}),
        **_singling(summary),
        **({} if summary.network is None else {"network": dict(summary.network.facts)}),
        **({"since_earlier": summary.growth.to_dict()} if summary.growth else {}),
        "method": summary.method,
        "preset": summary.preset,
        "draft": summary.draft,
        **({"pseudonyms": named} if named else {}),
        **({"shifted_dates": dict(summary.shifted)} if summary.shifted else {}),
        "stamps": list(summary.stamps),
        "not_promised": [f"{limit.title}: {limit.meaning}" for limit in summary.not_promised],
        "files": {name: dict(facts) for name, facts in (files or {}).items()},
    }


def _singling(summary: Summary) -> dict[str, Any]:
    """Say who is alone on all that is published, and what was accepted by name."""
    found = summary.singling
    if found is None:
        return {}
    return {
        "singling_out": {
            "share_unique": found.unique,
            "share_unique_plain": found.plain,
            "columns": dict(found.columns),
            "accepted": list(found.accepted),
            "open": list(found.open),
            "twins": [{"telling": telling, "told": told} for telling, told in found.twins],
            "sets": [{"columns": [*names], "share": share} for names, share in found.sets],
            "helps_most": None if found.helps_most is None else found.helps_most[0],
            **({"in_steps_of": found.step} if found.step > 1 else {}),
        }
    }


def to_json(data: Mapping[str, Any]) -> str:
    """Write as indented JSON, the same bytes everywhere."""
    text = json.dumps(plain(data), indent=2, ensure_ascii=False, default=str)
    return text + "\n"


def read_manifest(text: str) -> dict[str, Any]:
    """Read the manifest of a release; `ValueError` if it is something else.

    >>> sorted(read_manifest('{"shoal": "0.1.0", "files": {}}'))
    ['files', 'shoal']
    """
    data = json.loads(text)
    if not isinstance(data, dict) or "shoal" not in data or not isinstance(data.get("files"), dict):
        raise ValueError("not the manifest of a release")
    return data


#: What the ledger calls the release that is built in a folder, and the number of that folder.
STAGE = re.compile(r"\.shoal-([0-9a-f]{16})(?:-([0-9]+))?")
_MOST_NAMED = 5


def check_folder(
    folder: str | PathLike[str] | None, *, force: bool = False, source: Path | None = None
) -> Path:
    """Refuse a folder that cannot take a release, before any work is done for it.

    Parameters
    ----------
    folder : path
        Where the release should go; if nobody said, that is asked.
    force : bool
        Whether an earlier release may give way.
    source : Path, optional
        The file that the release is made from, which never gives way.

    Returns
    -------
    Path
        Where the folder really is.
    """
    if folder is None:
        raise InvalidParameterError(
            "Where should the release go?", hint="Name a new folder: -o release/"
        )
    with explained():
        try:
            target = Path(folder).resolve()
            is_there = target.exists()
        except (OSError, ValueError):  # too long, or with a character that no name may have
            raise OutputError("No folder can have this name.", hint="Name a shorter one.") from None
        if is_there and not target.is_dir():
            raise OutputError(
                f"{target.name!r} is a file, not a folder.", hint="Name a new folder."
            )
        if not target.parent.is_dir():
            raise OutputError(
                f"The folder that should hold {target.name!r} does not exist.",
                hint="Create it first.",
            )
        if not any(os.access(place, os.W_OK) for place in (target, target.parent)):
            raise OutputError(f"There is no permission to write {target.name!r}.")
        if is_there:
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
