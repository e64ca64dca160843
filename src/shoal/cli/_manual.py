"""``shoal manual``: every command and option in one text, as a man page or as Markdown.

The reference of the documentation and the man page are written by it, from the commands themselves.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

import typer

from shoal import __version__

EXITS = (
    ("0", "It holds, or was done."),
    ("1", "A privacy model asked for does not hold, or a release is refused."),
    ("2", "Wrong usage or bad input; nothing was written."),
    ("130", "Stopped by Ctrl-C."),
)


@dataclass(frozen=True)
class ManualEntry:
    """One command: how it is typed, what it does, what it takes."""

    usage: str
    text: str
    options: tuple[tuple[str, str], ...]


def manual(
    man: Annotated[bool, typer.Option("--man", help="As a man page (roff).")] = False,
    schema: Annotated[
        bool, typer.Option("--schema", help="Of plans: a JSON schema, for editors.")
    ] = False,
) -> None:
    """Write all commands and options as Markdown or as a man page, or what a plan may say."""
    if schema:
        from shoal.linked import any_plan_schema

        typer.echo(json.dumps(any_plan_schema(), indent=2))
        return
    entries = list(manual_entries())
    typer.echo(as_man(entries) if man else as_markdown(entries))


def as_markdown(entries: list[ManualEntry]) -> str:
    """Write the reference of the documentation."""
    lines = ["# The command line", "", "Every command takes `--help`. Exit codes:", ""]
    lines += [
        "| code | means |",
        "| --- | --- |",
        *(f"| {code} | {text} |" for code, text in EXITS),
    ]
    for entry in entries:
        lines += ["", f"## {entry.usage.split(' [')[0].split(' <')[0].strip()}", ""]
        lines += ["```text", entry.usage, "```", "", entry.text, ""]
        if entry.options:
            lines += ["| option | |", "| --- | --- |"]
            lines += [f"| `{_cell(name)}` | {_cell(text)} |" for name, text in entry.options]
    return "\n".join(lines)


def as_man(entries: list[ManualEntry]) -> str:
    """Write a man page of section 1."""
    lines = [f'.TH SHOAL 1 "" "shoal {__version__}"', ".SH NAME"]
    lines += [r"shoal \- safety in numbers for tables of people", ".SH COMMANDS"]
    for entry in entries:
        lines += [".SS " + _roff(entry.usage), _roff(entry.text)]
        for name, text in entry.options:
            lines += [".TP", rf"\fB{_roff(name)}\fR", _roff(text)]
    lines += [".SH EXIT STATUS"]
    for code, text in EXITS:
        lines += [".TP", rf"\fB{code}\fR", text]
    return "\n".join(lines)


def manual_entries() -> Iterator[ManualEntry]:
    from shoal.cli._app import app

    root = typer.main.get_command(app)
    yield from _walk(root, typer.Context(root, info_name="shoal"))


def _walk(command: Any, context: Any) -> Iterator[ManualEntry]:
    commands = getattr(command, "commands", None)
    if not commands:
        yield _entry(command, context)
        return
    for name, child in commands.items():
        if not child.hidden:
            yield from _walk(child, typer.Context(child, info_name=name, parent=context))


def _entry(command: Any, context: Any) -> ManualEntry:
    records = (param.get_help_record(context) for param in command.get_params(context))
    options = tuple((name, text) for name, text in filter(None, records))
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    return ManualEntry(usage, " ".join((command.help or "").split()), options)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", r"\|")


def _roff(text: str) -> str:
    """Escape what roff would read as a command.

    >>> _roff("-k N\\n.is")
    '\\\\-k N .is'
    """
    plain = " ".join(text.replace("\\", r"\e").replace("-", r"\-").split())
    return re.sub(r"^([.'])", r"\\&\1", plain)
