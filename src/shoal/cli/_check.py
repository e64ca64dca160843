"""``shoal check``: the privacy of any table, from anyone's tool."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from shoal.cli import _options as option
from shoal.cli._bar import working
from shoal.cli._options import ASKED
from shoal.cli._output import HOLDS, REFUSED, print_json, print_lines
from shoal.cli._typed import names
from shoal.exceptions import InvalidParameterError

if TYPE_CHECKING:
    from shoal.cli._checked import Checked
    from shoal.privacy import Verdict
    from shoal.table import Table

Checkable = Annotated[
    str | None,
    typer.Argument(metavar="FILE|URL|RELEASE", help="A table, or what 'shoal anonymize' wrote."),
]
K = Annotated[int | None, option.k_option("Exit 1 if a group is smaller.")]
Ordered = Annotated[
    option.Columns,
    typer.Option(metavar="a,b", help="Sensitive columns with an order; numbers always have one."),
]
Orders = Annotated[
    option.Words,
    typer.Option(metavar="a=low,mid,high", help="The order of a text column; may be repeated."),
]
Population = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Everybody the table was drawn from, generalized alike."),
]

SamplingFraction = Annotated[
    float | None,
    typer.Option(
        metavar="X", parser=option.number, help="Share of the population that is in the table."
    ),
]
ByColumn = Annotated[
    bool, typer.Option("--by-column", help="Also find the columns that make people unique.")
]


def check(
    context: typer.Context,
    data: Checkable = None,
    quasi: option.Quasi = None,
    sensitive: option.Sensitive = None,
    ordered: Ordered = None,
    order: Orders = None,
    hierarchies: option.Hierarchies = None,
    population: Population = None,
    sampling_fraction: SamplingFraction = None,
    by_column: ByColumn = False,
    person: option.Person = None,
    publish_as_is: option.PublishAsIs = None,
    drop: option.Drop = None,
    plan: option.PlanFile = None,
    k: K = None,
    kind: option.Kinds = None,
    table: option.SourceTable = None,
    query: option.Query = None,
    sheet: option.Sheet = None,
    delimiter: option.Delimiter = None,
    encoding: option.Encoding = None,
    missing: option.Missing = None,
    counts: Annotated[
        bool, typer.Option("--counts", help="The file is a table of counts, not of people.")
    ] = False,
    least: Annotated[
        int | None,
        typer.Option(metavar="N", parser=option.whole, help="Of counts: the smallest allowed; 5."),
    ] = None,
    as_json: option.Json = False,
) -> None:
    """Measure the privacy of any table, from anyone's tool.

    A release folder brings its roles and claims along, a plan (--plan) its own. Exits 1 if -k or a
    model of sensitive columns (--l, --t, ...) is asked for and not met, or if one is asked for and
    no quasi-identifier is named: then nothing holds, and what the columns tell is measured.
    """
    options = {**locals(), "models": context.meta[ASKED]}  # nothing else is named here yet
    if counts or least is not None:
        from shoal.cli._counts import check_counts

        raise typer.Exit(check_counts(options))
    from shoal.cli._linked import check_tables, is_about_tables

    if is_about_tables(options):
        check_tables(options)
    with working() as bar:
        bar.phase("reading")
        from shoal.cli._checked import read_checked
        from shoal.risk import measure_singling_out

        checked = read_checked(options)
        found = checked.table
        _check_ordered(found, names(ordered, "--ordered"))
        bar.phase("measuring")
        verdict = _judge(checked, options)
        risk = _risk(found, sampling_fraction, by_column)
        singling = measure_singling_out(found)
    named = bool(found.roles.quasi_identifiers)
    if as_json:
        facts = {**verdict.to_dict(), "holds": verdict.holds and named}
        warnings = [*checked.notes, *facts["warnings"], *found.warnings]
        facts |= {"singling_out": singling.to_dict(), "risk": risk, "warnings": warnings}
        facts |= {} if checked.network is None else {"network": dict(checked.network)}
        print_json({**facts, "source": found.origin.to_dict()})
    else:
        from shoal.cli._measures import lines, risk_lines, singling_lines

        notes = [f"Note: {note}" for note in checked.notes]
        told = [*lines(verdict, found), *risk_lines(risk)] if named else []
        print_lines([*notes, *singling_lines(singling, found), *told, *_network_line(checked)])
    holds = verdict.holds and (named or not checked.asked)
    raise typer.Exit(HOLDS if holds else REFUSED)


def _network_line(checked: Checked) -> list[str]:
    if checked.network is None:
        return []
    told = checked.network
    return [
        "",
        f"Network: {told['edges']:,} edges of {told['people']:,} people, counted again in all its"
        f" files. NSIL {told['nsil']:.4g}.",
    ]


def _check_ordered(table: Table, ordered: Sequence[str]) -> None:
    from shoal.exceptions import UnknownColumnError
    from shoal.table import COLUMN_KINDS

    for name in ordered:
        if name not in table.kinds:
            raise UnknownColumnError.among(name, table.column_names)
        if not COLUMN_KINDS[table.kinds[name]].ordered:
            raise InvalidParameterError(
                f"The values of {name!r} have no order of their own.",
                hint=f"Give it: --order {name}=low,mid,high",
            )


def _judge(checked: Checked, options: dict[str, Any]) -> Verdict:
    from shoal.hierarchies import read_hierarchies
    from shoal.privacy import check as judge
    from shoal.table import read_table

    folder, file = options["hierarchies"], options["population"]
    return judge(
        checked.table,
        checked.asked if checked.table.roles.quasi_identifiers else (),
        hierarchies=None if folder is None else read_hierarchies(folder),
        population=None if file is None else read_table(file),
    )


def _risk(table: Table, sampling_fraction: float | None, by_column: bool) -> dict[str, Any]:
    """Measure what regulators ask about, beside the privacy models."""
    from shoal.risk import measure_risk, risk_by_column

    measured = measure_risk(table, sampling_fraction=sampling_fraction).to_dict()
    kept = {name: measured[name] for name in ("share_above", "population") if name in measured}
    return kept | (risk_by_column(table).to_dict() if by_column else {})
