"""HIPAA: an annex to an expert determination, and the Safe Harbor checklist."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from shoal.dossier._base import BlankField, Dossier, DossierPart, MeasuredField

OLDEST = 89  # ages above go together
ENOUGH = 20_000  # people of a three-digit ZIP area
_MONTH = re.compile(r"\b\d{4}-(\d\d|Q\d)|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_FOUR = re.compile(r"\d{4}")
#: 45 CFR 164.514(b)(2)(i), (A) to (R), in its order.
EIGHTEEN = (
    "Names",
    "Geographic subdivisions smaller than a state, but ZIP3 of more than 20,000 people",
    "Elements of dates but the year; ages over 89",
    "Telephone numbers",
    "Fax numbers",
    "E-mail addresses",
    "Social security numbers",
    "Medical record numbers",
    "Health plan beneficiary numbers",
    "Account numbers",
    "Certificate and licence numbers",
    "Vehicle identifiers and plates",
    "Device identifiers and serial numbers",
    "Web addresses (URLs)",
    "Internet addresses (IP)",
    "Biometric identifiers",
    "Photographs of the face",
    "Any other unique number, characteristic or code",
)


class HipaaAnnex(Dossier):
    """What an expert needs for a determination, and which of the eighteen are told by the data."""

    title = "HIPAA de-identification: expert determination annex and Safe Harbor checklist"
    rule = "45 CFR 164.514(b)"
    unchecked = (
        "Current populations of three-digit ZIP areas: they are those of the file that was given.",
    )

    def parts(self) -> Iterator[DossierPart]:
        """(b)(1), then (b)(2) with all eighteen."""
        yield DossierPart(
            "Expert determination, 164.514(b)(1)",
            (
                BlankField("Who is the expert, with which knowledge and experience?"),
                BlankField("Who is the anticipated recipient, and what else can they know?"),
                *self.data_described(),
                *self.protection(),
                self.largest_risk(),
                self.uniqueness(),
                *self.attacks_told(),
                BlankField('Is the risk "very small" for that recipient? Why? Signed by, on:'),
            ),
        )
        yield DossierPart(
            "Safe Harbor, 164.514(b)(2): the eighteen identifiers", tuple(self._eighteen())
        )
        yield DossierPart(
            "Actual knowledge, 164.514(b)(2)(ii)",
            (BlankField("Does anybody here know how a person could be identified in the data?"),),
        )
        yield DossierPart("What is not promised", tuple(self.not_promised()))

    def _eighteen(self) -> Iterator[MeasuredField | BlankField]:
        looked: dict[str, Callable[[str], MeasuredField | BlankField]] = {
            EIGHTEEN[1]: self._places,
            EIGHTEEN[2]: self._dates,
            EIGHTEEN[17]: self._unique,
        }
        names = ", ".join(repr(c["name"]) for c in self.evidence.manifest["columns"])
        for letter, what in zip("ABCDEFGHIJKLMNOPQR", EIGHTEEN, strict=True):
            question = f"({letter}) {what}"
            if what in looked:
                yield looked[what](question)
            first = f"Is it in one of the published columns? They are {names}."
            yield BlankField(question, first if letter == "A" else "")

    def _dates(self, question: str) -> MeasuredField:
        """Columns of months or days, as values or as ends of spans; ages that go beyond 89."""
        names = self.evidence.release.table.column_names
        days = [name for name in names if any(map(_MONTH.search, self._texts(name)))]
        old = [name for name in names if _ages(name) and self._highest(name) > OLDEST]
        told = [
            f"Months or days are published in {', '.join(map(repr, days))}." if days else "",
            f"Ages over {OLDEST} are told apart in {', '.join(map(repr, old))}." if old else "",
        ]
        answer = " ".join(filter(None, told)) or (
            f"Nothing finer than a year is written as a date, and no column named after an age "
            f"goes beyond {OLDEST}."
        )
        return MeasuredField(f"{question}: by machine", answer, ("data",))

    def _highest(self, name: str) -> float:
        """Largest number that stands in a column by itself or as an end of a span."""
        found = (number for text in self._texts(name) for number in _NUMBER.findall(text))
        return max(map(float, found), default=0.0)

    def _texts(self, name: str) -> list[str]:
        return [str(text) for text in self.evidence.release.table.column(name).labels]

    def _places(self, question: str) -> MeasuredField | BlankField:
        named = [c for c in self.evidence.release.table.column_names if "zip" in c.lower()]
        if not named:
            return BlankField(f"{question}: by machine", "No column is named after ZIP codes.")
        if not self.evidence.populations:
            return BlankField(
                f"{question}: by machine",
                "Give the people of each three-digit area: --populations FILE (area, people).",
            )
        areas = {text[:3] for name in named for text in self._texts(name)}
        small = [a for a in areas if a.isdigit() and self.evidence.populations.get(a, 0) <= ENOUGH]
        fine = [name for name in named if any(map(_FOUR.match, self._texts(name)))]
        answer = (
            f"{len(small)} published areas have {ENOUGH:,} people or fewer, or none on file; "
            f"more than three digits are published in {len(fine)} columns."
        )
        return MeasuredField(f"{question}: by machine", answer, ("data", "populations"))

    def _unique(self, question: str) -> MeasuredField | BlankField:
        return self.tell(
            f"{question}: by machine",
            "Columns that single out people and were accepted by name: {accepted}.",
            accepted="manifest.singling_out.accepted",
        )


def _ages(name: str) -> bool:
    words = name.lower().replace("-", "_").split("_")
    return "age" in words or "alter" in words
