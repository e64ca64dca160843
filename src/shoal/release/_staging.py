"""A folder appears whole or not at all.

A release is built in ``.shoal-<16 hex digits>-<number>`` beside its target, on the same disk and
closed to others, and takes the name of the target in one step. Whatever ends the process in between
leaves at most such a temporary folder, which the next writer sweeps away. The digits are what the
ledger calls the release, the number is the inode of the folder: at every moment from its first one
on it can be told by looking whether a release that the ledger knows ever got its name.
"""

from __future__ import annotations

import errno
import os
import re
import secrets
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from shoal.exceptions import OutputError
from shoal.ledger import NOT_ASKED, Entered, Mode, abandon
from shoal.release._files import explained
from shoal.release._manifest import (
    MANIFEST,
    PROVENANCE,
    STAGE,
    check_folder,
    check_replaceable,
    files_in,
    listed_in,
    not_empty,
    private_in,
)
from shoal.release._swap import exchange

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

NO_LOCKS = -1  # where the system or the disk has none
_A_DAY = 86_400

_RETIRED = re.compile(STAGE.pattern + r"\.was-(?P<name>.+)", re.DOTALL)
_LEAVING, _WAS = ".leaving", ".was"  # in a temporary folder: what makes room, what made room


@dataclass(eq=False)
class Stage:
    """A temporary folder that can take the place of its target.

    Attributes
    ----------
    path, target : Path
        The folder, and what it shall be called.
    inside : bool
        Whether it lies in the target, which must stay: its files move then, not the folder.
    sign : tuple of int, optional
        What the release is recognized by on the disk, once it has its name.
    release : str
        What the ledger must call the release that is built here.
    force, source
        As for `staged`.
    entry : Entered
        What the ledger said.
    """

    path: Path
    target: Path
    inside: bool
    sign: tuple[int, int] | None
    release: str
    force: bool
    source: Path | None
    entry: Entered = NOT_ASKED

    def place(self) -> None:
        """Give the folder its name; from here on the release exists.

        It takes a name that is free, or that of an empty folder; one that was taken stays so
        unless the release there gives way.
        """
        _open_up(self.path)
        if self.inside:
            self.sign = _identity(self.path / MANIFEST)
            _move_inside(self.path, self.target, self._check)
            self._confirm()
            return
        is_taken = False
        try:
            if os.name == "nt" and self.target.exists():
                self.target.rmdir()
            self.path.replace(self.target)
        except OSError as error:
            if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                raise
            if not self.force:  # somebody was faster
                raise not_empty(self.target) from None
            is_taken = True
        if is_taken:
            self._check()
            _replace(self.path, self.target)
        self._confirm()

    def withdraw(self) -> None:
        """Take the name back, because something that had to follow did not; the old one returns."""
        if not self.stands():
            return
        if self.inside:
            _move_back_all(self.path, self.target)
        elif self.path.exists() and exchange(self.path, self.target):
            return
        else:
            self.target.rename(self.path.with_name(f"{self.path.name}x"))
            shutil.rmtree(self.path.with_name(f"{self.path.name}x"), ignore_errors=True)

    def stands(self) -> bool:
        """Tell whether the release has its name.

        This is asked of the disk: no flag could be set in the same step as the name.
        """
        mark = self.target / MANIFEST if self.inside else self.target
        return self.sign is not None and _identity(mark) == self.sign

    def _check(self) -> None:
        check_replaceable(self.target, force=self.force, source=self.source)

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


#: Enters a release into the ledger around its writing, given the mode and where it is built.
Enter: TypeAlias = Callable[[Mode, Stage], AbstractContextManager[Entered]]


