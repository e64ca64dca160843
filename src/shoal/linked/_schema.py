"""The schema of plans of one table or of several, for editors."""

from __future__ import annotations

from typing import Any

from shoal._checks import schema_of
from shoal.linked._plan import CHECKS
from shoal.plan import plan_schema

FLAT = ("table", "roles", "privacy")  # sections whose keys stand in [tables.NAME] itself


def any_plan_schema() -> dict[str, Any]:
    """Describe plans of one table and of linked tables as JSON Schema does.

    >>> sections = any_plan_schema()["properties"]
    >>> sections["privacy"]["properties"]["km"]
    {'type': 'integer', 'minimum': 1}
    >>> sections["tables"]["additionalProperties"]["properties"]["person"]
    {'type': 'string'}
    """
    schema = plan_schema()
    sections = schema["properties"]
    part = {"type": "object", "properties": _part(sections), "additionalProperties": False}
    for section, known in CHECKS.items():
        for key, (_, check) in known.items():
            sections[section]["properties"].setdefault(key, schema_of(check))
    sections["tables"] = {"type": "object", "additionalProperties": part}
    return schema


def _part(sections: dict[str, Any]) -> dict[str, Any]:
    """What may stand in [tables.NAME]; trees are named by a folder or one by one."""
    flat: dict[str, Any] = {}
    for name in FLAT:
        flat |= sections[name]["properties"]
    for name, about in sections.items():
        if name not in (*FLAT, "tables"):
            flat[name] = {"anyOf": [flat[name], about]} if name in flat else about
    return flat
