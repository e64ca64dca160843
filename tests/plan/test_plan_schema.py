"""The schema of plans takes every plan that the documents show, and refuses what Shoal refuses."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

from shoal.cli import run
from shoal.linked import any_plan_schema

DOCS = Path(__file__).parents[2] / "docs"
PLAN = re.compile(r"^```toml\n(.*?)^```$", re.MULTILINE | re.DOTALL)
KINDS = {"object": dict, "array": list, "string": str, "boolean": bool}


def shown():
    for page in sorted(DOCS.rglob("*.md")):
        for number, source in enumerate(PLAN.findall(page.read_text(encoding="utf-8")), 1):
            yield pytest.param(source, id=f"{page.stem}-{number}")


def faults(schema, value, at="plan"):
    """What an editor would underline; the part of JSON Schema that the schema speaks."""
    if "anyOf" in schema:
        return min((faults(part, value, at) for part in schema["anyOf"]), key=len)
    if not fits(schema.get("type"), value):
        return [f"{at} is no {schema['type']}"]
    found = [f"{at} is none of them"] if value not in schema.get("enum", [value]) else []
    if value_is_number := isinstance(value, int | float) and not isinstance(value, bool):
        found += [f"{at} is too small"] * (value < schema.get("minimum", value))
        found += [f"{at} is too small"] * (value <= schema.get("exclusiveMinimum", value - 1))
        found += [f"{at} is too large"] * (value > schema.get("maximum", value))
    if isinstance(value, list):
        found += [f for each in value for f in faults(schema.get("items", {}), each, at)]
    if isinstance(value, dict):
        assert not value_is_number
        known, others = schema.get("properties", {}), schema.get("additionalProperties", {})
        for name, each in value.items():
            allowed = known.get(name, others)
            wrong = [f"{at} has no {name}"] if allowed is False else None
            found += faults(allowed or {}, each, f"{at}.{name}") if wrong is None else wrong
    return found


def fits(kind, value):
    if kind is None:
        return True
    if kind in ("integer", "number"):
        wanted = int if kind == "integer" else (int, float)
        return isinstance(value, wanted) and not isinstance(value, bool)
    return isinstance(value, KINDS[kind])


def test_linked_tables_may_say_what_only_they_can():
    plan = {"tables": {"a": {"person": "no", "hierarchies": {"zip": "mask"}}}, "privacy": {"km": 2}}
    assert faults(any_plan_schema(), plan) == []


@pytest.mark.parametrize("source", [*shown()])
def test_every_plan_of_the_documents_passes(source):
    assert faults(any_plan_schema(), tomllib.loads(source)) == []


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("[privacy]\nk = 1", "plan.privacy.k is too small"),
        ('[privacy]\nk = "ten"', "plan.privacy.k is no integer"),
        ("[privacy]\nkay = 10", "plan.privacy has no kay"),
        ('[method]\nname = "magic"', "plan.method.name is none of them"),
        ("[secrecy]\nk = 10", "plan has no secrecy"),
        ("[tables.stays]\nwards = 3", "plan.tables.stays has no wards"),
    ],
)
def test_what_is_wrong_is_underlined(source, told):
    assert faults(any_plan_schema(), tomllib.loads(source)) == [told]


def test_an_editor_gets_it_from_the_command_line(capsys):
    assert run(["manual", "--schema"]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(any_plan_schema()))