@contextmanager
def staged(
    target: Path,
    *,
    force: bool,
    source: Path | None = None,
    enter: Enter | None = None,
    mode: Mode = "off",
) -> Iterator[Stage]:
    """Prepare a temporary folder for ``target``; gone at the end unless it was placed.

    Meanwhile the release is being entered into the ledger, if there is one and nobody turned it
    off; whatever fails before the folder has its name takes the entry back.
    Raises `OutputError` if the target cannot be written, is a file, or holds something; with
    ``force`` an earlier release gives way, and nothing else ever does (`check_replaceable`).
    """
    with explained():
        target = target.resolve()
        for folder in (target.parent, target):
            sweep(folder)
        check_folder(target, force=force, source=source)
        must_stay = target.is_dir() and (  # where we are, a mount point, in a closed folder
            Path.cwd() == target or target.is_mount() or not os.access(target.parent, os.W_OK)
        )
        path, lock = _new_folder(target if must_stay else target.parent)
        name = path.name.removeprefix(".shoal-").partition("-")[0]
        try:
            sign = None if must_stay else _identity(path)
            stage = Stage(path, target, must_stay, sign, name, force, source)
            if enter is None or mode == "off":
                yield stage
                return
            with enter(mode, stage) as stage.entry:
                yield stage
        except KeyboardInterrupt:
            if stage.stands():
                told = f"Stopped, but the release {target.name!r} had been written: it stands."
                raise KeyboardInterrupt(told) from None
            raise
        finally:
            shutil.rmtree(path, ignore_errors=True)
            let_go(lock)


def sweep(folder: Path) -> None:
    """Remove what dead writers left; a release they had just moved away comes back.

    What they had entered into the ledger and never placed is taken out of it first.
    """
    if not folder.is_dir():
        return
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
                abandon(_never_placed(left))
                _clear(left, folder / was["name"] if was else None)
        finally:
            let_go(lock)


def _never_placed(left: Path) -> list[str]:
    """Name the release that a dead writer built here, unless it got its name.

    If it did, the folder is another one, whose place it took, or its manifest has moved out.
    """
    built = STAGE.fullmatch(left.name)
    moved = (left / _WAS).is_dir() and not (left / MANIFEST).is_file()
    if built is None or moved or built[2] != str(left.stat().st_ino):
        return []
    return [built[1]]


def _clear(left: Path, was: Path | None) -> None:
    if was is not None and not was.exists():
        left.rename(was)
        return
    _move_back(left, left.parent)
    shutil.rmtree(left, ignore_errors=True)


def hold(folder: Path) -> int:
    """Lock a folder for as long as this process lives, and return the lock.

    Returns ``NO_LOCKS`` where the system or the disk has none. Raises `BlockingIOError` if
    another process holds the folder.
    """
    if fcntl is None:
        return NO_LOCKS
    lock = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        raise
    except OSError:
        os.close(lock)
        return NO_LOCKS
    return lock


def let_go(lock: int) -> None:
    """Give a lock back."""
    if lock != NO_LOCKS:
        with suppress(OSError):  # it is given back even so
            os.close(lock)


def is_old(folder: Path) -> bool:
    """Tell whether nobody touched a folder for a day; without locks that must do."""
    return time.time() - folder.stat().st_mtime > _A_DAY


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


def _new_folder(parent: Path) -> tuple[Path, int]:
    while True:
        path = parent / f".shoal-{secrets.token_hex(8)}"
        path.mkdir(mode=0o700)
        lock = NO_LOCKS
        try:
            lock = hold(path)
            if path.exists():
                return path.rename(f"{path}-{path.stat().st_ino}"), lock
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
    known = private_in(folder) if (folder / PROVENANCE).is_file() else {}
    private = {PROVENANCE, *known}
    for entry in folder.iterdir():
        if entry.is_dir():
            _open_up(entry)
        elif entry.name not in private:
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
    last = (PROVENANCE, MANIFEST)  # they name all others
    new = [entry.name for entry in stage.iterdir() if entry.name not in last]
    new += [name for name in last if (stage / name).exists()]
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


def _move_back_all(stage: Path, target: Path) -> None:
    """Undo a move that came to its end: the manifest goes first, so that no half is a release."""
    (target / MANIFEST).rename(stage / MANIFEST)
    _move_back(stage, target)


def _move_back(stage: Path, target: Path) -> None:
    """Undo a move that did not come to its end, which is the manifest."""
    if not (stage / MANIFEST).is_file():
        return
    if (stage / _WAS).is_dir():  # so what is there now is new
        listed = {**private_in(target), **listed_in(stage)}
        for name in {PROVENANCE, *(name.split("/")[0] for name in listed)}:
            if not (stage / name).exists() and (target / name).exists():
                (target / name).rename(stage / name)
    for away in (stage / _LEAVING, stage / _WAS):
        for entry in [*away.iterdir()] if away.is_dir() else ():
            entry.rename(target / entry.name)
