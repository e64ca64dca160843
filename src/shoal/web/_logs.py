"""Logs that say where and what kind, never with what: no message of an error, no address."""

from __future__ import annotations

import logging
import sys
import traceback
from types import TracebackType
from typing import TypeAlias

ErrorInfo: TypeAlias = (
    tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]
)
LOUD = ("uvicorn", "uvicorn.error", "fastapi", "asyncio")
WIDELY_SAFE = ("shoal.web",)


class DiscreetFormatter(logging.Formatter):
    """Formats a record without anything that could quote a table.

    Messages of other libraries are replaced by the place they come from; an error is its type and
    the lines it passed through.

    >>> record = logging.LogRecord("uvicorn", 40, "x.py", 7, "cell: %s", ("Ann",), None)
    >>> DiscreetFormatter().format(record)
    'ERROR uvicorn (x.py:7)'
    """

    def format(self, record: logging.LogRecord) -> str:
        """Format a record."""
        own = record.name.startswith(WIDELY_SAFE)
        words = record.getMessage() if own else f"({record.filename}:{record.lineno})"
        line = f"{record.levelname} {record.name} {words}"
        if record.exc_info and record.exc_info[0] is not None:
            return f"{line}\n{self.formatException(record.exc_info)}"
        return line

    def formatException(self, ei: ErrorInfo) -> str:  # noqa: N802
        """Name the type of an error and the lines it passed through."""
        kind, _, trace = ei
        places = [
            f"  {frame.filename.rpartition('/')[2]}:{frame.lineno} {frame.name}"
            for frame in traceback.extract_tb(trace)
        ]
        return "\n".join([*places, f"  {kind.__name__ if kind else ''}"])


def quieten() -> None:
    """Send warnings and errors, made discreet, to standard error; nothing else, nowhere else."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(DiscreetFormatter())
    for name in (*LOUD, *WIDELY_SAFE):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.propagate = False
        logger.setLevel(logging.WARNING)
    logging.getLogger("uvicorn.access").disabled = True  # a link holds a token
