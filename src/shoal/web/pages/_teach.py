"""Teach: which crowd fits this person? Every answer says which details matter."""

from __future__ import annotations

from asyncio import to_thread

from nicegui import ui

from shoal.exceptions import ShoalError
from shoal.session import Preview, Question, Session
from shoal.web._previews import Previews
from shoal.web._workspace import Workspace
from shoal.web.pages._controls import Controls
from shoal.web.pages._frame import headline
from shoal.web.pages._markup import Markup, h, icon
from shoal.web.pages._question import (
    draw_answers,
    draw_consistency,
    draw_question,
    draw_sureness,
    draw_weights,
    say_question,
)
from shoal.web.pages._scene import Scene

LOOK = 0.4  # seconds between two looks for a new preview


async def teach_page(space: Workspace) -> None:
    """Build the page."""
    headline(
        "Which crowd fits this person better?",
        "Joining a crowd costs detail, marked below. Choose the loss that hurts less.",
    )
    try:
        session = await to_thread(lambda: space.session)
        question = await to_thread(session.ask)
    except ShoalError as error:
        ui.html(_cannot(space, error))
        return
    Teaching(space, session, question)


class Teaching:
    """The page while somebody answers."""

    def __init__(self, space: Workspace, session: Session, question: Question) -> None:
        self.space, self.session, self.question = space, session, question
        self.previews = Previews(session)
        self.before = session.weights
        self.busy = False
        with ui.element("div").classes("teach"):
            with ui.element("section").classes("asking").props('aria-label="Question"'):
                self.sureness = Scene(lambda: draw_sureness(session))
                self.buttons = Scene(lambda: _buttons(session), self.act, cls="choosing")
                self.asked = Scene(lambda: draw_question(self.question), cls="asked")
                self.heard = Scene(lambda: say_question(self.question), cls="unseen", said=True)
                self.shown = Scene(lambda: _preview(self.previews))
            with ui.element("aside").classes("beside").props('aria-label="What matters"'):
                self.learned = Scene(lambda: self._weights())
                self.controls = Controls(space, session, self.refresh)
        ui.html(_onward(space))
        ui.timer(LOOK, self._look)
        self.previews.poke()

    async def act(self, kind: str, value: str) -> None:
        """Answer, skip or undo; while one is under way others wait."""
        if self.busy or self._left_behind():
            return
        self.busy = True
        try:
            self.before = self.session.weights
            if kind == "answer":
                self.question = await to_thread(self.space.answer, self.question.id, value)
            elif kind == "undo":
                await to_thread(self.session.undo)
                self.question = await to_thread(self.session.ask)
        finally:
            self.busy = False
        self.refresh()

    def refresh(self) -> None:
        """Draw what was learned."""
        for scene in (self.asked, self.heard, self.sureness, self.learned, self.buttons):
            scene.redraw()
        self.previews.poke()

    def _weights(self) -> Markup:
        return h(
            "section",
            h("h2", "What matters, as learned"),
            h("p", "Bar: best guess. Line: where it lies, nine times in ten.", cls="quiet"),
            draw_weights(self.session, self.before),
            draw_consistency(self.session),
            cls="panel",
        )

    def _left_behind(self) -> bool:
        """Begin anew if the plan was changed elsewhere: another session goes on from here."""
        if self.space.session is self.session:
            return False
        ui.navigate.reload()
        return True

    async def _look(self) -> None:
        if self.busy or self._left_behind():
            return
        current = await to_thread(self.session.ask)
        if current.id != self.question.id and not self.busy:  # answered elsewhere
            self.question = current
            self.refresh()
        self.shown.redraw()


def _buttons(session: Session) -> Markup:
    nothing = session.answers + session.skipped == 0
    undo = h(
        "button",
        "Undo",
        h("kbd", "U"),
        type_="button",
        cls="button",
        data_act="undo",
        data_key="u U Backspace",
        disabled=nothing,
    )
    return draw_answers(undo)


def _preview(previews: Previews) -> Markup:
    found = previews.last
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


def _cannot(space: Workspace, error: ShoalError) -> Markup:
    return h(
        "section",
        h("h2", "There is nothing to ask yet"),
        h("p", str(error)),
        h("p", error.hint or "", cls="quiet"),
        h("a", "Back to the table", href=f"/t/{space.id}/table", cls="button"),
        cls="panel",
    )
