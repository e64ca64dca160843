"""Tune page: models judge many anonymizations; click a point, look at it, use it."""

from __future__ import annotations

from collections.abc import Mapping

from shoal.tuning import TRIAL_SCORES, draw_curve, draw_front, pareto
from shoal.web._jobs import BackgroundJob
from shoal.web._tune import NAMES, TRIALS, Tuner
from shoal.web._workspace import Workspace
from shoal.web.pages._page import (
    LATER,
    SOON,
    Fragment,
    Markup,
    WorkspacePage,
    h,
    icon,
    join,
)


class TunePage(WorkspacePage):
    """A search for the best trade-off; the trials are kept with the table."""

    title = "What will it be used for?"
    lead = (
        "Anonymize many times, let a model learn from each and test it on rows nobody touched. "
        "Then take the trade-off you like best."
    )

    def __init__(self, space: Workspace) -> None:
        super().__init__(space)
        self.tuner = Tuner.of(space)

    def fragments(self) -> list[Fragment]:
        """Draw what is asked, the trials, the one that is seen, and what the study would choose."""
        roles = self.space.table.roles
        if roles.target is None or not roles.quasi_identifiers:
            words = "Mark a target and the columns that describe people on the page Table first."
            not_yet = h("section", h("h2", "Not yet"), h("p", words), cls="panel")
            return [Fragment("not-yet", not_yet)]
        return [
            Fragment("asking", _asking(self.tuner)),
            Fragment("front", _front(self.tuner)),
            Fragment("seen", _seen(self.tuner)),
            Fragment("curve", _curve(self.tuner)),
        ]

    def layout(self, parts: Mapping[str, Markup]) -> Markup:
        """Put the trial that is seen beside the trials."""
        if "front" not in parts:
            return join(*parts.values())
        halves = h("div", parts["front"], parts["seen"], cls="halves")
        return join(parts["asking"], halves, parts["curve"])

    def act(self, kind: str, value: str) -> None:
        """Start or stop a search, choose what is asked, look at a trial, use it."""
        if kind == "start":
            self.space.start("tune", self.tuner.search)
        elif kind == "stop":
            self.space.jobs[value].stop()
        elif kind == "use":
            self.tuner.use()
        else:
            self.tuner.set(kind, value)

    @property
    def look_again(self) -> float:
        """Soon while a search runs."""
        return SOON if self.space.busy else LATER


def _asking(tuner: Tuner) -> Markup:
    job = tuner.space.running("tune")
    busy = job is not None and not job.over
    start = h(
        "button",
        "Search" if not tuner.trials else "Search again",
        type_="button",
        cls="button primary big" if not tuner.trials else "button",
        data_act="start",
        disabled=busy,
    )
    return h(
        "section",
        h("h2", f"A model predicts {tuner.space.table.roles.target}"),
        h(
            "div",
            _choice("model", "Model", NAMES, tuner.model),
            _choice("trials", "Trials", tuple(map(str, TRIALS)), str(tuner.n_trials)),
            start,
            cls="line",
        ),
        _progress(job),
        cls="panel",
        aria_live="polite",
    )


def _choice(act: str, label: str, options: tuple[str, ...], chosen: str) -> Markup:
    words = [
        h("option", name.replace("_", " "), value=name, selected=name == chosen) for name in options
    ]
    return h("label", f"{label} ", h("select", *words, data_act=act))


def _progress(job: BackgroundJob | None) -> Markup | None:
    if job is None or job.state == "done":
        return None
    if job.over:
        words = f"{job.problem} {job.hint}".strip() or "Stopped; what was tried is below."
        return h("p", icon("warning"), words, role="alert")
    share = "" if job.progress.share is None else f" {job.progress.share:.0%}"
    stop = h("button", "Stop", type_="button", cls="button", data_act="stop", data_value=job.id)
    return h("div", h("span", f"{job.progress.name}{share}"), stop, cls="line")


def _front(tuner: Tuner) -> Markup:
    if not tuner.trials:
        return h("section", h("p", "No trial yet.", cls="quiet"), cls="panel")
    drawing = draw_front(
        [trial.point for trial in tuner.trials],
        chosen=tuner.seen,
        axes=tuner.axes,
        names=[f"trial {trial.number}, k {trial.outcome.k}" for trial in tuner.trials],
        act="see",
    )
    words = "Every dot is a trial: how private, how useful. Nothing beats those on the line."
    return h(
        "section",
        h("h2", "Trials"),
        Markup(drawing),
        h("p", words, cls="quiet"),
        cls="panel tuning",
    )


def _seen(tuner: Tuner) -> Markup:
    if tuner.seen is None or tuner.seen >= len(tuner.trials):
        return h("section", h("p", "Click a dot to look at it.", cls="quiet"), cls="panel")
    trial = tuner.trials[tuner.seen]
    reign = tuner.reign(tuner.seen)
    alphas = "none" if reign is None else f"{reign.low:.3g} to {reign.high:.3g}"
    on_front = tuner.seen in pareto([t.point for t in tuner.trials])
    facts = {
        f"{tuner.axes[1]}, untouched rows": f"{trial.outcome.q_f:.3f}",
        "Smallest crowd": f"{trial.outcome.k:,}",
        "k asked for": f"{trial.effort.k:,}",
        "Information lost (NGIL)": f"{trial.outcome.ngil:.3f}",
        "Mean risk of a row": f"{tuner.risk(trial):.2%}",
        "Alphas that choose it": alphas,
        "On the front": "yes" if on_front else "no",
    }
    used = tuner.used == trial.number
    button = h(
        "button",
        "In use" if used else "Use this one",
        type_="button",
        cls="button" if used else "button primary",
        data_act="use",
        disabled=used,
    )
    rows = [h("tr", h("th", name, scope="row"), h("td", value)) for name, value in facts.items()]
    address = f"/t/{tuner.space.id}/result"
    result = h("a", "Make the release", icon("right"), href=address, cls="button primary")
    return h(
        "section",
        h("h2", f"Trial {trial.number}"),
        h("table", *rows),
        _weights(trial.effort.weights),
        h("p", f"Scores of trials are {TRIAL_SCORES}.", cls="quiet"),
        h("p", "The plan has its k and weights now.") if used else None,
        h("div", button, result if used else None, cls="line"),
        cls="panel",
        aria_live="polite",
    )


def _weights(weights: object) -> Markup | None:
    if not isinstance(weights, dict) or not weights:
        return None
    largest = max(weights.values())
    ranked = sorted(weights.items(), key=lambda item: -item[1])
    words = ", ".join(f"{name} {weight / largest:.2f}" for name, weight in ranked)
    return h("p", f"Weights: {words}", cls="quiet")


def _curve(tuner: Tuner) -> Markup:
    found = tuner.found
    if found is None or tuner.alpha is None or not tuner.trials:
        return h("section", hidden=True)
    final = found.final
    told = (
        f"The study would choose trial {found.chosen.number}. On test rows that were looked at once"
        f" its model reaches {final.test.mean:.3f}; {final.unanonymized.mean:.3f} without "
        f"anonymization, {final.test.constant:.3f} for a constant answer, and it would have seemed "
        f"{final.masked.mean:.3f} if tested on anonymized rows."
    )
    low, high = tuner.alpha.usable
    return h(
        "section",
        h("h2", "What the study would choose"),
        h("p", told),
        Markup(draw_curve([trial.point for trial in tuner.trials], tuner.alpha)),
        h("p", f"Usable alphas: {low:.3g} to {high:.3g}. {tuner.alpha.why}", cls="quiet"),
        *(h("p", icon("warning"), text) for text in found.warnings),
        cls="panel tuning",
    )
