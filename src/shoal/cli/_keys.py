"""``shoal keys``: the keys that make pseudonyms; they are made, listed, replaced and destroyed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from shoal.cli import _options as option
from shoal.cli._output import columns_of, print_json, print_lines
from shoal.exceptions import InvalidParameterError

keys = typer.Typer(
    name="keys",
    help="Keys of projects, which make pseudonyms: none is ever printed.",
)
Name = Annotated[str, typer.Argument(metavar="PROJECT", help="Small letters, digits, dashes.")]
Yes = Annotated[bool, typer.Option("--yes", help="Yes, do it.")]
STILL = (
    "Nobody can compute these pseudonyms again. Whoever holds the source may still match the"
    " contents of rows, and copies of the key (exports, backups) are not reached."
)


@keys.command()
def new(
    project: Name,
    source: Annotated[
        Path | None, typer.Option("--from", metavar="FILE", help="Take it from an export.")
    ] = None,
    as_json: option.Json = False,
) -> None:
    """Draw the key of a new project, or take it from a file of 'shoal keys export'."""
    from shoal.projects import new_key

    _tell("made", project, new_key(project, source).id, as_json=as_json)


@keys.command("list")
def list_keys(as_json: option.Json = False) -> None:
    """List the projects that have, or had, a key here."""
    from dataclasses import asdict

    from shoal.projects import kept_keys

    found = kept_keys()
    if as_json:
        print_json({"keys": [asdict(key) for key in found]})
        return
    head = ("project", "key", "", "since")
    rows = [(key.project, key.id or "-", key.status, key.since[:19] or "-") for key in found]
    print_lines(columns_of([head, *rows]) if rows else ["No project has a key here."])


@keys.command()
def rotate(project: Name, yes: Yes = False, as_json: option.Json = False) -> None:
    """Replace a key: pseudonyms from now on join nothing that was made before."""
    from shoal.projects import rotate_key

    _sure(yes, "Later pseudonyms will join nothing that was made before.", f"rotate {project}")
    _tell("rotated", project, rotate_key(project).id, as_json=as_json)


@keys.command()
def destroy(project: Name, yes: Yes = False, as_json: option.Json = False) -> None:
    """Remove a key for good. That it was done is recorded."""
    from shoal.projects import destroy_key

    _sure(yes, "Without its key nobody can make these pseudonyms again.", f"destroy {project}")
    destroy_key(project)
    if as_json:
        print_json({"project": project, "status": "destroyed", "note": STILL})
    else:
        print_lines([f"The key of {project!r} is destroyed.", STILL])


@keys.command()
def export(
    project: Name,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A new file; it will be private.")],
    as_json: option.Json = False,
) -> None:
    """Write a key to a file that only you can read. Whoever has it can compute pseudonyms."""
    from shoal.projects import export_key

    export_key(project, file)
    if as_json:
        print_json({"project": project, "status": "exported", "file": str(file)})
    else:
        told = f"The key of {project!r} is in {file.name!r}, for your eyes only."
        print_lines([told, "Whoever has it can tell which pseudonym is whose."])


def _tell(status: str, project: str, key: str, *, as_json: bool) -> None:
    if as_json:
        print_json({"project": project, "status": status, "key": key})
    else:
        print_lines([f"The key of {project!r} was {status}; it is known as {key}."])


def _sure(yes: bool, what: str, command: str) -> None:
    if not yes:
        raise InvalidParameterError(what, hint=f"If that is meant: shoal keys {command} --yes")
