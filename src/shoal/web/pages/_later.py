"""Later page: the table delivered after an earlier release, and what changes by it."""

from __future__ import annotations

from typing import Any

from shoal._words import later, number, say
from shoal.exceptions import ShoalError
from shoal.web._later import (
    LATER,
    choices,
    choose,
    chosen,
    delivered,
    take_back_corrected,
    to_correct,
    work,
)
from shoal.web._workspace import Workspace
from shoal.web.pages._page import LATER as NOW_AND_THEN
from shoal.web.pages._page import SOON, Fragment, Markup, WorkspacePage, file_button, h, refusal
from shoal.web.pages._result import _downloads, _progress, _why_not

CHANGED = {
    "keep": later("stay published as they were"),
    "leave": later("leave with their crowds"),
}
OVERDUE = {
    "generalize": later("are published however wide their crowd is"),
    "suppress": later("are left out for good"),
}
NEVER = "nothing"  # no earlier release
SHADES = ("s3", "s2", "s1", "s0")  # of crowds kept, grown, new and gone


class LaterPage(WorkspacePage):
    """An earlier release to follow, the rules, and the delivery beside it."""

    title = later("A later delivery")
    lead = later(
        "Was this table released before, with fewer people in it? Then let this release follow"
        " that one: its crowds come back word for word, newcomers get crowds of their own, and"
        " both together tell of a person what the first one told."
    )

    def __init__(self, space: Workspace) -> None:
        super().__init__(space)
        self.rules: dict[str, Any] = {"changed": "keep", "overdue": "generalize"}

    def fragments(self) -> list[Fragment]:
        """Draw the choice of a release, the rules, and what the delivery came to."""
        try:
            self.space.session  # noqa: B018 - what cannot be released cannot be delivered
        except ShoalError as error:
            return [refusal(say("Not yet"), error)]
        return [
            Fragment("earlier", _earlier(self.space)),
            Fragment("deliver", self._deliver()),
            Fragment("grown", _grown(self.space), spoken=True),
        ]

    def act(self, kind: str, value: str) -> None:
        """Choose a release or a rule, deliver, or stop."""
        if kind == "follow" and value != NEVER:
            choose(self.space, value)
        elif kind in self.rules and value in {**CHANGED, **OVERDUE}:
            self.rules[kind] = value
        elif kind == "start":
            self.space.start(LATER, work(self.space, dict(self.rules)))
        elif kind == "uncorrect":
            take_back_corrected(self.space)
        elif kind == "stop":
            self.space.jobs[value].stop()

    @property
    def look_again(self) -> float:
        """Soon while a job runs."""
        return SOON if self.space.busy else NOW_AND_THEN

    def _deliver(self) -> Markup:
        name = chosen(self.space)
        if not name:
            return h("p", say("Choose the release that this one follows."), cls="quiet")
        job = self.space.running(LATER)
        busy = job is not None and not job.over
        return h(
            "section",
            h("h2", say("After {name}", name=name)),
            _rule(say("People whose values changed"), "changed", CHANGED, self.rules["changed"]),
            _rule(
                say("People who waited three deliveries"), "overdue", OVERDUE, self.rules["overdue"]
            ),
            _corrections(self.space),
            h(
                "button",
                say("Deliver"),
                type_="button",
                cls="button primary big",
                data_act="start",
                data_value=LATER,
                disabled=busy,
            ),
            _progress(job) if job is not None else None,
            cls="panel",
        )


def _earlier(space: Workspace) -> Markup:
    """Offer releases of other tables here that left the house, and an upload."""
    known = [h("option", f"{one.name}, {_rows(one.rows)}", value=one.id) for one in choices(space)]
    select = h(
        "label",
        h("span", say("A release made here")),
        h(
            "select",
            h("option", say("choose …"), value=NEVER, selected=True),
            *known,
            data_act="follow",
            aria_label=say("Earlier release"),
            disabled=not known,
        ),
    )
    if not known:
        select = h("span", say("No other table here has a release that left the house."))
    address = f"/api/tables/{space.id}/earlier"
    upload = file_button(say("Or bring release.zip"), address, id="earlier", accept=".zip")
    return h(
        "section",
        h("h2", say("The earlier release")),
        h("div", select, upload, cls="line"),
        h(
            "p",
            say(
                "With a release made here the columns are decided about as they were then. Only"
                " releases that left the house can be followed: the ledger knows their crowds."
            ),
            cls="quiet",
        ),
        cls="panel",
    )


