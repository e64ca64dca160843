"""Whose temporary folder is it? A lock that dies with its process."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

NO_LOCKS = -1
_A_DAY = 86_400


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
