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
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from shoal.exceptions import OutputError
from shoal.release._files import explained, write_text
from shoal.release._locks import NO_LOCKS, hold, is_old, let_go
from shoal.release._manifest import MANIFEST, PROVENANCE
from shoal.release._replacing import (
    STAGE,
    check_folder,
    check_replaceable,
    files_in,
    listed_in,
    not_empty,
)
from shoal.release._swap import exchange

_RETIRED = re.compile(r"(\.shoal-[0-9a-f]{16})\.was-(.+)", re.DOTALL)
_LEAVING, _WAS = ".leaving", ".was"  # in a temporary folder: what makes room, what made room
_ENTERED = ".entered"  # likewise: what the ledger calls a release that has no name yet


class Stage:
    """A temporary folder that can take the place of its target.

    ``cut_off`` names releases that dead writers had entered into the ledger and never placed.
    """

    def __init__(
        self,
        path: Path,
        target: Path,
        *,
        force: bool,
        source: Path | None,
        cut_off: Sequence[str] = (),
    ) -> None:
        self.path = path
        self.target = target
        self.cut_off = tuple(cut_off)
        self._force = force
        self._source = source
        self._inside = path.parent == target
        self._sign = None if self._inside else _identity(path)

    def remember(self, release: str) -> None:
        """Keep what the ledger calls the release, until it is about to get its name."""
        write_text(self.path / _ENTERED, release)

    def place(self) -> None:
        """Give the folder its name; from here on the release exists."""
        (self.path / _ENTERED).unlink(missing_ok=True)
        _open_up(self.path)
        if self._inside:
            self._sign = _identity(self.path / MANIFEST)
            _move_inside(self.path, self.target, self._check)
        elif not self._renamed():
            self._check()
            _replace(self.path, self.target)
        self._confirm()

    def stands(self) -> bool:
        """Tell whether the release has its name.

        This is asked of the disk: no flag could be set in the same step as the name.
        """
        mark = self.target / MANIFEST if self._inside else self.target
        return self._sign is not None and _identity(mark) == self._sign

    def _check(self) -> None:
        check_replaceable(self.target, force=self._force, source=self._source)

    def _renamed(self) -> bool:
        """Take a name that is free, or that of an empty folder; one that was taken stays so."""
        try:
            if os.name == "nt" and self.target.exists():
                self.target.rmdir()
            self.path.replace(self.target)
        except OSError as error:
            if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                raise
            if not self._force:  # somebody was faster
                raise not_empty(self.target) from None
            return False
        return True

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
def staged(target: Path, *, force: bool, source: Path | None = None) -> Iterator[Stage]:
    """Prepare a temporary folder for ``target``; gone at the end unless it was placed.

    Raises `OutputError` if the target cannot be written, is a file, or holds something; with
    ``force`` an earlier release gives way, and nothing else ever does (`check_replaceable`).
    """
    with explained():
        target = target.resolve()
        cut_off = [name for folder in (target.parent, target) for name in sweep(folder)]
        check_folder(target, force=force, source=source)
        path, lock = _new_folder(target if _must_stay(target) else target.parent)
        try:
            stage = Stage(path, target, force=force, source=source, cut_off=cut_off)
            yield stage
        except KeyboardInterrupt:
            if stage.stands():
                told = f"Stopped, but the release {target.name!r} had been written: it stands."
                raise KeyboardInterrupt(told) from None
            raise
        finally:
            shutil.rmtree(path, ignore_errors=True)
            let_go(lock)


def sweep(folder: Path) -> list[str]:
    """Remove what dead writers left; a release they had just moved away comes back.

    Returns what the ledger calls the releases that they had not placed.
    """
    cut_off: list[str] = []
    if not folder.is_dir():
        return cut_off
    for left in sorted(folder.glob(".shoal-*")):
        was = _RETIRED.fullmatch(left.name)
        if left.is_symlink() or not left.is_dir() or not (was or STAGE.fullmatch(left.name)):
            continue
        try:
            lock = hold(left)
        except OSError:  # it is alive, not ours, or already gone
            continue
        try:
            if lock != NO_LOCKS or is_old(left):
                cut_off += _entered(left)
                _clear(left, folder / was[2] if was else None)
        finally:
            let_go(lock)
    return cut_off


def _entered(left: Path) -> list[str]:
    try:
        return (left / _ENTERED).read_text("utf-8").split()
    except (OSError, UnicodeDecodeError):
        return []


def _clear(left: Path, was: Path | None) -> None:
    if was is not None and not was.exists():
        left.rename(was)
        return
    _move_back(left, left.parent)
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


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = os.lstat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


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
        lock = NO_LOCKS
        try:
            lock = hold(path)
            if path.exists():
                return path, lock
        except (BlockingIOError, FileNotFoundError):  # swept away by another writer: again
            continue
        except BaseException:
            let_go(lock)
            shutil.rmtree(path, ignore_errors=True)
            raise
        let_go(lock)


def _open_up(folder: Path) -> None:
    """Let others read what is public, as far as the user's umask allows; force names to disk."""
    mask = os.umask(0o077)
    os.umask(mask)
    for entry in folder.iterdir():
        if entry.is_dir():
            _open_up(entry)
        elif entry.name != PROVENANCE:
            entry.chmod(0o666 & ~mask)
    folder.chmod(0o777 & ~mask)
    sync_folder(folder)


def _replace(stage: Path, target: Path) -> None:
    """Put the new folder where the old one is; the old one ends up under the temporary name."""
    if exchange(stage, target):
        return
    lock = hold(target)  # so that nobody who sweeps takes it for left behind
    retired = stage.with_name(f"{stage.name}.was-{target.name}")
    try:
        target.rename(retired)
        stage.rename(target)
    except BaseException:
        if not target.exists():
            retired.rename(target)
        raise
    finally:
        let_go(lock)
    shutil.rmtree(retired, ignore_errors=True)


def _move_inside(stage: Path, target: Path, check: Callable[[], None]) -> None:
    """Move file by file where the folder itself must stay; the manifest comes last and tells."""
    new = sorted((entry.name for entry in stage.iterdir()), key=lambda name: name == MANIFEST)
    try:
        lock = hold(target)  # of two writers one comes first, and the other finds it there
    except BlockingIOError:
        raise not_empty(target) from None
    try:
        check()
        (stage / _LEAVING).mkdir()
        for name in sorted({name.split("/")[0] for name in files_in(target)}):
            (target / name).rename(stage / _LEAVING / name)
        (stage / _LEAVING).rename(stage / _WAS)
        for name in new:
            (stage / name).rename(target / name)
    except BaseException:
        _move_back(stage, target)
        raise
    finally:
        let_go(lock)


def _move_back(stage: Path, target: Path) -> None:
    """Undo a move that did not come to its end, which is the manifest."""
    if not (stage / MANIFEST).is_file():
        return
    if (stage / _WAS).is_dir():  # so what is there now is new
        for name in {PROVENANCE, *(name.split("/")[0] for name in listed_in(stage))}:
            if not (stage / name).exists() and (target / name).exists():
                (target / name).rename(stage / name)
    for away in (stage / _LEAVING, stage / _WAS):
        for entry in [*away.iterdir()] if away.is_dir() else ():
            entry.rename(target / entry.name)
