"""``shoal dossier``: a document for a regulator, from what a release proves."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from shoal.cli import _options as option
from shoal.cli._output import print_json, print_lines


def dossier(
    release: Annotated[Path, typer.Argument(metavar="RELEASE", help="A folder from 'anonymize'.")],
    kind: Annotated[
        str, typer.Option("--as", metavar="KIND", help="ema, hipaa, ico, iso27559 or dpia.")
    ],
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FILE", help="A new .html or .md file.")
    ],
    attacks: Annotated[
        Path | None, typer.Option(metavar="FILE", help="What 'shoal attack --json' printed.")
    ] = None,
    journal: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The journal of the session behind it.")
    ] = None,
    populations: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="For hipaa: people of each three-digit ZIP area."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file.")] = False,
    as_json: option.Json = False,
) -> None:
    """Write a document about a release: every number from a file, every opinion left to you.

    What only a human can say stands as an empty field with its question; without attacks or a
    journal those fields stay empty and say how to fill them.
    """
    from shoal.dossier import BlankField, write_dossier

    made = write_dossier(
        release,
        kind,
        output,
        force=force,
        attacks=attacks,
        journal=journal,
        populations=populations,
    )
    fields = [field for part in made.parts() for field in part.fields]
    blank = sum(isinstance(field, BlankField) for field in fields)
    if as_json:
        counted = {"measured": len(fields) - blank, "blank": blank}
        print_json({"file": output.name, "kind": kind, **counted})
    else:
        print_lines([f"{output.name}: {len(fields) - blank} fields measured, {blank} left to you."])
