"""A folder appears whole or not at all.

A release is built in ``.shoal-<16 hex digits>`` beside its target, on the same disk and closed to
others, and takes the name of the target in one step. Whatever ends the process in between leaves
at most such a temporary folder, which the next writer sweeps away.
"""

from __future__ import annotations

import errno
import os
import re
import secrets
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from shoal.exceptions import OutputError
from shoal.release._locks import NO_LOCKS, hold, is_old, let_go
from shoal.release._manifest import (
    MANIFEST,
    PARTS,
    PROVENANCE,
    RELEASE_FILES,
    read_manifest,
)
from shoal.release._swap import exchange

_STAGE = re.compile(r"\.shoal-[0-9a-f]{16}")
_RETIRED = re.compile(r"(\.shoal-[0-9a-f]{16})\.was-(.+)", re.DOTALL)
_WHAT_WENT_WRONG = {
    errno.ENOSPC: "The disk is full.",
    errno.EDQUOT: "The disk quota is used up.",
    errno.EFBIG: "The file is larger than this system allows.",
    errno.EROFS: "The disk is read-only.",
    errno.EACCES: "There is no permission to write there.",
    errno.EPERM: "There is no permission to write there.",
    errno.ENAMETOOLONG: "The name of the folder is too long.",
    errno.EIO: "The disk failed.",
}


class Stage:
    """A temporary folder that can take the place of its target."""

    def __init__(self, path: Path, target: Path) -> None:
        self.path = path
        self.target = target

    def place(self) -> None:
        """Give the folder its name; from here on the release exists."""
        _open_up(self.path)
        sync_folder(self.path)
        if self.path.parent == self.target:
            _move_inside(self.path, self.target)
        elif self.target.is_dir() and any(self.target.iterdir()):
            _replace(self.path, self.target)
        else:
            if os.name == "nt" and self.target.exists():
                self.target.rmdir()
            self.path.replace(self.target)  # also takes the place of an empty folder
        self._confirm()

    def _confirm(self) -> None:
        try:
            sync_folder(self.target.parent)
        except PermissionError:  # a folder may be open to writers but not to readers
            return
        except OSError as error:
            raise OutputError(
                "The release is written, but the disk did not confirm its name.",
                hint="Run its verify.py, and look for a failing disk.",
            ) from error


@contextmanager
def staged(target: Path, *, force: bool) -> Iterator[Stage]:
    """Prepare a temporary folder for ``target``; gone at the end unless it was placed.

    Raises `OutputError` if the target cannot be written, is a file, or holds something; with
    ``force`` an earlier release gives way, and nothing else ever does.
    """
    with explained():
        target = target.resolve()
        _check_kind(target)
        for folder in (target.parent, target):
            sweep(folder)
        _check_empty(target, force=force)
        path, lock = _new_folder(target if _must_stay(target) else target.parent)
        try:
            yield Stage(path, target)
        finally:
            shutil.rmtree(path, ignore_errors=True)
            let_go(lock)


@contextmanager
def explained() -> Iterator[None]:
    """Turn what the system says about files into a sentence."""
    try:
        yield
    except OutputError:
        raise
    except OSError as error:
        known = _WHAT_WENT_WRONG.get(error.errno or 0)
        reason = known or f"The system said: {error.strerror or type(error).__name__}."
        raise OutputError(f"The release was not written. {reason}") from error


def sweep(folder: Path) -> None:
    """Remove what dead writers left; a release they had just moved away comes back."""
    if not folder.is_dir():
        return
    for left in sorted(folder.glob(".shoal-*")):
        was = _RETIRED.fullmatch(left.name)
        if left.is_symlink() or not left.is_dir() or not (was or _STAGE.fullmatch(left.name)):
            continue
        try:
            lock = hold(left)
        except OSError:  # it is alive, not ours, or already gone
            continue
        if lock != NO_LOCKS or is_old(left):
            _clear(left, folder / was[2] if was else None)
        let_go(lock)


def _clear(left: Path, was: Path | None) -> None:
    if was is not None and not was.exists():
        left.rename(was)
    else:
        shutil.rmtree(left, ignore_errors=True)


