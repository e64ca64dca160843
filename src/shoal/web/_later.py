"""Later deliveries: an earlier release to follow, brought or made here, and what came of it."""

from __future__ import annotations

import io
import json
import os
import shutil
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from shoal._progress import Progress
from shoal.anonymizer import Anonymizer
from shoal.exceptions import InputError, InvalidParameterError
from shoal.growing import LaterDelivery
from shoal.plan import Plan
from shoal.web._plans import ELSEWHERE
from shoal.web._released import PUBLIC, Released
from shoal.web._table_store import PLAN
from shoal.web._upload_limits import UploadLimits, check_growth
from shoal.web._workspace import Workspace

EARLIER = "earlier"  # the release that is followed
FROM = "earlier.txt"  # what its owner calls it
COUNTS = ".counts.json"  # exact numbers of a later delivery, beside it: for its maker alone
CORRECTED = "corrected.txt"  # of whom something wrong was published; gone with the next delivery
LATER = "later"


@dataclass(frozen=True)
class EarlierChoice:
    """A release of another table of this visitor that can be followed."""

    id: str
    name: str
    rows: int
    folder: Path


def choices(space: Workspace) -> list[EarlierChoice]:
    """Releases of the same visitor that have left the house, newest first."""
    return sorted(_siblings(space), key=lambda one: -(one.folder / "release").stat().st_mtime)


def _siblings(space: Workspace) -> Iterator[EarlierChoice]:
    for folder in space.folder.parent.iterdir():
        found = Released.read(folder / "release") if folder != space.folder else None
        if found is not None and not found.draft and (folder / PLAN).is_file():
            path = folder / "name.txt"
            name = path.read_text("utf-8") if path.exists() else "table"
            yield EarlierChoice(folder.name, name, int(found.manifest["rows"]), folder)


def chosen(space: Workspace) -> str:
    """What the release that is followed is called; nothing if none was chosen."""
    path = space.folder / FROM
    return path.read_text("utf-8") if path.is_file() else ""


def choose(space: Workspace, id: str) -> None:
    """Follow the release of another table, and decide about columns as was decided then."""
    one = next((one for one in choices(space) if one.id == id), None)
    if one is None:
        raise InputError("There is no such release, or it has not left the house yet.")
    _decide_as_then(space, one.folder)
    files = {name: (one.folder / "release" / name).read_bytes() for name in PUBLIC}
    _keep(space, files, one.name)


def bring(space: Workspace, pack: bytes, limits: UploadLimits) -> None:
    """Follow a release that was fetched from here, or written by the command line: its zip."""
    try:
        with zipfile.ZipFile(io.BytesIO(pack)) as opened:
            found = {Path(info.filename).name: info for info in opened.infolist()}
            check_growth(sum(info.file_size for info in found.values()), len(pack), limits)
            files = {name: opened.read(found[name]) for name in PUBLIC if name in found}
    except UNREADABLE:
        raise InputError("This is no zip file that can be read.", hint=HOW) from None
    if not {"data.csv", "manifest.json"} <= files.keys():
        raise InputError("There is no release in this zip file.", hint=HOW)
    _keep(space, files, "a release that you brought")


#: Whatever a damaged zip file may be to its reader.
UNREADABLE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError)
HOW = "Bring release.zip as it was fetched, or the folder of a release as a zip."


def bring_corrected(space: Workspace, content: bytes) -> None:
    """Keep the names of people of whom something wrong was published, one a line."""
    try:
        lines = content.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        lines = []
    names = list(dict.fromkeys(line for line in lines if line))
    if not names:
        raise InputError(
            "This file names nobody.",
            hint="Write one name a line, as in the column that tells people apart.",
        )
    _write(space.folder / CORRECTED, "\n".join([*names, ""]).encode())


def to_correct(space: Workspace) -> int:
    """How many names were brought."""
    path = space.folder / CORRECTED
    return len(path.read_text("utf-8").splitlines()) if path.is_file() else 0


def take_back_corrected(space: Workspace) -> None:
    """Forget the names."""
    (space.folder / CORRECTED).unlink(missing_ok=True)


def work(space: Workspace, rules: dict[str, Any] | None = None) -> Callable[[Progress], Released]:
    """What a job does: deliver the table after the earlier release; it then lies ready."""
    if not chosen(space):
        raise InvalidParameterError("No earlier release was chosen.", hint="Choose one first.")
    made: list[LaterDelivery] = []
    wrong = space.folder / CORRECTED if to_correct(space) else None

    def follow(anonymizer: Anonymizer) -> LaterDelivery:
        told = {**(rules or {}), "corrected": wrong}
        made.append(LaterDelivery(anonymizer, space.folder / EARLIER, **told))
        return made[-1]

    def deliver(progress: Progress) -> Released:
        released = space.make_release(progress, follow)
        growth = made[-1].release_.summary.growth
        told = {"counts": made[-1].counts_, "growth": growth.to_dict() if growth else {}}
        _write(released.folder / COUNTS, json.dumps(told).encode())
        if wrong:
            take_back_corrected(space)  # of one delivery
        return released

    return deliver


def delivered(space: Workspace) -> dict[str, Any] | None:
    """Exact numbers of the later delivery that lies ready; None if none does."""
    path = space.folder / "release" / COUNTS
    if space.released is None or not path.is_file():
        return None
    told: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return told


def _keep(space: Workspace, files: dict[str, bytes], name: str) -> None:
    folder = space.folder / EARLIER
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700)
    for file, content in files.items():
        _write(folder / file, content)
    _write(space.folder / FROM, name.encode())


def _write(path: Path, content: bytes) -> None:
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(content)


def _decide_as_then(space: Workspace, folder: Path) -> None:
    """Take over roles, kinds, promises and trees of the table that the release was made from."""
    then = Plan.read(folder / PLAN)
    settings = {
        part.name: getattr(then, part.name) for part in fields(then) if part.name not in ELSEWHERE
    }
    settings["roles"] = then.roles.check(space.table.column_names)
    trees = {c: _copied(space, word) for c, word in then.hierarchies.items()}
    space.decide(**settings, hierarchies=trees)


def _copied(space: Workspace, word: str) -> str:
    """A tree of another table, in this one's folder; words stay words."""
    path = Path(word)
    if path.suffix.lower() not in (".csv", ".json") or not path.is_file():
        return word
    folder = space.folder / "hierarchies"
    folder.mkdir(mode=0o700, exist_ok=True)
    copy = folder / f"then-{path.name}"
    _write(copy, path.read_bytes())
    return str(copy)
