"""Attacks on the release that lies ready: what somebody still gains who has it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from shoal._progress import Progress
from shoal._words import later, say
from shoal.exceptions import InputError
from shoal.release import read_release
from shoal.report import attack_bars, attack_sentence, verdict_sentence
from shoal.risk import ATTACKS, AttackReport, AttackResult, AttackScene, run_attacks
from shoal.table import read_table
from shoal.web._jobs import BackgroundJob
from shoal.web._kept import AttackedRelease, find_kept, keep
from shoal.web._released import Released
from shoal.web._workspace import Workspace
from shoal.web.pages._page import Markup, h, icon

KIND = "attack"
FOUND = "attacks.json"
COMPARED = ("person", "value")  # what attacks on a table and on its release both look for
STALE = later(
    "These attacks were tried on an earlier release. Try them again on the one that lies here."
)
ABOUT = later(
    "A battery of attackers tries the release: they look for people, guess their secrets and read"
    " between the lines. The bar is how often they are right, the grey one below it what a guess"
    " achieves."
)


def attacking(space: Workspace, progress: Callable[[BackgroundJob], Markup | None]) -> Markup:
    """Draw the button that starts the attacks, how far they are, and what they found."""
    if space.released is None:
        return Markup("")
    job = space.running(KIND)
    busy = job is not None and not job.over
    found = attacked_release(space)
    button = h(
        "button",
        say("Try attacks on it"),
        type_="button",
        cls="button",
        data_act="start",
        data_value=KIND,
        disabled=busy,
    )
    return h(
        "section",
        h("h2", say("What does an attacker still gain?")),
        h("p", say(ABOUT), cls="quiet"),
        button,
        progress(job) if job is not None else None,
        None if found is None else _found(found, space.released),
        cls="panel",
    )


def attacked_release(space: Workspace) -> AttackedRelease | None:
    """Return what the newest attacks found, also those that an earlier server tried."""
    if KIND not in space.kept:
        space.kept[KIND] = find_kept(space.folder / FOUND, AttackedRelease)
    found: AttackedRelease | None = space.kept[KIND]
    return found


def attack_work(space: Workspace) -> Callable[[Progress], AttackedRelease]:
    """Make the long work: read the release as somebody who received it would, and attack it."""

    def work(progress: Progress) -> AttackedRelease:
        released = space.released
        if released is None:
            raise InputError("There is no release to attack.", hint="Make one first.")
        opened = read_release(space.folder / "release")
        recoding = space.session.anonymizer().recoding
        scene = AttackScene(
            opened.table,
            space.table,
            hierarchies=getattr(recoding, "hierarchies", None) or {},
            folder=opened.folder,
            k=opened.k,
            moved=opened.moved,
        )
        report = run_attacks(scene, preset=opened.preset, progress=progress)
        before = _before(space, report, progress)
        found = AttackedRelease(report, released.fingerprint, before)
        keep(space.folder / FOUND, found)
        space.kept[KIND] = found
        return found

    return work


def _before(space: Workspace, report: AttackReport, progress: Progress) -> dict[str, float]:
    """Try the same attacks on the table as it was: how often are they right there?"""
    table = space.table
    columns = [name for name in table.column_names if name not in table.roles.dropped]
    roles = replace(table.roles, identifiers=(), person=None, drop=())
    kinds = {name: table.kinds[name] for name in columns}
    raw = read_table(table.frame.select(columns), roles=roles, kinds=kinds)
    wanted = [r.name for r in report.results if r.applies and ATTACKS[r.name].goal in COMPARED]
    found = run_attacks(AttackScene(raw, table), wanted, progress=progress)
    return {result.name: result.rate for result in found.results if result.applies}


def _found(attacked: AttackedRelease, released: Released) -> Markup:
    report = attacked.report
    cards = [_card(result, report) for result in report.results if result.applies]
    stale = attacked.fingerprint != released.fingerprint
    return h(
        "div",
        h("p", icon("warning"), say(STALE), cls="warning") if stale else None,
        h("p", verdict_sentence(report), role="status"),
        h("div", *cards, cls="charts"),
        cls="stale" if stale else None,
    )


def _card(result: AttackResult, report: AttackReport) -> Markup:
    attack = ATTACKS[result.name]
    too_much = h("b", say(" Too much.")) if report.exceeds(result) else None
    return h(
        "figure",
        h(
            "figcaption",
            h("b", say(attack.title)),
            " ",
            h("span", say(attack.scenario), cls="quiet"),
        ),
        Markup(attack_bars(result)),
        h("p", attack_sentence(result), too_much, cls="quiet"),
    )
