"""The threat model: every control names tests, and every test it names exists."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "threat-model.md").read_text(encoding="utf-8")
CONTROLS = [
    line for line in TEXT.partition("## Controls")[2].splitlines() if line.startswith("| ")
][2:]  # without the heading and its rule
NAMED = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")


@pytest.mark.parametrize("control", CONTROLS, ids=lambda line: line.split(" | ")[0].strip("| "))
def test_every_control_is_shown_by_tests_that_exist(control: str) -> None:
    shown = NAMED.findall(control)
    assert shown
    for file, name in shown:
        tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
        assert name in {n.name for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)}, name
