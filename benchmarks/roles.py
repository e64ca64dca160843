"""Roles that `shoal init` proposes, held against those of a careful steward.

Made-up tables come from ``tests/plan/battery.py``. Public ones are looked for in the folder that
SHOAL_PUBLIC_TABLES names (``roles_public.py`` says where they are found); absent ones are left out
and said so.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "plan"))

FOLDER = "SHOAL_PUBLIC_TABLES"


def measure() -> dict[str, Any]:
    """Propose roles for every table and count."""
    from roles_public import DEVELOPED, SET_ASIDE

    return {
        "made_up": _counted(_made_up()),
        "developed_on": _counted(_public(DEVELOPED)),
        "set_aside": _counted(_public(SET_ASIDE)),
        "absent": [t.fetched for t in (*DEVELOPED, *SET_ASIDE) if not _path(t).is_file()],
    }


def _counted(tables: Iterable[tuple[str, Any, dict[str, str]]]) -> dict[str, Any]:
    from scoring import Score

    from shoal.table import infer_roles

    score, names = Score(), []
    for name, table, letters in tables:
        guesses = infer_roles(table)
        score.add(name, letters, {column: guess.choice for column, guess in guesses.items()})
        names.append(name)
    return {
        "tables": len(names),
        "columns": score.columns,
        "met": score.met,
        "identifiers_published": len(score.leaked),
        "quasi_identifiers_found": round(score.share("Q"), 3),
        "sensitive_found": round(score.share("S"), 3),
        "harmless_taken": round(score.taken, 3),
        "leaked": score.leaked,
        "misjudged": score.misjudged,
    }


def _made_up() -> Iterable[tuple[str, Any, dict[str, str]]]:
    from battery import frame_of, names

    from shoal.table import read_table

    for name in names():
        frame, letters = frame_of(name)
        yield name, read_table(frame), letters


def _public(tables: Iterable[Any]) -> Iterable[tuple[str, Any, dict[str, str]]]:
    from shoal.table import read_table

    for public in tables:
        if _path(public).is_file():
            table = read_table(_path(public))
            letters = {name: public.role_of(name) for name in table.column_names}
            yield Path(public.fetched).stem, table, letters


def _path(public: Any) -> Path:
    return Path(os.environ.get(FOLDER, "public-tables")) / public.fetched
