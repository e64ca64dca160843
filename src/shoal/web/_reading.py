"""Reading: how the file of a workspace was read, what did not fit, and reading it another way."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from shoal._language import later
from shoal.exceptions import ShoalError
from shoal.plan import Plan, propose_plan
from shoal.table import Table, count_odd, read_table
from shoal.typing import Kind
from shoal.web._workspace import Workspace

POSSIBLE = 0.5  # share of cells that are numbers or dates before a column is spoken of
KINDS: tuple[Kind, ...] = ("date", "numeric")
NAMED = 12  # odd texts that are shown
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


@dataclass(frozen=True)
class ColumnReading:
    """What the cells of a column of text nearly all are, and those that are something else."""

    kind: Kind
    share: float
    odd: dict[str, int]
    more: int = 0


def nearly_read(table: Table) -> dict[str, ColumnReading]:
    """Find columns of text that nearly are numbers or dates, in the file as it stands."""
    text = [name for name, kind in table.kinds.items() if kind == "nominal"]
    found = {}
    for name in text:
        readings = (_reading(table, name, kind) for kind in KINDS)
        best = max(readings, key=lambda reading: reading.share)
        if best.share >= POSSIBLE and best.odd:
            found[name] = best
    return found


def _reading(table: Table, name: str, kind: Kind) -> ColumnReading:
    odd = count_odd(table.cells, name, kind)
    filled = int(table.cells.printed(name).without(("",)).counts.sum())
    shown = dict(list(odd.items())[:NAMED])
    share = 1 - sum(odd.values()) / max(1, filled)
    return ColumnReading(kind, share if filled else 0.0, shown, len(odd) - len(shown))


def read_file_anew(space: Workspace, **reading: Any) -> None:
    """Read the file with another delimiter, encoding or sheet, or other words for missing.

    What was guessed about columns is guessed again; what must hold stays.
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
    told = {part.name: getattr(proposed, part.name) for part in fields(Plan)}
    space.decide(**{name: told[name] for name in OF_THE_FILE}, **given)
    space.forget_reading()


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
