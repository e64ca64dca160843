"""First look: what a file seemed to be when it was read, kept beside it so that pages open at once.

What is kept names columns and reasons, never a cell: odd texts are looked up in the file again.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, Self

from shoal import __version__
from shoal._progress import SILENT, Progress, stop_if_cancelled
from shoal._words import speaking
from shoal.plan import Plan, Proposal, Proposed, propose_plan
from shoal.table import Table, count_odd, read_table
from shoal.table.sources import sheet_names
from shoal.typing import Kind
from shoal.web._kept import find_kept, keep
from shoal.web._upload_limits import UploadLimits, check_shape
from shoal.web._uploads import WORKBOOKS

LOOK = "look.json"
POSSIBLE = 0.5  # share of cells that are numbers or dates before a column is spoken of
KINDS: tuple[Kind, ...] = ("date", "numeric")
NAMED = 12  # odd texts that are shown


@dataclass(frozen=True)
class ColumnReading:
    """What the cells of a column of text nearly all are, and those that are something else."""

    kind: Kind
    share: float
    odd: dict[str, int]
    more: int = 0


@dataclass(frozen=True)
class FirstLook:
    """What each column seemed to be and why, and which ones nearly are numbers or dates."""

    read_as: str
    columns: tuple[Proposed, ...]
    nearly: tuple[str, ...]

    @cached_property
    def by_name(self) -> dict[str, Proposed]:
        """The columns by what they are called."""
        return {part.name: part for part in self.columns}


@dataclass(frozen=True, eq=False)
class FirstReading:
    """A table that was read for the first time: the plan proposed for it, and what was seen."""

    plan: Plan
    table: Table
    look: FirstLook
    nearly: dict[str, ColumnReading]

    @classmethod
    def of(cls, plan: Plan) -> Self:
        """Look at a table whose plan is known already."""
        file = as_it_stands(plan)
        return cls(plan, plan.table(), *_look(file, plan, _propose(file, plan)))


class TableLook:
    """What a file seems to be as a plan reads it: kept, or looked at again if read otherwise."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / LOOK
        self._look: FirstLook | None = None
        self._nearly: dict[str, ColumnReading] | None = None

    def take(self, look: FirstLook, nearly: dict[str, ColumnReading]) -> None:
        """Keep what was seen while the file was read."""
        self._look, self._nearly = look, nearly
        keep(self._path, look)

    def columns(self, plan: Plan) -> dict[str, Proposed]:
        """Tell what each column seemed to be, and why."""
        return self._at(plan).by_name

    def nearly(self, plan: Plan) -> dict[str, ColumnReading]:
        """Tell which columns of text nearly are numbers or dates, with the cells that are not."""
        names = self._at(plan).nearly
        if self._nearly is None:
            self._nearly = nearly_read(as_it_stands(plan), names) if names else {}
        return self._nearly

    def _at(self, plan: Plan) -> FirstLook:
        self._look = self._look or find_kept(self._path, FirstLook)
        if self._look is None or self._look.read_as != _read_as(plan):
            file = as_it_stands(plan)
            self.take(*_look(file, plan, _propose(file, plan)))
        assert self._look is not None
        return self._look


def read_first(path: Path, limits: UploadLimits, progress: Progress = SILENT) -> FirstReading:
    """Read a file, measure it as it was read, and propose a plan for it."""
    bare = Plan(source=str(path), sheet=_first_sheet(path))
    file = as_it_stands(bare)
    stop_if_cancelled(progress)
    check_shape(file.n_rows, len(file.column_names), limits)
    proposal = _propose(file, bare, progress)
    stop_if_cancelled(progress)
    plan = proposal.plan
    return FirstReading(plan, plan.table(), *_look(file, plan, proposal))


def warm_up() -> None:
    """Look at a small file once: what is loaded at first use is there when a table comes."""
    with as_file(files("shoal.datasets").joinpath("_people/world/occupations.csv")) as path:
        FirstReading.of(Plan(source=str(path)))


def _propose(file: Table, plan: Plan, progress: Progress = SILENT) -> Proposal:
    with speaking("en"):  # kept for readers of any language, who have it retold
        return propose_plan(file, {**_given(plan), "source": plan.source, "kinds": {}}, progress)


def _look(
    file: Table, plan: Plan, proposal: Proposal
) -> tuple[FirstLook, dict[str, ColumnReading]]:
    nearly = nearly_read(file)
    return FirstLook(_read_as(plan), proposal.columns, tuple(nearly)), nearly


def as_it_stands(plan: Plan) -> Table:
    """Read the file with nothing said about single columns."""
    return read_table(str(plan.source), **_given(plan))


def _read_as(plan: Plan) -> str:
    """Say in short how a file was read, and by which version."""
    return json.dumps([__version__, *_given(plan).values()])


def _given(plan: Plan) -> dict[str, Any]:
    return {
        "delimiter": plan.delimiter,
        "encoding": plan.encoding,
        "missing": plan.missing,
        "sheet": plan.sheet,
    }


def nearly_read(table: Table, names: tuple[str, ...] | None = None) -> dict[str, ColumnReading]:
    """Find columns of text that nearly are numbers or dates, in the file as it stands."""
    text = [name for name, kind in table.kinds.items() if kind == "nominal"]
    found = {}
    for name in text if names is None else names:
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


def _first_sheet(path: Path) -> str | None:
    """Name the first sheet of a workbook with several; another one is chosen on the page Table."""
    if path.suffix not in WORKBOOKS:
        return None
    names = sheet_names(path)
    return names[0] if len(names) > 1 else None
