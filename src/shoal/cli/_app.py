"""The ``shoal`` command and its subcommands."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any

import typer

from shoal import __version__
from shoal.cli._anonymize import anonymize
from shoal.cli._attack import attack
from shoal.cli._audit import audit
from shoal.cli._check import check
from shoal.cli._demo import demo
from shoal.cli._doctor import doctor
from shoal.cli._dossier import dossier
from shoal.cli._forget import forget
from shoal.cli._hierarchy import hierarchy
from shoal.cli._init import init
from shoal.cli._keys import keys
from shoal.cli._ledger import ledger
from shoal.cli._manual import manual
from shoal.cli._options import WithModels
from shoal.cli._select import select
from shoal.cli._serve import serve
from shoal.cli._study import study
from shoal.cli._tune import tune

app = typer.Typer(
    name="shoal",
    add_completion=True,
    rich_markup_mode=None,  # drawing help with rich would take longer than all the rest
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
for command in (
    *(demo, init, anonymize, check, attack, dossier),
    *(forget, select, study, tune, serve, doctor),
):
    app.command(cls=WithModels if command in (anonymize, check) else None)(command)
app.command(hidden=True)(manual)
app.add_typer(audit)
app.add_typer(ledger)
app.add_typer(keys)
app.add_typer(hierarchy)


@app.callback(invoke_without_command=True)
def shoal(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Show it.")] = False,
) -> None:
    """Safety in numbers for tables of people.

    Shoal hides every person in a crowd of at least k, keeps the table useful, proves the result
    and hands over a release that can be shared.
    """
    if version:
        typer.echo(f"shoal {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@cache
def build_commands() -> Any:
    """Build the commands once, where typer would for every call: a third of a small release."""
    return typer.main.get_command(app)
