"""EMA policy 0070: the anonymisation report."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

from shoal.dossier._base import BlankField, Dossier, DossierPart, MeasuredField

THRESHOLD = 0.09


class EmaReport(Dossier):
    """An anonymisation report for clinical data published under EMA policy 0070."""

    title = "Anonymisation report"
    rule = "EMA policy 0070, external guidance EMA/90915/2016"
    unchecked = (
        "The threshold of 0.09 for public release is quoted from literature; the clause itself "
        "was not read again.",
    )

    def parts(self) -> Iterator[DossierPart]:
        """Methodology, variables, risk, usefulness, conclusion."""
        yield DossierPart(
            "1. Anonymisation methodology",
            (
                BlankField("Which clinical reports or data sets does this cover (title, number)?"),
                BlankField("Who is expected to receive it, and under which terms of use?"),
                *self.protection(),
            ),
        )
        yield DossierPart("2. Data variables", tuple(self.data_described()))
        yield DossierPart(
            "3. Risk of re-identification",
            (
                self.largest_risk(),
                self._against_threshold(),
                self.uniqueness(),
                *self.attacks_told(),
                BlankField(
                    "Are there direct identifiers in narrative text or images? How removed?"
                ),
            ),
        )
        yield DossierPart(
            "4. Usefulness of the data",
            (
                self.tell(
                    "How much detail was lost, and how much had to be?",
                    "{ngil:.1%} of the detail of the quasi-identifiers; at least {bound:.1%} is "
                    "lost by any release with these crowds.",
                    ngil="manifest.ngil",
                    bound="manifest.ngil_bound",
                ),
                BlankField("Which scientific questions can still be answered with the data?"),
            ),
        )
        yield DossierPart("5. What is not promised", tuple(self.not_promised()))
        yield DossierPart(
            "6. Conclusion",
            (
                self.trail(),
                BlankField("Is the data anonymised in the sense of the policy? Signed by, on:"),
            ),
        )

    def _against_threshold(self) -> MeasuredField | BlankField:
        question = f"Is that at most {THRESHOLD}?"
        risk = self.evidence.look("derived.1 / smallest crowd")
        if risk is None:
            return BlankField(question, "No k is promised for this release.")
        keys = ("derived.1 / smallest crowd",)
        if risk <= THRESHOLD:
            return MeasuredField(question, "Yes.", keys)
        enough = ceil(1 / THRESHOLD)
        return MeasuredField(
            question, f"No, it is {risk:.4f}. Crowds of k = {enough} would be enough.", keys
        )
