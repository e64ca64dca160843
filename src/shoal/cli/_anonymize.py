"""``shoal anonymize``: from a table to a verified release."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from shoal.cli import _options as option
from shoal.cli._bar import Bar, helping, working
from shoal.cli._options import ASKED
from shoal.cli._output import print_json, print_lines, say
from shoal.cli._typed import plan_of
from shoal.exceptions import BelowPresetError, InvalidParameterError
from shoal.presets import PRESETS

if TYPE_CHECKING:
    from shoal.anonymizer import Anonymizer
    from shoal.cli._result import Result
    from shoal.grouping import Grouper
    from shoal.plan import Plan
    from shoal.table import Table

K = Annotated[int | None, option.k_option("Smallest group; 10 if not given.")]


def anonymize(
    context: typer.Context,
    data: option.DataArgument = None,
    k: K = None,
    quasi: option.Quasi = None,
    sensitive: option.Sensitive = None,
    identifier: option.Identifier = None,
    target: option.Target = None,
    person: option.Person = None,
    publish_as_is: option.PublishAsIs = None,
    drop: option.Drop = None,
    pseudonym: option.Pseudonyms = None,
    project: option.Project = None,
    shift_dates: option.ShiftDates = None,
    shift_days: option.ShiftDays = None,
    shift_keeps: option.ShiftKeeps = None,
    preset: option.Preset = None,
    hierarchies: option.Hierarchies = None,
    hierarchy: option.HierarchyWords = None,
    kind: option.Kinds = None,
    weights: option.Weights = None,
    limit: option.Limits = None,
    grid: option.Grid = None,
    method: option.Method = None,
    recoding: option.Recoding = None,
    order: option.Order = None,
    refine: option.Refine = None,
    loss: option.Loss = None,
    m: option.M = None,
    edges: option.Edges = None,
    node: option.Node = None,
    graph_alpha: option.GraphAlpha = None,
    graph_beta: option.GraphBeta = None,
    scale: option.Scale = None,
    radius: option.Radius = None,
    push_back: option.PushBack = None,
    stir: option.StirColumns = None,
    stir_mode: option.StirMode = None,
    flatten: option.FlattenColumns = None,
    max_divergence: option.MaxDivergence = None,
    max_suppression: option.MaxSuppression = None,
    seed: option.Seed = None,
    plan: option.PlanFile = None,
    output: option.OutputOrDatabase = None,
    into: option.Into = None,
    papers: option.Papers = None,
    force: option.Force = False,
    format: option.Format = None,
    language: option.Language = None,
    spreadsheet_safe: option.SpreadsheetSafe = False,
    provenance: option.Provenance = False,
    table: option.SourceTable = None,
    query: option.Query = None,
    sheet: option.Sheet = None,
    delimiter: option.Delimiter = None,
    encoding: option.Encoding = None,
    missing: option.Missing = None,
    engine: option.Engine = "local",
    master: option.Master = None,
    routing: option.Routing = None,
    rows_per_fragment: option.RowsPerFragment = None,
    boundary_pass: option.BoundaryPass = None,
    ledger: option.LedgerMode = None,
    hide_changes: option.HideChanges = False,
    after: option.After = None,
    refound: option.Refound = False,
    draft: option.Draft = False,
    effort: option.Effort = None,
    steps: option.Steps = None,
    prove: option.Prove = None,
    no_bound: option.NoBound = False,
    as_json: option.Json = False,
) -> None:
    """Hide every person in a crowd of at least k.

    Writes a release: the data, read back and recounted, a report and a manifest. What is typed
    goes over what the plan says. Columns are separated by commas, options may be repeated. Exits
    1 if what was asked for cannot hold; then nothing is written.
    """
    options = {**locals(), "models": context.meta[ASKED]}  # nothing else is named here yet
    if plan is not None:
        from shoal.cli._linked import anonymize_tables, is_about_tables

        if is_about_tables(options):
            anonymize_tables(options)
            return
    with working() as bar:
        result = _release(options, bar)
    if as_json:
        print_json(result.facts())
    else:
        print_lines(result.lines())


def _release(options: dict[str, Any], bar: Bar) -> Result:
    """Do what the options ask for."""
    began = perf_counter()
    output = options["output"]
    in_database = options["into"] is not None or "://" in str(output) or options["papers"]
    if in_database:
        from shoal.cli._write_back import papers_folder

        output = papers_folder(options)
    from shoal.cli._result import make_release
    from shoal.release import PLAIN_FORMATS, check_folder

    plan, notes = _asked(options)
    check_folder(output, force=options["force"], source=Path(str(plan.source)))
    folder = Path(output)
    if in_database:
        from shoal.cli._write_back import check_database

        check_database(options, folder)
    if options["engine"] == "spark":
        from shoal.cli._spark import spark_release

        return spark_release(plan, options, folder, bar, notes)
    with helping() as compiled:
        started = perf_counter()
        bar.phase("reading")
        table = plan.table()
        if plan.edges is not None and options["hide_changes"]:
            raise InvalidParameterError("--hide-changes keeps crowds, whatever the edges say.")
        crowds = None
        form = plan.format or table.origin.format
        if form not in PLAIN_FORMATS and not in_database:
            notes = (*notes, *_say_before(table, form))
        if options["hide_changes"]:
            table, crowds, note = _keep_crowds(table, plan)
            notes = (*notes, note)
        seconds = {"starting": started - began, "reading": perf_counter() - started}
        writing = {
            name: options[name] for name in ("force", "provenance", "spreadsheet_safe", "draft")
        }
        anonymizer = plan.anonymizer(table, seed=options["seed"])
        if options["no_bound"]:
            anonymizer.bound = False
        if crowds is not None:
            anonymizer.grouping = crowds
        told = {"seconds": seconds, "plan": plan, "notes": notes, "ledger": plan.ledger, **writing}
        told["into"] = (options["output"], options["into"]) if in_database else None
        told["compiled"] = compiled
        if plan.after is not None or options["refound"]:
            return _follow(anonymizer, table, folder, bar, told)
        return make_release(anonymizer, table, folder, bar, **told)


def _follow(
    anonymizer: Anonymizer, table: Table, folder: Path, bar: Bar, told: dict[str, Any]
) -> Result:
    """Release what fits earlier releases; unless somebody says otherwise, or nothing at all."""
    from dataclasses import replace

    from shoal.cli._result import make_release
    from shoal.growing import Refounding

    plan: Plan = told["plan"]
    way = Refounding(anonymizer) if plan.after is None else plan.later(anonymizer)
    told = {**told, "ledger": told["ledger"] or "refuse"}
    result = make_release(way, table, folder, bar, **told)
    return replace(result, notes=(*way.notes(), *result.notes))


def _say_before(table: Table, form: str) -> list[str]:
    """Say what a format cannot hold before anything is worked on; refuse what it never can."""
    from shoal.release.renderings import RENDERINGS, told_before

    told = told_before(RENDERINGS[form], table)
    for sentence in told:
        say(f"Note: {sentence}")
    return told


def _keep_crowds(table: Table, plan: Plan) -> tuple[Table, Grouper, str]:
    """Take the crowds of the last release, without those that somebody left."""
    from shoal.ledger import KeptCrowds, Ledger

    with Ledger.open() as ledger:
        kept, crowds = KeptCrowds.of(table, ledger.kept_crowds(table), plan.weights)
    left = table.n_rows - kept.n_rows
    return kept, crowds, f"Crowds of an earlier release, {left:,} rows left out to hide who left."


def _asked(options: dict[str, Any]) -> tuple[Plan, tuple[str, ...]]:
    """Lay the options over the plan, refuse what makes no release, and note what to know of it."""
    if any(options[name] != usual for name, usual in OF_ENGINES.items()):
        _check_engine(options)
    try:
        plan, seed = plan_of(options), options["seed"]
    except BelowPresetError as error:
        raise _with_columns(options, error) from None
    if plan.source is None:
        raise InvalidParameterError(
            "Which table? Name its file, or a plan that does.",
            hint="shoal anonymize patients.csv --quasi age,sex,zip -o release/",
        )
    if not plan.roles.quasi_identifiers and plan.edges is None:
        raise InvalidParameterError(
            "No quasi-identifier is named, so everything would be published as it is.",
            hint=f"Use --quasi age,sex,zip, or 'shoal init {plan.source}' for a start.",
        )
    if plan.after is not None and (options["hide_changes"] or options["refound"]):
        raise InvalidParameterError(
            "--after keeps the crowds of an earlier release already.",
            hint="Leave out --hide-changes and --refound.",
        )
    if seed is not None and seed < 0:
        raise InvalidParameterError("--seed must be a whole number, 0 or more.")
    notes = ["The least possible loss was not computed (--no-bound)."]
    notes = notes if options["no_bound"] else []
    if options["plan"] is not None and options["quasi"]:
        notes.append(f"--quasi adds to the plan: {', '.join(plan.roles.quasi_identifiers)}.")
    if seed is not None:
        notes.append(SEEDED if plan.method == "quantize" else SEEDED_IN_VAIN)
    return plan, tuple(notes)


def _with_columns(options: dict[str, Any], error: BelowPresetError) -> BelowPresetError:
    """Tell what nobody accepted as well, so that nobody is sent back twice."""
    if options["preset"] is None or not PRESETS[options["preset"]].accounted:
        return error
    from shoal.plan import say_unaccepted

    plan = plan_of({**options, "preset": None})
    told = say_unaccepted(plan.table()) if plan.source is not None else ""
    said = f"{error} Nor is this accepted: {told}" if told else str(error)
    return BelowPresetError(said, hint=error.hint)


#: What is said of an engine if nothing is typed.
OF_ENGINES = {"engine": "local"} | dict.fromkeys(
    ("master", "routing", "rows_per_fragment", "boundary_pass")
)
SEEDED = "Made with a seed: whoever knows it can undo the shuffle. Not for publication."
SEEDED_IN_VAIN = "--seed changed nothing: no method here draws at random."


def _check_engine(options: dict[str, Any]) -> None:
    if options["engine"] == "spark" and options["routing"] is not None:
        from shoal.spark import check_routing

        check_routing(options["routing"])  # wrong whether Spark is installed or not
    if options["engine"] != "local":
        from shoal.plan import check_engine

        check_engine(options["engine"])
    for name in OF_ENGINES:
        if options["engine"] != "spark" and name != "engine" and options[name] is not None:
            raise InvalidParameterError(f"--{name.replace('_', '-')} goes with --engine spark.")
