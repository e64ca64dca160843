"""Attacks on the release that lies ready: what somebody still gains who has it."""

from __future__ import annotations

from collections.abc import Callable

from shoal._progress import Progress
from shoal.release import read_release
from shoal.report import attack_bars, attack_sentence, verdict_sentence
from shoal.risk import ATTACKS, AttackReport, AttackResult, AttackScene, run_attacks
from shoal.web._jobs import BackgroundJob
from shoal.web._workspace import Workspace
from shoal.web.pages._page import Markup, h

KIND = "attack"
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
        _found(job.result) if job is not None and job.state == "done" else None,
        cls="panel",
    )


def attack_work(space: Workspace) -> Callable[[Progress], AttackReport]:
    """Make the long work: read the release as somebody who received it would, and attack it."""

    def work(progress: Progress) -> AttackReport:
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
        return run_attacks(scene, preset=opened.preset, progress=progress)

    return work


def _found(report: AttackReport) -> Markup:
    cards = [_card(result, report) for result in report.results if result.applies]
    return h("div", h("p", verdict_sentence(report), role="status"), h("div", *cards, cls="charts"))


def _card(result: AttackResult, report: AttackReport) -> Markup:
    attack = ATTACKS[result.name]
    too_much = h("b", " Too much.") if report.exceeds(result) else None
    return h(
        "figure",
        h("figcaption", h("b", attack.title), " ", h("span", attack.scenario, cls="quiet")),
        Markup(attack_bars(result)),
        h("p", attack_sentence(result), too_much, cls="quiet"),
    )
