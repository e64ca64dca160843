"""The reference, written from the code: Python, commands, plan, outputs, codes, manifest, REST."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from reference.facts import write_exit_codes, write_licences, write_manifest
from reference.notebook import write_notebook
from reference.outputs import write_outputs

import shoal
from shoal.cli._manual import as_markdown, manual_entries

ROOMS = (
    *("table", "table.sources", "projects", "hierarchies", "datasets", "spaces", "privacy"),
    *("grouping", "recoding", "quantize", "graphs", "utility", "risk", "risk.attacks", "verifier"),
    *("report", "ledger", "release", "dossier", "growing", "plan", "linked", "session", "tuning"),
    *("selection", "spark", "testing", "exceptions", "presets"),
)


def write_reference(folder: Path) -> None:
    """Write every page of the reference; what is as it was is left alone."""
    pages = {
        "command-line.md": as_markdown(list(manual_entries())),
        "python.md": "\n".join(_python()),
        "plan-settings.md": "\n".join(_plan()),
        "rest.md": "\n".join(_rest()),
        "json-outputs.md": "\n".join(write_outputs()),
        "exit-codes.md": "\n".join(write_exit_codes()),
        "manifest.md": "\n".join(write_manifest()),
        "licences.md": "\n".join(write_licences()),
        "../notebook.md": write_notebook(),
    }
    for name, text in pages.items():
        file = folder / name
        if not file.exists() or file.read_text(encoding="utf-8") != text + "\n":
            file.write_text(text + "\n", encoding="utf-8")


def _python() -> Iterator[str]:
    yield "# Python\n\nWhat `import shoal` offers; below it, each room with its own names.\n"
    yield "## shoal\n"
    yield from _documented("shoal", sorted(set(shoal.__all__) - {"datasets", "exceptions"}))
    for room in ROOMS:
        yield f"\n## shoal.{room}\n"
        yield from (
            f"```{{eval-rst}}\n.. automodule:: shoal.{room}",
            "   :members:",
            "   :no-index:",
            "```",
        )


def _documented(module: str, names: Iterable[str]) -> Iterator[str]:
    for name in names:
        thing = getattr(shoal, name)
        kind = "autoclass" if isinstance(thing, type) else "autofunction"
        members = ["   :members:"] if kind == "autoclass" else []
        yield f"### {name}\n"
        yield "\n".join(["```{eval-rst}", f".. {kind}:: {module}.{name}", *members, "```", ""])


def _plan() -> Iterator[str]:
    from shoal.linked import any_plan_schema

    yield "# The plan's settings\n\n[Plans](../plan.md) tells the story; this is every key."
    yield "`shoal manual --schema > plan.schema.json` gives the same to an editor, which then"
    yield "completes and checks a plan while it is typed.\n"
    for section, about in any_plan_schema()["properties"].items():
        yield f"\n## [{section}]\n\n| key | takes |\n| --- | --- |"
        if about.get("additionalProperties"):
            yield f"| a column | {_takes(about['additionalProperties'])} |"
        for key, what in about.get("properties", {}).items():
            yield f"| `{key}` | {_takes(what)} |"


def _takes(what: dict[str, Any]) -> str:
    if "enum" in what:
        return ", ".join(f"`{word}`" for word in what["enum"])
    if "anyOf" in what:
        return " or ".join(_takes(each) for each in what["anyOf"])
    ends = [f"at least {what['minimum']:g}"] if "minimum" in what else []
    ends += [f"above {what['exclusiveMinimum']:g}"] if "exclusiveMinimum" in what else []
    ends += [f"at most {what['maximum']:g}"] if "maximum" in what else []
    plain = {"array": "a list", "string": "text", "integer": "a whole number", "object": "a table"}
    plain |= {"number": "a number", "boolean": "true or false"}
    return ", ".join([plain.get(what.get("type", ""), "a value"), *ends])


def _rest() -> Iterator[str]:
    from shoal.web import Settings
    from shoal.web._app import create_app
    from shoal.web._server import Server

    yield "# REST\n\nWhat `shoal serve` answers to programs; sign in as a browser does, or send the"
    yield "token of the start as `Authorization: Bearer`. Errors are a sentence and a hint.\n"
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        described = create_app(Server(Settings(), Path(folder))).openapi()
    for path, methods in described["paths"].items():
        for method, about in methods.items():
            yield f"\n## {method.upper()} {path}\n\n{about.get('description', '')}\n"
            body = about.get("requestBody", {}).get("content", {}).get("application/json")
            if body:
                schema = _named(body["schema"], described)
                yield "```json\n" + json.dumps(schema, indent=2) + "\n```"


def _named(schema: dict[str, Any], described: dict[str, Any]) -> dict[str, Any]:
    name = schema.get("$ref", "").rsplit("/", 1)[-1]
    found = described["components"]["schemas"].get(name, schema)
    return {key: value.get("description", value.get("type", "see there"))
            for key, value in found.get("properties", {}).items()}  # fmt: skip
