"""Keys of projects: where they lie, how they come and go, and what is recorded of that.

A key is 32 random bytes in ``SHOAL_HOME/keys`` that nobody else on the machine can read, or comes
from the environment. It is never printed, logged or passed as an argument.
"""

from __future__ import annotations

import ctypes
import hmac
import os
import re
import secrets
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from os import PathLike
from pathlib import Path

from shoal._home import KEY_BYTES, home, private_folder, secret
from shoal.audit import Journal
from shoal.exceptions import InputError, InvalidParameterError, OutputError

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

DEFAULT = "default"
KEY_VARIABLE = "SHOAL_PROJECT_KEY"
KEY_FILE_VARIABLE = "SHOAL_PROJECT_KEY_FILE"
JOURNAL = "keys.journal"
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,60}")
_PREFIX = "project-"
_PR_SET_DUMPABLE = 4  # of <linux/prctl.h>


@dataclass(frozen=True)
class ProjectKey:
    """The key of a project, from which keys for each purpose are derived.

    >>> key = ProjectKey("trial", b"k" * 32)
    >>> key
    ProjectKey(project='trial')
    >>> key.derive("pseudonym", "patient") == key.derive("pseudonym", "doctor")
    False
    """

    project: str
    _key: bytes = field(repr=False)

    def __post_init__(self) -> None:
        _no_core_dumps()

    def derive(self, purpose: str, *parts: str) -> bytes:
        """Derive 32 bytes for a purpose: HMAC-SHA-256, separated by project and by every part."""
        framed = b"".join(_framed(part) for part in ("shoal 1", self.project, purpose, *parts))
        return hmac.digest(self._key, framed, sha256)

    @property
    def id(self) -> str:
        """A name of the key that tells nothing of it: equal for equal keys of one project."""
        return self.derive("id").hex()[:16]


@dataclass(frozen=True)
class KeptKey:
    """A project whose key lies here, or lay here."""

    project: str
    id: str
    status: str
    since: str


def project_key(project: str = DEFAULT) -> ProjectKey:
    """Find the key of a project: in the environment, else in ``SHOAL_HOME``.

    The project ``default`` draws its key at first use; every other one is made by `new_key`, so
    that a slip of the hand makes no new pseudonyms.

    >>> import tempfile
    >>> from unittest.mock import patch
    >>> with patch.dict("os.environ", SHOAL_HOME=tempfile.mkdtemp()):
    ...     project_key() == project_key()
    ...     project_key("trail")
    Traceback (most recent call last):
    shoal.exceptions.InvalidParameterError: There is no key for the project 'trail'.
    """
    _check_name(project)
    given = _from_environment()
    if given is not None:
        return ProjectKey(project, given)
    if _path(project).exists():
        return _kept(project)
    last = _last_entries().get(project)
    if last is not None:
        raise InvalidParameterError(
            f"The key of the project {project!r} was {last[0]} on {last[1][:10]}.",
            hint=f"A new one makes other pseudonyms: shoal keys new {project}",
        )
    if project != DEFAULT:
        raise InvalidParameterError(
            f"There is no key for the project {project!r}.",
            hint=f"Make it once: shoal keys new {project}",
        )
    return new_key(project)


def throwaway_key() -> ProjectKey:
    """Draw a key that nobody keeps: what it makes can be made again by nobody."""
    return ProjectKey("release", secrets.token_bytes(KEY_BYTES))


def new_key(project: str, source: str | PathLike[str] | None = None) -> ProjectKey:
    """Draw the key of a new project, or take it from a file that `export_key` wrote."""
    _check_name(project)
    path = _path(project)
    if path.exists():
        raise InvalidParameterError(
            f"The project {project!r} has a key already.",
            hint=f"Other pseudonyms from now on: shoal keys rotate {project}",
        )
    if source is None:
        secret(path.name)
    else:
        _write(path, _read_key(Path(source)))
    return _recorded("made", _kept(project))


def rotate_key(project: str) -> ProjectKey:
    """Replace the key: pseudonyms made from now on join nothing that was made before."""
    old = _must_be_here(project)
    _erase(_path(project))
    secret(_path(project).name)
    key = _kept(project)
    _recorded("rotated", key, before=old.id)
    return key


def destroy_key(project: str) -> None:
    """Remove the key for good: nobody can compute these pseudonyms again.

    That cuts the computed link. Whoever holds the source and a release may still match contents,
    and copies of the key (`export_key`, backups) are not reached.
    """
    key = _must_be_here(project)
    _recorded("destroyed", key)  # first the record: a key that is gone and not recorded is worse
    _erase(_path(project))


