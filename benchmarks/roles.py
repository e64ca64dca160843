"""Roles that `shoal init` proposes, held against those of a careful steward.

Made-up tables come from ``tests/plan/battery.py``. Public ones are looked for in the folder that
SHOAL_PUBLIC_TABLES names (``roles_public.py`` says where they are found). A group that is not
there as a whole keeps the result on file, and is named under ``kept``.
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


def old_groups() -> dict[str, tuple[Any, ...]]:
    """Name the groups whose labels stand in modules, each with its tables."""
    from roles_abroad import ABROAD, AFTERWARDS
    from roles_again import AGAIN
    from roles_careful import CAREFUL
    from roles_fresh import FRESH, UNSEEN
    from roles_last import LAST, WALKED
    from roles_public import DEVELOPED
    from roles_set_aside import FIRST, SECOND, THIRD
    from roles_strangers import SETTLED, STRANGERS

    return {
        "developed_on": DEVELOPED,
        "set_aside": (*FIRST, *SECOND, *THIRD),
        "set_aside_last": LAST,
        "walked": WALKED,
        "fresh": (*FRESH, *UNSEEN),
        "abroad": (*ABROAD, *AFTERWARDS),
        "strangers": (*STRANGERS, *SETTLED),
        "careful": (*CAREFUL, *AGAIN),
    }


def measure() -> dict[str, Any]:
    """Propose roles for every table and count."""
    groups = old_groups()
    public = tuple(table for tables in groups.values() for table in tables)
    kept: list[str] = []
    return {
        "made_up": _counted(_made_up()),
        "first_look": _on_file()["first_look"],  # which cannot be found again
        **{name: _now(name, tables, kept) for name, tables in groups.items()},
        "stewards": _stewards(kept),
        "once": _once(kept),
        "absent": [table.fetched for table in public if not _path(table).is_file()],
        "kept": kept,
        "at_hand": _at_hand((*public, *_labeled_again()), kept),
    }


def _now(name: str, tables: Iterable[Any], kept: list[str]) -> dict[str, Any]:
    """Count a group of tables, or keep what is on file if one of them is absent."""
    tables = tuple(tables)
    if all(_path(table).is_file() for table in tables):
        return _counted(_public(tables))
    kept.append(name)
    found: dict[str, Any] = _on_file()[name]
    return found


def _labeled_again() -> Iterable[Any]:
    """Yield the tables of all parts, with the letters that count."""
    from roles_once import once_labeled
    from roles_stewards import stewards_tables

    yield from (table for _, table in once_labeled())
    yield from stewards_tables()


def labeled_tables() -> Iterable[tuple[str, str, str, Callable[[str], str]]]:
    """Yield part, file, source and roles of every labeled table.

    Where two stewards disagree, the first is believed.
    """
    from roles_once import once_labeled
    from roles_stewards import stewards_tables

    for name, tables in old_groups().items():
        yield from ((name, t.fetched, t.source, t.role_of) for t in tables)
    yield from ((part, t.fetched, t.source, t.role_of) for part, t in once_labeled())
    for twice in stewards_tables():
        yield twice.part, twice.fetched, twice.first.source, twice.agreed_or_first


def _at_hand(tables: Iterable[Any], kept: list[str]) -> dict[str, Any]:
    """Count all tables that are there, so that something is said of groups that are not whole."""
    there = [t for t in tables if kept and _path(t).is_file() and not _is_refused(t)]
    letters = (getattr(t, "agreed", None) or t.role_of for t in there)
    drawn = zip((Path(t.fetched).stem for t in there), map(_path, there), letters, strict=True)
    return {k: v for k, v in _counted(drawn).items() if k in ("tables", "columns", "met", "leaked")}


def _on_file() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(RESULT.read_text("utf-8"))["results"]
    return found


def _stewards(kept: list[str]) -> dict[str, Any]:
    """Count tables that two stewards labeled, by part: where they agree, and against each."""
    from roles_stewards import Agreement, stewards_tables

    tables, found, agreement = list(stewards_tables()), {}, Agreement()
    file = _on_file()["stewards"]
    for part in sorted({table.part for table in tables}):
        drawn = [table for table in tables if table.part == part]
        if not all(_path(table).is_file() for table in drawn):
            kept.append(f"part {part}")
            found[part] = file["parts"][part]
            continue
        found[part] = {
            "agreed": _counted((Path(t.fetched).stem, _path(t), t.agreed) for t in drawn),
            "first": _counted(_public(t.first for t in drawn)),
            "second": _counted(_public(t.second for t in drawn)),
        }
    if not all(_path(table).is_file() for table in tables):
        return {"parts": found, "agreement": file["agreement"]}
    for table in tables:
        for column in shoal.read_table(_path(table)).column_names:
            agreement.add(table, column)
    return {"parts": found, "agreement": asdict(agreement)}


def _once(kept: list[str]) -> dict[str, Any]:
    """Count tables that one steward labeled, by part, and name those that cannot be read."""
    from roles_once import once_labeled

    parts: dict[str, list[Any]] = {}
    for part, table in once_labeled():
        parts.setdefault(part, []).append(table)
    found = {}
    for part, drawn in parts.items():
        if not all(_path(table).is_file() for table in drawn):
            kept.append(f"part {part}")
            found[part] = _on_file()["once"][part]
            continue
        refused = [table.fetched for table in drawn if _is_refused(table)]
        read = (table for table in drawn if table.fetched not in refused)
        found[part] = {**_counted(_public(read)), "refused": refused}
    return dict(sorted(found.items()))


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
        "met_first": score.met_first,
        "by_table": {letter: round(score.by_table(letter), 3) for letter in "IQSH"},
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
