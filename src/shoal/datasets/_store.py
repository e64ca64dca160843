"""Where public files are: found on this machine or downloaded, and always checked."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from urllib.request import urlopen

from platformdirs import user_cache_path

from shoal.exceptions import MissingDataError

_TIMEOUT_SECONDS = 30


@dataclass(frozen=True)
class PublicFile:
    """A file of a public data set: where it lies below a data folder, and what it must hold."""

    path: str
    sha256: str
    url: str | None = None


def fetch(file: PublicFile) -> Path:
    """Find a file on this machine, or download it; what is returned has the pinned checksum."""
    found = find(file)
    if found is None:
        return _download(file)
    _check(found.read_bytes(), file)
    return found


def find(file: PublicFile) -> Path | None:
    """Find a file on this machine, without checking it.

    >>> find(PublicFile("nowhere/nothing.csv", sha256="")) is None
    True
    """
    places = (folder / file.path for folder in data_folders())
    return next((place for place in places if place.is_file()), None)


def data_folders() -> Iterator[Path]:
    """List the folders to look in, first the one the user names."""
    if named := os.environ.get("SHOAL_DATA"):
        yield Path(named)
    above = (Path.cwd(), *Path.cwd().parents, *Path(__file__).parents)
    yield from (folder / "shared" / "data" for folder in above)
    yield cache_folder()


def cache_folder() -> Path:
    """Name the folder downloads are kept in: ``SHOAL_HOME``, or the platform's cache folder."""
    if home := os.environ.get("SHOAL_HOME"):
        return Path(home) / "datasets"
    return user_cache_path("shoal", appauthor=False) / "datasets"


def _download(file: PublicFile) -> Path:
    if file.url is None:
        raise _missing(file, "is not on this machine")
    try:
        with urlopen(file.url, timeout=_TIMEOUT_SECONDS) as answer:
            content = answer.read()
        _check(content, file)
        return _keep(content, cache_folder() / file.path)
    except (OSError, HTTPException) as error:
        raise _missing(file, "is not on this machine and could not be downloaded") from error


def _keep(content: bytes, path: Path) -> Path:
    """Write to a temporary name first: a download cut short is never taken for the file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, partial = tempfile.mkstemp(dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
        Path(partial).replace(path)
    finally:
        Path(partial).unlink(missing_ok=True)
    return path


def _check(content: bytes, file: PublicFile) -> None:
    if hashlib.sha256(content).hexdigest() != file.sha256:
        raise MissingDataError(
            f"The file {file.path!r} is not the published one: its checksum differs.",
            hint="Remove it, or put an unchanged copy in its place.",
        )


def _missing(file: PublicFile, what: str) -> MissingDataError:
    source = f", from {file.url}" if file.url else ""
    return MissingDataError(
        f"The file {file.path!r} {what}.",
        hint=f"Set SHOAL_DATA to a folder that holds it{source}.",
    )
