"""Result page: the verdict, what was lost, how the three ways compare, and the files."""

from __future__ import annotations

from typing import Any

from shoal._words import later, listed, number, retell, say
from shoal.exceptions import ShoalError
from shoal.presets import choose_k
from shoal.report import Attribute, Sample, distribution_chart, loss_bars, percent, size_columns
from shoal.risk import TOO_MANY
from shoal.web._gate import ReleaseGate
from shoal.web._jobs import BackgroundJob
from shoal.web._kept import ReleaseCharts
from shoal.web._promise import nothing_asked
from shoal.web._released import Released
from shoal.web._sign_off import sign_off
from shoal.web._workspace import Workspace
from shoal.web.pages._attacks import KIND as ATTACK
from shoal.web.pages._attacks import attack_work, attacked_release, attacking
from shoal.web.pages._comparison import draw_comparison
from shoal.web.pages._gate import DECISIONS, draw_gate
from shoal.web.pages._page import (
    LATER,
    SOON,
    Fragment,
    Markup,
    WorkspacePage,
    h,
    icon,
    join,
    refusal,
    rows_panel,
)
from shoal.web.pages._ranking import draw_ranking, tell_population
from shoal.web.pages._sign_off import draw_sign_off

MANY_FACTS = 8  # about sensitive columns, before they are a table that opens
DRAFT = later("A draft: it enters the ledger, and counts as released, with the first download.")
WILL_HIDE = later("Everybody will hide among at least {k} people, on what describes them.")
WILL_MOVE = later("Values will be moved among people who are alike; no k is promised.")
NOT_YET = later("Nothing can be downloaded before the release is made and recounted.")
OUTDATED = later("You said more since this release was made. Make it again to have that in it.")
COMPARED_BEFORE = later("This compares what you had said before. Compare again to have all of it.")


class ResultPage(WorkspacePage):
    """The release, attacks on it, and the three ways side by side."""

    title = later("The result")
    lead = later("A release is made with what you said, written, read back and recounted.")

    def __init__(self, space: Workspace) -> None:
        super().__init__(space)
        self.gate = ReleaseGate.of(space)
        self.decided: set[str] = set()  # columns whose answer was given here: they stay to be seen

    def fragments(self) -> list[Fragment]:
        """Draw the gate, the release, its numbers, the attacks and the comparison."""
        space = self.space
        try:
            space.session  # noqa: B018 - without questions to ask there is nothing to release
        except ShoalError as error:
            return [refusal(say("Not yet"), error)]
        self.gate.poke()
        return [
            Fragment("gate", draw_gate(self.gate, self.decided)),
            Fragment("making", _making(space, closed=self.gate.closed)),
            Fragment("sign-off", draw_sign_off(space)),
            Fragment("ranking", draw_ranking(space, attacked_release(space))),
            Fragment("shown", _shown(space)),
            Fragment("attacks", attacking(space, _progress)),
            Fragment("comparison", _comparing(space)),
        ]

    def act(self, kind: str, value: str) -> None:
        """Decide about a column, start a job, or stop one."""
        if kind.startswith("gate:"):
            name = self.space.table.column_names[int(kind.removeprefix("gate:"))]
            if value == "publish_as_is":
                self.space.accept(name)
            else:
                self.space.set_role(name, value)
            self.decided.add(name)
        elif kind == "gate-rest":
            self.gate.accept_harmless()
        elif kind == "gate-open" and self.gate.found is not None and value in DECISIONS:
            names = list(self.gate.found.open)
            self.space.set_roles(names, value)
            self.decided.update(names)
        elif kind == "start":
            self.space.start(value, attack_work(self.space) if value == ATTACK else None)
        elif kind == "population":
            tell_population(self.space, value)
        elif kind == "sign":
            who, _, why = value.partition("\n")
            sign_off(self.space, who, why)
        elif kind == "stop":
            self.space.jobs[value].stop()

    @property
    def look_again(self) -> float:
        """Soon while a job runs."""
        return SOON if self.space.busy else LATER


