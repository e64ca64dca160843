"""An annex to a data protection impact assessment."""

from __future__ import annotations

from collections.abc import Iterator

from shoal.dossier._base import BlankField, Dossier, DossierPart


class DataProtectionAnnex(Dossier):
    """What a release brings to an assessment under article 35 of the GDPR."""

    title = "Annex to a data protection impact assessment"
    rule = "GDPR article 35(7)"

    def parts(self) -> Iterator[DossierPart]:
        """Processing, necessity, risks, measures, opinion."""
        yield DossierPart(
            "(a) The processing and its purposes",
            (
                BlankField("For which purpose is the data shared, and on which legal basis?"),
                *self.data_described(),
            ),
        )
        yield DossierPart(
            "(b) Necessity and proportionality",
            (
                BlankField("Why would less data, or no data, not serve the purpose?"),
                self.tell(
                    "How much detail was given up?",
                    "{ngil:.1%} of the detail of the quasi-identifiers.",
                    ngil="manifest.ngil",
                ),
            ),
        )
        yield DossierPart(
            "(c) Risks to the people",
            (self.largest_risk(), self.uniqueness(), *self.attacks_told(), *self.not_promised()),
        )
        yield DossierPart("(d) Measures", (*self.protection(), self.trail()))
        yield DossierPart(
            "Opinion",
            (
                BlankField("Advice of the data protection officer, with date:"),
                BlankField("Were the people concerned or their representatives heard?"),
                BlankField("Decision and signature of the controller:"),
            ),
        )
