"""The base of all dossiers: parts with fields, measured ones and those that wait for a human."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from string import Formatter
from typing import Any, ClassVar

from shoal.dossier._evidence import Evidence

ATTACK_FIRST = (
    "Fill it by: shoal attack release/ --original FILE --json > attacks.json, then --attacks."
)
JOURNAL_FIRST = "Fill it with the journal of a session or of the ledger: --journal FILE."


@dataclass(frozen=True)
class MeasuredField:
    """A sentence whose numbers come from the evidence, and the keys they stand under."""

    question: str
    answer: str
    keys: tuple[str, ...]


@dataclass(frozen=True)
class BlankField:
    """A question that is not answered by measuring: for a human, or for want of evidence."""

    question: str
    help: str = ""


@dataclass(frozen=True)
class DossierPart:
    """A heading and what stands under it."""

    title: str
    fields: tuple[MeasuredField | BlankField, ...]


class Dossier(ABC):
    """A kind of document: which questions it asks, and what answers them.

    Parameters
    ----------
    evidence : Evidence
        What is on file.

    Attributes
    ----------
    title : str
        What the document is called.
    rule : str
        The rule it serves.
    unchecked : tuple of str
        What is said about that rule and could not be checked against its source.
    """

    title: ClassVar[str]
    rule: ClassVar[str]
    unchecked: ClassVar[tuple[str, ...]] = ()

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence

    @abstractmethod
    def parts(self) -> Iterator[DossierPart]:
        """Give the parts in their order."""

    def tell(
        self, question: str, sentence: str, *, under: str = "", **keys: str
    ) -> MeasuredField | BlankField:
        """Answer a question by a sentence whose ``{names}`` are looked up under their keys.

        Nothing else may bring a number in. Blank if one of them is not on file. ``under`` is
        the one key that all of them stand under.
        """
        found = {name: self.evidence.look(key) for name, key in keys.items()}
        if any(value is None for value in found.values()):
            return BlankField(question, "Not on file for this release.")
        told = (under,) if under else tuple(keys.values())
        return MeasuredField(question, _NumberFormatter().vformat(sentence, (), found), told)

    # ------------------------------------------------------------------ what most of them say

    def data_described(self) -> Iterator[MeasuredField | BlankField]:
        """How many people, which columns, what was left out."""
        yield self.tell(
            "What is released?",
            "{rows} rows in {groups} crowds ({counted} are counted); columns dropped: {dropped}; "
            "rows suppressed: {suppressed}.",
            rows="manifest.rows",
            groups="manifest.groups",
            counted="manifest.counts",
            dropped="manifest.columns_dropped",
            suppressed="manifest.suppressed",
        )
        for question, names in (
            ("Which columns could others know?", self.evidence.columns("quasi-identifier")),
            ("Which columns are sensitive?", self.evidence.columns("sensitive")),
            ("Which others are published as they are?", self.evidence.others()),
        ):
            told = ", ".join(map(repr, names)) or "None."
            yield MeasuredField(question, told, ("manifest.columns",))

    def protection(self) -> Iterator[MeasuredField | BlankField]:
        """Which models hold, recounted."""
        yield self.tell(
            "How was it protected?",
            "{method}; mean loss of detail {ngil:.1%} of the quasi-identifiers.",
            method="manifest.method",
            ngil="manifest.ngil",
        )
        for claim in self.evidence.manifest["holds"]:
            key = f"manifest.holds[{claim['measure']}]"
            yield self.tell(
                f"Does {claim['model']} hold?",
                "Recounted from the published file: {found}, asked {asked}.",
                under=key,
                found=f"{key}.recounted",
                asked=f"{key}.asked",
            )
        if not self.evidence.manifest["holds"]:
            yield MeasuredField(
                "Which model holds?", "None is promised: values were moved.", ("manifest.holds",)
            )

    def largest_risk(self) -> MeasuredField | BlankField:
        """One over the smallest crowd."""
        return self.tell(
            "How likely is it, at most, to single out a person by the quasi-identifiers?",
            "{risk:.4f}, one over the smallest crowd of {k}.",
            risk="derived.1 / smallest crowd",
            k="manifest.holds[k].recounted",
        )

    def uniqueness(self) -> MeasuredField | BlankField:
        """Who is unique on everything that is published."""
        step = "manifest.singling_out.in_steps_of"
        rounded = {} if self.evidence.look(step) is None else {"step": step}
        return self.tell(
            "How many people are unique on everything that is published?",
            "{share:.0%} on all columns, the sensitive ones and the target included; {plain:.0%} "
            "without those" + ("; rounded down to whole {step} people." if rounded else "."),
            share="manifest.singling_out.share_unique",
            plain="manifest.singling_out.share_unique_plain",
            **rounded,
        )

    def attacks_told(self) -> Iterator[MeasuredField | BlankField]:
        """Every attack that was tried."""
        if not self.evidence.attacks:
            yield BlankField("Which attacks were tried, and with what success?", ATTACK_FIRST)
        for attack in self.evidence.attacks:
            key = f"attacks.attacks[{attack['name']}]"
            control = {"control": f"{key}.control"} if attack.get("control") is not None else {}
            beside = "; about people who are not in the data {control:.2%}" if control else ""
            yield self.tell(
                f"{attack['name'].replace('_', ' ').capitalize()}: how often is it right?",
                "{rate:.2%} of {people} people; by guessing {baseline:.2%}" + beside + ".",
                under=key,
                rate=f"{key}.rate",
                people=f"{key}.people",
                baseline=f"{key}.baseline",
                **control,
            )

    def not_promised(self) -> Iterator[MeasuredField]:
        """The limits, as the release itself states them."""
        for text in self.evidence.manifest["not_promised"]:
            title, _, rest = text.partition(": ")
            yield MeasuredField(f"Not promised: {title}", rest, ("manifest.not_promised",))

    def trail(self) -> MeasuredField | BlankField:
        """What the journal holds."""
        question = "Is there a record of who decided what?"
        if self.evidence.facts["journal"] is None:
            return BlankField(question, JOURNAL_FIRST)
        return self.tell(
            question,
            "A journal of {entries} entries by {people} named people ({answers} answers, "
            "{releases} releases); its chain holds: {holds}.",
            **{
                name: f"journal.{name}"
                for name in ("entries", "people", "answers", "releases", "holds")
            },
        )


class _NumberFormatter(Formatter):
    """Numbers with thousands apart, truth as yes or no."""

    def format_field(self, value: Any, format_spec: str) -> str:
        """Format one value."""
        if isinstance(value, bool):
            return "yes" if value else "no"
        return format(value, format_spec or ("," if isinstance(value, int) else ""))