def _making(space: Workspace, *, closed: bool = False) -> Markup:
    job, released = space.running("release"), space.released
    busy = job is not None and not job.over
    button = h(
        "button",
        say("Make the release") if released is None else say("Make it again"),
        type_="button",
        cls="button primary big" if released is None else "button",
        data_act="start",
        data_value="release",
        disabled=busy or closed,
        aria_describedby="gate" if closed else None,
    )
    return h(
        "section",
        _verdict(space, released),
        h("div", button, *_downloads(space, released), cls="line downloads"),
        _why_not(released),
        h("p", icon("warning"), say(OUTDATED), cls="warning") if space.outdated else None,
        h("p", retell(released.caution), cls="trouble", role="alert")
        if released is not None and released.caution
        else None,
        _progress(job) if job is not None else None,
        cls="panel",
    )


def _verdict(space: Workspace, released: Released | None) -> Markup:
    if released is None:
        return _no_release(space)
    manifest = released.manifest
    holds = [
        h(
            "li",
            icon("check" if found["holds"] else "warning"),
            h("b", retell(str(found["model"]))),
            f" {say('holds') if found['holds'] else say('does not hold')}{_worst(found)}",
        )
        for found in manifest["holds"]
    ]
    linked = manifest.get("relinkage")
    if linked:  # values were moved: no crowd is promised, only this was measured
        rate, raw = (number(linked[f"relink_{name}"], ".1%") for name in ("rate", "unprotected"))
        words = say(
            "{rate} of former outliers are found again by linkage; {raw} before", rate=rate, raw=raw
        )
        holds.append(h("li", icon("crowd"), words))
    singled = manifest.get("singling_out", {})
    alone = singled.get("share_unique_plain", 0) > TOO_MANY
    promised = say("Values were moved; no k is promised") if linked else say("Nobody stands out")
    title = promised if released.holds else say("It does not hold")
    opened = singled.get("open", [])
    doubtful = bool(linked or opened or alone)
    if singled:
        holds.append(_singled(singled, loud=bool(opened or alone)))
    if unasked := nothing_asked(space.plan):
        holds.append(h("li", icon("warning"), unasked, cls="warn"))
    if opened and released.holds:
        title = say("Somebody stands out by columns that nobody accepted")
    elif alone and released.holds and not linked:
        share = percent(singled["share_unique_plain"])
        title = say("{share} stand out by columns that were accepted by name", share=share)
    return h(
        "div",
        icon("shield" if released.holds and not doubtful else "warning"),
        h(
            "div",
            h("h2", title),
            h("ul", *holds, cls="holds"),
            h("p", say(DRAFT), cls="quiet") if released.draft else None,
            h(
                "p",
                say(
                    "Recounted from the written file by code that shares nothing with the "
                    "code that "
                    "made it."
                ),
                cls="quiet",
            ),
        ),
        cls=f"verdict {('amber' if doubtful else 'good') if released.holds else 'bad'}",
    )


def _no_release(space: Workspace) -> Markup:
    crowds = space.promise.crowds
    k = choose_k(space.plan.k, space.plan.preset)
    words = say(WILL_HIDE, k=k) if crowds else say(WILL_MOVE)
    told = h("div", h("h2", say("No release yet")), h("p", words))
    return h("div", icon("crowd"), told, cls="verdict" if crowds else "verdict amber")


def _singled(found: dict[str, Any], *, loud: bool) -> Markup:
    """Say who is unique on all that is published, and by which columns nobody accepted."""
    mark = icon("warning" if loud else "crowd")
    return h("li", mark, _unique(found), cls="warn" if loud else None)


def _unique(found: dict[str, Any]) -> str:
    words = say("{share} are unique on all that is published", share=percent(found["share_unique"]))
    if not found["share_unique"] and found.get("in_steps_of"):
        words = say(
            "fewer than {step} people are unique on all that is published",
            step=found["in_steps_of"],
        )
    if found["share_unique_plain"] != found["share_unique"]:
        words += say(
            ", {share} without sensitive columns and target",
            share=percent(found["share_unique_plain"]),
        )
    opened = listed(found["open"])
    return (
        say("{words}; nobody accepted {opened}", words=words, opened=opened)
        if found["open"]
        else words
    )


