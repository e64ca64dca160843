"""Roles that `shoal init` proposes, held against those of a careful steward.

Made-up tables come from ``tests/plan/battery.py``. Public ones are looked for in the folder that
SHOAL_PUBLIC_TABLES names (``roles_public.py`` says where they are found); absent ones are left out
and said so.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import shoal
from shoal.exceptions import ShoalError

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "plan"))

RESULT = Path(__file__).parent / "results" / "roles.json"
FOLDER = "SHOAL_PUBLIC_TABLES"
_SEEN: dict[Path, tuple[Any, ...]] = {}
Drawn = tuple[str, Any, Callable[[str], str | None]]


def measure() -> dict[str, Any]:
    """Propose roles for every table and count."""
    from roles_abroad import ABROAD, AFTERWARDS
    from roles_again import AGAIN
    from roles_careful import CAREFUL
    from roles_fresh import FRESH, UNSEEN
    from roles_last import LAST, WALKED
    from roles_public import DEVELOPED
    from roles_set_aside import FIRST, SECOND, THIRD
    from roles_strangers import SETTLED, STRANGERS

    set_aside = (*FIRST, *SECOND, *THIRD)
    abroad, strangers = (*ABROAD, *AFTERWARDS), (*STRANGERS, *SETTLED)
    careful = (*CAREFUL, *AGAIN)
    known = (*DEVELOPED, *set_aside, *LAST, *WALKED, *FRESH, *UNSEEN)
    public = (*known, *abroad, *strangers, *careful)
    return {
        "made_up": _counted(_made_up()),
        "developed_on": _counted(_public(DEVELOPED)),
        "set_aside": _counted(_public(set_aside)),
        "first_look": _first_look(),
        "set_aside_last": _counted(_public(LAST)),
        "walked": _counted(_public(WALKED)),
        "fresh": _counted(_public((*FRESH, *UNSEEN))),
        "abroad": _counted(_public(abroad)),
        "strangers": _counted(_public(strangers)),
        "careful": _counted(_public(careful)),
        "stewards": _stewards(),
        "once": _once(),
        "absent": [table.fetched for table in public if not _path(table).is_file()],
    }


def _first_look() -> dict[str, Any]:
    """Keep what was found at the first look at each table, which cannot be found again."""
    found: dict[str, Any] = json.loads(RESULT.read_text("utf-8"))["results"]["first_look"]
    return found


def _stewards() -> dict[str, Any]:
    """Count tables that two stewards labeled, by part: where they agree, and against each."""
    from roles_stewards import Agreement, stewards_tables

    tables = [table for table in stewards_tables() if _path(table).is_file()]
    agreement, found = Agreement(), {}
    for part in sorted({table.part for table in tables}):
        drawn = [table for table in tables if table.part == part]
        found[part] = {
            "agreed": _counted((Path(t.fetched).stem, _path(t), t.agreed) for t in drawn),
            "first": _counted(_public(t.first for t in drawn)),
            "second": _counted(_public(t.second for t in drawn)),
        }
    for table in tables:
        for column in shoal.read_table(_path(table)).column_names:
            agreement.add(table, column)
    return {"parts": found, "agreement": asdict(agreement)}


def _once() -> dict[str, Any]:
    """Count tables that one steward labeled, by part, and name those that cannot be read."""
    from roles_once import once_labeled

    parts: dict[str, list[Any]] = {}
    for part, table in once_labeled():
        parts.setdefault(part, []).append(table)
    refused = {part: [t.fetched for t in drawn if _is_refused(t)] for part, drawn in parts.items()}
    return {
        part: {
            **_counted(_public(t for t in drawn if t.fetched not in refused[part])),
            "refused": refused[part],
        }
        for part, drawn in parts.items()
    }


def _is_refused(table: Any) -> bool:
    if not _path(table).is_file():
        return False
    try:
        _proposed(_path(table))
    except ShoalError:
        return True
    return False


def _counted(tables: Iterable[Drawn]) -> dict[str, Any]:
    from scoring import Score

    score, names = Score(), []
    for name, source, letters_of in tables:
        columns = _proposed(source)
        letters = {part.name: letters_of(part.name) for part in columns}
        agreed = {name: given for name, given in letters.items() if given is not None}
        roles = {part.name: part.role for part in columns if part.name in agreed}
        score.add(name, agreed, roles)
        names.append(name)
    return {
        "tables": len(names),
        "columns": score.columns,
        "met": score.met,
        "certain": score.certain,
        "certain_met": score.certain_met,
        "identifiers_published": len(score.leaked),
        "quasi_identifiers_found": round(score.share("Q"), 3),
        "sensitive_found": round(score.share("S"), 3),
        "harmless_taken": round(score.taken, 3),
        "leaked": score.leaked,
        "misjudged": score.misjudged,
    }


def _proposed(source: Any) -> tuple[Any, ...]:
    """Propose roles; for a file only once, whoever its labels are from."""
    if not isinstance(source, Path):
        return shoal.propose(source).columns
    if source not in _SEEN:
        _SEEN[source] = shoal.propose(source).columns
    return _SEEN[source]


def _made_up() -> Iterable[Drawn]:
    from battery import frame_of, names

    for name in names():
        frame, letters = frame_of(name)
        yield name, frame, letters.__getitem__


def _public(tables: Iterable[Any]) -> Iterable[Drawn]:
    for public in tables:
        if _path(public).is_file():
            yield Path(public.fetched).stem, _path(public), public.role_of


def _path(public: Any) -> Path:
    return Path(os.environ.get(FOLDER, "public-tables")) / public.fetched
