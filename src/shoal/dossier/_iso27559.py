"""ISO/IEC 27559: a privacy-enhancing data de-identification framework, as a table."""

from __future__ import annotations

from collections.abc import Iterator

from shoal.dossier._base import BlankField, Dossier, DossierPart


class Iso27559Table(Dossier):
    """The framework's four areas, each with what is on file."""

    title = "De-identification framework"
    rule = "ISO/IEC 27559:2022"
    unchecked = ("The numbers of clauses are from a summary; the standard itself was not read.",)

    def parts(self) -> Iterator[DossierPart]:
        """Context, data, identifiability, governance."""
        yield DossierPart(
            "Context assessment",
            (
                BlankField("Who receives the data, and what else do they hold?"),
                BlankField("Which contract, access control and training apply to them?"),
                self.tell(
                    "For which audience was it made?",
                    "Preset {preset}.",
                    preset="manifest.preset",
                ),
            ),
        )
        yield DossierPart("Data assessment", tuple(self.data_described()))
        yield DossierPart(
            "Identifiability assessment and mitigation (8.2.3: adversarial testing)",
            (*self.protection(), self.largest_risk(), self.uniqueness(), *self.attacks_told()),
        )
        yield DossierPart(
            "Governance",
            (
                self.trail(),
                BlankField("Who is accountable for the release, before and after it?"),
                BlankField("What happens if somebody is identified after all?"),
                BlankField("When is the assessment reviewed?"),
            ),
        )
