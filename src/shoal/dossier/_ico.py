"""The ICO's motivated-intruder test, as a log."""

from __future__ import annotations

from collections.abc import Iterator

from shoal.dossier._base import BlankField, Dossier, DossierPart, MeasuredField


class IntruderLog(Dossier):
    """A log of what a motivated intruder would try, and what came of it."""

    title = "Motivated-intruder test: log"
    rule = "ICO guidance on anonymisation, 28 March 2025"

    def parts(self) -> Iterator[DossierPart]:
        """Who the intruder is, what was tried, what was found, when to look again."""
        yield DossierPart(
            "1. The intruder",
            (
                BlankField("Who might want to identify somebody in this data, and why?"),
                BlankField(
                    "Which public or private sources were searched (registers, press, web)?"
                ),
                BlankField("How much time and which skills did the testers have?"),
            ),
        )
        yield DossierPart("2. What lies before the intruder", tuple(self.data_described()))
        yield DossierPart("3. What was tried by machine", (self._judged(), *self.attacks_told()))
        yield DossierPart(
            "4. What was tried by hand",
            (BlankField("Which people were looked for, how, and were any found?"),),
        )
        yield DossierPart("5. What was known to remain", (self.uniqueness(), *self.not_promised()))
        yield DossierPart(
            "6. Record and review",
            (
                self.trail(),
                BlankField("Who carried out the test, and on which days?"),
                BlankField("When will it be repeated?"),
            ),
        )

    def _judged(self) -> MeasuredField | BlankField:
        return self.tell(
            "Did any attack gain more than accepted?",
            "All within what is accepted: {holds} (preset {preset}: a gain of {threshold:.2f}).",
            holds="attacks.holds",
            preset="attacks.preset",
            threshold="attacks.threshold",
        )
