"""How much is tried at random: a little in `make test`, ten times as much in `make soak`."""

from __future__ import annotations

import os

TIMES = int(os.environ.get("SHOAL_EXAMPLES", "1"))


def times(few: int) -> int:
    """Tell how many examples to try of what is slow to try."""
    return few * TIMES