def _rule(words: str, act: str, ways: dict[str, str], value: str) -> Markup:
    options = [
        h("option", say(text), value=way, selected=way == value) for way, text in ways.items()
    ]
    control = h("select", *options, data_act=act, aria_label=words)
    return h("p", h("label", h("span", f"{words} "), control))


def _corrections(space: Workspace) -> Markup:
    """Offer to bring names of people of whom something wrong was published."""
    many = to_correct(space)
    if many:
        told = say("1 person to correct") if many == 1 else say("{n:,} people to correct", n=many)
        back = h("button", say("Take back"), type_="button", cls="button", data_act="uncorrect")
        return h("p", told, ": ", say("their crowds leave with this delivery."), " ", back)
    address = f"/api/tables/{space.id}/corrected"
    words = say(
        "Was something wrong published of somebody, and must not stay? Bring their names, one a"
        " line, as this table has them: their crowds leave, and the right rows come with the next"
        " release made anew."
    )
    button = file_button(say("People to correct"), address, id="corrected", accept=".txt,.csv")
    return h("div", h("p", words, cls="quiet"), button)


def _grown(space: Workspace) -> Markup:
    """Say what is kept, grown, new and waiting, and what is lost then and now."""
    told = delivered(space)
    if told is None:
        return Markup("")
    growth, counts = told["growth"], told["counts"]
    crowds = {
        say("as they were"): growth["crowds_kept"],
        say("joined by newcomers"): growth["crowds_grown"],
        say("founded by newcomers"): growth["crowds_new"],
        say("gone"): growth["crowds_left"],
    }
    rows = [
        (say("Rows published"), number(growth["rows_before"]), number(_published(growth))),
        (
            say("Crowds"),
            number(growth["crowds_before"]),
            number(sum(crowds.values()) - growth["crowds_left"]),
        ),
        (
            say("Of the detail lost"),
            number(growth["loss_before"], ".1%"),
            number(growth["loss_now"], ".1%"),
        ),
    ]
    words = (say("then"), say("now"))
    head = h("tr", h("td"), *(h("th", word, scope="col") for word in words))
    lines = [
        h("tr", h("th", name, scope="row"), h("td", then), h("td", now)) for name, then, now in rows
    ]
    return h(
        "section",
        h("h2", say("What changed")),
        _picture(crowds),
        h("table", h("caption", say("Then and now")), head, *lines),
        h("ul", *(h("li", note) for note in _notes(counts) if note)),
        h("div", *_downloads(space, space.released), cls="line downloads"),
        _why_not(space.released),
        h("p", h("a", say("All about this release"), href=f"/t/{space.id}/result")),
        cls="panel",
    )


def _notes(counts: dict[str, int]) -> list[str]:
    """Say who waits, who changed or stopped arriving, and what left."""
    return [
        say(
            "{value} of {counts:,} waiting for others who fit.",
            value=_newcomers(counts["waiting"]),
            counts=counts["newcomers"],
        ),
        say(
            "{value} changed since, {counts:,} not in the table any more: published as before.",
            value=_rows(counts["changed"]),
            counts=counts["stopped"],
        )
        if counts["changed"] or counts["stopped"]
        else "",
        say("{value} of crowds that left.", value=_rows(counts["left_out"]))
        if counts["left_out"]
        else "",
        say(
            "{value} forgotten and back under a pseudonym that was published: not published again.",
            value=_rows(counts["held"]),
        )
        if counts.get("held")
        else "",
    ]


def _rows(count: int) -> str:
    return say("1 row") if count == 1 else say("{n:,} rows", n=count)


def _newcomers(count: int) -> str:
    return say("1 newcomer") if count == 1 else say("{n:,} newcomers", n=count)


def _published(growth: dict[str, Any]) -> int:
    return int(growth["rows_kept"] + growth["rows_new"])


def _picture(crowds: dict[str, int]) -> Markup:
    """Crowds as one bar, each kind as wide as it is many; words and numbers beside it."""
    total, at, parts, legend = max(1, sum(crowds.values())), 0.0, [], []
    for shade, (name, many) in zip(SHADES, crowds.items(), strict=True):
        width = 100 * many / total
        if many:
            parts.append(h("rect", x=f"{at:.2f}%", width=f"{width:.2f}%", cls=shade))
        legend.append(h("li", h("b", number(many)), f" {name}"))
        at += width
    label = say("Crowds: ") + ", ".join(f"{number(many)} {name}" for name, many in crowds.items())
    return h(
        "div",
        h("svg", *parts, cls="stack", role="img", aria_label=label),
        h("ul", *legend, cls="legend"),
    )
