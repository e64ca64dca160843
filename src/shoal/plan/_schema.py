"""The schema of plans: what an editor needs to complete and check one while it is typed."""

from __future__ import annotations

from typing import Any

from shoal._checks import schema_of, texts
from shoal.plan._settings import ROLES, SECTIONS, all_settings

DIALECT = "https://json-schema.org/draft/2020-12/schema"
ONE_COLUMN = ("target", "person")


def plan_schema() -> dict[str, Any]:
    """Describe plan files as JSON Schema does, with the models that are registered now.

    >>> schema = plan_schema()
    >>> schema["properties"]["privacy"]["properties"]["k"]
    {'type': 'integer', 'minimum': 2}
    >>> schema["properties"]["method"]["properties"]["name"]["enum"]
    ['auto', 'sangreea', 'mondrian', 'quantize']
    """
    sections: dict[str, Any] = {name: _section() for name in SECTIONS}
    for role in ROLES:
        what = {"type": "string"} if role in ONE_COLUMN else schema_of(texts)
        sections["roles"]["properties"][role] = what
    for setting in all_settings():
        if setting.key is None:
            sections[setting.section] = schema_of(setting.check) or {"type": "object"}
        else:
            sections[setting.section]["properties"][setting.key] = schema_of(setting.check)
    return {
        "$schema": DIALECT,
        "title": "A plan of Shoal",
        "type": "object",
        "properties": {**sections, "tables": {"type": "object"}},  # of linked tables
        "additionalProperties": False,
    }


def _section() -> dict[str, Any]:
    return {"type": "object", "properties": {}, "additionalProperties": False}
