"""What every dossier must pass."""

from __future__ import annotations

from shoal.dossier import BlankField, Dossier, Evidence, MeasuredField, to_html, to_markdown
from shoal.testing._expect import expect


def check_dossier(kind: type[Dossier], evidence: Evidence) -> None:
    """Check a dossier: measured fields have keys that are on file, blank ones a question.

    Parameters
    ----------
    kind : type
        A subclass of `Dossier`.
    evidence : Evidence
        Of a release with attacks on file.
    """
    full = kind(evidence)
    _check_fields(full)
    facts = {**evidence.facts, "attacks": None, "journal": None}
    bare = kind(Evidence(facts, evidence.release, evidence.populations))
    _check_fields(bare)
    expect(_blanks(bare) > _blanks(full), "Without attacks and a journal nothing is left blank.")
    expect(to_markdown(full) == to_markdown(kind(evidence)), "It reads differently every time.")
    expect("<script" not in to_html(full), "The page runs scripts.")


def _check_fields(dossier: Dossier) -> None:
    fields = [field for part in dossier.parts() for field in part.fields]
    expect(bool(fields), "The dossier is empty.")
    for field in fields:
        expect(bool(field.question.strip()), "A field has no question.")
        if isinstance(field, MeasuredField):
            expect(bool(field.keys), f"{field.question!r} is answered without a key.")
            for key in field.keys:
                room = key.partition(".")[0]
                known = room in ("data", "populations") or dossier.evidence.look(key) is not None
                expect(known, f"The key {key!r} of {field.question!r} is not on file.")
    expect(_blanks(dossier) > 0, "No field is left to a human.")


def _blanks(dossier: Dossier) -> int:
    fields = [field for part in dossier.parts() for field in part.fields]
    return sum(isinstance(field, BlankField) for field in fields)
