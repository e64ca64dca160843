"""``shoal tune``: many anonymizations tried, one released."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from shoal.cli import _options as option
from shoal.cli._bar import Bar, helping, working
from shoal.cli._output import print_json, print_lines
from shoal.cli._typed import let_ask, missing_fields, names, pairs, roles_of, several, source_fields
from shoal.exceptions import InvalidParameterError

if TYPE_CHECKING:
    from shoal.plan import Plan
    from shoal.release import Written
    from shoal.tuning import Search, Stepwise, Tuned

Models = Annotated[
    option.Words,
    typer.Option(
        "--model",
        metavar="a,b",
        help="random_forest, logistic_regression, gradient_boosting, linear_svc; a forest if none.",
    ),
]
Metric = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Any scorer of scikit-learn; f1_macro, r2 for numbers."),
]
Positive = Annotated[
    str | None, typer.Option(metavar="CLASS", help="What precision and recall are about.")
]
Features = Annotated[
    option.Columns,
    typer.Option(metavar="a,b", help="What models see; the quasi-identifiers if not given."),
]
Privacy = Annotated[str, typer.Option(metavar="k|l|risk", help="How privacy is measured.")]
Raw = Annotated[bool, typer.Option("--raw", help="Take k or l as they are, not their logarithm.")]
Alpha = Annotated[
    str, typer.Option(metavar="auto|X", help="Weight of privacy in Q = Q_F + alpha * Q_NF.")
]
Ks = Annotated[
    str | None, typer.Option("-k", metavar="N or LOW-HIGH", help="What k to search; 5-200.")
]
Ls = Annotated[
    str | None,
    typer.Option("--l", "-l", metavar="2,3", help="Distinct sensitive values in a group, to try."),
]
Methods = Annotated[
    str | None,
    typer.Option(metavar="a,b", help="auto, best-first, common, mondrian, quantize: ways to try."),
]
Suppressions = Annotated[
    str | None,
    typer.Option("--max-suppression", metavar="0,0.02", help="Shares that may be left out; 0."),
]
LimitsToTry = Annotated[
    option.Words,
    typer.Option("--limit", metavar="age=10,age=20", help="Limits to try, beside none at all."),
]
Refine = Annotated[
    str | None,
    typer.Option(metavar="no|yes|both", help="Whether trials refine groups, as releases do; no."),
]
EffortsOption = Annotated[
    str | None,
    typer.Option(
        "--efforts",
        metavar="stepwise[:N]",
        help="Search nothing: generalize step by step, N times (6), and count k.",
    ),
]
Weights = Annotated[bool, typer.Option("--weights/--no-weights", help="Whether to search weights.")]
Trials = Annotated[
    int, typer.Option(metavar="N", parser=option.whole, help="Anonymizations to try.")
]
Timeout = Annotated[
    float | None,
    typer.Option(metavar="S", parser=option.number, help="Seconds after which none is begun."),
]
Storage = Annotated[
    Path | None, typer.Option(metavar="FILE", help="SQLite file that keeps finished trials.")
]
Resume = Annotated[bool, typer.Option("--resume", help="Go on with what the storage holds.")]
Pick = Annotated[
    int | None,
    typer.Option(metavar="TRIAL", parser=option.whole, help="Release this one of the front."),
]
Look = Annotated[
    bool,
    typer.Option("--look", help="Search and show the front; release nothing (needs --storage)."),
]
WorkersOption = Annotated[
    int | None,
    typer.Option("--workers", metavar="N", parser=option.whole, help="Processes; found if none."),
]
Seeds = Annotated[
    int, typer.Option(metavar="N", parser=option.whole, help="Times each model is trained.")
]

SEARCHED = ("k", "l", "method", "max_suppression", "limit", "refine")
SAME = ("delimiter", "encoding", "ledger")  # options and fields of a plan of one name
REFINE = {"no": (False,), "yes": (True,), "both": (False, True)}


def tune(
    data: option.DataArgument = None,
    target: option.Target = None,
    quasi: option.Quasi = None,
    sensitive: option.Sensitive = None,
    identifier: option.Identifier = None,
    person: option.Person = None,
    publish_as_is: option.PublishAsIs = None,
    drop: option.Drop = None,
    hierarchies: option.Hierarchies = None,
    kind: option.Kinds = None,
    model: Models = None,
    metric: Metric = None,
    positive: Positive = None,
    features: Features = None,
    privacy: Privacy = "k",
    raw: Raw = False,
    alpha: Alpha = "auto",
    k: Ks = None,
    l: Ls = None,
    method: Methods = None,
    weights: Weights = True,
    max_suppression: Suppressions = None,
    limit: LimitsToTry = None,
    refine: Refine = None,
    efforts: EffortsOption = None,
    trials: Trials = 100,
    timeout: Timeout = None,
    storage: Storage = None,
    resume: Resume = False,
    pick: Pick = None,
    look: Look = False,
    workers: WorkersOption = None,
    seeds: Seeds = 1,
    seed: option.Seed = None,
    plan: option.PlanFile = None,
    output: option.Output = None,
    force: option.Force = False,
    format: option.Format = None,
    table: option.SourceTable = None,
    query: option.Query = None,
    sheet: option.Sheet = None,
    delimiter: option.Delimiter = None,
    encoding: option.Encoding = None,
    missing: option.Missing = None,
    ledger: option.LedgerMode = None,
    as_json: option.Json = False,
) -> None:
    """Try many anonymizations, let models judge each, release the best trade-off.

    Models learn from the anonymized train part and are tested on untouched rows. Writes one
    release, the plan that made it and a page about the study.
    """
    options = dict(locals())  # before anything else is named here
    if look:
        _show_front(options)
        return
    began = perf_counter()
    folder = _check_folder(output, None if data is None else Path(data), force=force)
    with working() as bar, helping():
        found = _search(options, bar)
        _ = found.anonymizer  # fits it while the bar can still be stopped
        bar.phase("writing")
        written = found.write(folder, force=force, format=format, progress=bar)
    if as_json:
        print_json({**found.to_dict(), **_facts(found, written, folder, perf_counter() - began)})
    else:
        print_lines([str(found), "", *_where_to_look(folder)])


def _show_front(options: dict[str, Any]) -> None:
    """Search without a release: it is made from the same storage, of the trial that is picked."""
    if options["storage"] is None or options["output"] is not None:
        raise InvalidParameterError(
            "--look keeps what was tried in a --storage and releases nothing.",
            hint="Then: the same line with --resume --pick TRIAL -o release/ instead of --look.",
        )
    with working() as bar, helping():
        told = _search(options, bar).to_dict()
    if options["as_json"]:
        print_json({key: told[key] for key in ("front", "tried", "trials", "failures", "metric")})
        return
    lines = [
        f"  trial {each['trial']:>3}  k {each['k']:>4}  {told['metric']} {each['q_f']:.3f}"
        for each in told["front"]
    ]
    print_lines([f"{told['trials']} trials, on the front:", *lines, "Next: --resume --pick TRIAL"])


def _check_folder(folder: Path | None, data: Path | None, *, force: bool) -> Path:
    """Look whether the folder may be replaced before anything is searched for it."""
    from shoal.release import check_folder

    check_folder(folder, force=force, source=data)
    return Path(str(folder))


def _search(options: dict[str, Any], bar: Bar) -> Tuned:
    """Do what the options ask for."""
    from shoal.tuning import tune as search

    plan = _plan(options)
    bar.phase("reading")
    table = plan.table()
    return search(
        table,
        hierarchies=plan.hierarchy_folder or plan.trees(table),
        models=names(options["model"], "--model") or "random_forest",
        metric=options["metric"],
        positive=options["positive"],
        features=names(options["features"], "--features") or None,
        privacy=options["privacy"],
        raw=options["raw"],
        alpha=_alpha(options["alpha"]),
        search=_space(options, plan, table.n_rows),
        trials=options["trials"],
        timeout=options["timeout"],
        storage=options["storage"],
        resume=options["resume"],
        pick=options["pick"],
        workers=_at_least_one(options["workers"], "--workers"),
        seeds=range(_at_least_one(options["seeds"], "--seeds") or 1),
        seed=options["seed"] or 0,
        plan=plan,
        progress=bar,
    )


def _plan(options: dict[str, Any]) -> Plan:
    """Everything about the table: what the plan says, what is typed over it."""
    from shoal.plan import Plan

    base = Plan.read(options["plan"]) if options["plan"] is not None else Plan()
    given = {name: options[name] for name in SAME if options[name] is not None}
    given |= source_fields(options)
    let_ask(base.source)
    if options["missing"]:
        given |= missing_fields(options["missing"], base)
    if options["hierarchies"] is not None:
        given |= {"hierarchy_folder": str(options["hierarchies"]), "hierarchies": {}}
    kinds = {**base.kinds, **pairs(options["kind"], "--kind")}
    return _complete(replace(base, roles=roles_of(options, base.roles), kinds=kinds, **given))  # type: ignore[arg-type]


def _complete(plan: Plan) -> Plan:
    """Refuse a plan that leaves open what tuning needs."""
    if plan.after is not None:
        raise InvalidParameterError(
            "A study makes a release anew, and the plan follows an earlier one ([after]).",
            hint="Leave out [after], or run the plan with 'shoal anonymize'.",
        )
    roles = plan.roles
    if plan.source is None or roles.target is None or not roles.quasi_identifiers:
        raise InvalidParameterError(
            "Tuning needs a table, a target and quasi-identifiers.",
            hint="shoal tune patients.csv --target readmitted --quasi age,sex,zip -o release/",
        )
    return plan


def _space(options: dict[str, Any], plan: Plan, rows: int) -> Search | Stepwise | None:
    """What is searched; None leaves it to the size of the table."""
    from shoal.tuning import promised_space

    promised = promised_space(plan, rows)
    searched = [name for name in SEARCHED if options[name] is not None]
    if options["efforts"] is not None:
        if searched or not options["weights"]:
            raise InvalidParameterError(
                "--efforts tries what it says and searches nothing else.",
                hint="Leave out --efforts, or what is to be searched (-k, --method, --limit, ...).",
            )
        return _stepwise(options["efforts"])
    if not searched and not promised and options["weights"]:
        return None
    return _searched(options, promised)


def _stepwise(text: str) -> Stepwise:
    from shoal.tuning import Stepwise

    name, _, steps = text.partition(":")
    if name != "stepwise":
        raise InvalidParameterError(f"There are no efforts named {name!r}.", hint="Use stepwise.")
    return Stepwise(_whole(steps, "--efforts")) if steps else Stepwise()


def _searched(options: dict[str, Any], promised: dict[str, Any]) -> Search:
    """The space of efforts; what is not said is as the plan promises, or as by default."""
    from shoal.tuning import Search

    given: dict[str, Any] = {**promised, "weights": options["weights"]}
    if options["k"] is not None:
        low, _, high = options["k"].partition("-")
        given["k"] = (_whole(low, "-k"), _whole(high or low, "-k"))
    if options["l"] is not None:
        given["l"] = tuple(_whole(part, "--l") for part in options["l"].split(","))
    if options["method"] is not None:
        given["methods"] = tuple(part.strip() for part in options["method"].split(","))
    if options["max_suppression"] is not None:
        parts = options["max_suppression"].split(",")
        given["suppression"] = tuple(_number(part, "--max-suppression") for part in parts)
    if options["limit"] is not None:
        given["limits"] = several(options["limit"], "--limit")
    if options["refine"] is not None:
        if options["refine"] not in REFINE:
            raise InvalidParameterError("--refine takes no, yes or both.")
        given["refine"] = REFINE[options["refine"]]
    return Search(**given)


def _alpha(text: str) -> float | str:
    return text if text == "auto" else _number(text, "--alpha")


def _whole(text: str, option: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise InvalidParameterError(f"{option} takes whole numbers.") from None


def _number(text: str, option: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InvalidParameterError(f"{option} takes numbers.") from None


def _at_least_one(number: int | None, option: str) -> int | None:
    if number is not None and number < 1:
        raise InvalidParameterError(f"{option} must be 1 or more.")
    return number


def _facts(found: Tuned, written: Written, folder: Path, seconds: float) -> dict[str, Any]:
    """What is known of the release itself, beside the study."""
    counted = written.verification.recount
    return {
        "k": counted.k,
        "k_asked": found.plan.k,
        "rows_in": found.table.n_rows,
        "rows_out": counted.rows,
        "ngil": found.anonymizer.loss_.ngil,
        "ledger": written.ledger.to_dict(),
        "seconds": round(seconds, 3),
        "output": str(folder),
        "files": written.files,
    }


def _where_to_look(folder: Path) -> list[str]:
    files = {
        "study.html": "the front, the alpha and the choice; for you alone",
        "plan.toml": "runs it again: shoal anonymize --plan; for you alone",
        "report.html": "open it in a browser before you share anything",
    }
    return [f"{folder / name}  {what}" for name, what in files.items()]
