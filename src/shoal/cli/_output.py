"""What a command prints: JSON for scripts, text for people, and what went wrong in one sentence.

A traceback is a bug: whatever goes wrong becomes a sentence, a hint and an exit code.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Mapping
from typing import Any

import typer

from shoal.exceptions import (
    CancelledError,
    ImpossibleError,
    NeverPossibleError,
    ReleaseRefusedError,
    ShoalError,
)

HOLDS, REFUSED, WRONG_USAGE, STOPPED = 0, 1, 2, 130
WRITTEN = "Stopped; the release had been written."
written: list[str] = []  # phases of this command that came after a release had its name

_TYPED = {  # what Python calls an argument, and what is typed here
    r"orders=\{.*\}": "the [orders] of a plan, or --order in 'shoal check'",
    r"\b(person|delimiter|encoding)='([^']*)'": r"--\1 '\2'",
    r"\b(missing|delimiter|encoding|table|query|sheet)=(\.\.\.)?": r"--\1",
}


def explain(error: BaseException) -> int:
    """Tell on standard error what went wrong, and return the exit code."""
    if isinstance(error, CancelledError) and error.hint:  # something was kept on purpose
        say(str(error), error.hint)
        return STOPPED
    if isinstance(error, CancelledError | KeyboardInterrupt):
        told = isinstance(error, KeyboardInterrupt) and error.args
        say(str(error) if told else WRITTEN if written else "Stopped; nothing was left behind.")
        return STOPPED
    if isinstance(error, ShoalError):
        say(f"Error: {error}", error.hint)
        refused = isinstance(error, ReleaseRefusedError | ImpossibleError)
        return REFUSED if refused and not isinstance(error, NeverPossibleError) else WRONG_USAGE
    if isinstance(error, MemoryError):
        say("Error: There is not enough memory for this table.", "Try a machine with more of it.")
        return WRONG_USAGE
    format_message = getattr(error, "format_message", None)  # what typer raises on wrong usage
    if format_message is not None:
        say(f"Error: {_sentence(format_message())}", _where_to_look(error))
        return WRONG_USAGE
    say(
        f"Error: Shoal stumbled over itself ({type(error).__name__}); nothing was released.",
        "This is a bug in Shoal: please report the command you typed, without any data.",
    )
    return WRONG_USAGE


def say(sentence: str, hint: str | None = None) -> None:
    """Write a sentence and its hint to standard error."""
    lines = [sentence, *([f"Hint: {hint}"] if hint else [])]
    sys.stderr.write(as_typed("\n".join(lines)) + "\n")
    sys.stderr.flush()


def as_typed(text: str) -> str:
    """Name options as they are typed here, where the library speaks of its arguments.

    >>> as_typed("if it tells people apart, give person='name'.")
    "if it tells people apart, give --person 'name'."
    """
    for pattern, typed in _TYPED.items():
        text = re.sub(pattern, typed, text)
    return text


def _sentence(message: str) -> str:
    """End a message as a sentence.

    >>> _sentence("No such option: --kk")
    'No such option: --kk.'
    """
    line = " ".join(message.split())
    return line if line.endswith((".", "?", "!")) else f"{line}."


def _where_to_look(error: BaseException) -> str:
    context = getattr(error, "ctx", None)
    command = "shoal" if context is None else context.command_path
    return f"See '{command} --help'."


def print_json(data: Mapping[str, Any]) -> None:
    """Write one JSON object; numbers without bound are the string "inf"."""
    from shoal._words import plain

    typer.echo(json.dumps(plain(dict(data)), allow_nan=False))


def print_lines(lines: Iterable[str]) -> None:
    """Write lines of text."""
    typer.echo(as_typed("\n".join(lines)))


def columns_of(rows: Iterable[tuple[str, ...]], right: frozenset[int] = frozenset()) -> list[str]:
    """Align texts in columns; those in ``right`` to the right.

    >>> columns_of([("k", "10"), ("average", "9")], right=frozenset({1}))
    ['k        10', 'average   9']
    """
    cells = list(rows)
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return [
        "  ".join(
            text.rjust(width) if i in right else text.ljust(width)
            for i, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    ]
