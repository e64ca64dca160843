"""The papers of a written release, held against its files by the script that travels with it."""

from __future__ import annotations

import csv
from os import PathLike
from pathlib import Path

from shoal.verifier import _script, _script_network


def contradictions(folder: str | PathLike[str]) -> tuple[str, ...]:
    """Say what keeps the manifest of a release and its files from telling one story.

    The same demands as ``verify.py`` makes before it counts: the files listed are there, byte
    for byte; columns, roles and header agree; every claim says what it means, and one is a k.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = pathlib.Path(folder, "manifest.json").write_text('{"rows": 3, "rows": 4}')
    ...     contradictions(folder)
    ('its manifest cannot be read.',)
    """
    place = Path(folder)
    try:
        manifest = _script.read_manifest(place)
    except (OSError, TypeError, ValueError, RecursionError):
        return ("its manifest cannot be read.",)
    try:
        return tuple(_script.contradictions(manifest, place))
    except (OSError, TypeError, ValueError, csv.Error, _script.CannotTellError):
        return ("its data cannot be read.",)


def network_faults(folder: str | PathLike[str]) -> tuple[str, ...]:
    """Say what is wrong with the network of a written release, counted again from its files.

    The files must tell one story with the manifest, and sizes, edges and losses follow from them.
    """
    place = Path(folder)
    if wrong := contradictions(place):
        return wrong
    try:
        return tuple(_script_network.of_network(_script.read_manifest(place), place))
    except (OSError, KeyError, TypeError, ValueError, csv.Error, _script.CannotTellError):
        return ("its network cannot be read.",)
