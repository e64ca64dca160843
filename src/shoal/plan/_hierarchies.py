"""Hierarchies as a plan writes them: a word, or a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import PurePath

from shoal._checks import did_you_mean
from shoal.exceptions import InvalidParameterError, UnknownColumnError
from shoal.hierarchies import (
    READY,
    Calendar,
    Flat,
    Hierarchy,
    Intervals,
    Mask,
    read_hierarchies,
    read_hierarchy,
    ready_ladder,
)

WORDS: dict[str, Callable[[], Hierarchy]] = {
    "mask": Mask,
    "flat": Flat,
    "calendar": Calendar,
    **{word: partial(ready_ladder, word) for word in READY},
}
INTERVALS = "intervals:"
SUFFIXES = (".csv", ".json")


def word_or_file(name: str, value: object) -> str:
    """Check a hierarchy without opening any file.

    >>> word_or_file("hierarchy of 'zip'", "mask")
    'mask'
    """
    if not isinstance(value, str) or not value:
        raise InvalidParameterError(f"{name} must be text: a word or a file.")
    if value.startswith(INTERVALS):
        _intervals(value)
    elif value not in WORDS and not is_file(value):
        hint = f"{did_you_mean(value, WORDS)} A file ends in .csv (a ladder) or .json (a tree)."
        raise InvalidParameterError(f"{name} cannot be {value!r}.", hint=hint)
    return value


def is_file(value: str) -> bool:
    """Tell whether a hierarchy is a file rather than a word."""
    return PurePath(value).suffix.lower() in SUFFIXES and not value.startswith(INTERVALS)


def build_hierarchies(
    written: Mapping[str, str], folder: str | None, columns: Iterable[str]
) -> dict[str, Hierarchy]:
    """Build the hierarchies of a table: all that a folder has, then those written by name."""
    known = list(columns)
    for column in written:
        if column not in known:
            raise UnknownColumnError.among(column, known)
    found = _from_folder(folder, known) if folder is not None else {}
    return found | {column: _build(word) for column, word in written.items()}


def _from_folder(folder: str, columns: list[str]) -> dict[str, Hierarchy]:
    """Hierarchies of the table's columns; a folder may serve other tables too."""
    hierarchies = read_hierarchies(folder)
    fitting = {name: tree for name, tree in hierarchies.items() if name in columns}
    if not fitting:
        raise InvalidParameterError(
            f"No hierarchy in {PurePath(folder).name!r} is named after a column of the table.",
            hint="Name each file after its column: zip.csv for a ladder, zip.json for a tree.",
        )
    return fitting


def named_hierarchy(word: str) -> Hierarchy | PurePath:
    """Make the hierarchy of a word; a file is checked and named, not read.

    >>> named_hierarchy("mask"), named_hierarchy("intervals:5,10").widths
    (Mask(), (Decimal('5'), Decimal('10')))
    """
    word_or_file("The hierarchy", word)
    if word in WORDS:
        return WORDS[word]()
    return _intervals(word) if word.startswith(INTERVALS) else PurePath(word)


def _build(word: str) -> Hierarchy:
    found = named_hierarchy(word)
    return found if isinstance(found, Hierarchy) else read_hierarchy(found)


def _intervals(word: str) -> Intervals:
    widths = [width.strip() for width in word.removeprefix(INTERVALS).split(",")]
    return Intervals(widths)
