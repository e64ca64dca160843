"""Reading: how the file of a workspace was read, what did not fit, and reading it another way."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from shoal._words import later
from shoal.exceptions import ShoalError
from shoal.plan import propose_plan
from shoal.table import read_table
from shoal.web._plan_steps import fitting
from shoal.web._workspace import Workspace

DELIMITERS = {
    "": later("found by itself"),
    ",": later("comma"),
    ";": later("semicolon"),
    "\t": later("tab"),
    "|": later("bar"),
}
ENCODINGS = {
    "": later("found by itself"),
    "utf-8": "UTF-8",
    "windows-1252": "Windows (Western)",
    "iso-8859-1": "Latin 1",
    "utf-16": "UTF-16",
    "mac_roman": "Macintosh",
}
OF_THE_FILE = ("roles", "kinds", "orders", "hierarchies", "missing_in", "clean", "formats")


def read_file_anew(space: Workspace, **reading: Any) -> None:
    """Read the file with another delimiter, encoding or sheet, or other words for missing.

    What was guessed about columns is guessed again; what must hold stays where its columns do.
    """
    plan = space.plan
    settings = {
        "source": plan.source,
        "kinds": {},
        "delimiter": plan.delimiter,
        "encoding": plan.encoding,
        "missing": plan.missing,
        "sheet": plan.sheet,
        **reading,
    }
    given = {name: settings[name] for name in ("delimiter", "encoding", "missing", "sheet")}
    try:
        table = read_table(str(plan.source), **given)
    except ShoalError as error:
        kept = Path(str(plan.source)).name
        error.args = tuple(str(part).replace(kept, space.name) for part in error.args)
        raise
    proposed = propose_plan(table, settings).plan
    guessed = {name: getattr(proposed, name) for name in OF_THE_FILE}
    held = fitting(plan, proposed.roles)
    held |= {"l": proposed.l} if plan.l and not held.get("l", plan.l) else {}
    space.decide(**{**held, **guessed, **given})
    space.kept.clear()  # pages about other columns


def say_format(space: Workspace, column: str, kind: str, written: str) -> None:
    """Say that a column holds dates or numbers, how they are written, and that the rest is none."""
    form: dict[str, Any] = {"odd": "missing"}
    if written.strip():
        form["decimal" if kind == "numeric" else "date"] = written.strip()
    plan = space.plan
    trees = {name: word for name, word in plan.hierarchies.items() if name != column}
    space.decide(
        formats={**plan.formats, column: form},
        kinds={**plan.kinds, column: kind},
        hierarchies=trees,
    )
