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
        if not sys.warnoptions:
            warnings.simplefilter("ignore")  # a warning of a library may quote what it reads
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="replace")  # text that every terminal can show
        return run(sys.argv[1:])
    except KeyboardInterrupt:  # before there was anything to stop, or after all was done
        from shoal.cli._output import explain

        return explain(KeyboardInterrupt())


def run(arguments: Sequence[str]) -> int:
    """Run a command as a user types it; whatever goes wrong leaves as a sentence and a code."""
    from typer import Abort

    from shoal.cli._app import build_commands
    from shoal.cli._output import HOLDS, STOPPED, WRONG_USAGE, explain, written

    written.clear()  # by a command before this one
    try:
        code = build_commands()(list(arguments), standalone_mode=False, prog_name="shoal")
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else WRONG_USAGE
    except Abort:
        return explain(KeyboardInterrupt())
    except BaseException as error:
        return explain(error)
    if code == STOPPED:  # typer turned Ctrl-C into its exit code
        return explain(KeyboardInterrupt())
    return code if isinstance(code, int) else HOLDS
