"""The command line: ``shoal demo``, ``init``, ``anonymize`` and ``check``.

One file a command, each thin; they speak only the public API. Whatever is heavy is imported inside
a command, so that ``shoal --help`` answers at once.

Exit codes: 0 it holds, 1 a privacy model asked for does not hold or a release is refused, 2 wrong
usage or bad input, 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import io
import sys
import warnings
from collections.abc import Sequence

__all__ = ["main", "run"]


def main() -> int:
    """Run ``shoal`` with the arguments of the process, and return the exit code."""
    try:
        from shoal.cli._app import enter

        if not sys.warnoptions:
            warnings.simplefilter("ignore")  # a warning of a library may quote what it reads
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="replace")  # text that every terminal can show
        return enter(sys.argv[1:])
    except KeyboardInterrupt:  # before there was anything to stop, or after all was done
        from shoal.cli._output import explain

        return explain(KeyboardInterrupt())


def run(arguments: Sequence[str]) -> int:
    """Run a command as a user types it, and return the exit code."""
    from shoal.cli._app import enter

    return enter(arguments)
