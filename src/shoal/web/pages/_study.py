"""Study page: one participant, two ways to say what matters, a thank-you at the end."""

from __future__ import annotations

from shoal._words import later, say
from shoal.web._teaching_study import Participant, Way
from shoal.web.pages._page import Fragment, Markup, Page, h, icon
from shoal.web.pages._question import draw_answers, draw_meter, draw_question, draw_slider

MIDDLE = 5.0


class StudyPage(Page):
    """The page while somebody takes part."""

    title = later("What matters in this table?")

    def __init__(self, participant: Participant) -> None:
        super().__init__()
        self.participant, self.study = participant, participant.study
        self.values = dict.fromkeys(self.study.plan.roles.quasi_identifiers, MIDDLE)
        self.streak = 0
        target = self.study.plan.roles.target
        use = say("predict {target}", target=target) if target else say("learn from it")
        self.lead = say(
            "The table will be blurred so that nobody stands out, and then used to {use}. "
            "Say which details should stay sharp: once with sliders, once by choosing crowds.",
            use=use,
        )

    def act(self, kind: str, value: str) -> None:
        """Take a slider, an answer, or the end of a step."""
        kind, _, about = kind.partition(":")
        if kind == "weight":
            self.values[list(self.values)[int(about)]] = float(value)
        elif kind == "answer" and self.participant.step == "iml":
            self._answer(about, value)
        elif kind == "bias" and self.participant.step == "bias":
            self._keep_sliders()

    def _answer(self, question: str, choice: str) -> None:
        session = self.participant.session("iml")
        if choice not in ("A", "B", "skip") or session.ask().id != question:
            return  # a key pressed twice answers once
        agreed = session.consistency
        session.tell(question, choice)  # type: ignore[arg-type]
        broken = agreed is not None and (session.consistency or 0.0) < agreed
        self.streak = 0 if broken or choice == "skip" else self.streak + 1
        if session.answers + session.skipped >= self.study.questions:
            self.participant.finish("iml")

    def _keep_sliders(self) -> None:
        session = self.participant.session("bias")
        session.set_weights({name: max(value, 0.05) for name, value in self.values.items()})
        self.participant.finish("bias")

    # ------------------------------------------------------------------ drawing

    def fragments(self) -> list[Fragment]:
        """Draw the step this participant is at."""
        step = self.participant.step
        if step == "done":
            return [Fragment("step", self._thanks()), Fragment("controls", Markup(""))]
        if step == "bias":
            words = h("h2", say("How much does each detail matter?"))
            asked = h("div", self._progress("bias"), words)
            return [Fragment("step", asked), Fragment("controls", self._sliders())]
        question = self.participant.session("iml").ask()
        asked = h(
            "div",
            self._progress("iml"),
            h("h2", say("Which crowd fits this person better?")),
            draw_question(question),
            cls="asked",
        )
        return [
            Fragment("step", asked),
            Fragment("controls", draw_answers(question.id, either=False)),
        ]

    def _progress(self, step: Way) -> Markup:
        part = 1 + self.participant.order.index(step)
        words = say("Part {part} of 2", part=part)
        share = 0.0
        if step == "iml":
            session = self.participant.session("iml")
            done = session.answers + session.skipped
            share = done / self.study.questions
            words += say(
                ", question {value} of {questions}",
                value=min(done + 1, self.study.questions),
                questions=self.study.questions,
            )
        streak = None
        if self.study.game and self.streak >= 3:
            streak = h("span", say("{streak} answers in a row", streak=self.streak), cls="badge")
        return h(
            "div",
            h("span", words),
            draw_meter(share, say("Progress")),
            streak,
            cls="sureness",
        )

    def _sliders(self) -> Markup:
        rows = [
            draw_slider(f"weight:{i}", name, value)
            for i, (name, value) in enumerate(self.values.items())
        ]
        done = h(
            "button",
            say("That is what matters"),
            icon("right"),
            type_="button",
            cls="button primary big",
            data_act="bias",
        )
        return h("section", *rows, h("div", done, cls="onward"), cls="panel")

    def _thanks(self) -> Markup:
        words = [h("p", say("Your weights are kept without your name. You can close this page."))]
        if self.study.game:
            standing = self.participant.standing()
            others = standing.finished - 1
            words.append(
                h(
                    "p",
                    say(
                        "Your sliders and your answers agree by {agreement:.0%}.",
                        agreement=standing.agreement,
                    ),
                    cls="lead",
                )
            )
            if others:
                words.append(
                    h(
                        "p",
                        say(
                            "That is more than {closer_than} of {others} others.",
                            closer_than=standing.closer_than,
                            others=others,
                        ),
                    )
                )
        return h(
            "section",
            h(
                "div",
                icon("check"),
                h("div", h("h2", say("Thank you")), *words),
                cls="verdict good",
            ),
            cls="panel",
        )
