"""``shoal check``: the privacy of any table, from anyone's tool."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from shoal.cli import _options as option
from shoal.cli._bar import working
from shoal.cli._errors import HOLDS, REFUSED
from shoal.cli._model_options import asked_models
from shoal.cli._output import print_json, print_lines
from shoal.cli._typed import missing_of, names, orders, pairs
from shoal.exceptions import InvalidParameterError

if TYPE_CHECKING:
    from shoal.privacy import PrivacyModel, Verdict
    from shoal.table import Table

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
    data: option.DataArgument = None,
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
    k: K = None,
    kind: option.Kinds = None,
    delimiter: option.Delimiter = None,
    encoding: option.Encoding = None,
    missing: option.Missing = None,
    as_json: option.Json = False,
) -> None:
    """Measure the privacy of any table, from anyone's tool.

    Exits 1 if -k or a model of sensitive columns (--l, --t, ...) is given and not met.
    """
    options = {**locals(), "models": asked_models(context)}  # nothing else is named here yet
    with working() as bar:
        bar.phase("reading")
        table = _read(options)
        _check_ordered(table, names(ordered, "--ordered"))
        bar.phase("measuring")
        verdict = _judge(table, options)
        risk = _risk(table, sampling_fraction, by_column)
    if as_json:
        found = verdict.to_dict()
        warnings = [*found["warnings"], *table.warnings]
        print_json({**found, "risk": risk, "warnings": warnings})
    else:
        from shoal.cli._measures import lines, risk_lines

        print_lines([*lines(verdict, table), *risk_lines(risk)])
    raise typer.Exit(HOLDS if verdict.holds else REFUSED)


def _read(options: dict[str, Any]) -> Table:
    from shoal.table import Roles, read_table

    if options["data"] is None:
        raise InvalidParameterError(
            "Which table?", hint="shoal check release/data.csv --quasi age,sex,zip"
        )
    return read_table(
        options["data"],
        roles=Roles(
            quasi_identifiers=names(options["quasi"], "--quasi"),
            sensitive=names(options["sensitive"], "--sensitive"),
            person=options["person"],
            publish_as_is=names(options["publish_as_is"], "--publish-as-is"),
            drop=names(options["drop"], "--drop"),
        ),
        kinds=pairs(options["kind"], "--kind"),  # type: ignore[arg-type]  # it checks them
        orders=orders(options["order"], "--order"),
        delimiter=options["delimiter"],
        encoding=options["encoding"],
        missing=missing_of(options["missing"]),
    )


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


def _judge(table: Table, options: dict[str, Any]) -> Verdict:
    from shoal.hierarchies import read_hierarchies
    from shoal.privacy import check as judge
    from shoal.table import read_table

    folder, file = options["hierarchies"], options["population"]
    return judge(
        table,
        _asked(table, options),
        hierarchies=None if folder is None else read_hierarchies(folder),
        population=None if file is None else read_table(file),
    )


def _risk(table: Table, sampling_fraction: float | None, by_column: bool) -> dict[str, Any]:
    """Measure what regulators ask about, beside the privacy models."""
    from shoal.risk import measure_risk, risk_by_column

    measured = measure_risk(table, sampling_fraction=sampling_fraction).to_dict()
    kept = {name: measured[name] for name in ("share_above", "population") if name in measured}
    return kept | (risk_by_column(table).to_dict() if by_column else {})


def _asked(table: Table, options: dict[str, Any]) -> list[PrivacyModel]:
    from shoal.privacy import KAnonymity, build_sensitive

    k = options["k"]
    models: list[PrivacyModel] = [] if k is None else [KAnonymity(k)]
    return [*models, *build_sensitive(table, k=2 if k is None else k, **options["models"])]
