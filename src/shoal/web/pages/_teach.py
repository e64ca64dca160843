"""Teach page: which crowd fits this person? Every answer says which details matter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from shoal._words import later, number, say
from shoal.exceptions import ShoalError
from shoal.hierarchies import Arrangement
from shoal.session import Preview, Session
from shoal.web._workspace import Previews, Workspace
from shoal.web.pages._page import (
    LATER,
    SOON,
    Fragment,
    Markup,
    Reply,
    WorkspacePage,
    breakable,
    h,
    icon,
    join,
    refusal,
)
from shoal.web.pages._question import (
    HIGHEST,
    draw_answers,
    draw_consistency,
    draw_question,
    draw_slider,
    draw_sureness,
    draw_weights,
    say_question,
)

STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000, 5000, 10_000, 50_000, 100_000)
MOST_STEPS = 6
MOST_WON = 2  # details whose gain is told in words


class TeachPage(WorkspacePage):
    """Questions and answers; all that was said lives in the session."""

    title = later("Which crowd fits this person better?")
    lead = later("Joining a crowd costs detail, marked below. Choose the loss that hurts less.")

    def __init__(self, space: Workspace) -> None:
        super().__init__(space)
        self._controls: Controls | None = None

    @property
    def controls(self) -> Controls:
        """Sliders and limits of the session; another session begins with others."""
        if self._controls is None or self._controls.session is not self.space.session:
            self._controls = Controls(self.space)
        return self._controls

    def act(self, kind: str, value: str) -> Reply | None:
        """Answer, skip, undo, move a slider, set a limit."""
        kind, _, about = kind.partition(":")
        if kind == "answer":
            self._answer(about, value)
        elif kind == "undo":
            self.space.session.undo()
        else:
            return self.controls.act(kind, about, value)
        return None

    def _answer(self, question: str, choice: str) -> None:
        """Answer what was asked; a key pressed twice, or in two tabs, answers once."""
        if self.space.session.ask().id == question:
            self.space.answer(question, choice)

    def fragments(self) -> list[Fragment]:
        """Draw the question, what was learned, and what it makes of the whole table."""
        try:
            session = self.space.session
            question = session.ask()
        except ShoalError as error:
            back = h("a", say("Back to the table"), href=f"/t/{self.space.id}/table", cls="button")
            return [refusal(say("There is nothing to ask yet"), error, back)]
        self.space.previews.poke()
        return [
            Fragment("sureness", draw_sureness(session)),
            Fragment("buttons", draw_answers(question.id, _undo(session)), cls="choosing"),
            Fragment("question", draw_question(question), cls="asked"),
            Fragment("heard", say_question(question), cls="unseen", spoken=True),
            Fragment("preview", _preview(session, self.space.previews)),
            Fragment("learned", _learned(session)),
            Fragment("sliders", self.controls.draw_sliders()),
            Fragment("limits", self.controls.draw_limits()),
            Fragment("onward", _onward(self.space)),
        ]

    def layout(self, parts: Mapping[str, Markup]) -> Markup:
        """Put what was learned beside the question."""
        if "question" not in parts:
            return join(*parts.values())
        asking = [parts[name] for name in ("sureness", "buttons", "question", "heard", "preview")]
        beside = [parts[name] for name in ("learned", "sliders", "limits")]
        both = h(
            "div",
            h("section", *asking, cls="asking", aria_label=say("Question")),
            h("aside", *beside, cls="beside", aria_label=say("What matters")),
            cls="teach",
        )
        return join(both, parts["onward"])

    @property
    def look_again(self) -> float:
        """Soon while the whole table is grouped; later for what is answered in another tab."""
        return SOON if self.space.previews.busy else LATER


class Controls:
    """Sliders and limits of a session; sliders stay where they were put."""

    def __init__(self, space: Workspace) -> None:
        self.session = space.session
        self.widths = {name: widths_of(space, name) for name in self.session.names}
        self.positions = self._positions()

    def _positions(self) -> dict[str, float]:
        """Where the sliders stand: 5 is the middle."""
        bias = self.session.bias
        if bias is None:
            return dict.fromkeys(self.session.names, HIGHEST / 2)
        top = max(bias.values())
        return {name: HIGHEST * weight / top for name, weight in bias.items()}

    def act(self, kind: str, number: str, value: str) -> Reply | None:
        """Move a slider, take the sliders away, set or lift a limit."""
        if kind == "weight":
            self.positions[self.session.names[int(number)]] = float(value)
            self.session.set_weights({n: max(w, 0.05) for n, w in self.positions.items()})
        elif kind == "no-sliders":
            self.session.set_weights(None)
            self.positions = self._positions()
        elif kind == "limit":
            return self._limit(self.session.names[int(number)], value)
        return None

    def _limit(self, name: str, value: str) -> Reply | None:
        if not value:
            self.session.release_limit(name)
            return None
        self.session.limit(name, float(value))
        return Reply(say("From now on {name} is never published coarser than that.", name=name))

    def draw_sliders(self) -> Markup:
        """Draw a slider for each detail, folded until one was moved."""
        rows = [
            draw_slider(f"weight:{i}", name, where)
            for i, (name, where) in enumerate(self.positions.items())
        ]
        words = say("Take the sliders away")
        clear = h("button", words, type_="button", cls="button small", data_act="no-sliders")
        note = say("To the right: this detail matters more. Answers move the weights from there.")
        return h(
            "details",
            h("summary", say("Say it with sliders")),
            h("p", note, cls="quiet"),
            *rows,
            clear,
            cls="panel fold",
            open=self.session.bias is not None,
        )

    def draw_limits(self) -> Markup:
        """Draw a choice of widths for each detail, folded until one was chosen."""
        rows = [self._choice(i, name) for i, name in enumerate(self.session.names)]
        note = say("What no crowd may be published wider than. Impossible wishes are refused.")
        return h(
            "details",
            h("summary", say("Never coarser than")),
            h("p", note, cls="quiet"),
            *rows,
            cls="panel fold",
            open=bool(self.session.limits),
        )

    def _choice(self, i: int, name: str) -> Markup:
        limit = self.session.limits.get(name)
        options = [
            h("option", words, value=value, selected=_same(value, limit))
            for value, words in self.widths[name].items()
        ]
        return h(
            "label",
            h("span", breakable(name), cls="name"),
            h(
                "select",
                *options,
                data_act=f"limit:{i}",
                aria_label=say("Limit of {name}", name=name),
            ),
            cls="limit",
        )


def _same(value: str, limit: float | None) -> bool:
    return (value == "") if limit is None else value != "" and float(value) == limit


def widths_of(space: Workspace, column: str) -> dict[str, str]:
    """Return what may be chosen for a column, and how it reads; ``""`` is no limit."""
    chosen = {"": say("free"), "0": say("keep exact")}
    hierarchy = space.hierarchy(column)
    coded = space.table.column(column)
    if hierarchy is not None:
        tree = hierarchy.arrange(coded.labels, column=column)
        levels = ((level, _like(tree, level)) for level in range(1, tree.height))
        return {**chosen, **{str(level): words for level, words in levels if words}}
    if coded.kind == "date":
        return {
            **chosen,
            "31": say("a month"),
            "92": say("a quarter"),
            "366": say("a year"),
            "3653": say("ten years"),
        }
    if coded.numbers is None:
        return chosen
    spread = float(np.nanmax(coded.numbers) - np.nanmin(coded.numbers)) if coded.numbers.size else 0
    fitting = [step for step in STEPS if spread / 50 <= step < spread][:MOST_STEPS]
    return {**chosen, **{str(step): say("at most {step:,} wide", step=step) for step in fitting}}


def _like(tree: Arrangement, level: int) -> str:
    """Name a level by something that would be published on it; one without is none to choose.

    >>> from shoal.hierarchies import Mask
    >>> tree = Mask().arrange(["8010", "8011", "8045"])  # no two begin with 80 and go on otherwise
    >>> _like(tree, 1), _like(tree, 3)
    ('like 801*', '')
    """
    at = np.flatnonzero(tree.node_levels == level)
    return say("like {label}", label=tree.node_labels[int(at[0])]) if at.size else ""


def _learned(session: Session) -> Markup:
    return h(
        "section",
        h("h2", say("What matters, as learned")),
        h("p", say("Bar: best guess. Line: where it lies, nine times in ten."), cls="quiet"),
        draw_weights(session),
        draw_consistency(session),
        cls="panel",
    )


def _undo(session: Session) -> Markup:
    return h(
        "button",
        say("Undo"),
        h("kbd", "U"),
        type_="button",
        cls="button",
        data_act="undo",
        data_key="u U Backspace",
        disabled=session.answers + session.skipped == 0,
    )


def _preview(session: Session, previews: Previews) -> Markup:
    found = previews.last
    if found is None:
        return h("p", say("Grouping the whole table with what you said …"), cls="preview quiet")
    facts = [
        _fact(number(found.ngil, ".1%"), say("of the detail lost"), _moved(found)),
        _fact(
            number(found.groups),
            say("crowds, the smallest of {smallest:,}", smallest=found.smallest),
        ),
    ]
    if found.f1 is not None:
        beside = say(
            "macro F1 of a quick model (constant: {f1_constant:.2f})", f1_constant=found.f1_constant
        )
        facts.append(_fact(number(found.f1, ".2f"), beside))
    stale = session.preview_due
    words = say("The whole table with your answers so far")
    if stale:
        words = say(
            "The whole table with your first {n} answers; being grouped again …", n=found.answers
        )
    return h(
        "div",
        h("p", words, cls="quiet"),
        h("div", *facts, cls="facts"),
        *_won(found, previews.untaught),
        cls="preview stale" if stale else "preview",
        data_answers=str(found.answers),
    )


def _won(found: Preview, untaught: Preview | None) -> Iterator[Markup]:
    """Say what was won where it matters: for the details that weigh most, before and now."""
    if untaught is None:
        return
    ranked = sorted(found.weights, key=lambda name: -found.weights[name])
    heavy = [name for name in ranked if found.weights[name] > 1 / len(ranked)][:MOST_WON]
    for name in heavy:
        words = say(
            "{name} matters to you: it lost {before:.1%} before you said so, {now:.1%} now.",
            name=name,
            before=untaught.loss_by_attribute[name],
            now=found.loss_by_attribute[name],
        )
        yield h("p", words, cls="won")


def _fact(number: str, words: str, beside: str = "") -> Markup:
    return h("div", h("b", number), h("span", words), h("small", beside) if beside else None)


def _moved(found: Preview) -> str:
    if found.change is None or abs(found.change.ngil) < 0.0005:
        return ""
    return say("{ngil:+.1%} by the last answer", ngil=found.change.ngil)


def _onward(space: Workspace) -> Markup:
    return h(
        "div",
        h(
            "a",
            say("See the result"),
            icon("right"),
            href=f"/t/{space.id}/result",
            cls="button primary big",
        ),
        h("span", say("You can come back and go on at any time: nothing is lost."), cls="quiet"),
        cls="onward",
    )
