"""Study: one participant, two ways to say what matters, a thank-you at the end."""

from __future__ import annotations

from asyncio import to_thread

from shoal.session import Question
from shoal.web._study import Participant, Way
from shoal.web.pages._frame import headline
from shoal.web.pages._markup import Markup, h, icon
from shoal.web.pages._question import draw_answers, draw_question
from shoal.web.pages._scene import Scene

MIDDLE, HIGHEST = 5.0, 10


async def study_page(participant: Participant) -> None:
    """Build the page for whatever this participant has to do next."""
    Sitting(participant, await to_thread(_first, participant))


def _first(participant: Participant) -> Question | None:
    return participant.session("iml").ask() if participant.step == "iml" else None


class Sitting:
    """The page while somebody takes part."""

    def __init__(self, participant: Participant, question: Question | None) -> None:
        self.participant, self.question = participant, question
        self.study = participant.study
        self.values = dict.fromkeys(self.study.plan.roles.quasi_identifiers, MIDDLE)
        self.streak = 0
        self.busy = False
        headline("What matters in this table?", self._task())
        self.scene = Scene(self.draw)
        self.controls = Scene(self.draw_controls, self.act)

    def _task(self) -> str:
        target = self.study.plan.roles.target
        goal = f"predict {target}" if target else "learn from it"
        return (
            f"The table will be blurred so that nobody stands out, and then used to {goal}. "
            "Say which details should stay sharp: once with sliders, once by choosing crowds."
        )

    async def act(self, kind: str, value: str) -> None:
        """Take a slider, an answer, or the end of a step."""
        if self.busy:
            return
        self.busy = True
        try:
            if kind.startswith("weight:"):
                self.values[list(self.values)[int(kind.partition(":")[2])]] = float(value)
                return
            if kind == "answer":
                await self._answer(value)
            elif kind == "bias":
                await to_thread(self._keep_sliders)
            self.question = await to_thread(_first, self.participant)
        finally:
            self.busy = False
        self.scene.redraw()
        self.controls.redraw()

    async def _answer(self, choice: str) -> None:
        session = self.participant.session("iml")
        assert self.question is not None
        agreed = session.consistency
        await to_thread(session.tell, self.question.id, choice)  # type: ignore[arg-type]
        broken = agreed is not None and (session.consistency or 0.0) < agreed
        self.streak = 0 if broken or choice == "skip" else self.streak + 1
        if session.answers + session.skipped >= self.study.questions:
            await to_thread(self.participant.finish, "iml")

    def _keep_sliders(self) -> None:
        session = self.participant.session("bias")
        session.set_weights({name: max(value, 0.05) for name, value in self.values.items()})
        self.participant.finish("bias")

    # ------------------------------------------------------------------ drawing

    def draw(self) -> Markup:
        """Draw the step."""
        step = self.participant.step
        if step == "done":
            return self._thanks()
        if step == "iml" and self.question is not None:
            return h(
                "div",
                self._progress(step),
                h("h2", "Which crowd fits this person better?"),
                draw_question(self.question),
                cls="asked",
            )
        return h("div", self._progress("bias"), h("h2", "How much does each detail matter?"))

    def draw_controls(self) -> Markup:
        """Draw the buttons or sliders of the step."""
        step = self.participant.step
        if step == "done":
            return Markup("")
        return draw_answers() if step == "iml" else self._sliders()

    def _progress(self, step: Way) -> Markup:
        part = 1 + self.participant.order.index(step)
        words = f"Part {part} of 2"
        share = 0.0
        if step == "iml":
            session = self.participant.session("iml")
            done = session.answers + session.skipped
            share = done / self.study.questions
            words += f", question {min(done + 1, self.study.questions)} of {self.study.questions}"
        streak = None
        if self.study.game and self.streak >= 3:
            streak = h("span", f"{self.streak} answers in a row", cls="badge")
        return h(
            "div",
            h("span", words),
            h(
                "div",
                h("i", style=f"--share:{share:.3f}"),
                cls="meter",
                role="progressbar",
                aria_label="Progress",
                aria_valuenow=f"{share * 100:.0f}",
            ),
            streak,
            cls="sureness",
        )

    def _sliders(self) -> Markup:
        rows = [
            h(
                "label",
                h("span", name, cls="name"),
                h(
                    "input",
                    type_="range",
                    min="0",
                    max=str(HIGHEST),
                    step="0.5",
                    value=f"{value:.1f}",
                    data_act=f"weight:{i}",
                    aria_label=f"How much {name} matters",
                ),
                h("output", f"{value:.1f}"),
                cls="slider",
            )
            for i, (name, value) in enumerate(self.values.items())
        ]
        done = h(
            "button",
            "That is what matters",
            icon("right"),
            type_="button",
            cls="button primary big",
            data_act="bias",
        )
        return h("section", *rows, h("div", done, cls="onward"), cls="panel")

    def _thanks(self) -> Markup:
        words = [h("p", "Your weights are kept without your name. You can close this page.")]
        if self.study.game:
            standing = self.participant.standing()
            others = standing.finished - 1
            words.append(
                h(
                    "p",
                    f"Your sliders and your answers agree by {standing.agreement:.0%}.",
                    cls="lead",
                )
            )
            if others:
                words.append(
                    h("p", f"That is more than {standing.closer_than} of {others} others.")
                )
        return h(
            "section",
            h("div", icon("check"), h("div", h("h2", "Thank you"), *words), cls="verdict good"),
            cls="panel",
        )
