"""Teach page: which crowd fits this person? Every answer says which details matter."""

from __future__ import annotations

from collections.abc import Mapping

from shoal.exceptions import ShoalError
from shoal.session import Preview, Session
from shoal.web._workspace import Workspace
from shoal.web.pages._controls import Controls
from shoal.web.pages._markup import Markup, h, icon, join
from shoal.web.pages._page import LATER, SOON, Fragment, Page, Reply, refusal
from shoal.web.pages._question import (
    draw_answers,
    draw_consistency,
    draw_question,
    draw_sureness,
    draw_weights,
    say_question,
)


class TeachPage(Page):
    """Questions and answers; all that was said lives in the session."""

    title = "Which crowd fits this person better?"
    lead = "Joining a crowd costs detail, marked below. Choose the loss that hurts less."

    def __init__(self, space: Workspace) -> None:
        super().__init__()
        self.space = space
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
            back = h("a", "Back to the table", href=f"/t/{self.space.id}/table", cls="button")
            return [refusal("There is nothing to ask yet", error, back)]
        self.space.previews.poke()
        return [
            Fragment("sureness", draw_sureness(session)),
            Fragment("buttons", draw_answers(question.id, _undo(session)), cls="choosing"),
            Fragment("question", draw_question(question), cls="asked"),
            Fragment("heard", say_question(question), cls="unseen", spoken=True),
            Fragment("preview", _preview(self.space.previews.last)),
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
            h("section", *asking, cls="asking", aria_label="Question"),
            h("aside", *beside, cls="beside", aria_label="What matters"),
            cls="teach",
        )
        return join(both, parts["onward"])

    @property
    def look_again(self) -> float:
        """Soon while the whole table is grouped; later for what is answered in another tab."""
        return SOON if self.space.previews.busy else LATER


def _learned(session: Session) -> Markup:
    return h(
        "section",
        h("h2", "What matters, as learned"),
        h("p", "Bar: best guess. Line: where it lies, nine times in ten.", cls="quiet"),
        draw_weights(session),
        draw_consistency(session),
        cls="panel",
    )


def _undo(session: Session) -> Markup:
    return h(
        "button",
        "Undo",
        h("kbd", "U"),
        type_="button",
        cls="button",
        data_act="undo",
        data_key="u U Backspace",
        disabled=session.answers + session.skipped == 0,
    )


def _preview(found: Preview | None) -> Markup:
    if found is None:
        return h("p", "Grouping the whole table with what you said …", cls="preview quiet")
    facts = [
        _fact(f"{found.ngil:.1%}", "of the detail lost", _moved(found)),
        _fact(f"{found.groups:,}", f"crowds, the smallest of {found.smallest:,}"),
    ]
    if found.f1 is not None:
        beside = f"macro F1 of a quick model (constant: {found.f1_constant:.2f})"
        facts.append(_fact(f"{found.f1:.2f}", beside))
    note = h("p", "The whole table with your answers so far", cls="quiet")
    return h(
        "div", note, h("div", *facts, cls="facts"), cls="preview", data_answers=str(found.answers)
    )


def _fact(number: str, words: str, beside: str = "") -> Markup:
    return h("div", h("b", number), h("span", words), h("small", beside) if beside else None)


def _moved(found: Preview) -> str:
    if found.change is None or abs(found.change.ngil) < 0.0005:
        return ""
    return f"{found.change.ngil:+.1%} by the last answer"


def _onward(space: Workspace) -> Markup:
    return h(
        "div",
        h(
            "a",
            "See the result",
            icon("right"),
            href=f"/t/{space.id}/result",
            cls="button primary big",
        ),
        h("span", "You can come back and go on at any time: nothing is lost.", cls="quiet"),
        cls="onward",
    )