def sync_folder(folder: Path) -> None:
    """Force the names in a folder to disk."""
    if os.name == "nt":  # folders cannot be opened there
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _check_kind(target: Path) -> None:
    if target.exists() and not target.is_dir():
        raise OutputError(f"{target.name!r} is a file, not a folder.", hint="Name a new folder.")
    if not target.parent.is_dir():
        raise OutputError(
            f"The folder that should hold {target.name!r} does not exist.", hint="Create it first."
        )


def _check_empty(target: Path, *, force: bool) -> None:
    found = sorted(entry.name for entry in target.iterdir()) if target.is_dir() else []
    if not found:
        return
    if not force:
        raise OutputError(
            f"The folder {target.name!r} is not empty.",
            hint="Name a new folder, or replace an earlier release with force (--force).",
        )
    strangers = len(found) - len(_files_of_release(target).intersection(found))
    if strangers:
        raise OutputError(
            f"The folder {target.name!r} holds {strangers} files that are not from a release.",
            hint="Only an earlier release is replaced. Move the files away or name a new folder.",
        )


def _files_of_release(folder: Path) -> set[str]:
    """Name the files that a release put there; none without its manifest."""
    try:
        listed = read_manifest((folder / MANIFEST).read_text("utf-8"))["files"]
    except (OSError, ValueError):
        return set()
    ours = {MANIFEST, PROVENANCE, *listed}.intersection(RELEASE_FILES)
    found = {name for name in ours if (folder / name).is_file()}
    return found | ({PARTS} if _only_parts(folder / PARTS, listed) else set())


def _only_parts(folder: Path, listed: Iterable[str]) -> bool:
    """Tell whether a folder holds parts of a release, and nothing that it does not list."""
    if not folder.is_dir() or folder.is_symlink():
        return False
    inside = {f"{PARTS}/{entry.name}" for entry in folder.iterdir()}
    return bool(inside) and inside <= {*listed}


def _must_stay(target: Path) -> bool:
    """Tell whether a folder cannot be renamed: a mount point, where we are, a closed parent."""
    if not target.is_dir():
        return False
    here = Path.cwd() == target
    return here or target.is_mount() or not os.access(target.parent, os.W_OK)


def _new_folder(parent: Path) -> tuple[Path, int]:
    while True:
        path = parent / f".shoal-{secrets.token_hex(8)}"
        path.mkdir(mode=0o700)
        try:
            lock = hold(path)
        except (BlockingIOError, FileNotFoundError):  # swept away by another writer: again
            continue
        except OSError:
            path.rmdir()
            raise
        if path.exists():
            return path, lock
        let_go(lock)


def _open_up(folder: Path) -> None:
    """Let others read what is public, as far as the user's umask allows."""
    mask = os.umask(0o077)
    os.umask(mask)
    for entry in folder.iterdir():
        if entry.is_dir():
            _open_up(entry)
        elif entry.name != PROVENANCE:
            entry.chmod(0o666 & ~mask)
    folder.chmod(0o777 & ~mask)


def _replace(stage: Path, target: Path) -> None:
    """Put the new folder where the old one is; the old one ends up under the temporary name."""
    if exchange(stage, target):
        return
    lock = hold(target)  # so that nobody who sweeps takes it for left behind
    retired = stage.with_name(f"{stage.name}.was-{target.name}")
    target.rename(retired)
    try:
        stage.rename(target)
    except OSError:
        retired.rename(target)
        raise
    finally:
        let_go(lock)
    shutil.rmtree(retired, ignore_errors=True)


def _move_inside(stage: Path, target: Path) -> None:
    """Move file by file where the folder itself must stay; the manifest comes last and tells."""
    new = sorted((entry.name for entry in stage.iterdir()), key=lambda name: name == MANIFEST)
    (target / MANIFEST).unlink(missing_ok=True)
    for name in RELEASE_FILES:
        if name not in new:
            (target / name).unlink(missing_ok=True)
    shutil.rmtree(target / PARTS, ignore_errors=True)
    for name in new:
        (stage / name).replace(target / name)
