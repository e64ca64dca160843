"""Tune page: models judge many anonymizations; click a point, look at it, use it."""

from __future__ import annotations

import math
from collections.abc import Mapping

from shoal._words import later, number, retell, say
from shoal.tuning import TRIAL_SCORES, Final, Trial, draw_curve, draw_front, pareto
from shoal.utility.models import Score
from shoal.web._jobs import BackgroundJob
from shoal.web._tune import NAMES, TRIALS, Tuner
from shoal.web._workspace import Workspace
from shoal.web.pages._page import (
    LATER,
    SOON,
    Fragment,
    Markup,
    WorkspacePage,
    bar,
    h,
    icon,
    join,
)


class TunePage(WorkspacePage):
    """A search for the best trade-off; the trials are kept with the table."""

    title = later("What will it be used for?")
    lead = later(
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
            words = say(
                "Mark a target and the columns that describe people on the page Table first."
            )
            table = h("a", say("Table"), href=f"/t/{self.space.id}/table", cls="button")
            not_yet = h("section", h("h2", say("Not yet")), h("p", words), table, cls="panel")
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
        say("Search") if not tuner.trials else say("Search again"),
        type_="button",
        cls="button primary big" if not tuner.trials else "button",
        data_act="start",
        disabled=busy,
    )
    return h(
        "section",
        h("h2", say("A model predicts {target}", target=tuner.space.table.roles.target)),
        h(
            "div",
            _choice("model", say("Model"), NAMES, tuner.model),
            _choice("trials", say("Trials"), tuple(map(str, TRIALS)), str(tuner.n_trials)),
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
        words = f"{retell(job.problem)} {retell(job.hint)}".strip() or say(
            "Stopped; what was tried is below."
        )
        return h("p", icon("warning"), words, role="alert")
    share = "" if job.progress.share is None else f" {number(job.progress.share, '.0%')}"
    stop = h(
        "button", say("Stop"), type_="button", cls="button", data_act="stop", data_value=job.id
    )
    return h("div", h("span", f"{retell(job.progress.name)}{share}"), stop, cls="line")


def _front(tuner: Tuner) -> Markup:
    if not tuner.trials:
        return h("section", h("p", say("No trial yet."), cls="quiet"), cls="panel")
    drawing = draw_front(
        [trial.point for trial in tuner.trials],
        chosen=tuner.seen,
        axes=tuner.axes,
        names=[
            say("Trial {number}, k {k:,}", number=t.number, k=t.outcome.k) for t in tuner.trials
        ],
        act="see",
    )
    words = say("Every dot is a trial: how private, how useful. Nothing beats those on the line.")
    return h(
        "section",
        h("h2", say("Trials")),
        Markup(drawing),
        h("p", words, cls="quiet"),
        cls="panel tuning",
    )


def _seen(tuner: Tuner) -> Markup:
    if not tuner.trials:
        return Markup("")  # there is no dot to click yet
    if tuner.seen is None or tuner.seen >= len(tuner.trials):
        return h("section", h("p", say("Click a dot to look at it."), cls="quiet"), cls="panel")
    trial = tuner.trials[tuner.seen]
    reign = tuner.reign(tuner.seen)
    alphas = (
        say("none")
        if reign is None
        else say("{low:.3g} to {high:.3g}", low=reign.low, high=reign.high)
    )
    on_front = tuner.seen in pareto([t.point for t in tuner.trials])
    facts = {
        say("{axes}, untouched rows", axes=tuner.axes[1]): number(trial.outcome.q_f, ".3f"),
        say("Smallest crowd"): number(trial.outcome.k),
        say("k asked for"): number(trial.effort.k),
        say("Information lost (NGIL)"): number(trial.outcome.ngil, ".3f"),
        say("Mean risk of a row"): number(tuner.risk(trial), ".2%"),
        say("Alphas that choose it"): alphas,
        say("On the front"): say("yes") if on_front else say("no"),
    }
    used = tuner.used == trial.number
    button = h(
        "button",
        say("In use") if used else say("Use this one"),
        type_="button",
        cls="button" if used else "button primary",
        data_act="use",
        disabled=used or tuner.stale or tuner.kept is None,
    )
    rows = [h("tr", h("th", name, scope="row"), h("td", value)) for name, value in facts.items()]
    address = f"/t/{tuner.space.id}/result"
    result = h("a", say("Make the release"), icon("right"), href=address, cls="button primary")
    return h(
        "section",
        h("h2", say("Trial {number}", number=trial.number)),
        _stale(tuner),
        _in_words(tuner, trial),
        h("table", *rows),
        _weights(trial.effort.weights),
        h("p", say("Scores of trials are {scores}.", scores=say(TRIAL_SCORES)), cls="quiet"),
        h("p", say("The plan has its k and weights now.")) if used else None,
        h("div", button, result if used else None, cls="line"),
        cls="panel stale" if tuner.stale else "panel",
        aria_live="polite",
    )


def _stale(tuner: Tuner) -> Markup | None:
    words = say("The plan was changed after this search. Search again: nothing of it can be used.")
    return h("p", icon("warning"), words, cls="warning") if tuner.stale else None


def _in_words(tuner: Tuner, trial: Trial) -> Markup | None:
    """Say what the numbers mean: how much of the model a k leaves."""
    share = tuner.kept_share(trial)
    if share is None:
        return None
    ends = tuner.kept_between()
    if tuner.kept is not None and trial.number == tuner.kept.chosen and ends is not None:
        words = say(
            "k = {k:,} keeps {share:.0%} ({low:.0%} to {high:.0%}) of the model.",
            k=trial.outcome.k,
            share=share,
            low=ends[0],
            high=ends[1],
        )
    else:
        words = say(
            "k = {k:,} keeps about {share:.0%} of the model.", k=trial.outcome.k, share=share
        )
    return h("p", h("b", words), cls="won")


def _weights(weights: object) -> Markup | None:
    if not isinstance(weights, dict) or not weights:
        return None
    largest = max(weights.values())
    ranked = sorted(weights.items(), key=lambda item: -item[1])
    words = ", ".join(f"{name} {number(weight / largest, '.2f')}" for name, weight in ranked)
    return h("p", say("Weights: {words}", words=words), cls="quiet")


def _curve(tuner: Tuner) -> Markup:
    found = tuner.kept
    if found is None or not tuner.trials:
        return h("section", hidden=True)
    final = found.final
    told = say(
        "The study would choose trial {number}. On test rows that were looked at once its "
        "model reaches {mean:.3f}; {mean2:.3f} without anonymization, {constant:.3f} for a "
        "constant answer, and it would have seemed {mean3:.3f} if tested on anonymized rows.",
        number=found.chosen,
        mean=final.test.mean,
        mean2=final.unanonymized.mean,
        constant=final.test.constant,
        mean3=final.masked.mean,
    )
    low, high = found.alpha.usable
    return h(
        "section",
        h("h2", say("What the study would choose")),
        h("p", told),
        _scores(final),
        _finalists(tuner),
        Markup(draw_curve([trial.point for trial in tuner.trials], found.alpha)),
        h(
            "p",
            say(
                "Usable alphas: {low:.3g} to {high:.3g}. {why}",
                low=low,
                high=high,
                why=retell(found.alpha.why),
            ),
            cls="quiet",
        ),
        *(h("p", icon("warning"), retell(text)) for text in found.warnings),
        cls="panel tuning stale" if tuner.stale else "panel tuning",
    )


def _scores(final: Final) -> Markup:
    """Draw the scores on test rows, each with what chance leaves open."""
    rows = {
        say("Without anonymization"): (final.unanonymized, "bar was"),
        say("With this release"): (final.test, "bar"),
        say("It would have seemed"): (final.masked, "bar was"),
    }
    lines = [_score(name, score, cls) for name, (score, cls) in rows.items()]
    constant = number(final.test.constant, ".3f")
    lines.append(_bar(say("Always the same answer"), final.test.constant, constant, "bar was"))
    return h("figure", h("figcaption", h("b", say("On test rows"))), h("ul", *lines, cls="bars"))


def _name(trial: Trial) -> str:
    return say("Trial {number}, k {k:,}", number=trial.number, k=trial.outcome.k)


def _score(name: str, score: Score, cls: str) -> Markup:
    words = number(score.mean, ".3f")
    if score.low is not None and score.high is not None:
        words = say(
            "{mean:.3f} ({low:.3f} to {high:.3f})", mean=score.mean, low=score.low, high=score.high
        )
    return _bar(name, score.mean, words, cls)


def _bar(name: str, value: float, words: str, cls: str) -> Markup:
    drawn = bar(min(1.0, max(0.0, value)), cls)
    return h("li", h("span", name, cls="name"), drawn, h("span", words, cls="value wide"))


def _finalists(tuner: Tuner) -> Markup | None:
    """Draw how the best trials fared when they were tried again on other rows."""
    found = tuner.kept
    if found is None or not found.finalists:
        return None
    by_number = {trial.number: trial for trial in tuner.trials}
    lines = []
    for place, scores in found.finalists.items():
        real = [score for score in scores if math.isfinite(score)]
        trial = by_number[place]
        mean = sum(real) / max(1, len(real))
        words = say(
            "{mean:.3f} ({low:.3f} to {high:.3f})",
            mean=mean,
            low=min(real, default=0.0),
            high=max(real, default=0.0),
        )
        lines.append(_bar(_name(trial), mean, words, "bar" if place == found.chosen else "bar was"))
    caption = say("Finalists, tried again on other rows")
    return h("figure", h("figcaption", h("b", caption)), h("ul", *lines, cls="bars"))
