"""Hierarchies in files: ladder CSV and JSON trees."""

from __future__ import annotations

import csv
from io import StringIO
from os import PathLike
from pathlib import Path

from shoal.exceptions import EncodingError, InvalidParameterError, OutputError
from shoal.hierarchies._base import Hierarchy
from shoal.hierarchies._json import parse_json
from shoal.hierarchies._ladder import parse_ladder
from shoal.hierarchies._taxonomy import Taxonomy

_SUFFIXES = (".csv", ".json")


def read_hierarchy(path: str | PathLike[str], *, delimiter: str | None = None) -> Taxonomy:
    """Read a hierarchy from a file: ``.json`` is a JSON tree, anything else a ladder CSV.

    A ladder has no header and one row per value, ``value;level 1;...;*``, in UTF-8.

    Parameters
    ----------
    path : path
        The file.
    delimiter : str, optional
        What separates the fields of a ladder; semicolon, tab or comma is found if not given.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "sex.csv"
    >>> _ = path.write_text("Male;*\\nFemale;*\\n")
    >>> read_hierarchy(path)
    Taxonomy(2 leaves, height 1, source='sex.csv')
    """
    path = Path(path)
    if path.suffix.lower() == ".json":
        tree = parse_json(_read_text(path), f"The hierarchy in {path.name!r}")
        return Taxonomy.from_json(tree, source=path.name)
    return Taxonomy.from_ladder(read_rows(path, delimiter=delimiter), source=path.name)


def read_rows(path: Path, *, delimiter: str | None = None) -> list[list[str]]:
    """Read the rows of a ladder as they stand, whether they make a tree or not."""
    return parse_ladder(_read_text(path), f"The hierarchy in {path.name!r}", delimiter)


def read_hierarchies(folder: str | PathLike[str]) -> dict[str, Hierarchy]:
    """Read every ``<column>.csv`` and ``<column>.json`` of a folder, by column."""
    folder = Path(folder)
    if not folder.is_dir():
        raise InvalidParameterError(f"There is no folder of hierarchies named {folder.name!r}.")
    paths = [path for path in sorted(folder.iterdir()) if _is_hierarchy(path)]
    if not paths:
        raise InvalidParameterError(
            f"The folder {folder.name!r} holds no hierarchies.",
            hint="Name each file after its column: zip.csv for a ladder, zip.json for a tree.",
        )
    columns = [path.stem for path in paths]
    for column in columns:
        if columns.count(column) > 1:
            raise InvalidParameterError(f"There are two hierarchies for column {column!r}.")
    return {path.stem: read_hierarchy(path) for path in paths}


def write_ladder(taxonomy: Taxonomy, path: str | PathLike[str], *, delimiter: str = ";") -> None:
    """Write a taxonomy as a ladder CSV that `read_hierarchy` reads back."""
    path = Path(path)
    try:
        path.write_text(ladder_text(taxonomy, delimiter=delimiter), encoding="utf-8", newline="")
    except OSError as error:
        raise OutputError(f"The ladder {path.name!r} could not be written.") from error


def ladder_text(taxonomy: Taxonomy, *, delimiter: str = ";") -> str:
    """Write a taxonomy as the text of a ladder CSV."""
    text = StringIO(newline="")
    # Lines end as in RFC 4180: only then are carriage returns in labels quoted.
    csv.writer(text, delimiter=delimiter).writerows(taxonomy.to_ladder_rows())
    return text.getvalue()


def _is_hierarchy(path: Path) -> bool:
    return path.is_file() and path.suffix.lower() in _SUFFIXES and not path.name.startswith(".")


def _read_text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        message = f"The hierarchy in {path.name!r} is not UTF-8 (byte {error.start})."
        raise EncodingError(message, hint="Save it as UTF-8.") from None
    except OSError as error:
        reason = error.strerror or "unreadable"
        raise InvalidParameterError(f"No hierarchy in {path.name!r}: {reason}.") from error
