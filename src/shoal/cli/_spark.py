"""A release that Spark made: how the command line asks for it and tells of it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from time import perf_counter
from typing import Any

from shoal.cli._bar import Bar
from shoal.cli._result import Result
from shoal.exceptions import InvalidParameterError
from shoal.ledger import ledger_mode
from shoal.plan import Plan
from shoal.spark import (
    ROUTING,
    ROWS_PER_FRAGMENT,
    anonymize,
    is_database,
    jdbc_settings,
    plan_source,
    refuse_local_only,
    spark_session,
)
from shoal.table import Address, Origin, is_address
from shoal.table.sources import Place, open_source

NOT_THERE = ("prove", "spreadsheet_safe", "hide_changes", "refound")


def spark_release(
    plan: Plan, options: Mapping[str, Any], folder: Path, bar: Bar, notes: tuple[str, ...]
) -> Result:
    """Anonymize on Spark, write and verify."""
    for name in NOT_THERE:
        if options.get(name):
            raise InvalidParameterError(
                f"--{name.replace('_', '-')} is for the local engine.",
                hint="Leave it out, or leave out --engine spark.",
            )
    settings = jdbc_settings(str(plan.source))
    refuse_local_only(plan)
    began = perf_counter()
    bar.phase("starting Spark")
    rows = options["rows_per_fragment"]
    started_with = spark_session(options["master"], settings)
    with started_with as spark, plan_source(spark, plan) as source:
        started = perf_counter()
        with anonymize(
            source,
            plan,
            routing=options["routing"] or ROUTING,
            rows_per_fragment=ROWS_PER_FRAGMENT if rows is None else rows,
            boundary=options["boundary_pass"] is not False,
            progress=bar,
        ) as release:
            writing = perf_counter()
            recorded = {"plan": plan.to_toml()} if options["provenance"] else None
            written = release.write(
                folder,
                format=plan.format or _format_of(str(plan.source)),
                force=options["force"],
                provenance=recorded,
                ledger=ledger_mode(plan.ledger, plan.preset),
                draft=options["draft"],
                language=plan.language,
                progress=bar,
            )
    bar.tell()
    spent = {name.replace(" ", "_"): s for name, s in release.seconds.items()}
    spent = {"starting": started - began, **spent, "recounting": written.seconds}
    spent["writing"] = perf_counter() - writing - written.seconds
    spent["total"] = perf_counter() - began
    told = (*notes, *written.ledger.warnings)
    rows_in, origin = release.recipe.rows, _origin(plan)
    return Result(written, folder, rows_in, release.facts(), spent, told, origin)


def _origin(plan: Plan) -> dict[str, str]:
    """Say where the table came from, without a secret, as the local engine does."""
    source = str(plan.source)
    if is_database(source):
        place = open_source(Place(source, table=plan.source_table, query=plan.query))
        return Origin(place.kind, place.name).to_dict()
    name = str(Address.of(source)) if is_address(source) else Path(source).name
    return Origin(_format_of(source), name).to_dict()


def _format_of(source: str) -> str:
    """As it came: Parquet stays Parquet."""
    return "parquet" if Path(source).suffix.lower() in (".parquet", ".pq") else "csv"
