"""Evidence: what a dossier may quote, each value found by its key."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any

from shoal.audit import Journal
from shoal.exceptions import InputError
from shoal.release import MANIFEST, ReleaseOnDisk, describe, read_release

_STEP = re.compile(r"([^.\[\]]+)|\[([^\]]+)\]")
NAMES = ("measure", "name")  # by which the items of a list are found


@dataclass(frozen=True, eq=False)
class Evidence:
    """A release, and what is on file about it.

    Attributes
    ----------
    facts : mapping
        ``manifest``, ``attacks``, ``journal`` and ``derived``; the middle two are None if there
        are none. ``derived`` are quotients of the others, each under the formula it is made by.
    release : ReleaseOnDisk
        The released rows.
    populations : mapping of str to int
        People of each three-digit ZIP area, if they were given.
    """

    facts: Mapping[str, Any]
    release: ReleaseOnDisk
    populations: Mapping[str, int] = field(default_factory=dict)

    def look(self, key: str) -> Any:
        """Find a value: names after dots, items of lists by their name in brackets.

        >>> evidence = Evidence({"manifest": {"holds": [{"measure": "k", "asked": 5}]}}, None)
        >>> evidence.look("manifest.holds[k].asked"), evidence.look("manifest.ngil")
        (5, None)
        """
        found: Any = self.facts
        for name, item in _STEP.findall(key):
            if item and isinstance(found, list):
                found = next((x for x in found if item in map(x.get, NAMES)), None)
            else:
                found = found.get(name or item) if isinstance(found, Mapping) else None
        return found

    @property
    def manifest(self) -> Mapping[str, Any]:
        """What the release says of itself."""
        return dict(self.facts["manifest"])

    @property
    def attacks(self) -> list[Mapping[str, Any]]:
        """The attacks that were tried and apply; none if none are on file."""
        found = self.facts["attacks"] or {}
        return [attack for attack in found.get("attacks", ()) if attack.get("applies")]

    def columns(self, role: str) -> list[str]:
        """Name the published columns that have this role."""
        return [c["name"] for c in self.manifest["columns"] if c["role"] == role]

    def others(self) -> list[str]:
        """Name the published columns that are neither generalized nor sensitive."""
        known = {*self.columns("quasi-identifier"), *self.columns("sensitive")}
        return [c["name"] for c in self.manifest["columns"] if c["name"] not in known]


def gather(
    release: str | PathLike[str],
    *,
    attacks: str | PathLike[str] | None = None,
    journal: str | PathLike[str] | None = None,
    key: bytes | None = None,
    populations: str | PathLike[str] | None = None,
) -> Evidence:
    """Read all that is on file about a release; what was altered since is refused."""
    read = read_release(release)
    if not read.manifest:
        raise InputError(
            "A dossier speaks of a release that proves itself.",
            hint="Name the folder that 'shoal anonymize' wrote.",
        )
    facts: dict[str, Any] = {
        "manifest": dict(read.manifest),
        "attacks": _attacks(Path(attacks), Path(release)) if attacks else None,
        "journal": _journal(Path(journal), key) if journal else None,
    }
    facts["derived"] = _derived(facts)
    return Evidence(facts, read, _populations(Path(populations)) if populations else {})


def _derived(facts: Mapping[str, Any]) -> dict[str, float]:
    k = Evidence(facts, None).look("manifest.holds[k].recounted")  # type: ignore[arg-type]
    return {"1 / smallest crowd": 1 / k} if k else {}


def _attacks(path: Path, release: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        told = isinstance(found["attacks"], list) and "threshold" in found
    except (OSError, ValueError, KeyError, TypeError):
        told = False
    if not told:
        raise InputError(
            f"{path.name!r} is not what 'shoal attack --json' prints.",
            hint="shoal attack release/ --original FILE --json > attacks.json",
        )
    of = found.get("manifest_sha256")
    if of is not None and of != describe(release / MANIFEST)["sha256"]:
        raise InputError(
            f"The attacks of {path.name!r} were tried on another release.",
            hint=f"shoal attack {release.name}/ --original FILE --json > {path.name}",
        )
    return dict(found)


def _journal(path: Path, key: bytes | None) -> dict[str, Any]:
    from shoal._home import secret

    with Journal.open(path, key or secret("audit"), create=False) as journal:
        kinds = [entry.kind for entry in journal.entries()]
        actors = {entry.actor for entry in journal.entries() if entry.actor}
        told = journal.verify()
    return {
        "entries": len(kinds),
        "answers": kinds.count("answer"),
        "releases": kinds.count("release"),
        "people": len(actors),
        "holds": told.holds,
    }


def _populations(path: Path) -> dict[str, int]:
    import csv

    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = [row for row in csv.reader(file) if row]
        if found := {area.strip().zfill(3): int(people) for area, people, *_ in rows[1:]}:
            return found
    except (OSError, ValueError):
        pass
    raise InputError(
        f"{path.name!r} does not list three-digit ZIP areas and their people.",
        hint="A CSV with a header and two columns: area, people.",
    )
