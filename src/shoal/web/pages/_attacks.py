"""Attacks on the release that lies ready: what somebody still gains who has it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from shoal._progress import Progress
from shoal.exceptions import InputError
from shoal.release import read_release
from shoal.report import attack_bars, attack_sentence, verdict_sentence
from shoal.risk import ATTACKS, AttackReport, AttackResult, AttackScene, run_attacks
from shoal.web._jobs import BackgroundJob
from shoal.web._released import Released
from shoal.web._workspace import Workspace
from shoal.web.pages._page import Markup, h, icon

KIND = "attack"
STALE = "These attacks were tried on an earlier release. Try them again on the one that lies here."
ABOUT = (
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
    button = h(
        "button",
        "Try attacks on it",
        type_="button",
        cls="button",
        data_act="start",
        data_value=KIND,
        disabled=busy,
    )
    return h(
        "section",
        h("h2", "What does an attacker still gain?"),
        h("p", ABOUT, cls="quiet"),
        button,
        progress(job) if job is not None else None,
        _found(job.result, space.released) if job is not None and job.state == "done" else None,
        cls="panel",
    )


@dataclass(frozen=True)
class AttackedRelease:
    """What attackers gained, and from which release: another one is another story."""

    report: AttackReport
    fingerprint: str


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
        return AttackedRelease(report, released.fingerprint)

    return work


def _found(attacked: AttackedRelease, released: Released) -> Markup:
    report = attacked.report
    cards = [_card(result, report) for result in report.results if result.applies]
    stale = attacked.fingerprint != released.fingerprint
    return h(
        "div",
        h("p", icon("warning"), STALE, cls="warning") if stale else None,
        h("p", verdict_sentence(report), role="status"),
        h("div", *cards, cls="charts"),
        cls="stale" if stale else None,
    )


def _card(result: AttackResult, report: AttackReport) -> Markup:
    attack = ATTACKS[result.name]
    too_much = h("b", " Too much.") if report.exceeds(result) else None
    return h(
        "figure",
        h("figcaption", h("b", attack.title), " ", h("span", attack.scenario, cls="quiet")),
        Markup(attack_bars(result)),
        h("p", attack_sentence(result), too_much, cls="quiet"),
    )
