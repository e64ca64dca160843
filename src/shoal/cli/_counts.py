"""``shoal check --counts``: small cells of a table of counts, and those the totals give away."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shoal.cli._output import HOLDS, REFUSED, print_json, print_lines
from shoal.exceptions import InvalidParameterError

NOT_FOR_COUNTS = (
    "quasi",
    "sensitive",
    "k",
    "person",
    "plan",
    "publish_as_is",
    "drop",
    "population",
)


def check_counts(options: Mapping[str, Any]) -> int:
    """Audit the file and say what was found; return the exit code."""
    from shoal.risk import SMALLEST_CELL, audit_counts
    from shoal.table.sources import Place, open_source

    _refuse_roles(options)
    settings = {
        name: options[name] for name in ("table", "query", "sheet", "delimiter", "encoding")
    }
    reading = open_source(Place(options["data"], **settings)).read()
    least = SMALLEST_CELL if options["least"] is None else options["least"]
    audit = audit_counts(reading.frame, least)
    if options["as_json"]:
        print_json(audit.to_dict())
    else:
        summed = ", ".join(audit.totals) or "none (then nothing can be worked out)"
        holds = f"No cell tells of fewer than {least} people, and none can be worked out."
        cells = "cell tells" if len(audit.found) == 1 else "cells tell"
        fails = f"{len(audit.found):,} {cells} of fewer than {least} people."
        head = f"{audit.cells:,} counts, {audit.hidden:,} of them hidden; totals: {summed}."
        print_lines([head, *map(str, audit.found), holds if audit.holds else fails])
    return HOLDS if audit.holds else REFUSED


def _refuse_roles(options: Mapping[str, Any]) -> None:
    if not options["counts"]:
        raise InvalidParameterError("--least is for tables of counts.", hint="Add --counts.")
    if options["data"] is None:
        raise InvalidParameterError("Which file holds the counts?", hint="Name it.")
    for name in NOT_FOR_COUNTS:
        if options[name] not in (None, [], ()):
            raise InvalidParameterError(
                f"--{name.replace('_', '-')} speaks of people, and a table of counts has none.",
                hint="Leave it out, or leave out --counts.",
            )
