"""``shoal select``: which columns tell something about a target."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from shoal.cli import _options as option
from shoal.cli._bar import Bar, working
from shoal.cli._output import columns_of, print_json, print_lines
from shoal.cli._typed import missing_of, names, pairs
from shoal.exceptions import InvalidParameterError, OutputError

if TYPE_CHECKING:
    from shoal.selection import Selection

WIDTH = 40  # letters of the longest bar
FULL, HALF = "█", "▌"

Columns = Annotated[
    option.Columns, typer.Option(metavar="a,b", help="Columns to choose from; all if not given.")
]
How = Annotated[str, typer.Option("--method", metavar="fcbf|cfs", help="How columns are chosen.")]
Threshold = Annotated[
    float | None,
    typer.Option(
        metavar="X",
        parser=option.number,
        help="Symmetrical uncertainty a column must exceed; else what chance shows.",
    ),
]
Local = Annotated[
    bool,
    typer.Option(
        "--locally-predictive/--no-locally-predictive", help="The last step of cfs; on by default."
    ),
]
Use = Annotated[
    str, typer.Option(metavar="weights|drop", help="What the plan written to -o makes of it.")
]
PlanOut = Annotated[
    Path | None, typer.Option("-o", "--output", metavar="FILE", help="Write a plan that uses it.")
]
Plot = Annotated[
    Path | None, typer.Option(metavar="FILE.svg", help="Draw the ranking into a picture.")
]


def select(
    data: option.DataArgument = None,
    target: option.Target = None,
    columns: Columns = None,
    identifier: option.Identifier = None,
    method: How = "fcbf",
    threshold: Threshold = None,
    locally_predictive: Local = True,
    kind: option.Kinds = None,
    delimiter: option.Delimiter = None,
    encoding: option.Encoding = None,
    missing: option.Missing = None,
    engine: option.Engine = "local",
    master: option.Master = None,
    plan: option.PlanFile = None,
    use: Use = "weights",
    output: PlanOut = None,
    plot: Plot = None,
    as_json: option.Json = False,
) -> None:
    """Rank columns by what they tell of a target, and name those that only repeat others.

    Relevance is symmetrical uncertainty: 0 nothing, 1 everything. Selected columns each add
    something; redundant ones repeat one of them; the rest is no better than chance.
    """
    options = dict(locals())  # before anything else is named here
    if output is not None and plan is None:
        raise InvalidParameterError(
            "-o writes a plan that uses the selection, and there is none to start from.",
            hint="Give one: --plan plan.toml ('shoal init' writes it).",
        )
    with working() as bar:
        found = _found(options, bar)
    if plot is not None:
        _draw(found, plot)
    if output is not None:
        from shoal.plan import Plan

        found.apply(Plan.read(options["plan"]), use).write(output)
    if as_json:
        print_json(found.to_dict())
    else:
        print_lines(_lines(found))


def _found(options: dict[str, Any], bar: Bar) -> Selection:
    """Count on this machine or on a cluster, and choose."""
    from shoal.plan import check_engine

    check_engine(options["engine"])
    if options["data"] is None or options["target"] is None:
        raise InvalidParameterError(
            "Which table, and which target?", hint="shoal select patients.csv --target readmitted"
        )
    reading: dict[str, Any] = {
        "kinds": pairs(options["kind"], "--kind"),
        "delimiter": options["delimiter"],
        "encoding": options["encoding"],
        "missing": missing_of(options["missing"]),
    }
    choosing = {
        "columns": names(options["columns"], "--columns") or None,
        "left_out": names(options["identifier"], "--identifier"),
        "method": options["method"],
        "threshold": options["threshold"],
        "locally_predictive": options["locally_predictive"],
    }
    bar.phase("reading")
    if options["engine"] == "spark":
        from shoal.spark import check_formats, select_file

        everywhere = reading["missing"].pop("*")
        check_formats({"--missing": reading["missing"]})
        told = {**reading, "missing": everywhere, **choosing}
        return select_file(options["data"], options["target"], master=options["master"], **told)
    if options["master"] is not None:
        raise InvalidParameterError("--master goes with --engine spark.")
    from shoal.selection import select as choose
    from shoal.table import read_table

    table = read_table(options["data"], **reading)
    bar.phase("counting")
    return choose(table, options["target"], **choosing)


def _lines(found: Selection) -> Iterator[str]:
    """Tell the ranking as a table with a bar for each column."""
    yield f"What tells {found.target!r} ({found.method}, {found.rows:,} rows)"
    yield ""
    yield from columns_of(_rows(found), right=frozenset({1}))
    yield ""
    yield f"Selected: {', '.join(found.selected) or 'nothing'}."


def _rows(found: Selection) -> Iterator[tuple[str, ...]]:
    yield "column", "uncertainty", "", ""
    top = max((value for _, value in found.ranking), default=0.0) or 1.0
    for column, value in found.ranking:
        yield column, f"{value:.4f}", _bar(value / top), _verdict(found, column)


def _bar(share: float) -> str:
    """Draw a share as a bar of letters.

    >>> _bar(0.1), _bar(0.0)
    ('████', '')
    """
    halves = round(2 * WIDTH * share)
    return FULL * (halves // 2) + HALF * (halves % 2)


def _verdict(found: Selection, column: str) -> str:
    if column in found.selected:
        return "selected"
    if column in found.redundant:
        return f"repeats {found.redundant[column]}"
    return "not relevant" if column in found.irrelevant else ""


def _draw(found: Selection, file: Path) -> None:
    from shoal.selection import draw

    try:
        file.write_text(draw(found), encoding="utf-8")
    except OSError as error:
        raise OutputError(f"The picture {file.name!r} could not be written.") from error
