"""``shoal doctor``: what this machine has, in one screen to paste into a bug report."""

from __future__ import annotations

import typer

from shoal.cli import _options as option
from shoal.cli._output import HOLDS, REFUSED, print_json, print_lines


def doctor(as_json: option.Json = False) -> None:
    """Look at versions, extras, tools, folders, caches and plug-ins; exit 1 if one needs a hand.

    Nothing it prints names a person, a table, a folder or a machine.
    """
    from shoal.doctor import examine, to_dict

    found = examine()
    told = to_dict(found)
    if as_json:
        print_json(told)
    else:
        print_lines(map(str, found))
    raise typer.Exit(HOLDS if told["well"] else REFUSED)