def _worst(found: dict[str, object]) -> str:
    """Tell what was recounted; of some models the file shows nothing."""
    value = found.get("recounted")
    shown = number(value, ".3g") if isinstance(value, float) else str(value)
    return "" if value is None else say("; worst crowd: {shown}", shown=shown)


def _downloads(space: Workspace, released: Released | None) -> list[Markup]:
    files = {
        "release.zip": say("Release"),
        "data.csv": say("Data"),
        "plan.zip": say("Plan and trees"),
        "everything.zip": say("Everything"),
        "report.html": say("Report"),
    }
    if _why_not(released) is not None:
        return [
            h(
                "button",
                icon("download"),
                words,
                type_="button",
                cls="button",
                disabled=True,
                aria_describedby="why-not",
            )
            for words in files.values()
        ]
    return [
        h(
            "a",
            icon("download"),
            words,
            href=f"/api/tables/{space.id}/release/{name}",
            download=name,
            cls="button primary" if name == "release.zip" else "button",
        )
        for name, words in files.items()
    ]


def _why_not(released: Released | None) -> Markup | None:
    """Why nothing can be downloaded; None if it can."""
    if released is None:
        reason = say(NOT_YET)
    elif not released.holds:
        reason = say("What was asked for does not hold in the written file.")
    else:
        reason = retell(released.objection)
    return h("p", icon("lock"), reason, cls="quiet", id_="why-not") if reason else None


def _progress(job: BackgroundJob) -> Markup | None:
    if job.state == "done":
        return None
    if job.state == "failed":
        return h("p", f"{retell(job.problem)} {retell(job.hint)}", cls="trouble", role="alert")
    if job.state == "stopped":
        return h("p", say("Stopped; nothing was left behind."), cls="quiet")
    share, stopping = job.progress.share, job.progress.cancelled
    return h(
        "div",
        h(
            "progress",
            max="1",
            value=None if share is None else f"{share:.2f}",
            aria_label=say("Progress"),
        ),
        h("span", say("stopping …") if stopping else f"{retell(job.progress.name)} …"),
        h(
            "button",
            icon("stop"),
            say("Stop"),
            type_="button",
            cls="button small",
            data_act="stop",
            data_value=job.id,
            disabled=stopping,
        ),
        cls="line working",
    )


# ---------------------------------------------------------------------- what was made


def _shown(space: Workspace) -> Markup:
    released = space.released
    if released is None:
        return Markup("")
    charts = released.charts
    if charts is None:
        return h("section", _numbers(released), cls="panel")
    return join(
        h("section", _numbers(released), cls="panel"),
        h(
            "p",
            h("a", say("See people before and after"), href=f"/t/{space.id}/people", cls="button"),
        ),
        h(
            "section",
            h(
                "div",
                h("div", h("h2", say("Detail lost")), _losses(charts)),
                h("div", h("h2", say("Crowds")), Markup(size_columns(charts.group_sizes.slots))),
                cls="halves",
            ),
            cls="panel",
        ),
        _distributions(charts),
        _sample(charts.sample),
    )


def _numbers(released: Released) -> Markup:
    manifest = released.manifest
    facts = {
        say("rows released"): number(manifest["rows"]),
        say("crowds"): number(manifest["groups"]),
        say("rows left out"): retell(str(manifest["suppressed"])),
    }
    if isinstance(manifest.get("ngil"), float):
        facts[say("of the detail lost (NGIL)")] = number(manifest["ngil"], ".1%")
    if isinstance(manifest.get("ngil_bound"), float):
        facts[say("no grouping can lose less")] = number(manifest["ngil_bound"], ".1%")
    if released.measures:
        facts[say("k: people in the smallest crowd")] = number(released.measures["k"])
    secrets = _of_sensitive(released.measures)
    many = len(secrets) > MANY_FACTS
    stamps = [h("p", retell(stamp), cls="trouble") for stamp in manifest.get("stamps", ())]
    shown = _facts(facts if many else facts | secrets)
    return join(*stamps, shown, _fold(secrets) if many else None)


