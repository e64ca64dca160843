"""``shoal attack``: what an attacker still gains from a release."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from shoal.cli import _options as option
from shoal.cli._bar import Bar, working
from shoal.cli._output import HOLDS, REFUSED, columns_of, print_json, print_lines
from shoal.cli._typed import OF_SOURCE, asked_of, let_ask, missing_of, names, pairs, source_fields
from shoal.exceptions import InvalidParameterError

if TYPE_CHECKING:
    from shoal.risk import AttackReport, AttackResult, AttackScene
    from shoal.table import Roles, Table

ReleaseArgument = Annotated[
    Path | None,
    typer.Argument(metavar="RELEASE", help="A folder from 'shoal anonymize', or a file."),
]
Original = Annotated[
    str | None, typer.Option(metavar="FILE|URL", help="The table the release was made from.")
]
Control = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="People like them, held out before anonymizing."),
]
Beside = Annotated[
    Path | None,
    typer.Option(metavar="RELEASE", help="Another release of the same people, to be joined."),
]
HoldOut = Annotated[
    float | None,
    typer.Option(
        metavar="SHARE", parser=option.number, help="With --plan: people to hold out; 0.2."
    ),
]
Attacks = Annotated[
    option.Columns, typer.Option(metavar="a,b", help="Attacks to try; all if not given.")
]
Aux = Annotated[
    option.Columns,
    typer.Option(metavar="a,b", help="Columns the attacker knows; the quasi-identifiers."),
]
Threshold = Annotated[
    str | None,
    typer.Option(
        metavar="internal|partner|public",
        help="Whose threshold judges; the release's own, or internal.",
    ),
]
Page = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Write the result as a page to read, too.")
]


FOR_A_RELEASE = (
    *("release", "original", "control", "aux", "sensitive", "quasi", "person", "hierarchies"),
    *("hierarchy", "kind", "table", "query", "sheet", "delimiter", "encoding", "missing"),
    "beside",
)


def attack(
    release: ReleaseArgument = None,
    original: Original = None,
    control: Control = None,
    beside: Beside = None,
    plan: option.PlanFile = None,
    hold_out: HoldOut = None,
    attacks: Attacks = None,
    aux: Aux = None,
    sensitive: option.Sensitive = None,
    quasi: option.Quasi = None,
    person: option.Person = None,
    publish_as_is: option.PublishAsIs = None,
    drop: option.Drop = None,
    hierarchies: option.Hierarchies = None,
    hierarchy: option.HierarchyWords = None,
    kind: option.Kinds = None,
    preset: Threshold = None,
    page: Page = None,
    table: option.SourceTable = None,
    query: option.Query = None,
    sheet: option.Sheet = None,
    delimiter: option.Delimiter = None,
    encoding: option.Encoding = None,
    missing: option.Missing = None,
    as_json: option.Json = False,
) -> None:
    """Try what an attacker would: link people, guess their secrets, read between the lines.

    Each attack tells three rates: about people of the release, by guessing, and about people who
    were held out. With --plan instead of a release, a fifth of the people is held out, the others
    are released as the plan says, and that is attacked; nothing is kept. With --plan beside a
    release, its table is read as the plan says. --drop and --publish-as-is try what a release
    without some columns, or with them, would tell. Exits 1 if one gains more than the preset
    accepts.
    """
    options = dict(locals())  # before anything else is named here
    if release is not None and original is None:
        from shoal.cli._linked import attack_tables
        from shoal.linked import is_linked_release

        if is_linked_release(release):
            attack_tables(release, preset=preset, as_json=as_json)
            return
    with working() as bar:
        bar.phase("reading")
        there = plan is not None and plan.is_file()
        found = _attack_network(options, bar) if there else None
        scene = None
        rehearsed = plan is not None and release is None
        if found is None:
            found, scene = (_rehearse if rehearsed else _attack)(options, bar)
    if page is not None:
        _write_page(page, found)
    if scene is None:
        print_json(found.to_dict()) if as_json else print_lines(_network_lines(found))
    elif as_json:
        from shoal.risk import measure_singling_out

        singled = measure_singling_out(scene.released).to_dict()
        told = {
            "singling_out": singled,
            "warnings": _warnings(scene),
            **_attacked(scene, rehearsed),
        }
        print_json({**found.to_dict(), **told})
    else:
        print_lines(_lines(found, scene))
    raise typer.Exit(HOLDS if found.holds else REFUSED)


def _attacked(scene: AttackScene, rehearsed: bool) -> dict[str, str]:
    """Say which release was attacked, for whoever quotes it: the hash of its manifest."""
    from shoal.release import MANIFEST, describe

    if scene.folder is None or rehearsed:
        return {}
    return {"manifest_sha256": str(describe(scene.folder / MANIFEST)["sha256"])}


def _attack_network(options: dict[str, Any], bar: Bar) -> AttackReport | None:
    """Attack the network of a plan that has one."""
    from shoal.plan import Plan, attack_network

    plan = Plan.read(options["plan"])
    if plan.edges is None:
        return None
    said = [n for n in (*FOR_A_RELEASE[1:], "hold_out") if options[n]]
    if said:
        raise InvalidParameterError(
            f"--plan says what {said[0]!r} would, so give one of them.",
            hint="shoal attack release/ --plan plan.toml: groups are formed again as it says.",
        )
    wanted = names(options["attacks"], "--attacks") or None
    return attack_network(plan, options["release"], wanted, preset=options["preset"], progress=bar)


def _attack(options: dict[str, Any], bar: Bar) -> tuple[AttackReport, AttackScene]:
    """Attack a release that is there."""
    from shoal.risk import run_attacks

    if options["hold_out"] is not None:
        raise InvalidParameterError(
            "--hold-out goes with --plan: nobody can be held out of a release that is made.",
            hint="shoal attack --plan plan.toml, or name people like them: --control FILE.",
        )
    scene, own_preset = _scene(options)
    wanted = names(options["attacks"], "--attacks") or None
    return run_attacks(scene, wanted, preset=options["preset"] or own_preset, progress=bar), scene


def _rehearse(options: dict[str, Any], bar: Bar) -> tuple[AttackReport, AttackScene]:
    """Make the release of a plan without some people, and attack that."""
    from shoal.plan import Plan, rehearse

    twice = [n for n in FOR_A_RELEASE if options[n]]
    if twice:
        raise InvalidParameterError(
            f"--plan says what {twice[0]!r} would, so give one of them.",
            hint="shoal attack --plan plan.toml, or shoal attack release/ --original patients.csv",
        )
    given = {n: options[n] for n in ("hold_out", "preset") if options[n] is not None}
    wanted = names(options["attacks"], "--attacks") or None
    plan = Plan.read(options["plan"])
    let_ask(plan.source)
    plan = replace(plan, roles=_laid_over(plan.roles, options))
    found = rehearse(plan, wanted, progress=bar, **given)
    return found.report, found.scene


def _scene(options: dict[str, Any]) -> tuple[AttackScene, str | None]:
    from shoal.hierarchies import read_hierarchies
    from shoal.plan import Plan, build_hierarchies
    from shoal.release import read_release
    from shoal.risk import AttackScene

    plan = None if options["plan"] is None else Plan.read(options["plan"])
    if plan is not None and options["original"] is None and plan.source is not None:
        options = {**options, "original": plan.source}
    if options["release"] is None or options["original"] is None:
        raise InvalidParameterError(
            "Which release, and of which table?",
            hint="shoal attack release/ --original patients.csv, or shoal attack --plan plan.toml",
        )
    known = names(options["aux"], "--aux") or names(options["quasi"], "--quasi")
    opened = read_release(
        options["release"],
        quasi_identifiers=known,
        sensitive=names(options["sensitive"], "--sensitive"),
    )
    if opened.manifest.get("network") and not known:
        opened = replace(opened, table=_without_group(opened.table))
    if not opened.table.roles.quasi_identifiers:
        raise InvalidParameterError("An attacker who knows nothing finds nobody: use --aux.")
    folder = options["hierarchies"]
    let_ask(options["original"])
    original = _read(options["original"], options)
    planned = {} if plan is None else plan.trees(original)
    words = pairs(options["hierarchy"], "--hierarchy")
    scene = AttackScene(
        opened.table.with_roles(_laid_over(opened.table.roles, options)),
        original,
        None if options["control"] is None else _read_alike(options["control"], original, options),
        (planned if folder is None else read_hierarchies(folder))
        | build_hierarchies(words, None, original.column_names),
        folder=opened.folder if opened.manifest else None,
        k=opened.k,
        moved=opened.moved,
        beside=None if options["beside"] is None else read_release(options["beside"]).table,
    )
    return scene, opened.preset


def _laid_over(roles: Roles, options: dict[str, Any]) -> Roles:
    """Take columns out of a release, or name those published as they are: a role for each."""
    accepted = tuple(names(options["publish_as_is"], "--publish-as-is"))
    left_out = tuple(names(options["drop"], "--drop"))

    def others(columns: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(name for name in columns if name not in (*accepted, *left_out))

    return replace(
        roles,
        identifiers=others(roles.identifiers),
        quasi_identifiers=others(roles.quasi_identifiers),
        sensitive=others(roles.sensitive),
        target=None if roles.target in (*accepted, *left_out) else roles.target,
        publish_as_is=(*others(roles.publish_as_is), *accepted),
        drop=(*others(roles.drop), *left_out),
    )


def _without_group(table: Table) -> Table:
    """Nobody knows from elsewhere in which group of a network somebody is."""
    known = tuple(name for name in table.roles.quasi_identifiers if name != "group")
    return table.with_roles(replace(table.roles, quasi_identifiers=known))


def _read_alike(file: str, original: Table, options: dict[str, Any]) -> Table:
    """Read people held out with the kinds of the original, whatever few of them look like."""
    table = _read(file, options)
    kinds = {
        name: kind for name, kind in original.kinds.items() if table.kinds.get(name, kind) != kind
    }
    return _read(file, options, kinds) if kinds else table


def _read(file: str, options: dict[str, Any], kinds: Mapping[str, str] | None = None) -> Table:
    from shoal.table import Roles, read_table

    if options["plan"] is not None:
        return _read_as_planned(file, options, kinds)
    return read_table(
        file,
        roles=Roles(person=options["person"]),
        kinds=dict(kinds or {}) | pairs(options["kind"], "--kind"),  # type: ignore[arg-type]
        delimiter=options["delimiter"],
        encoding=options["encoding"],
        missing=missing_of(options["missing"]),
        **(asked_of(options) if file == options["original"] else {}),
    )


def _read_as_planned(file: str, options: dict[str, Any], kinds: Mapping[str, str] | None) -> Table:
    """Read a table as the plan of its release did: what is missing, units, formats of dates."""
    from shoal.plan import Plan
    from shoal.table import Roles

    said = [name for name in READ_BY_PLAN if options[name]]
    if said:
        raise InvalidParameterError(f"--plan says what --{said[0]} would, so give one of them.")
    plan = Plan.read(options["plan"])
    roles = Roles(person=options["person"] or plan.roles.person)
    told: dict[str, Any] = {**plan.kinds, **(kinds or {})}
    where: dict[str, Any] = {}
    if file != plan.source:
        typed = options if file == options["original"] else dict.fromkeys(OF_SOURCE)
        where = source_fields({**typed, "data": file})
    return replace(plan, **where, roles=roles, kinds=told, **WITHOUT_PROMISES).table()


READ_BY_PLAN = ("kind", "delimiter", "encoding", "missing")
WITHOUT_PROMISES: dict[str, Any] = {"l": None, "t": None, "models": {}, "preset": None}


def _warnings(scene: AttackScene) -> list[str]:
    from shoal.risk.attacks import blind_spots

    found = [blind_spots(scene)]
    if scene.control is None:
        found.append("Nobody was held out: what holds for people at large looks like a leak.")
    return [warning for warning in found if warning]


def _lines(report: AttackReport, scene: AttackScene) -> Iterator[str]:
    from shoal.report import verdict_sentence

    yield verdict_sentence(report)
    yield from _singled(report, scene)
    yield ""
    rows: list[tuple[str, ...]] = [("", "rate", "between", "guess", "held out", "gain", "")]
    rows += [_row(result, report) for result in report.results if result.applies]
    yield from columns_of(rows, right=frozenset({1, 2, 3, 4, 5}))
    skipped = [result for result in report.results if not result.applies]
    if skipped:
        yield ""
        yield from (f"Not tried: {result.name}. {result.note}" for result in skipped)
    yield from (f"Note: {warning}" for warning in _warnings(scene))


def _network_lines(report: AttackReport) -> Iterator[str]:
    """Tell how attacks on a network went: on the release, and on it as it was without names."""
    from shoal.report import verdict_sentence

    yield verdict_sentence(report)
    yield ""
    rows: list[tuple[str, ...]] = [
        ("", "rate", "between", "guess", "redrawn", "gain", "original", "")
    ]
    for result in (r for r in report.results if r.applies):
        told = _row(result, report)
        rows.append((*told[:-1], f"{result.details['original']:.4f}", told[-1]))
    yield from columns_of(rows, right=frozenset({1, 2, 3, 4, 5, 6}))
    yield from (f"Not tried: {r.name}. {r.note}" for r in report.results if not r.applies)
    yield "Note: 'redrawn' is the same with edges drawn at random from the release, 'original' on"
    yield "  the network as it was, names taken off."


def _singled(report: AttackReport, scene: AttackScene) -> Iterator[str]:
    """Say who is unique on all that is published, and whom one or two columns find."""
    from shoal.report import percent
    from shoal.risk import measure_singling_out

    share = measure_singling_out(scene.released).share_unique
    yield f"{percent(share)} of rows are unique on all that is published."
    known = next((r for r in report.results if r.name == "known_columns" and r.applies), None)
    if known is not None:
        columns = known.note.removeprefix("Known: ").removesuffix(".")
        yield f"Whoever knows {columns} of somebody picks the right row in {percent(known.rate)}."


def _row(result: AttackResult, report: AttackReport) -> tuple[str, ...]:
    low, high = result.interval
    held_out = "" if result.control is None else f"{result.control:.4f}"
    return (
        result.name,
        f"{result.rate:.4f}",
        f"{low:.4f} to {high:.4f}",
        f"{result.baseline:.4f}",
        held_out,
        f"{result.risk:.4f}",
        "TOO MUCH" if report.exceeds(result) else "",
    )


def _write_page(path: Path, report: AttackReport) -> None:
    from shoal.exceptions import OutputError
    from shoal.report import render_attacks

    try:
        path.write_text(render_attacks(report), encoding="utf-8")
    except OSError as error:
        raise OutputError(f"The page could not be written: {error.strerror}.") from None
