"""Study desk: what a steward sees of a study; the participants' page is another one."""

from __future__ import annotations

from shoal._words import later, say
from shoal.web._server import Server
from shoal.web._teaching_study import TeachingStudy
from shoal.web.pages._page import LATER, Fragment, Markup, Page, h, icon


class StudyDeskPage(Page):
    """How many have taken part, the link for the next ones, and what they said."""

    title = later("Many people teach one table")
    lead = later(
        "Each says what matters twice, with sliders and by choosing crowds, without a name."
    )

    def __init__(self, server: Server) -> None:
        super().__init__()
        self.server = server

    def fragments(self) -> list[Fragment]:
        """Draw how the study stands, or how to begin one."""
        study = self.server.study
        drawn = _begin() if study is None else self._running(study)
        return [Fragment("study", drawn)]

    def _running(self, study: TeachingStudy) -> Markup:
        found = study.finished().values()
        both = sum(len(ways) == 2 for ways in found)
        link = self.server.settings.link(self.server.visitors.study_token, "/study")
        return h(
            "section",
            h("h2", say("A study is running")),
            h(
                "p",
                say(
                    "{n:,} people have finished, {both:,} of them both ways.",
                    n=len(found),
                    both=both,
                ),
            ),
            h("p", say("Send them this link:"), " ", h("code", link)),
            h(
                "a",
                icon("download"),
                say("All weights as a table"),
                href="/api/study/weights.csv",
                download="weights.csv",
                cls="button",
            ),
            cls="panel",
        )

    @property
    def look_again(self) -> float:
        """People finish while somebody looks."""
        return LATER


def _begin() -> Markup:
    words = say("Start the server with a plan, and it prints a second link to be sent around:")
    return h(
        "section",
        h("h2", say("No study is running")),
        h("p", words),
        h("p", h("code", "shoal serve --study plan.toml --questions 20")),
        cls="panel",
    )
