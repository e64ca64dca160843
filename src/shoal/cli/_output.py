"""What a command prints: JSON for scripts, plain text for people; and where a release may go."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import typer

from shoal.cli._errors import as_typed
from shoal.exceptions import InvalidParameterError, OutputError


def print_json(data: Mapping[str, Any]) -> None:
    """Write one JSON object; numbers without bound are the string "inf"."""
    from shoal._words import plain

    typer.echo(json.dumps(plain(dict(data)), allow_nan=False))


def print_lines(lines: Iterable[str]) -> None:
    """Write lines of text."""
    typer.echo(as_typed("\n".join(lines)))


def check_output(folder: Path | None, *, force: bool) -> Path:
    """Refuse a folder that cannot take a release, before any work is done for it."""
    if folder is None:
        raise InvalidParameterError(
            "Where should the release go?", hint="Name a new folder: -o release/"
        )
    target = Path(os.path.abspath(folder))
    try:
        target.exists()
    except (OSError, ValueError):  # too long, or with a character that no name may have
        raise OutputError("No folder can have this name.", hint="Name a shorter one.") from None
    if target.exists() and not target.is_dir():
        raise OutputError(f"{target.name!r} is a file, not a folder.", hint="Name a new folder.")
    if not target.parent.is_dir():
        raise OutputError(
            f"The folder that should hold {target.name!r} does not exist.", hint="Create it first."
        )
    if not any(os.access(place, os.W_OK) for place in (target, target.parent)):
        raise OutputError(f"There is no permission to write {target.name!r}.")
    if not force and target.is_dir() and any(target.iterdir()):
        raise OutputError(
            f"The folder {target.name!r} is not empty.",
            hint="Name a new folder, or replace an earlier release with --force.",
        )
    return folder


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