def export_key(project: str, path: str | PathLike[str]) -> None:
    """Write the key to a new file that only this user can read, as 64 hex digits."""
    key, path = _must_be_here(project), Path(path)
    _recorded("exported", key)
    _write(path, key._key.hex().encode() + b"\n")


def kept_keys() -> list[KeptKey]:
    """List the projects that have, or had, a key here."""
    told = _last_entries()
    folder = home() / "keys"
    here = {p.name.removeprefix(_PREFIX) for p in folder.glob(f"{_PREFIX}*")}
    found = [
        KeptKey(name, _kept(name).id, "here", told.get(name, ("", ""))[1]) for name in sorted(here)
    ]
    gone = sorted({*told} - here)
    return [*found, *(KeptKey(name, "", told[name][0], told[name][1]) for name in gone)]


def _check_name(project: str) -> None:
    if not _NAME.fullmatch(project):
        raise InvalidParameterError(
            "A project is named in small letters, digits and dashes.", hint="Such as: heart-study"
        )


def _path(project: str) -> Path:
    return private_folder(home() / "keys") / f"{_PREFIX}{project}"


def _kept(project: str) -> ProjectKey:
    return ProjectKey(project, secret(_path(project).name))


def _must_be_here(project: str) -> ProjectKey:
    _check_name(project)
    if not _path(project).exists():
        raise InvalidParameterError(
            f"No key of the project {project!r} lies here.", hint="See 'shoal keys list'."
        )
    return _kept(project)


def _from_environment() -> bytes | None:
    text, file = os.environ.get(KEY_VARIABLE), os.environ.get(KEY_FILE_VARIABLE)
    if text:
        return _parse(text.encode(), KEY_VARIABLE)
    return _read_key(Path(file)) if file else None


def _read_key(path: Path) -> bytes:
    try:
        content = path.read_bytes()
        mode = path.stat().st_mode
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "no file can have this name"
        raise InputError(f"The key file {path.name!r} cannot be read: {reason}.") from None
    if os.name == "posix" and mode & 0o077:
        raise InputError(
            f"The key file {path.name!r} is open to others on this machine.",
            hint="Let nobody else read it: chmod 600",
        )
    return content if len(content) == KEY_BYTES else _parse(content, path.name)


def _parse(text: bytes, where: str) -> bytes:
    with suppress(ValueError):
        key = bytes.fromhex(text.decode("ascii").strip())
        if len(key) == KEY_BYTES:
            return key
    raise InputError(f"There is no key in {where}: it is written as 64 hex digits.") from None


def _write(path: Path, content: bytes) -> None:
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
    except FileExistsError:
        raise OutputError(f"{path.name!r} is there already.", hint="Name a new file.") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "no file can have this name"
        raise OutputError(f"The key could not be written: {reason}.") from None


def _erase(path: Path) -> None:
    with path.open("r+b") as file:  # best effort: what a disk keeps of it is not in our hands
        file.write(secrets.token_bytes(KEY_BYTES))
        file.flush()
        os.fsync(file.fileno())
    path.unlink()


def _recorded(kind: str, key: ProjectKey, **more: str) -> ProjectKey:
    with Journal.open(home() / JOURNAL, secret("keys")) as journal:
        journal.append(kind, {"project": key.project, "key": key.id, **more})
    return key


def _last_entries() -> dict[str, tuple[str, str]]:
    """What was done last with each project's key, and when."""
    if not (home() / JOURNAL).exists():
        return {}
    with Journal.open(home() / JOURNAL, secret("keys")) as journal:
        return {str(e.body["project"]): (e.kind, e.time) for e in journal.entries()}


def _no_core_dumps() -> None:
    """A crash must not write the memory that holds a key to a disk.

    Where the system hands dumps to a program, a limit of 0 is not enough; Linux can be told that
    a process is not to be dumped at all, nor looked into by others.
    """
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
    if resource is not None:
        with suppress(OSError, ValueError):
            _, hard = resource.getrlimit(resource.RLIMIT_CORE)
            resource.setrlimit(resource.RLIMIT_CORE, (0, hard))


def _framed(part: str) -> bytes:
    piece = part.encode("utf-8", "surrogatepass")
    return len(piece).to_bytes(8, "little") + piece
