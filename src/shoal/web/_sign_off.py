"""Sign-off: who answers for a release and why, written into the journal beside its digest."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from shoal.exceptions import InputError, InvalidParameterError
from shoal.web._workspace import Workspace

KIND = "sign_off"
LONGEST = 500  # characters


@dataclass(frozen=True)
class SignOff:
    """Who answers for a release, since when, and why."""

    who: str
    when: datetime
    why: str


def sign_off(space: Workspace, who: str, why: str) -> None:
    """Write into the journal that somebody answers for the release that lies ready."""
    who, why = " ".join(who.split()), " ".join(why.split())
    released, journal = space.released, space.session.journal
    if released is None or journal is None or not released.holds:
        raise InputError("There is no release to sign off.", hint="Make one first.")
    if not who or not why:
        raise InvalidParameterError("A sign-off has a name and a reason.")
    if max(len(who), len(why)) > LONGEST:
        raise InvalidParameterError("A sign-off has at most 500 characters.")
    journal.append(KIND, {"who": who, "why": why, "file": released.fingerprint}, space.actor)


def signed_off(space: Workspace) -> list[SignOff]:
    """Return who signed the release that lies ready, as the journal has it."""
    released, journal = space.released, space.session.journal
    if released is None or journal is None:
        return []
    return [
        SignOff(entry.body["who"], datetime.fromisoformat(entry.time), entry.body["why"])
        for entry in journal.entries()
        if entry.kind == KIND and entry.body.get("file") == released.fingerprint
    ]
