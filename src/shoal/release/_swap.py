"""Two folders change places in one step, where the system can do that."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2


def exchange(one: Path, other: Path) -> bool:
    """Swap two folders so that nobody ever sees neither; False if the system cannot."""
    try:
        renameat2 = ctypes.CDLL(None, use_errno=True).renameat2
    except (OSError, AttributeError, TypeError):  # not Linux, or an old one
        return False
    ends = os.fsencode(one), os.fsencode(other)
    return bool(renameat2(_AT_FDCWD, ends[0], _AT_FDCWD, ends[1], _RENAME_EXCHANGE) == 0)
