"""A release of linked tables, read back as somebody who received it would."""

from __future__ import annotations

import json
from os import PathLike
from pathlib import Path
from typing import Any

from shoal.exceptions import InputError
from shoal.linked._family import Family
from shoal.linked._plan import LinkedPlan
from shoal.plan import Plan
from shoal.table import Roles

MANIFEST = "manifest.json"


def is_linked_release(folder: str | PathLike[str]) -> bool:
    """Tell whether a folder holds a release of linked tables."""
    try:
        told = json.loads((Path(folder) / MANIFEST).read_text("utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(told, dict) and isinstance(told.get("tables"), list)


def read_linked(folder: str | PathLike[str]) -> tuple[Family, dict[str, Any]]:
    """Read the tables of a release, joined by their pseudonyms, and its manifest."""
    folder = Path(folder)
    try:
        manifest = json.loads((folder / MANIFEST).read_text("utf-8"))
        tables = {part["name"]: _plan(folder, part) for part in manifest["tables"]}
    except (OSError, ValueError, KeyError, TypeError):
        raise InputError(f"The {MANIFEST} in {folder.name!r} cannot be read.") from None
    plan = LinkedPlan(tables)
    return Family.read(plan), manifest


def _plan(folder: Path, part: dict[str, Any]) -> Plan:
    having: dict[str, list[str]] = {}
    for column in part["columns"]:
        having.setdefault(column["role"], []).append(column["name"])
    roles = Roles(
        quasi_identifiers=having.get("quasi-identifier", []),
        sensitive=having.get("sensitive", []),
        publish_as_is=having.get("publish-as-is", []),
        person=part["person"],
    )
    return Plan(source=str(folder / part["file"]), roles=roles)