def _facts(facts: dict[str, str]) -> Markup:
    return h(
        "div", *(h("div", h("b", n), h("span", words)) for words, n in facts.items()), cls="facts"
    )


def _fold(secrets: dict[str, str]) -> Markup:
    """Keep l and t of many columns out of the way of what holds for all."""
    rows = [h("tr", h("th", words, scope="row"), h("td", n)) for words, n in secrets.items()]
    words = say("l and t of every sensitive column, as they are")
    return h("details", h("summary", words), h("table", *rows), cls="fold")


def _of_sensitive(measures: dict[str, Any]) -> dict[str, str]:
    """Name l and t as they are, whether they were asked for or not."""
    facts = {}
    for name, found in measures.get("sensitive", {}).items():
        t = found.get("t_ordered", found["t_equal"])
        facts[say("l: fewest values of {name} in a crowd", name=name)] = number(found["distinct_l"])
        facts[say("t: how far {name} strays from the whole", name=name)] = number(t, ".2f")
    return facts


def _losses(charts: ReleaseCharts) -> Markup:
    rows = sorted(((a.name, a.loss) for a in charts.attributes), key=lambda row: -row[1])
    return Markup(loss_bars(rows))


def _distributions(charts: ReleaseCharts) -> Markup:
    legend = h(
        "p",
        h("i", cls="swatch before"),
        say("original "),
        h("i", cls="swatch after"),
        say("as a reader of the release sees it"),
        cls="quiet key",
    )
    drawn = [_chart(a) for a in charts.attributes if a.distribution is not None]
    return h(
        "section",
        h("h2", say("Before and after")),
        legend,
        h("div", *drawn, cls="charts"),
        cls="panel",
    )


def _chart(attribute: Attribute) -> Markup:
    assert attribute.distribution is not None
    drawn = Markup(distribution_chart(attribute.distribution, attribute.name))
    shares = {
        say("as they were"): attribute.exact,
        say("widened"): attribute.widened,
        say("hidden"): attribute.hidden,
    }
    kept = ", ".join(f"{number(share, '.0%')} {words}" for words, share in shares.items())
    return h(
        "figure", h("figcaption", h("b", attribute.name), " ", h("span", kept, cls="quiet")), drawn
    )


def _sample(sample: Sample) -> Markup:
    if not sample.rows:
        return Markup("")
    return rows_panel(say("A few released rows"), sample.columns, sample.rows)


# ---------------------------------------------------------------------- the comparison


def _comparing(space: Workspace) -> Markup:
    job = space.running("compare")
    busy = job is not None and not job.over
    target = space.table.roles.target
    about = (
        say(
            "Releases three quarters of the rows each way, lets models learn {target} from "
            "them and tests them on the rest, untouched.",
            target=target,
        )
        if target
        else say("Mark a column to predict on the Table page, and models will be compared too.")
    )
    return h(
        "section",
        h("h2", say("What did your knowledge change?")),
        h("p", about, cls="quiet"),
        h(
            "button",
            say("Compare equal, sliders and questions"),
            type_="button",
            cls="button",
            data_act="start",
            data_value="compare",
            disabled=busy,
        ),
        _progress(job) if job is not None else None,
        _compared(space),
        cls="panel",
    )


def _compared(space: Workspace) -> Markup | None:
    """Draw the newest comparison, grey where more was said since."""
    found = space.compared
    if found is None:
        return None
    stale = found.made_with != space.plan_as_taught
    return h(
        "div",
        h("p", icon("warning"), say(COMPARED_BEFORE), cls="warning") if stale else None,
        draw_comparison(found.found),
        cls="stale" if stale else None,
    )
